# Positional Encoding, from Clocks to RoPE. `make` alone lists the targets.
# Every path is relative, so the folder's own name may hold spaces.

PYTHON ?= python3
RUN := .venv/bin/python
INSTALLED := .venv/.installed
BENCH := .venv-bench
SIZES := full
# bench/README.md says how to choose another build.
TORCH := torch==2.13.0
# Two workers. With more threads each, they would wait for one another.
PYTEST := OPENBLAS_NUM_THREADS=1 $(RUN) -m pytest --numprocesses 2
# Many containers set it, and then each kernel compiles its packages again, for seconds.
unexport PYTHONDONTWRITEBYTECODE
# `make check NOTEBOOK=06` and `make execute NOTEBOOK=06` take one notebook.
NOTEBOOK :=
ifeq ($(wildcard notebooks/$(NOTEBOOK)*.md),)
$(error No notebook's name starts with $(NOTEBOOK))
endif
# Continuous integration sets it to --cov.
COVERAGE :=

# After a command: || $(call advise,what to do when it fails)
advise = { printf '\nThe step above failed. What to do: %s.\n' '$(1)' >&2; exit 1; }
READ := read the first failure; CONTRIBUTING.md says how to run one test alone

.DEFAULT_GOAL := help
.PHONY: help form advice check package test test-all processors book pdf lab execute bench peers train format clean
.DELETE_ON_ERROR:

help: ## list the targets
	@printf 'make <target>\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s%s\n", $$1, $$2 }' Makefile

form: $(INSTALLED)
	@printf '\n==> The form of the code\n'
	@$(RUN) -m ruff check . && $(RUN) -m ruff format --check . || $(call advise,make format mends most)

advice: $(INSTALLED) ## print how long the pages take and what could be better in their form (NOTEBOOK=06: that one)
	@$(RUN) scripts/advice.py $(NOTEBOOK)

ifeq ($(NOTEBOOK),)
check: form package ## test in a minute all but the book and the notebooks' outputs (NOTEBOOK=06: that one, executed)
	@printf '\nLeft out: what the notebooks print (make check NOTEBOOK=06 executes one again), and the\n'
	@printf 'book in a browser. make test has both.\n'
else
check: $(INSTALLED)
	@printf '\n==> The claims, the exercises and the outputs of one notebook\n'
	@$(PYTEST) notebooks/$(NOTEBOOK)*.ipynb tests/notebooks tests/checks tests/claims -k '$(NOTEBOOK)' \
		|| $(call advise,$(READ))
endif

package: $(INSTALLED)
	@printf '\n==> The package, the exercises, the notebooks\n'
	@$(PYTEST) tests --ignore tests/book --ignore tests/kernels -m 'not slow' $(COVERAGE) \
		|| $(call advise,$(READ))

test: form ## run the tests: package, notebooks, book
	@# The book is built while the package is tested, which saves half a minute.
	@# Continuous integration also measures which lines the tests reach, for twenty seconds.
	@$(MAKE) --no-print-directory --jobs 2 COVERAGE=$(if $(CI),--cov) book package
	@printf '\n==> Every notebook executed again, and the book in a browser\n'
	@$(PYTEST) notebooks book tests/kernels tests/book -m 'not slow' || $(call advise,$(READ))

test-all: test processors ## run the tests, also as on older processors, and those that take minutes
	@printf '\n==> What takes long\n'
	@$(PYTEST) tests -m slow || $(call advise,$(READ))

processors: $(INSTALLED) ## execute every page again as on older processors, which round differently
	@printf '\n==> Every page executed again, as on older processors\n'
	@$(RUN) scripts/processors.py env $(PYTEST) notebooks book tests/claims \
		|| $(call advise,round or bound what the first failure prints; CONTRIBUTING says how)

book: $(INSTALLED) ## build the book from the executed notebooks
	@printf '\n==> Building the book\n'
	@.venv/bin/jupyter-book build . \
		--config book/_config.yml --toc book/_toc.yml --path-output book -W -n --keep-going -q \
		|| $(call advise,mend the page that the first warning names; make clean starts afresh)
	@printf '\nThe book is ready. Open %s/book/_build/html/index.html\n' "$$PWD"

pdf: book ## print the whole book into one PDF (wants Chromium)
	@printf '\n==> Printing the book\n'
	@$(RUN) scripts/print_book.py

lab: $(INSTALLED) ## open the notebooks in JupyterLab
	$(RUN) -m jupyterlab --notebook-dir=notebooks

execute: $(INSTALLED) ## re-run every notebook from its text (NOTEBOOK=06: that one alone)
	@$(RUN) scripts/execute.py $(if $(NOTEBOOK),notebooks/$(NOTEBOOK)*.md) \
		|| $(call advise,mend the cell that is named and call make execute again)

bench: $(BENCH)/.installed ## measure the package and its peers, for five minutes (SIZES=quick to try it)
	@# One thread. What is freed stays in the process: a first touch of new memory costs more than
	@# most of what is measured. Both count only from a process's beginning.
	export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1099511627776 && \
		$(BENCH)/bin/python bench/run.py $(SIZES) $(if $(filter full,$(SIZES)),&& $(BENCH)/bin/python bench/five_ways.py)

peers: $(BENCH)/.installed ## record what other people's programs compute, for tests, notebook 12 and the field guide
	$(BENCH)/bin/python bench/record_peers.py

train: $(INSTALLED) ## train the small heads of notebooks 8 to 10 and of Labs B and C, for half an hour
	# Memory that is kept halves the time.
	OPENBLAS_NUM_THREADS=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1099511627776 \
		$(RUN) scripts/train_heads.py

format: $(INSTALLED) ## put the code into its standard form
	$(RUN) -m ruff check --fix-only --quiet . && $(RUN) -m ruff format .

clean: ## remove the environment, the book and every cache
	rm -rf .venv .venv-bench book/_build .pytest_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define create_environment
	@$(PYTHON) -c 'import sys; sys.version_info < (3, 11) and sys.exit("This is Python " + sys.version.split()[0])' \
		|| $(call advise,install Python 3.11 or later and name it: make PYTHON=python3.12 <target>)
	@printf '\n==> Creating the environment in $(1)\n'
	@# One that is half made may belong to another Python, so it is made afresh.
	@$(PYTHON) -m venv $(if $(wildcard $(1)/.installed),,--clear) $(1) \
		|| $(call advise,give this Python its modules venv and ensurepip (Debian and Ubuntu: apt install python3-venv) or name another one: make PYTHON=python3.12 <target>)
endef

# The one on the PATH, else the one that pip installs from the lock.
UV := PATH="$$PWD/.venv/bin:$$PATH" uv
CONNECT := if no package index was reached, check the connection or name a mirror as CONTRIBUTING says; then call make again

$(INSTALLED): requirements.txt pyproject.toml
	$(call create_environment,.venv)
	@$(UV) --version >/dev/null 2>&1 \
		|| awk '/^[^ ]/ { wanted = /^uv==/ } wanted' requirements.txt \
		| $(RUN) -m pip install --disable-pip-version-check --quiet --require-hashes -r /dev/stdin \
		|| $(call advise,$(CONNECT))
	@$(UV) pip install --python $(RUN) --require-hashes -r requirements.txt || $(call advise,$(CONNECT))
	@$(UV) pip install --quiet --python $(RUN) --no-deps --no-build-isolation --editable . \
		|| $(call advise,call make clean and try again)
	@touch $@

$(BENCH)/.installed: bench/requirements.txt pyproject.toml | $(INSTALLED)
	$(call create_environment,$(BENCH))
	@$(UV) pip install --python $(BENCH)/bin/python --no-deps --require-hashes \
		-r bench/requirements.txt || $(call advise,$(CONNECT))
	@$(BENCH)/bin/python -m pip install --disable-pip-version-check --quiet $(TORCH) \
		|| $(call advise,bench/README.md says how to name another build of PyTorch)
	@$(UV) pip install --quiet --python $(BENCH)/bin/python --no-deps --no-build-isolation \
		--editable . || $(call advise,remove $(BENCH) and try again)
	@touch $@
