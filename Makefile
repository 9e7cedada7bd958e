# `make demo`, `make check`, `make test`, `make install`: what people type. CONTRIBUTING.md says how long each takes.

PREFIX   = /usr/local
PROGRAMS = target/x86_64-unknown-linux-gnu/release
GOODPUT  = $(PROGRAMS)/goodput
TEST     = cargo test --release

# A tree with FreeBSD's stack, for the kernels whose names begin with `freebsd` and their tests; without one these are left out.
export FREEBSD_SRC ?= $(wildcard ../shared/freebsd/src)

# Tests are units beside the code and `it` of goodput and evidence, which need no guest, and the modules of `lab`
# (goodput/tests/lab/), which boot one. `make check` runs the former, `make test` both, but for:
LONG = --skip studies:: --skip environments:: --skip full:: --skip slurm::

# On the older kernel `make test-all` runs all physics, but for what docs/reference/kernels.md says does not hold there.
OLDER_ALL = physics:: lines:: queues:: stages:: topology:: tunnels:: traffic:: hosts:: determinism:: walls:: --skip who_watches

# `make test` runs those that touch what differs between kernels: goodput's patches (seed, clock, random numbers), the
# fields of samples, reasons of drops, RACK, GRO, bonds, and the ciphers and headers of tunnels.
OLDER = determinism::a_network_of_everything determinism::another_seed physics::a_lossless_path physics::bytes_are \
	physics::every_nth queues::cake queues::a_queue_that_marks stages::a_fault_of_lengths stages::a_policer \
	hosts::a_kernel_that_cannot hosts::every_qdisc hosts::losses_behind_gro hosts::lro_under \
	topology::balance_rr tunnels::the_inner_mtu traffic::a_thousand walls::

.PHONY: demo check test test-all lint bench corpus real world statistics reliability validation build kernel kernels install uninstall package setup

demo: kernel
	$(GOODPUT) run examples/long-fat-line.toml

check: lint
	cargo test --workspace --lib --bins --test it

test: kernels
	$(TEST) --workspace -- $(LONG)
	GOODPUT_TEST_KERNEL=6.12 $(TEST) --package goodput --test lab -- $(OLDER)

test-all: kernels
	$(TEST) --workspace
	GOODPUT_TEST_KERNEL=6.12 $(TEST) --package goodput --test lab -- $(OLDER_ALL)
	cargo bench --package goodput --bench diagnosis

# Format, clippy, the fuzzers and the docs, without a nightly toolchain.
lint: setup
	cargo fmt --check
	cargo clippy --workspace --all-targets -- --deny warnings
	cargo check --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --no-default-features
	RUSTDOCFLAGS='--deny warnings' cargo doc --workspace --lib --no-deps

# How fast the laboratory is.
bench: kernel
	cargo bench --package goodput --bench lab

# How often the diagnosis is right: every path of the corpus runs in the laboratory, and the page is held to it.
corpus: kernel
	cargo bench --package goodput --bench diagnosis

# The same on what iperf3, ss, ping and tcpdump print in the guest: half a minute of a core for each path that is not
# recorded yet. Needs iputils-ping and tcpdump.
real: kernel
	cargo bench --package goodput --bench real

# The same on transfers between clouds that others measured: WORLD is a checkout of kfirtoledo/CloudPilot_Project.
world:
	cargo bench --package goodput --bench world

# Whether intervals cover and verdicts are right: simulations, and 2000 trials in the laboratory.
statistics: kernel
	cargo bench --package goodput --bench statistics

# 1,000 kills of a run's processes, and a listing of 2 GB.
reliability: kernel
	cargo bench --package goodput --bench reliability

# The laboratory against published figures and this machine's own stack: about 15 minutes, and the page is held to it.
validation: kernel
	cargo bench --package goodput --bench validation

build: setup
	cargo build --release --workspace

$(GOODPUT):
	$(MAKE) build

# The guest kernel that `goodput kernel add` builds when there is none that fits this goodput.
kernel: build
	$(GOODPUT) kernel add --if-missing

