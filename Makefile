# Everything a person types. Needs make and Python 3.11 or 3.12; the rest goes into .venv and var.
.PHONY: run demo test test-long test-hosts check lint audit bench chaos year lock clean base dev ocr-paddle promtool messages help
.DEFAULT_GOAL := help
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE DJANGO_SETTINGS_MODULE

PORT ?= 8000
# Of `make test`: workers on two cores. Its tests wait most of their time, for processes, timers and each other.
WORKERS ?= 4
export PYTHON
bin := .venv/bin
manage := $(bin)/python manage.py
pytest := COLUMNS=200 $(bin)/python -m pytest --durations=10
# A file's tests stay together. A worker that dies ends the run: one in its place may wait for ever (pytest-xdist 3.8).
spread := --dist loadfile --max-worker-restart 0
sources := catalogsku ingestion processing annotation
pooler := scripts/unpack.sh pgbouncer libc-ares2 libevent-2.1-7
pool := tests/functional tests/chaos tests/year tests/integration tests/contract tests/golden

help:
	@echo "make run    the web app at http://localhost:$(PORT), with a sample catalogue being processed"
	@echo "make demo   process the sample, print its SKUs, exit"
	@echo "make check  the fast gate: format, lint, types, contracts, templates, translations, browser code, unit tests"
	@echo "make test   check, then every test of minutes"
	@echo "make test-long  test, then what needs a quiet machine: promises of seconds, 2000 pages, harms, every style"
	@echo "make test-hosts  three machines in namespaces of this one (root) meet one harm after the other; ten minutes"
	@echo "make bench  speed as JSON      make lock   renew the locked requirements      make clean"
	@echo "make chaos  200 random harms on the running product, half an hour and more"
	@echo "make year   a year of 10,000 documents: keeping, calibration, figures, restore, screens; half an hour and more"
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
	@scripts/side_by_side.sh scripts/js/check.sh "$(MAKE) --no-print-directory lint" \
		"$(bin)/python -m pytest -q -n 2 --max-worker-restart 0 --cov --cov-report= tests/unit tests/architecture"

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

promtool: dev
	@scripts/promtool.sh
	@scripts/manifests.sh

# Files are handed out whole, to whoever is free: those on the database first, then in this order. What failed is run again alone.
# While check runs the browser is fetched, and what workers would each compile at once is compiled by one.
test: promtool
	@scripts/side_by_side.sh "scripts/browser.sh; $(pooler); $(pytest) -q --collect-only $(pool) >/dev/null" \
		"$(MAKE) --no-print-directory check"
	@log=$$(mktemp); { \
	$(pytest) --cache-clear -n $(WORKERS) $(spread) --no-loadscope-reorder -m "not alone and not long" $(pool) || echo "ENDED WITH $$?: the pool"; \
	$(pytest) -n 2 $(spread) -m "alone and not long" $$(grep -rl --include='test_*.py' mark.alone tests | sort) || echo "ENDED WITH $$?: alone"; \
	} 2>&1 | tee $$log; $(bin)/python scripts/failed_tests.py $$log

# One after the other, on a machine that does nothing else. docs/quality.md keeps the day of its last green run.
test-long: test
	PROMISES=strict $(pytest) -m "long or promise" tests

test-hosts: dev
	@scripts/unpack.sh haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1
	$(pytest) -s tests/hosts

bench: base
	@$(manage) bench

# Half an hour and more; for its options: make chaos CHAOS="--harms 50 --seed 7"
chaos: dev
	$(bin)/python -m tests.chaos --report docs/chaos.json --page docs/chaos.md $(CHAOS)

# Half an hour and more; for its options: make year YEAR="--documents 2000 --seed 7"
year: dev
	$(bin)/python -m tests.year --report docs/year.json --page docs/year.md $(YEAR)

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
	rm -rf .venv scripts/js/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
	find $(sources) tests scripts -name __pycache__ -prune -exec rm -rf {} +
	find locale -name '*.mo' -delete 2>/dev/null || true
