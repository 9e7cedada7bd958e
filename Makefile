# `make demo`, `make check`, `make test`, `make install`: what people type. CONTRIBUTING.md says how long each takes.

PREFIX   = /usr/local
PROGRAMS = target/x86_64-unknown-linux-gnu/release
GOODPUT  = $(PROGRAMS)/goodput
# All are of one build of the whole workspace, which `make check` and `make test` share; doc comments have no tests.
UNITS    = cargo test --workspace --lib --bins --test readers --test chance --test study
IT       = cargo test --workspace --test it -- --skip apply:: --skip field::
# These wait most of the time: for pings, transfers, watchdogs.
FIELD    = cargo test --workspace --test it -- --test-threads 6 apply:: field::
LAB      = cargo test --workspace --test lab

# A tree with FreeBSD's stack: the one named, else `freebsd-src` in goodput's cache.
CACHED_FREEBSD = $(shell folder="$${XDG_CACHE_HOME:-$$HOME/.cache}/goodput/freebsd-src"; test -d "$$folder" && echo "$$folder")
export FREEBSD_SRC ?= $(CACHED_FREEBSD)
NO_FREEBSD = FREEBSD_SRC names no tree and goodput\'s cache has no freebsd-src: the tests of FreeBSD\'s stack are left out

# Tests are units beside the code, `tests/` of the crates and `it` of goodput, which need no guest, and the modules of `lab`
# (goodput/tests/lab/), which boot one. `make check` runs the former, `make test` both, but for:
LONG = --skip studies:: --skip environments:: --skip full:: --skip slurm:: --skip bisect:: --skip real_hosts:: --skip prove::long \
	--skip bbr::bbrv3_meets --skip bbr::versions_differ

# On the older kernel `make test-all` runs all physics, but for what docs/reference/kernels.md says does not hold there.
OLDER_ALL = physics:: lines:: queues:: stages:: topology:: tunnels:: traffic:: hosts:: determinism:: walls:: --skip sampling_and_tracing

# `make test` runs there one test of each thing that differs between kernels: the seed and the clock, a lossless path, the
# reasons of drops, the fields of samples, what it lacks, GRO, a tunnel's header, and the walls.
OLDER = determinism::another_seed physics::a_lossless_path physics::every_nth queues::a_queue_that_marks \
	hosts::a_kernel_that_cannot hosts::losses_behind_gro tunnels::the_inner_mtu walls::

.PHONY: demo check test test-all lint bench cases corpus real world statistics reliability validation build docs kernel kernels kernels-all \
	freebsd-sources install uninstall package setup

demo: kernel
	$(GOODPUT) run examples/long-fat-line.toml

# What the changes since origin/main can reach; ALL=1 checks everything.
check: setup
	scripts/check-changes $(if $(ALL),--all)

# Both end with the tests that this machine could not run, and why.
SKIPPED = $(CURDIR)/target/skipped-tests
test test-all: export GOODPUT_SKIPPED = $(SKIPPED)

test: kernels
	rm -f '$(SKIPPED)'
	cargo build --workspace
	$(UNITS)
	$(IT)
	$(FIELD)
	$(LAB) -- $(LONG)
	GOODPUT_TEST_KERNEL=6.12 $(LAB) -- $(OLDER)
	@scripts/skipped-tests '$(SKIPPED)'

# The tests of real hosts (`field::` of `it`) make network namespaces: they need root, openssh-server, tcsh and fish.

# Before an issue is called resolved: also the long tests, every kernel, the older one in full, and the corpus. Slurm's tests
# need slurmctld, slurmd, slurm-client and munge.
test-all: export GOODPUT_TEST_KERNELS = all
test-all: export GOODPUT_TEST_LISTINGS = all
test-all: export GOODPUT_TEST_MOMENTS = 200
test-all: kernels-all
	rm -f '$(SKIPPED)'
	cargo build --workspace
	$(UNITS)
	$(IT)
	$(FIELD)
	$(LAB)
	GOODPUT_TEST_KERNEL=6.12 $(LAB) -- $(OLDER_ALL)
	cargo bench --package goodput --bench diagnosis
	@scripts/skipped-tests '$(SKIPPED)'

# Format, clippy, the fuzzers and the docs, without a nightly toolchain.
lint: setup
	cargo fmt --check
	cargo clippy --workspace --all-targets -- --deny warnings
	cargo check --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --no-default-features
	RUSTDOCFLAGS='--deny warnings --allow rustdoc::private_intra_doc_links' cargo doc --workspace --lib --no-deps

# How fast the laboratory is.
bench: kernel
	cargo bench --package goodput --bench lab

# How often the diagnosis is right: every path of the corpus runs in the laboratory, and the page is held to it.
corpus: kernel
	cargo bench --package goodput --bench diagnosis

# The same on what iperf3, ss, ping and tcpdump print in the guest: half a minute of a core for each path that is not
# recorded yet. Needs iputils-ping and tcpdump. Every listing that was once misread is read as well.
real: kernel
	GOODPUT_TEST_LISTINGS=all cargo test --package goodput --test it -- diagnose::real:: diagnose::native::
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

# The laboratory against published figures and this machine's own stack: about 25 minutes, and the page is held to it.
validation: kernel
	cargo bench --package goodput --bench validation

# The figures of docs/cases/: minutes of two cores, and the pages are held to them. BLESS=1 writes them.
cases: kernel
	cargo bench --package goodput --bench cases

build: setup
	cargo build --release --workspace

# The site, in target/docs, by mdBook. `MDBOOK=PROGRAM` names another mdBook; the one here is compiled once, by cargo.
MDBOOK = $(shell command -v mdbook || echo target/mdbook/bin/mdbook)

docs: $(MDBOOK)
	scripts/site '$(MDBOOK)'

target/mdbook/bin/mdbook:
	cargo install --quiet --locked --version 0.5.4 --no-default-features --features search --root target/mdbook mdbook

# The guest kernel that `goodput kernel add` builds when there is none that fits this goodput.
kernel: build
	$(GOODPUT) kernel add --if-missing

# What `make test` boots besides: an older kernel, and one with FreeBSD's stack.
kernels: kernel freebsd-sources
	$(GOODPUT) kernel add 6.12 --from linux-source-6.12 --replace
	$(if $(FREEBSD_SRC),$(GOODPUT) kernel add freebsd --freebsd '$(FREEBSD_SRC)' --replace)

# All that examples and tests name.
kernels-all: kernels
	$(GOODPUT) kernel add cubic-before --replace
	$(GOODPUT) kernel add cubic-after --patch examples/patches/cubic-alpha.patch --replace
	$(GOODPUT) kernel add misbehaving --module goodput/tests/modules/misbehaving --replace
	$(if $(FREEBSD_SRC),scripts/freebsd-kernels '$(GOODPUT)' '$(FREEBSD_SRC)')

freebsd-sources:
	@$(if $(FREEBSD_SRC),:,echo $(NO_FREEBSD))

BIN  = $(DESTDIR)$(PREFIX)/bin
MAN  = $(DESTDIR)$(PREFIX)/share/man/man1
BASH = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH  = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

# What `make build` made, its man pages and completions; needs no cargo, so that `sudo make install` does. The guest
# kernel stays in the user's cache.
install:
	@test -x '$(GOODPUT)' || $(MAKE) build
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
package: kernel docs
	scripts/package '$(PROGRAMS)'
	scripts/deb-and-rpm '$(CURDIR)/dist'

setup:
	@scripts/setup
