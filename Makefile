# Everything a person does here: `make check` and `make test` set up what they need and run.
#   PYTHON=python3.12 make test     another interpreter (3.11 or newer)
#   make check ARGS='--rules DS-*'  further options of `duelproof check`
#   make test TESTS=tests/oracles   only some of the tests

ifndef PYTHON
PYTHON := $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
endif
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
ARGS ?=
TESTS ?=

# The stamp names the folder the environment was made for: its scripts know that folder by its full path.
ifneq ($(shell $(BIN)/python -c '' 2>/dev/null && cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif

.PHONY: help check test tests static lint types contracts bench faults mutation wheel-test lock clean

help:
	@echo 'make check       check the embedded reference engine (duelproof check)'
	@echo 'make test        the tests, linters, types and import contracts of this repository'
	@echo 'make bench       ratios of speed, measured in one run'
	@echo 'make faults      hunt every seeded fault, and write docs/faults.md and docs/faults.json'
	@echo 'make mutation    mutate the reference engine line by line, and write docs/mutation.md and docs/mutation.json'
	@echo 'make wheel-test  build a wheel, install it elsewhere and run it there'
	@echo 'make lock        renew requirements/ci.txt and requirements/mutation.txt'
	@echo 'make clean       remove what the other targets made'

check: $(STAMP)
	@$(BIN)/duelproof check $(ARGS)

# Linters and tests side by side; both run to their end, and either can fail the target.
test: $(STAMP)
	@$(MAKE) --no-print-directory -k -j 2 static tests

tests: $(STAMP)
	@$(BIN)/python -m pytest -n auto $(TESTS)

# The report is held back until it is complete, so that it does not mix with the lines of pytest.
static: $(STAMP)
	@report=$$($(MAKE) --no-print-directory -k lint types contracts 2>&1); status=$$?; \
	printf '\n%s\n' "$$report"; exit $$status

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP)
	@$(BIN)/mypy

contracts: $(STAMP)
	@$(BIN)/lint-imports --no-logo

bench: $(STAMP)
	@$(BIN)/python -m benchmarks $(ARGS)

faults: $(STAMP)
	@$(BIN)/python -m tests.faults

# Takes most of an hour; stopped, it goes on where it was unless a package has changed.
mutation: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/mutation.txt
	@$(BIN)/python -m tests.mutation

wheel-test: $(STAMP)
	@$(BIN)/python -m pytest tests/packaging

# Exact versions with hashes, valid for every supported Python; uv only resolves, it is not needed to install them.
lock:
	@rm -rf build/lock && "$(PYTHON)" -m venv build/lock
	@build/lock/bin/python -m pip install --quiet uv
	@build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command 'make lock' --group dev --output-file requirements/ci.txt pyproject.toml
	@build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command 'make lock' --constraint requirements/ci.txt --group mutation \
		--output-file requirements/mutation.txt pyproject.toml
	@rm -rf build/lock

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml requirements/ci.txt
	@[ -n "$(PYTHON)" ] || { echo 'duelproof needs Python 3.11 or newer, and none was found. Name one: make PYTHON=/path/to/python3'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "duelproof needs Python 3.11 or newer; $(PYTHON) is not. Name another: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot create environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@if [ -e $(VENV) ] && ! { $(BIN)/python -c '' 2>/dev/null && [ "$$(cat $(STAMP) 2>/dev/null || pwd)" = "$$(pwd)" ]; }; then \
		echo "$(VENV) was made for another folder or Python: making it anew"; rm -rf $(VENV); fi
	@[ -e $(BIN)/python ] || { echo "Creating $(VENV) with $$($(PYTHON) --version)"; $(PYTHON) -m venv $(VENV); }
	@echo 'Installing the locked dependencies and duelproof'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/ci.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@printf '%s' "$(CURDIR)" > $(STAMP)
