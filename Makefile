# Every target with its text: `make help`. Needs only make and Python >= 3.11.

PYTHON ?=
BIN := .venv/bin

# One stamp per set of dependencies, written only after a whole installation. `dev` holds all of `all`.
ALL := .venv/.installed-all
DEV := .venv/.installed-dev
ORANGE := .venv-orange/.installed
SET_UP := PYTHON='$(PYTHON)' sh scripts/setup-venv.sh

# Compiled files are kept, also where the environment says not to, as many containers do: every process that a test
# starts would compile the whole source again, and every worker all tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL: # two installations at once would break the environment
.PHONY: help demo test test-data test-browser test-engines test-orange orange-demo test-laws test-lowest test-newest test-kernels frontend screenshots check format lint types docs studies bench peers changelog clean data-folder mutants

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo "  PYTHON=... is the Python to use (>= 3.11); ARGS=... goes to pytest."

demo: $(ALL) ## Run the worked example; it writes to demo/
	$(BIN)/plumbline demo

# It names tests that take longer than 20 seconds: one that grows with the square of something is seen here first.
test: $(DEV) ## Run every test that needs nothing from outside (about 6 minutes on two cores)
	$(BIN)/python -m pytest -m "not data and not browser and not engines" -n auto --dist worksteal --durations=9 --durations-min=20 $(ARGS)

test-data: data-folder $(DEV) ## Reproduce the published numbers; DATA=folder says where the data are
	PLUMBLINE_DATA="$$(cd '$(DATA)' && pwd)" $(BIN)/python -m pytest -m data $(ARGS)

test-browser: $(DEV) ## Test the workbench in a real browser (Debian's chromium; installs it as root)
	sh scripts/need-chromium.sh
	$(BIN)/python -m pytest -m browser -n 2 --dist worksteal tests/browser $(ARGS)

screenshots: $(DEV) ## Renew the pictures of docs/workbench.md with the browser tests
	sh scripts/need-chromium.sh
	PLUMBLINE_SCREENSHOTS=docs/pictures/workbench $(BIN)/python -m pytest -m browser tests/browser -k picture $(ARGS)

frontend: ## Check and build the workbench's front end from frontend/ (needs Node.js >= 18)
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js (Debian: nodejs npm)." >&2; exit 2; }
	cd frontend && npm ci && npm run types && npm test && npm run build

test-engines: ## Count rows on Dask, Ray, Spark and PostgreSQL in an environment of its own (needs Java and PostgreSQL; six minutes, not part of the CI)
	@command -v java >/dev/null || { echo "java is missing: install it (Debian: default-jre-headless, and postgresql)." >&2; exit 2; }
	PYTHON='$(PYTHON)' VENV=.venv-engines sh scripts/setup-venv.sh engines
	.venv-engines/bin/python -m pytest -m engines -n 0 -W default tests/engines $(ARGS)

test-orange: $(ORANGE) ## Test the add-on for Orange in an environment of its own (installs Qt's libraries as root; three minutes)
	sh scripts/need-qt.sh .venv-orange/bin/python
	QT_QPA_PLATFORM=offscreen .venv-orange/bin/python -m pytest -c orange/pyproject.toml --rootdir orange orange/tests $(ARGS)

orange-demo: $(ORANGE) ## Run the example workflow in Orange, and renew the pictures of docs/orange.md
	sh scripts/need-qt.sh .venv-orange/bin/python xvfb
	xvfb-run -a -s '-screen 0 1600x1200x24' .venv-orange/bin/python scripts/orange_demo.py docs/pictures/orange $(ARGS)

test-laws: $(DEV) ## Try all cases and examples of the laws of which `make test` tries some (minutes); 10,000 hostile questions and headers
	PLUMBLINE_LAWS=all $(BIN)/python -m pytest -m laws -n auto --dist worksteal $(ARGS)

