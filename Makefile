# Positional Encoding, from the Clock to the Rotation. `make` alone lists the targets.
# Every path is relative, so the folder's own name may hold spaces.

PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python
INSTALLED := .venv/.installed
BENCH := .venv-bench
SIZES := full
# bench/README.md says how to choose another build.
TORCH := torch==2.13.0
PAGE := book/_build/html/index.html
NOTEBOOKS := notebooks
# nbval and Playwright each want an event loop of their own: one process for each.
PYTEST := $(RUN) -m pytest --numprocesses 2 --dist loadfile
FAILURE := read the first failure; CONTRIBUTING.md says how to run one test alone

PYTHON_CHECK = @$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { printf 'The course needs Python 3.11 or later. Name one: make PYTHON=python3.12 <target>\n' >&2; exit 1; }

.DEFAULT_GOAL := help
.PHONY: help book pdf test lab execute bench format clean
.DELETE_ON_ERROR:

# $(call step,what is done,command,what to do when it fails)
define step
	@printf '\n==> %s\n' '$(1)'; \
	$(2) || { status=$$?; printf '\nThis step failed: %s\nThe command was:  %s\nWhat to do:       %s\n' \
	'$(1)' '$(subst ','"'"',$(2))' '$(3)' >&2; exit $$status; }
endef

help: ## list the targets
	@printf 'make <target>\n\n'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

book: $(INSTALLED) ## build the book from the executed notebooks
	$(call step,Building the book,$(RUN) -c "from jupyter_book.cli.main import main; main()" build . --config book/_config.yml --toc book/_toc.yml --path-output book -W -n --keep-going -q,a warning is an error: mend the page that it names; `make clean` starts afresh)
	@printf '\nThe book is ready. Open %s/$(PAGE)\n' "$$PWD"

pdf: book ## print the whole book into one PDF (wants Chromium)
	$(call step,Printing the book,$(RUN) scripts/print_book.py,install Chromium (Debian and Ubuntu: apt install chromium))

test: book ## run every test: package, notebooks, book
	$(call step,Checking the form of the code,$(RUN) -m ruff check . && $(RUN) -m ruff format --check .,`make format` mends the form)
	$(call step,Testing the package and the form of the notebooks,$(PYTEST) tests --ignore tests/book --cov,$(FAILURE))
	$(call step,Executing every notebook and comparing its outputs,$(PYTEST) notebooks book,$(FAILURE))
	$(call step,Reading the book in a browser,$(PYTEST) tests/book,$(FAILURE))

lab: $(INSTALLED) ## open the notebooks in JupyterLab
	$(RUN) -m jupyterlab --notebook-dir=$(NOTEBOOKS)

execute: $(INSTALLED) ## re-run every notebook from its text and refresh the outputs
	$(call step,Executing the notebooks,$(RUN) scripts/execute.py,mend the cell that is named and call `make execute` again)

bench: $(BENCH)/.installed ## measure the package and its peers (SIZES=quick to try it)
	$(call step,Measuring (about a quarter of an hour on a quiet machine),$(BENCH)/bin/python bench/run.py $(SIZES),bench/README.md says what is measured and how)

format: $(INSTALLED) ## put the code into its standard form
	$(RUN) -m ruff check --fix-only --quiet . && $(RUN) -m ruff format .

clean: ## remove the environment, the book and every cache
	rm -rf .venv .venv-bench book/_build .pytest_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BENCH)/.installed: bench/requirements.txt bench/install.py pyproject.toml
	$(PYTHON_CHECK)
	$(call step,Creating the environment in $(BENCH),$(PYTHON) -m venv $(BENCH),on Debian and Ubuntu: apt install python3-venv)
	$(call step,Installing the peers that the lock names and PyTorch,$(BENCH)/bin/python bench/install.py "$(TORCH)",check the connection to the package index and call make again)
	$(call step,Installing the course itself,$(BENCH)/bin/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .,remove $(BENCH) and try again)
	@touch $@

$(INSTALLED): requirements.txt pyproject.toml
	$(PYTHON_CHECK)
	$(call step,Creating the environment in .venv,$(PYTHON) -m venv .venv,on Debian and Ubuntu: apt install python3-venv)
	$(call step,Installing what the lock names (the longest step: a few minutes),$(RUN) -m pip install --disable-pip-version-check --require-hashes -r requirements.txt,check the connection to the package index and call make again)
	$(call step,Installing the course itself,$(RUN) -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .,call `make clean` and try again)
	@touch $@
