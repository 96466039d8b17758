# Every word here is what people and CI use. A virtual environment in .venv is made as needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCK := .ci/requirements.txt

.DEFAULT_GOAL := help
.PHONY: help demo test test-postgres test-mariadb install-engines vscode test-vscode install-editors test-editors \
	check format bench \
	bench-schema bench-checks bench-editor faults soak fuzz lock audit picture clean

help: ## Show these words
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

demo: $(VENV)/.installed ## Ask the bundled example's questions, with a real server and client
	@$(BIN)/sqlscribe demo

test: $(VENV)/.dev-installed ## Run all tests
	@$(BIN)/python -m pytest

test-postgres: $(VENV)/.dev-installed ## Try a real PostgreSQL; skips with a reason where there is none
	@$(BIN)/python -m pytest tests/engines -k 'postgres or duckdb'

test-mariadb: $(VENV)/.dev-installed ## Try a real MariaDB; skips with a reason where there is none
	@$(BIN)/python -m pytest tests/engines -k mariadb

install-engines: ## Install both servers, on Debian and as root
	@sh tests/engines/install

vscode: $(BIN)/python ## Make the VS Code extension: clients/vscode/dist/sqlscribe.vsix
	@$(BIN)/python clients/vscode/scripts/wheel.py
	@cd clients/vscode && npm ci --silent --no-audit --no-fund && npm run --silent check \
		&& npm test --silent && npm run --silent package

test-vscode: $(VENV)/.dev-installed ## Drive a real VS Code in a browser; needs node 20 (PICTURES=1 makes the pictures anew)
	@tests/vscode/run

install-editors: ## Install the editors that are tried, on Debian and as root
	@sh tests/editors/install

test-editors: $(VENV)/.dev-installed ## Drive a real Neovim and Emacs; skips with a reason where there is none
	@$(BIN)/python -m pytest tests/editors tests/e2e/test_recorded_clients.py

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

bench-schema: $(VENV)/.dev-installed ## Compare schemas with the engines' own; DDL=folder of scripts
	@$(BIN)/python tests/bench/schema_scripts.py $(if $(DDL),--ddl $(DDL))

bench-checks: $(VENV)/.dev-installed ## Count false alarms and misses; QUESTIONS=, SCHEMAS=, DDL=
	@$(BIN)/python tests/bench/checks.py $(if $(QUESTIONS),--questions $(QUESTIONS)) \
		$(if $(SCHEMAS),--schemas $(SCHEMAS)) $(if $(DDL),--ddl $(DDL))

bench-editor: $(VENV)/.dev-installed ## Measure what an editor waits for, beside other servers; JSON=file
	@$(BIN)/python tests/bench/editor_speed.py --peers $(VENV)/peers $(if $(JSON),--json $(JSON))

faults: $(VENV)/.dev-installed ## Put faults into real processes: models, disks, clients, kills
	@FAULTS=all $(BIN)/python -m pytest tests/faults -q

soak: $(VENV)/.dev-installed ## Live a long day in MINUTES=10 and watch the server; JSON=file for the figures
	@PYTHONPATH=tests $(BIN)/python -m soak.day --minutes $(or $(MINUTES),10) \
		$(if $(SEED),--seed $(SEED)) $(if $(JSON),--json $(JSON))

fuzz: $(VENV)/.dev-installed ## Feed odd texts to everything that reads some; SECONDS=60 for each, TARGET=
	@$(PIP) install atheris
	@PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(or $(SECONDS),60) \
		$(if $(TARGET),--target $(TARGET)) $(if $(FOUND),--found $(FOUND))

lock: $(BIN)/python ## Choose the versions that tests and CI use anew: .ci/requirements.txt
	@$(PIP) install uv
	@$(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header \
		--python-version 3.11 --group dev pyproject.toml -o $(LOCK)

audit: $(VENV)/.dev-installed ## Look the locked versions up among known vulnerabilities
	@$(PIP) install pip-audit
	@$(BIN)/python .ci/audit

picture: $(VENV)/.installed ## Make the README's picture anew
	@$(BIN)/sqlscribe demo --svg examples/demo.svg > /dev/null

clean: ## Remove the virtual environment and everything generated
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist clients/vscode/dist examples/*/.sqlscribe

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "SQLScribe needs Python 3.11 or newer; name one with PYTHON=…"; exit 2; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml
	@echo "Installing SQLScribe into $(VENV) …"
	@$(PIP) install -e .
	@touch $@

# The versions of the lock file, each with its hash; what a user gets is the newest that fits.
$(VENV)/.dev-installed: $(BIN)/python pyproject.toml $(LOCK)
	@echo "Installing SQLScribe and what its tests need into $(VENV) …"
	@$(PIP) install --require-hashes -r $(LOCK)
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $(VENV)/.installed $@