test-lowest: $(DEV) ## Run the tests with the oldest versions allowed (needs python3.11)
	$(BIN)/python scripts/lowest.py >.venv/lowest.txt
	PYTHON=python3.11 VENV=.venv-lowest PIP_CONSTRAINT=.venv/lowest.txt sh scripts/setup-venv.sh test
	.venv-lowest/bin/python -m pytest -m "not data and not browser and not engines" -n auto --dist worksteal $(ARGS)

test-newest: ## Run the tests with the newest pre-releases of all packages, in an environment of its own
	PYTHON='$(PYTHON)' VENV=.venv-newest PIP_PRE=1 PIP_UPGRADE=1 PIP_UPGRADE_STRATEGY=eager sh scripts/setup-venv.sh test
	.venv-newest/bin/python -m pip list --disable-pip-version-check
	.venv-newest/bin/python -m pytest -m "not data and not browser and not engines" -n auto --dist worksteal $(ARGS)

test-kernels: $(DEV) ## Run the snapshot tests with the kernels of an older processor
	$(BIN)/python scripts/older_kernels.py $(BIN)/python -m pytest -m "not data and not browser and not engines" -n auto -k snapshot $(ARGS)

check: lint types test ## Check format, lint and types, then run the tests

format: $(DEV) ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(DEV) ## Check the format, the lint rules, the docstrings of public functions and the words
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python scripts/check_docstrings.py
	$(BIN)/python scripts/words.py
	$(BIN)/python scripts/structure.py --check

types: $(DEV) ## Check the types
	$(BIN)/mypy

docs: $(DEV) ## Build the documentation into docs/_build/html; a warning is an error
	$(BIN)/sphinx-build -E -W --keep-going -q -b html docs docs/_build/html
	@echo "Built docs/_build/html/index.html"

studies: $(DEV) ## Run the long simulations; they write to studies/results (hours)
	@for file in studies/*.py; do echo "$$file"; $(BIN)/python "$$file" || exit 1; done

bench: $(DEV) ## Run the benchmarks; fails where a ratio fell by a fifth (ARGS=--write keeps them in docs/performance.md, --quick: five of seconds)
	@test -d benchmarks || { echo "There are no benchmarks yet." >&2; exit 2; }
	$(BIN)/python benchmarks/ratios.py $(ARGS)

mutants: $(DEV) ## Change the source in small ways and count what the tests notice (PACKAGES="nulls binning", ARGS="--mutants 40 --seed 1")
	$(BIN)/python scripts/mutants.py $(PACKAGES) $(ARGS)

peers: ## Record the values of other packages, for the tests (separate environment)
	PYTHON='$(PYTHON)' VENV=.venv-peers sh scripts/setup-venv.sh peers
	.venv-peers/bin/python scripts/record_peers.py $(ARGS)

changelog: $(DEV) ## Show what the fragments in changelog.d/ say, which is not in CHANGELOG.md yet
	$(BIN)/towncrier build --draft --version Unreleased

clean: ## Remove what was built: environment, caches, demo and documentation
	rm -rf .venv .venv-lowest .venv-newest .venv-peers .venv-engines .venv-orange demo dist orange/dist docs/_build docs/tutorials docs/names .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests orange -name __pycache__ -type d -prune -exec rm -rf {} +

data-folder:
	@test -n '$(DATA)' || { echo "Say where the data are: make test-data DATA=folder" >&2; exit 2; }
	@test -d '$(DATA)' || { echo "DATA=$(DATA) is not a folder." >&2; exit 2; }

$(ALL): pyproject.toml
	@$(SET_UP) all
	@touch $(ALL)

$(DEV): pyproject.toml
	@$(SET_UP) dev
	@touch $(ALL) $(DEV)

$(ORANGE): pyproject.toml orange/pyproject.toml
	@PYTHON='$(PYTHON)' VENV=.venv-orange sh scripts/setup-venv.sh plot './orange[test]'
	@touch $(ORANGE)
