# Two commands matter: `make run` starts the service, `make test` checks everything.
VENV ?= .venv
PORT ?= 8000
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
PY ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys,venv,ensurepip;sys.exit(sys.version_info<(3,11))' 2>/dev/null && { echo $$p; break; }; done)
# One more than cores: tests in a browser and on servers wait a good deal.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Tests start some hundred programs: what is compiled is kept, also where the environment says that it is not.
COMPILING = env -u PYTHONDONTWRITEBYTECODE
INSTALL = $(if $(UV),VIRTUAL_ENV=$(VENV) $(UV) pip install -q --compile-bytecode,$(BIN)/python -m pip install -q --disable-pip-version-check)
.DEFAULT_GOAL := help
.PHONY: help run servers cluster test test-whole check bench bench-compare audits-differ mutants spellings golden lock clean

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' Makefile

$(VENV)/.run.stamp: pyproject.toml requirements.lock
	@test -n "$(UV)$(PY)" || { echo "Python 3.11 or newer with venv is needed (Debian: apt-get install python3-venv), or uv" >&2; exit 1; }
	$(if $(UV),$(UV) venv -q --clear --python '>=3.11' $(VENV),$(PY) -m venv --clear $(VENV))
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test.stamp: $(VENV)/.run.stamp requirements-dev.lock
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

run: $(VENV)/.run.stamp  ## start the service on this machine, with example games (PORT=8000)
	$(BIN)/auditor serve --port $(PORT) $(ARGS)

servers: $(VENV)/.run.stamp  ## what a machine of a cluster needs besides: clients of PostgreSQL, a broker and S3
	$(INSTALL) --require-hashes -r requirements-cluster.lock

cluster: $(VENV)/.test.stamp  ## two web processes, two workers, PostgreSQL, Redis and an S3 server, on this machine
	$(BIN)/python -m tests.cluster

check: $(VENV)/.test.stamp  ## lint, types and import rules only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check  ## everything: lint, types, import rules, all tests, one process more than cores (ARGS="-n 0 tests/core": one process, some tests)
	$(COMPILING) $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadscope --no-loadscope-reorder $(ARGS)

test-whole: check  ## all tests, with every case of those that try a share of theirs (tests/shares.py)
	AUDITOR_WHOLE=1 $(COMPILING) $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadscope --no-loadscope-reorder $(ARGS)

bench: $(VENV)/.test.stamp  ## the speed table of docs/speed.md (ARGS="start many": some parts)
	$(BIN)/python -m tests.bench $(ARGS)

bench-compare: $(VENV)/.test.stamp  ## this tree's speed beside that of another revision (REV=HEAD~1 ARGS="audits start")
	$(BIN)/python -m tests.bench.compare $(or $(REV),HEAD) $(ARGS)

audits-differ: $(VENV)/.test.stamp  ## what the audits of examples and games say otherwise than at another revision (REV=HEAD~1 ARGS="--game hcg")
	$(BIN)/python -m tests.differ $(or $(REV),HEAD) $(ARGS)

mutants: $(VENV)/.test.stamp  ## small changes of the code that judges: does a test notice? (hours; ARGS="--room core")
	$(BIN)/python -m tests.mutants $(ARGS)

spellings: $(VENV)/.test.stamp  ## each field of legal games as people write it: is anybody accused? (ARGS="--games 2 --share 1")
	$(BIN)/python -m tests.spelled $(ARGS)

golden: $(VENV)/.test.stamp  ## re-accept expected output; refused where an audit changed under an old ruleset version
	$(BIN)/python -m tests.golden $(ARGS)

lock:  ## write the hashed requirement locks anew (needs uv)
	$(UV) pip compile -q --universal --generate-hashes --no-header --no-emit-index-url pyproject.toml --group build -o requirements.lock
	$(UV) pip compile -q --universal --generate-hashes --no-header --no-emit-index-url pyproject.toml --extra cluster -c requirements.lock -o requirements-cluster.lock
	$(UV) pip compile -q --universal --generate-hashes --no-header --no-emit-index-url pyproject.toml --extra cluster --group servers --group dev --group bench --group mutants -c requirements.lock -o requirements-dev.lock

clean:  ## remove the virtual environment
	rm -rf $(VENV)
