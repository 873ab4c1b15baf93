# Everything a person types. Needs make and Python 3.11 or 3.12; the rest goes into .venv and var.
.PHONY: run demo test check bench lock clean base dev messages help
.DEFAULT_GOAL := help
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME DJANGO_SETTINGS_MODULE

PORT ?= 8000
export PYTHON
bin := .venv/bin
manage := $(bin)/python manage.py
sources := catalogsku ingestion processing annotation

help:
	@echo "make run    the web app at http://localhost:$(PORT), with a sample catalogue being processed"
	@echo "make demo   process the sample, print its SKUs, exit"
	@echo "make check  the fast gate: format, lint, types, contracts, templates, translations, unit tests"
	@echo "make test   check, then every test"
	@echo "make bench  speed as JSON      make lock   renew the locked requirements      make clean"

base:
	@scripts/bootstrap.sh base

dev:
	@scripts/bootstrap.sh dev

run: base
	@$(manage) run --port $(PORT)

demo: base
	@$(manage) demo

check: dev
	$(bin)/ruff format --check .
	$(bin)/ruff check .
	$(bin)/mypy
	$(manage) check --fail-level WARNING
	$(bin)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(manage) messages --check
	$(bin)/python -m pytest -q tests/unit tests/architecture

test: check
	@scripts/browser.sh
	$(bin)/python -m pytest

bench: base
	@$(manage) bench

# Writes the messages found in code and templates to locale/; translate what is new there.
messages: base
	$(manage) messages

lock: dev
	$(bin)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' requirements/base.in -o requirements/base.txt
	$(bin)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' -c requirements/base.txt requirements/dev.in -o requirements/dev.txt

# Leaves var alone: it holds the data.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
	find $(sources) tests scripts -name __pycache__ -prune -exec rm -rf {} +
	find locale -name '*.mo' -delete 2>/dev/null || true
