# The two commands that a newcomer needs are `make demo` and `make test`.

GOODPUT := target/x86_64-unknown-linux-gnu/release/goodput

.PHONY: demo test bench statistics lint build kernel setup

demo: kernel
	$(GOODPUT) run examples/long-fat-line.toml

test: kernel
	cargo test --release --workspace

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

setup:
	@scripts/setup
