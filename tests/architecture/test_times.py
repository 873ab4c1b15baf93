"""Every time that a person sees goes through one helper: catalogsku/core/moments.py and its tags, or clock.js. A test
that stands a clock still does so for one module: another one's threads ask the same clock."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MODULES = [path for path in sorted((ROOT / "static/js").glob("*.js")) if path.name != "clock.js"]
APPS = ("annotation", "catalogsku", "ingestion", "processing")
# Commands are for terminals, which have no title to put a zone into: they write the date and the clock out.
SHOWN_BY = [
    path
    for app in APPS
    for path in sorted((ROOT / app).rglob("*.py"))
    if not {"migrations", "commands", "engine"} & set(path.parts) and path.name != "moments.py"
]
# Filled in by a script or by its countdown, and titled there.
OWN_ELEMENT = {"annotation/_bench_parts.html"}
ROUND_IT = re.compile(r"\|(?:date|time|timesince|timeuntil|naturaltime|naturalday)\b|{%\s*now\s")
ELEMENT = re.compile(r"<time\b")
OWN_CLOCK = re.compile(r"toLocale(?:Date|Time)?String\(|Intl\.|\.get(?:Hours|Minutes|Date|Month|FullYear)\(")
OWN_FORMAT = re.compile(r"\b(?:date_format|time_format|strftime|localize)\(|SHORT_DATE|%H:%M")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_tells_times_by_the_helper(template: Path) -> None:
    text = template.read_text()
    assert not ROUND_IT.findall(text)
    if str(template.relative_to(ROOT / "templates")) not in OWN_ELEMENT:
        assert not ELEMENT.findall(text), "{% moment %} writes it, with its title"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_a_script_tells_times_by_the_helper(module: Path) -> None:
    assert not OWN_CLOCK.findall(module.read_text())


def test_nothing_behind_a_screen_writes_times_its_own_way() -> None:
    found = {str(path.relative_to(ROOT)) for path in SHOWN_BY if OWN_FORMAT.search(path.read_text())}
    assert not found


def test_a_test_stands_no_clock_still_for_the_whole_process() -> None:
    """``setattr(module, "time", SimpleNamespace(...))`` is that module's alone."""
    everybodys = re.compile(r"""setattr\(\s*(?:[\w.]+\.)?time,|setattr\(\s*["']time\.""")
    found = {
        str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py") if everybodys.search(path.read_text())
    }
    assert not found
