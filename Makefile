# Everything sets itself up: Python 3.11 or newer, make and network are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.dev-ready
SAMPLE ?= inventories/roce-h200-32
OUT ?= out

.DEFAULT_GOAL := help
.PHONY: help run test lint bench schemas golden clean

help: ## print this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("fabricgen needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(READY): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(READY) ## build, validate and show a sample (SAMPLE=inventories/...)
	$(BIN)/fabricgen plan $(SAMPLE)
	$(BIN)/fabricgen build $(SAMPLE) -o $(OUT)
	$(BIN)/fabricgen validate $(SAMPLE) --configs $(OUT)
	@echo
	@echo "Look at $(OUT)/summary.md, $(OUT)/compute/cabling.csv and $(OUT)/compute/switches/leaf-01/."
	@echo "Next: $(BIN)/fabricgen init my-cluster"

test: $(DEV_READY) ## run the whole suite
	$(BIN)/python -m pytest -n auto

lint: $(DEV_READY) ## style, types and import directions
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DEV_READY) ## print how fast it is
	$(BIN)/python -m pytest tests/benchmarks -q -s --override-ini addopts= -m benchmark

schemas: $(READY) ## write schemas/ from the models
	$(BIN)/fabricgen schema --write schemas

golden: $(DEV_READY) ## write the expected outputs of the tests anew
	$(BIN)/python -m pytest tests/golden tests/errors tests/test_readme.py -q --update-golden -k 'expected or picture'

clean: ## remove what was made here
	rm -rf $(VENV) $(OUT) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