# Those that examples and tests name besides.
kernels: kernel
	$(GOODPUT) kernel add 6.12 --from linux-source-6.12 --replace
	$(GOODPUT) kernel add cubic-before --replace
	$(GOODPUT) kernel add cubic-after --patch examples/patches/cubic-alpha.patch --replace
	$(GOODPUT) kernel add misbehaving --module goodput/tests/modules/misbehaving --replace
ifneq ($(FREEBSD_SRC),)
	$(GOODPUT) kernel add freebsd --freebsd '$(FREEBSD_SRC)' --replace
	$(GOODPUT) kernel add freebsd-d49540 --freebsd '$(FREEBSD_SRC)' --freebsd-patch examples/patches/freebsd-cubic-d49540.patch --replace
	$(GOODPUT) kernel add freebsd-clock --freebsd '$(FREEBSD_SRC)' --freebsd-patch examples/patches/freebsd-cubic-clock.patch --replace
	$(GOODPUT) kernel add freebsd-rack --freebsd '$(FREEBSD_SRC)' --freebsd-patch examples/patches/freebsd-rack.patch --replace
	$(GOODPUT) kernel add freebsd-rack-d49540 --freebsd '$(FREEBSD_SRC)' --freebsd-patch examples/patches/freebsd-rack.patch --freebsd-patch examples/patches/freebsd-cubic-d49540.patch --replace
	$(GOODPUT) kernel add freebsd-rack-later --freebsd '$(FREEBSD_SRC)' --freebsd-patch examples/patches/freebsd-rack.patch --freebsd-patch examples/patches/freebsd-rack-later.patch --freebsd-patch examples/patches/freebsd-cubic-clock.patch --replace
	$(GOODPUT) kernel add freebsd-rack-later-d49540 --freebsd '$(FREEBSD_SRC)' --freebsd-patch examples/patches/freebsd-rack.patch --freebsd-patch examples/patches/freebsd-rack-later.patch --freebsd-patch examples/patches/freebsd-cubic-d49540.patch --replace
	$(GOODPUT) kernel add freebsd-r8169 --freebsd '$(FREEBSD_SRC)' --patch examples/patches/r8169-memory.patch --replace
	$(GOODPUT) kernel add freebsd-r8169-d49540 --freebsd '$(FREEBSD_SRC)' --patch examples/patches/r8169-memory.patch --freebsd-patch examples/patches/freebsd-cubic-d49540.patch --replace
else
	@echo 'No FREEBSD_SRC: the tests of FreeBSD are left out'
endif

BIN  = $(DESTDIR)$(PREFIX)/bin
MAN  = $(DESTDIR)$(PREFIX)/share/man/man1
BASH = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH  = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

# What `make build` made, its man pages and completions; needs no cargo, so that `sudo make install` does. The guest
# kernel stays in the user's cache.
install: | $(GOODPUT)
	install -d '$(BIN)' '$(MAN)' '$(BASH)' '$(ZSH)' '$(FISH)'
	install -m 755 '$(GOODPUT)' '$(PROGRAMS)/goodput-agent' '$(BIN)'
	'$(GOODPUT)' man '$(MAN)'
	'$(GOODPUT)' completions bash > '$(BASH)/goodput'
	'$(GOODPUT)' completions zsh > '$(ZSH)/_goodput'
	'$(GOODPUT)' completions fish > '$(FISH)/goodput.fish'

uninstall:
	rm -f '$(BIN)/goodput' '$(BIN)/goodput-agent' '$(MAN)'/goodput.1 '$(MAN)'/goodput-*.1 '$(BASH)/goodput' \
		'$(ZSH)/_goodput' '$(FISH)/goodput.fish'

# A tarball, .deb and .rpm with program, guest kernel and tools for machines without a compiler, in dist/.
package: kernel
	scripts/package '$(PROGRAMS)'
	scripts/deb-and-rpm '$(CURDIR)/dist'

setup:
	@scripts/setup
