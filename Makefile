# The two commands that a newcomer needs are `make demo` and `make test`.

# The tests in the guest that are run on the older kernel as well, but for what docs/reference/kernels.md says of it.
PHYSICS := physics:: queues:: stages:: topology:: tunnels:: traffic:: hosts:: determinism:: --skip who_watches

GOODPUT := target/x86_64-unknown-linux-gnu/release/goodput

.PHONY: demo test bench statistics lint build kernel kernels setup

demo: kernel
	$(GOODPUT) run examples/long-fat-line.toml

test: kernels
	cargo test --release --workspace
	GOODPUT_TEST_KERNEL=6.12 cargo test --release --package goodput --test lab -- $(PHYSICS)

bench: kernel
	cargo bench --package goodput --bench lab

# Whether intervals cover and verdicts are right: simulations, and 2000 trials in the laboratory.
statistics: kernel
	cargo bench --package goodput --bench statistics

lint: setup
	cargo fmt --check
	cargo clippy --release --workspace --all-targets -- --deny warnings

build: setup
	cargo build --release --workspace

# The guest kernel that `goodput kernel add` builds when there is none that fits this goodput.
kernel: build
	$(GOODPUT) kernel add --if-missing

# Those that examples and tests name besides.
kernels: kernel
	$(GOODPUT) kernel add 6.12 --from linux-source-6.12 --replace
	$(GOODPUT) kernel add cubic-before --replace
	$(GOODPUT) kernel add cubic-after --patch examples/patches/cubic-alpha.patch --replace
	$(GOODPUT) kernel add misbehaving --module goodput/tests/modules/misbehaving --replace

setup:
	@scripts/setup
