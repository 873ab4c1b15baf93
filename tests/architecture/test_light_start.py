"""What every command and every process loads at its start is small: the engine comes where work is done with it."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

PROJECT = Path(__file__).resolve().parents[2]
# Units load them as they begin (catalogsku/worker.py, loaded.py, asgi.py), a command where it needs them.
HEAVY = (
    # of others
    *("numpy", "PIL", "pypdfium2", "pymupdf", "pikepdf", "pdfplumber", "openpyxl", "xlsxwriter"),
    *("pydantic", "ninja", "daphne", "requests", "urllib3", "httpx", "openai", "dashscope", "google.genai", "langfuse"),
    # the product's own
    *("catalogsku.urls", "processing.actors", "processing.engine.guard.lexicon", "processing.engine.reading.ocr"),
    *("processing.engine.understanding.pipeline", "processing.engine.understanding.rules.normalise"),
    *("processing.llm.call", "processing.llm.consult", "processing.pages.services.taking_turns"),
)
OURS = ("annotation", "catalogsku", "ingestion", "processing")
START = "import json, sys, django; django.setup(); print(json.dumps(sorted(sys.modules)))"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the modules that a process has which has just started and done nothing yet."""
    variables = {**os.environ, "VAR_DIR": str(tmp_path_factory.mktemp("var"))}
    done = subprocess.run(
        [sys.executable, "-c", START], cwd=PROJECT, env=variables, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def test_a_process_that_starts_loads_nothing_heavy(loaded: set[str]) -> None:
    assert sorted(loaded.intersection(HEAVY)) == []
    engine = {name for name in loaded if name.startswith("processing.engine.understanding.")}
    assert len(engine) <= 3, f"the structs of results are light, and enough: {sorted(engine)}"


def test_models_and_listeners_are_there(loaded: set[str]) -> None:
    """What hears of others' work hears from the first moment on, in whichever process it is done."""
    listeners = {"processing.editions.receivers", "processing.shadows.receivers", "annotation.queue.receivers"}
    assert loaded >= {"processing.models", "annotation.models", *listeners}


@pytest.mark.parametrize("name", HEAVY)
def test_a_module_that_is_looked_for_exists(name: str) -> None:
    assert importlib.util.find_spec(name) is not None


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if str(app).startswith(OURS)))
def test_no_command_of_ours_checks_the_whole_product_first(name: str) -> None:
    """The checks look at all addresses, and so at every view and the engine behind it: `manage.py check` does that."""
    assert load_command_class(get_commands()[name], name).requires_system_checks == []
