"""Templates under the strict content security policy: nothing inline, nothing evaluated, only icons that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
FORBIDDEN = {
    "inline style": re.compile(r"\sstyle\s*=|<style\b"),
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)"),
    "event attribute": re.compile(r"\son[a-z]+\s*=|hx-on"),
    "evaluated expression": re.compile(r"hx-(?:vals|headers)\s*=\s*[\"'](?:js|javascript):"),
    "trigger filter, which fails open": re.compile(r"hx-trigger\s*=\s*\"[^\"]*\["),
    "address of another host": re.compile(r"(?:src|href|action)\s*=\s*[\"'](?:https?:)?//"),
}
SYMBOLS = set(re.findall(r'<symbol id="([\w-]+)"', (ROOT / "static/img/icons.svg").read_text()))
DRAWN = re.compile(r'{%\s*icon\s+"([\w-]+)"')


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_holds_nothing_that_the_content_policy_blocks(template: Path) -> None:
    text = template.read_text()
    found = [what for what, pattern in FORBIDDEN.items() if pattern.search(text)]
    assert not found


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_draws_only_icons_of_the_sprite(template: Path) -> None:
    assert set(DRAWN.findall(template.read_text())) <= SYMBOLS


def test_says_at_the_top_of_each_fragment_what_it_needs() -> None:
    fragments = [path for path in TEMPLATES if path.parent.name in ("ingestion", "processing", "annotation")]
    silent = [path.name for path in fragments if "{% comment %}" not in path.read_text()]
    assert not silent
