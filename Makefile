# make demo              scan a bundled CUDA project, convert and type-check it, write the HTML report
# make demo REPO=path    the same for any repository
# make test              the test suite
# make exhaustive        the tests that take longest: killed runs, packages, builds, every form for every GPU, programs
# make draws             the tests that draw their examples, with examples of this run alone; report what fails
# make check             format, lint, types, import contracts, the test suite, and the exhaustive tests
# make docs              the documentation's site, into build/site; a warning ends the build
# make scoreboard        figures of accuracy and speed, measured one by one into docs/scoreboard.md; ROWS=NAME for one
# make packages          wheel and source archive, checked, and installed by pip, pipx and uv on each Python found
# make corpus            real projects: downloads them, prints a table
# make fuzz              the same hostile inputs in every run, for a minute; it fails only where code has become wrong
# make fuzz-nightly      ten minutes of fresh draws for each reader (MINUTES=10), with atheris; crashes become tests
# make symbols           name listings of CUDA and HIP, from the pinned wheels
# make declarations      headers of ROCm's C libraries to type-check against, from the same wheels; those of PyTorch
#                        too, where torch is in .venv or TORCH=path names its include folder
# make declarations-check  whether those headers are what the wheels give today
# make bench REPO=path   speed of a scan, compared and not gated
# make clean             remove everything the other targets made
#
# Needs Python 3.10 or newer, git and make. Everything is installed into .venv, and the results go to build/.

VENV := .venv
BIN := $(VENV)/bin
REPO ?= fixtures/projects/reduction/before
ARGS ?=
ROWS ?=
export REPO
# Tests start hundreds of processes: without kept bytecode each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

# python3 where it is new enough, else the newest that is found; PYTHON=... overrides.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
	if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; \
	then echo "$$name"; break; fi; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo environment test exhaustive draws check format lint types contracts docs packages scoreboard corpus corpus-archives fuzz fuzz-nightly symbols declarations declarations-check bench clean

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

# The environment starts again when the dependencies change or its interpreter is gone.
ifneq ($(wildcard $(VENV)),)
ifneq ($(shell $(BIN)/python -c 'print(1)' 2>/dev/null),1)
.PHONY: $(VENV)/.installed
endif
endif

$(VENV)/.installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "cudamigrate needs Python 3.10 or newer, and none is on PATH;" \
		"name one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "$(PYTHON) cannot be used:" \
		"cudamigrate needs Python 3.10 or newer" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments;" \
		"install its venv package (Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@test -e tests/import/cudamigrate || { mkdir -p tests/import && ln -s ../../migrate tests/import/cudamigrate; }
	@echo "Setting up $(VENV) with $$("$(PYTHON)" --version)"
	@rm -rf $(VENV)
	@"$(PYTHON)" -m venv $(VENV)
	@$(PIP) install 'pip>=22'
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.developer: $(VENV)/.installed
	@echo "Installing the development tools"
	@$(PIP) install --editable '.[dev]'
	@touch $@

# The demo shows all parts, the type check among them.
$(VENV)/.demo: $(VENV)/.installed
	@echo "Installing what type checks need: clang's front end"
	@$(PIP) install --editable '.[clang]'
	@$(BIN)/cudamigrate headers install || echo "Without HIP's headers the result is not type-checked." >&2
	@touch $@

# Exit code 3 says that some files could not be processed; the report names them, and the demo goes on.
demo: $(VENV)/.demo
	@set -e; \
	test -d "$$REPO" || { echo "REPO=$$REPO is not a folder" >&2; exit 2; }; \
	case "$$REPO" in \
		*/before) name=$$(basename "$$(dirname "$$REPO")") ;; \
		*) name=$$(basename "$$(cd "$$REPO" && pwd)") ;; \
	esac; \
	out="build/demo/$$name"; mkdir -p build/demo; \
	run() { \
		printf '\n$$ cudamigrate'; \
		for word in "$$@"; do case "$$word" in *[!A-Za-z0-9_./-]*) word="'$$word'" ;; esac; printf ' %s' "$$word"; done; \
		printf '\n\n'; \
		$(BIN)/cudamigrate "$$@" || { code=$$?; test $$code -eq 3 || exit $$code; }; \
	}; \
	run scan "$$REPO"; \
	run scan "$$REPO" --format json -o "$$out.json"; \
	run report "$$out.json" --format html -o "$$out.html"; \
	run apply "$$REPO" --output "$$out" --force; \
	printf '\nThe HIP version:  %s\nThe report:       %s, %s\n' "$$out" "$$out.html" "$$out.json"; \
	printf "See the changes:  git diff --no-index '%s' '%s'\n" "$$REPO" "$$out"; \
	printf 'Yours:            make demo REPO=path, or %s scan path\n' "$(BIN)/cudamigrate"

environment: $(VENV)/.developer

# Many tests ask git whether the fixtures are changed: in a fresh clone it would compare bytes each time.
test: $(VENV)/.developer
	@git update-index -q --refresh >/dev/null 2>&1 || true
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(ARGS)

exhaustive: $(VENV)/.developer
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m exhaustive $(ARGS)

draws: $(VENV)/.developer
	HYPOTHESIS_PROFILE=fresh $(BIN)/python -m pytest --numprocesses auto -m "not corpus" \
		$$(grep -rl --include='test_*.py' '^from hypothesis' tests) $(ARGS)

# `make test check` runs the suite once: it is a step of `check`.
check: format lint types contracts test exhaustive

format: $(VENV)/.developer
	$(BIN)/ruff format --check .

lint: $(VENV)/.developer
	$(BIN)/ruff check .

types: $(VENV)/.developer
	$(BIN)/mypy --strict

contracts: $(VENV)/.developer
	$(BIN)/lint-imports

docs: $(VENV)/.developer
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site: build/site/index.html"

scoreboard: $(VENV)/.developer
	$(BIN)/python -m tests.scoreboard --measure $(ROWS)

packages: $(VENV)/.developer
	$(BIN)/python tests/bench/install.py $(ARGS)

# CUDAMIGRATE_CORPUS_GATES=1 leaves out figures that nothing is held to; CUDAMIGRATE_CORPUS_ALL=1 reads large projects.
corpus: $(VENV)/.developer
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup -m corpus tests/corpus tests/e2e $(ARGS)

# The archives that `corpus` reads, while something else works; one that cannot be had is no failure yet.
corpus-archives: $(VENV)/.developer
	@$(BIN)/python -m tests.corpus.harness

fuzz: $(VENV)/.developer
	$(BIN)/python -m tests.fuzz.fixed $(ARGS)

MINUTES ?= 10
fuzz-nightly: $(VENV)/.developer
	$(BIN)/python -m tests.fuzz $(MINUTES) $(ARGS)

symbols: $(VENV)/.developer
	@$(PIP) install --editable '.[verify]'
	$(BIN)/python -m tests.symbols.collect

declarations: $(VENV)/.developer
	$(BIN)/python -m tests.symbols.declare
	$(BIN)/python -m tests.symbols.declare_torch $(TORCH)

declarations-check: $(VENV)/.developer
	$(BIN)/python -m tests.symbols.declare --check
	$(BIN)/python -m tests.symbols.declare_torch --check $(TORCH)

bench: $(VENV)/.developer
	$(BIN)/python tests/bench/bench.py "$$REPO" $(ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find migrate tests -name __pycache__ -type d -prune -exec rm -rf {} +
