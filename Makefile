# Everything a person types. Needs make and Python 3.11 or 3.12; the rest goes into .venv and var.
.PHONY: run demo test check lint audit bench chaos lock clean base dev ocr-paddle messages help
.DEFAULT_GOAL := help
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME DJANGO_SETTINGS_MODULE

PORT ?= 8000
export PYTHON
bin := .venv/bin
manage := $(bin)/python manage.py
pytest := $(bin)/python -m pytest --durations=10
sources := catalogsku ingestion processing annotation

help:
	@echo "make run    the web app at http://localhost:$(PORT), with a sample catalogue being processed"
	@echo "make demo   process the sample, print its SKUs, exit"
	@echo "make check  the fast gate: format, lint, types, contracts, templates, translations, unit tests"
	@echo "make test   check, then every test"
	@echo "make bench  speed as JSON      make lock   renew the locked requirements      make clean"
	@echo "make chaos  200 random harms on the running product, half an hour and more"
	@echo "make ocr-paddle  PaddleOCR beside RapidOCR, in an environment of its own set of packages"
	@echo "make audit  known vulnerabilities of the locked packages (needs the network)"

base:
	@scripts/bootstrap.sh base

dev:
	@scripts/bootstrap.sh dev

# Instead of base, and renewed in its place from then on; `make dev` in another checkout, or after `make clean`.
ocr-paddle:
	@scripts/bootstrap.sh ocr-paddle

run: base
	@$(manage) run --port $(PORT)

demo: base
	@$(manage) demo

check: dev
	@scripts/side_by_side.sh "$(MAKE) --no-print-directory lint" \
		"$(bin)/python -m pytest -q -p tests.support.line_coverage --least-coverage 80 tests/unit tests/architecture"

# What reads the code and runs none of it.
lint: dev
	$(bin)/ruff format --check .
	$(bin)/ruff check .
	$(bin)/python scripts/audit_secrets.py
	$(bin)/python scripts/audit_licences.py
	$(bin)/mypy
	$(manage) check --fail-level WARNING
	$(bin)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(manage) messages --check

# Harms wait for most of their time, so the other tests run beside them, and behind them. What is held to a time is
# measured alone. A failure is told at the end, with all others.
test: check
	@scripts/browser.sh
	@ended=0; \
	scripts/side_by_side.sh \
		'$(pytest) -m "chaos and not alone" tests/chaos tests/integration; ended=$$?; nice -n 5 $(pytest) tests/contract tests/golden && exit $$ended' \
		"nice -n 5 $(pytest) -m 'not alone' tests/functional" \
		"nice -n 5 $(pytest) -m 'not chaos' tests/integration/test_[a-p]*.py" \
		"nice -n 5 $(pytest) -m 'not chaos' tests/integration/test_[q-z]*.py" || ended=1; \
	$(pytest) -m alone tests/functional tests/chaos || ended=1; \
	exit $$ended

bench: base
	@$(manage) bench

# Half an hour and more; for its options: make chaos CHAOS="--harms 50 --seed 7"
chaos: dev
	$(bin)/python -m tests.chaos --report docs/chaos.json --page docs/chaos.md $(CHAOS)

# Asks osv.dev about the locked versions; needs the network.
audit: base
	@$(bin)/python scripts/audit_vulnerabilities.py

# Writes the messages found in code and templates to locale/; translate what is new there.
messages: base
	$(manage) messages

lock: dev
	$(bin)/uv pip compile -q --upgrade --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' requirements/base.in -o requirements/base.txt
	$(bin)/uv pip compile -q --upgrade --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' -c requirements/base.txt requirements/dev.in -o requirements/dev.txt
	$(bin)/uv pip compile -q --upgrade --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command 'make lock' --override requirements/ocr-paddle.overrides \
		requirements/ocr-paddle.in -o requirements/ocr-paddle.txt

# Leaves var alone: it holds the data.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
	find $(sources) tests scripts -name __pycache__ -prune -exec rm -rf {} +
	find locale -name '*.mo' -delete 2>/dev/null || true
