# SPDX-License-Identifier: BSD-2-Clause
# FreeBSD's stack as one object. Its only symbol that others see is bsd_stack.
#	ROOM	this folder
#	TREE	the tree that the user names
#	OUT	where objects go
#	STACK	the object
SYS := $(TREE)/sys

OURS   := $(patsubst $(ROOM)/%.c,$(OUT)/ours/%.o,$(wildcard $(ROOM)/*.c))
# Of a line of `files`, the first of its alternatives that the tree has, else the first of all: make then says that it is missing.
alternatives = $(subst |, ,$(patsubst ?%,%,$(1)))
there = $(patsubst $(SYS)/%,%,$(firstword $(wildcard $(addprefix $(SYS)/,$(call alternatives,$(1))))))
chosen = $(or $(call there,$(1)),$(if $(filter ?%,$(1)),,$(firstword $(call alternatives,$(1)))))
LINES  := $(shell grep -v '^\#' $(ROOM)/files)
THEIRS := $(patsubst %.c,$(OUT)/sys/%.o,$(foreach line,$(LINES),$(call chosen,$(line))))

INCLUDES := $(addprefix -I,$(ROOM)/include $(OUT)/made $(ROOM) $(SYS) $(SYS)/contrib/ck/include)
DEFINES := -undef -imacros $(OUT)/made/compiler.h -nostdinc -D__FreeBSD__ -D_KERNEL -DHAVE_KERNEL_OPTION_HEADERS \
	-include opt_global.h -DINET $(if $(call there,netinet/tcp_hpts.c),-DTCPHPTS -DRATELIMIT)
# The kernel has no floating point. No path of the machine gets into the object.
FLAGS := -O2 -std=gnu99 -fno-strict-aliasing -fno-common -fno-builtin -fno-stack-protector -fno-pic -fno-pie \
	-fcf-protection=none -mcmodel=small -mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -mno-80387 \
	-ffile-prefix-map=$(SYS)/=sys/ -ffile-prefix-map=$(ROOM)/= -ffile-prefix-map=$(OUT)/=

$(OUT)/sys/netinet/tcp_stacks/%.o: DEFINES += -DMODNAME=tcp_$(notdir $*) -DSTACKNAME=$(notdir $*)

# A call that does not fit this release's declarations is an error.
FITS := $(addprefix -Werror=,implicit-function-declaration incompatible-pointer-types int-conversion)

COMPILE = mkdir -p $(@D) && echo "  CC      $(patsubst $(OUT)/%,freebsd/%,$@)" && \
	gcc -c $(FLAGS) $(WARNINGS) $(DEFINES) $(INCLUDES) -MMD -MP -MF $(@:.o=.d) $< -o $@

$(STACK): $(OURS) $(THEIRS) $(ROOM)/sets.ld
	@echo "  LD      freebsd"
	@ld -r -T $(ROOM)/sets.ld -o $@.all $(OURS) $(THEIRS)
	@missing=$$(nm -u $@.all | awk '{ print $$NF }' | grep -vxE '$(LINUX_HAS)'); [ -z "$$missing" ] || \
		{ echo "freebsd/stack.o: error: neither a file of the tree nor goodput has $$missing" | tr '\n' ' '; exit 1; } >&2
	@mv $@.all $@
	@objcopy --keep-global-symbol=bsd_stack $@

# What the stack takes from the kernel around it besides its services.
LINUX_HAS := mem(cmp|cpy|move|set)|str(cmp|len)

STATES := $(foreach who,cubic htcp dctcp tcp_rack tcp_bbr,$(OUT)/made/state_$(who).h)

$(OUT)/ours/state.o $(OUT)/ours/state_rack.o $(OUT)/ours/state_bbr.o: $(STATES)

# Of a file that changes, its struct seldom does.
$(OUT)/made/state_%.h: $(ROOM)/state.awk $(ROOM)/state.list $(OUT)/made/ready $(wildcard $(addprefix $(SYS)/netinet/, \
		cc/cc_cubic.[ch] cc/cc_htcp.[ch] cc/cc_dctcp.[ch] tcp_stacks/tcp_rack.h tcp_stacks/tcp_bbr.h))
	@awk -v who=$* -v sys=$(SYS) -f $(ROOM)/state.awk $(ROOM)/state.list > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(OUT)/ours/%.o: WARNINGS := $(FITS)
$(OUT)/sys/%.o: WARNINGS := -w

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
	@echo | gcc -E -dM - | grep -vE '__STDC__|__STDC_HOSTED__|__STDC_VERSION__|__STDC_UTF_|__FreeBSD__|linux' > $(OUT)/made/compiler.h
	@cd $(OUT)/made && touch $$(grep -rhoE 'opt_[a-z0-9_]+\.h' $(SYS)/kern $(SYS)/net $(SYS)/netinet $(SYS)/sys | sort -u)
	@cd $(OUT)/made && for name in bus device linker; do awk -f $(SYS)/tools/makeobjops.awk $(SYS)/kern/$${name}_if.m -h; done
	@cd $(OUT)/made && for kind in h p q; do awk -f $(SYS)/tools/vnode_if.awk $(SYS)/kern/vnode_if.src -$$kind; done
	@touch $@

-include $(OURS:.o=.d) $(THEIRS:.o=.d)
