# Every word here is what people and CI use. A virtual environment in .venv is made as needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test check format bench picture clean

help: ## Show these words
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.installed ## Ask the bundled example's questions, with a real server and client
	@$(BIN)/sqlscribe demo

test: $(VENV)/.dev-installed ## Run all tests
	@$(BIN)/python -m pytest

check: $(VENV)/.dev-installed ## Lint, formatting, types and layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/project

format: $(VENV)/.dev-installed ## Put every file into the house's format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(VENV)/.dev-installed ## Measure; the figures are ratios within one run
	@$(BIN)/python -m pytest tests/bench --benchmark-group-by=group -q

picture: $(VENV)/.installed ## Make the README's picture anew
	@$(BIN)/sqlscribe demo --svg examples/demo.svg > /dev/null

clean: ## Remove the virtual environment and everything generated
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist examples/*/.sqlscribe

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "SQLScribe needs Python 3.11 or newer; name one with PYTHON=…"; exit 2; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml
	@echo "Installing SQLScribe into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev-installed: $(VENV)/.installed
	@echo "Installing what the tests need …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@
