# SPDX-License-Identifier: BSD-2-Clause
# FreeBSD's stack as one object. Its only symbol that others see is bsd_stack.
#	ROOM	this folder
#	TREE	the tree that the user names
#	OUT	where objects go
#	STACK	the object
SYS := $(TREE)/sys

OURS   := $(patsubst $(ROOM)/%.c,$(OUT)/ours/%.o,$(wildcard $(ROOM)/*.c))
THEIRS := $(patsubst %.c,$(OUT)/sys/%.o,$(shell grep -v '^\#' $(ROOM)/files))

INCLUDES := $(addprefix -I,$(ROOM)/include $(OUT)/made $(ROOM) $(SYS) $(SYS)/contrib/ck/include)
DEFINES := -undef -imacros $(OUT)/made/compiler.h -nostdinc -D__FreeBSD__ -D_KERNEL -DHAVE_KERNEL_OPTION_HEADERS \
	-include opt_global.h -DINET -DTCPHPTS -DRATELIMIT
# The kernel has no floating point. No path of the machine gets into the object.
FLAGS := -O2 -std=gnu99 -w -fno-strict-aliasing -fno-common -fno-builtin -fno-stack-protector -fno-pic -fno-pie \
	-fcf-protection=none -mcmodel=small -mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -mno-80387 \
	-ffile-prefix-map=$(SYS)/=sys/ -ffile-prefix-map=$(ROOM)/= -ffile-prefix-map=$(OUT)/=

$(OUT)/sys/netinet/tcp_stacks/%.o: DEFINES += -DMODNAME=tcp_$(notdir $*) -DSTACKNAME=$(notdir $*)

COMPILE = mkdir -p $(@D) && echo "  CC      $(patsubst $(OUT)/%,freebsd/%,$@)" && \
	gcc -c $(FLAGS) $(DEFINES) $(INCLUDES) -MMD -MP -MF $(@:.o=.d) $< -o $@

$(STACK): $(OURS) $(THEIRS) $(ROOM)/sets.ld
	@echo "  LD      freebsd"
	@ld -r -T $(ROOM)/sets.ld -o $@ $(OURS) $(THEIRS)
	@objcopy --keep-global-symbol=bsd_stack $@

STATES := $(foreach who,cubic htcp dctcp tcp_rack tcp_bbr,$(OUT)/made/state_$(who).h)

$(OUT)/ours/state.o $(OUT)/ours/state_rack.o $(OUT)/ours/state_bbr.o: $(STATES)

# Of a file that changes, its struct seldom does.
$(OUT)/made/state_%.h: $(ROOM)/state.awk $(ROOM)/state.list $(OUT)/made/ready $(addprefix $(SYS)/netinet/,cc/cc_cubic.c \
		cc/cc_htcp.c cc/cc_dctcp.c tcp_stacks/tcp_rack.h tcp_stacks/tcp_bbr.h)
	@awk -v who=$* -v sys=$(SYS) -f $(ROOM)/state.awk $(ROOM)/state.list > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(OUT)/ours/%.o: $(ROOM)/%.c $(OUT)/made/ready
	@$(COMPILE)

$(OUT)/sys/%.o: $(SYS)/%.c $(OUT)/made/ready
	@$(COMPILE)

# The tree may have moved with its cache.
ifneq ($(shell readlink $(OUT)/made/machine),$(SYS)/amd64/include)
$(shell rm -f $(OUT)/made/ready)
endif

# What config(8) and make would have made of the tree. An option that is not ours is off.
$(OUT)/made/ready: $(ROOM)/stack.mk
	@rm -rf $(OUT)/made && mkdir -p $(OUT)/made
	@ln -sfn $(SYS)/amd64/include $(OUT)/made/machine
	@ln -sfn $(SYS)/x86/include $(OUT)/made/x86
	@echo | gcc -E -dM - | grep -vE '__STDC__|__STDC_HOSTED__|__STDC_VERSION__|__FreeBSD__|linux' > $(OUT)/made/compiler.h
	@cd $(OUT)/made && touch $$(grep -rhoE 'opt_[a-z0-9_]+\.h' $(SYS)/kern $(SYS)/net $(SYS)/netinet $(SYS)/sys | sort -u)
	@cd $(OUT)/made && for name in bus device linker; do awk -f $(SYS)/tools/makeobjops.awk $(SYS)/kern/$${name}_if.m -h; done
	@cd $(OUT)/made && for kind in h p q; do awk -f $(SYS)/tools/vnode_if.awk $(SYS)/kern/vnode_if.src -$$kind; done
	@touch $@

-include $(OURS:.o=.d) $(THEIRS:.o=.d)
