# nomicwolf: what a newcomer and a machine need. `make` alone lists it.

.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
HASHED := $(PIP) install --require-hashes --no-build-isolation --use-pep517
# A mark in the environment for each state of what it was made from: nothing to do is noticed at once.
STATE := $(shell cat pyproject.toml requirements*.lock | cksum | cut -d' ' -f1)
DEMO_READY := $(VENV)/ready-demo-$(STATE)
DEV_READY := $(VENV)/ready-dev-$(STATE)
BENCH_ARGS ?=
DEMO_ARGS ?=
TEST_ARGS ?=
AT_ONCE := --numprocesses auto --maxprocesses 8 --dist loadfile
MUTANTS ?= laws.*
MODULES ?=

.PHONY: help setup setup-demo demo test servers lint types docs pages unit test-all crash-matrix mutants bench bench-peers modules lock sbom dist deb installs release clean

help:  ## List what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: setup-demo  ## Play a whole contest over real mail on loopback (DEMO_ARGS="--seed 7")
	$(BIN)/nomicwolf demo $(DEMO_ARGS)

test: setup servers lint types docs unit  ## Set up everything and run the checks and tests that a change usually breaks

setup: $(DEV_READY)  ## Make the environment for working on nomicwolf
setup-demo: $(DEMO_READY)  ## Make the environment for running nomicwolf

$(VENV)/made:
	@$(PYTHON) scripts/check_python.py
	@echo "Making an environment in $(VENV)."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(DEMO_READY): | $(VENV)/made
	@echo "Installing what requirements.lock names."
	@$(HASHED) -r requirements-build.lock
	@$(HASHED) -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/ready-*
	@touch $@

$(DEV_READY): | $(DEMO_READY)
	@echo "Installing what requirements-dev.lock names."
	@$(HASHED) -r requirements-dev.lock
	@touch $@

servers:  ## Install Dovecot, Postfix, PostgreSQL and Chromium for the tests, where that is allowed
	@sh scripts/servers.sh

lint: setup  ## Style and likely mistakes
	$(BIN)/ruff check

types: setup  ## mypy --strict
	$(BIN)/mypy

docs: setup  ## Build the handbook in build/handbook/site; warnings are errors
	$(BIN)/python scripts/handbook.py

pages: setup  ## Make anew what is made from the code: reference pages, letters, examples (a few minutes)
	$(BIN)/python scripts/pages.py

unit: setup  ## The tests that a change usually breaks, mail servers among them (TEST_ARGS="-k lovers")
	$(BIN)/pytest $(AT_ONCE) -m "not slow" $(TEST_ARGS)

test-all: setup servers  ## The other tests: PostgreSQL, hosting, browsers, crashes, tampering, long properties
	$(BIN)/pytest $(AT_ONCE) -m slow $(TEST_ARGS)

crash-matrix: setup  ## Stop a whole contest's runs at every single step (an hour or two; NOMICWOLF_PART=2/4 shares it)
	NOMICWOLF_EXAMPLES=1000 $(BIN)/pytest -o faulthandler_timeout=0 tests/run/test_matrix.py tests/run/test_matrix_postgres.py \
		tests/run/test_housekeeping.py tests/run/test_replies.py tests/run/test_crash.py

modules:  ## Print what each module is for (MODULES="contest village")
	@$(PYTHON) scripts/modules.py $(MODULES)

mutants: setup  ## Change the game a little, everywhere, and see what no test notices (hours)
	$(BIN)/python -m scripts.mutants $(MUTANTS)

bench: setup  ## Print every benchmark in one table, and keep it as JSON (BENCH_ARGS="--rows votes --full")
	$(BIN)/python -m benchmarks --json build/bench.json $(BENCH_ARGS)

bench-peers: setup  ## Install Kaggle's werewolf in build/kaggle, a peer that `make bench` measures where it is
	$(PYTHON) -m venv build/kaggle && build/kaggle/bin/python -m pip install --quiet kaggle-environments==1.33.2

sbom: setup  ## What ships, with licences: an SBOM (CycloneDX) in dist/
	$(BIN)/python scripts/sbom.py dist

dist: setup  ## Draft of a release in dist/: sdist, wheel, SBOM, licences, sums
	$(BIN)/python scripts/release.py --draft

deb: setup  ## The draft of a release with the Debian package for this machine's kind
	$(BIN)/python scripts/release.py --draft --deb

installs: deb  ## Install package, wheel and image in clean roots, and try them (root, the network; some minutes)
	sh scripts/roots.sh build/roots $(BIN)/python
	NOMICWOLF_ROOTS=build/roots $(BIN)/pytest tests/install

release: test test-all installs  ## All checks, then the release in dist/ (version in nomicwolf/__init__.py, date in CHANGELOG.md)
	$(BIN)/python scripts/release.py --deb

lock:  ## Resolve the dependencies anew
	sh scripts/lock.sh $(PYTHON)

clean:  ## Remove everything that was made here
	rm -rf $(VENV) build dist mutants .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
