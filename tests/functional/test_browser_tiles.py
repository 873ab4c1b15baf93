"""Each word that stands under a page's tile is seen whole at the narrowest that a tile gets, in both languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.html import format_html, format_html_join
from playwright.sync_api import Browser

from ingestion import presentation
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.reasons import WORDS

pytestmark = pytest.mark.browser

STYLES = Path(__file__).parents[2] / "static/css"
NARROWEST_PX = 76  # parts.css, .tiles
FOOT = (
    '<a class="tile" data-state="{}"><span class="tile-picture"></span><span class="tile-foot"><svg class="icon"></svg>'
    '<span class="tile-word">{}</span><span class="tile-skus">{}</span><span class="tile-note">{}</span></span></a>'
)


def pages() -> Iterator[Page]:
    """A page for each word that a tile may have."""
    job = Job()
    plain = {"job": job, "number": 1999, "version": 1, "stage": PageStage.NONE}
    for status in Page._meta.get_field("status").choices or ():
        yield Page(status=status[0], **plain)
    for imported in ("confirmed", "assumed", "failed"):
        yield Page(status="AI_COMPLETED", import_state=imported, **plain)
        yield Page(status="AI_COMPLETED", import_state=imported, sku_count=120, confidence=0.93, **plain)
    yield Page(status="AI_FAILED", failures=5, **{**plain, "stage": PageStage.READ})
    for stage in PageStage:
        for worker in (None, 1):
            yield Page(status="AI_QUEUED", worker=worker, **{**plain, "stage": stage})
    for code in (*WORDS, "sandbox_crashed", "none_of_them"):
        yield Page(status="HUMAN_QUEUED", blockers=[{"code": code, "params": {}}], **plain)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_word_under_a_tile_is_cut(browser: Browser, language: str) -> None:
    with translation.override(language):
        tiles = [presentation.tile(page, "0" * 32) for page in pages()]
    feet = format_html_join("", FOOT, ((t.state, t.word, t.count, t.confidence) for t in tiles))
    css = "".join(
        path.read_text() for name in ("base", "tokens", "layout", "parts") for path in [STYLES / f"{name}.css"]
    )
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    body = format_html('<body><div class="tiles">{}</div>', feet)
    page.set_content(f'<html lang="{language[:2]}"><style>{css} .tile {{ width: {NARROWEST_PX}px }}</style>{body}')
    cut = page.evaluate("""[...document.querySelectorAll(".tile-foot > span")]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)""")
    shown = page.locator(".tile-word").all_text_contents()
    page.close()
    assert cut == [] and len(set(shown)) > 30
    assert ("Not asked" if language == "en" else "未问模型") in shown
