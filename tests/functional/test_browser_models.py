"""Sixty pages in all three routes, both models set up by the environment alone, seen in the browser (TA-P1-5).

One provider dies in the middle of the automatic document: that changes who is written down, and nothing else.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import ROWS, Visit, catalogue
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.reading_model import ReadingModel
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]

# Of each document. The gate has time for so many; PAGES=60 sends sixty each.
PAGES, TIMEOUT_S = int(os.environ.get("PAGES", "20")), 250
QWEN, GEMINI = "qwen3.7-plus", "gemini-3.8-flash"
# Models of a document begin with the route that its scores lead to.
SCORES = {"AUT": 0.97, "HYB": 0.8, "MAN": 0.2}
# The rules are less sure of a page's type than its profile asks for, so that a person would have to look; models are.
LEAST, SURE = 0.98, 0.99
ROUTES = {"AUT": "AUTO", "HYB": "HYBRID", "MAN": "HUMAN_ALL"}


class Models:
    """Both read what they are shown; Qwen is gone after the values of ``left`` pages of the automatic one."""

    def __init__(self, left: int) -> None:
        self._read, self.left = ReadingModel(), left

    def __call__(self, request: ModelRequest) -> Reply:
        said, text = self._read(request), "\n".join(request.texts)
        series = next(name for name in SCORES if re.search(rf"\b{name}-\d", text))
        if request.operation == "DocumentAnswer":
            return replace(said, text=json.dumps(scored(json.loads(said.text), SCORES[series])))
        if request.model == QWEN and series == "AUT":
            self.left -= 1
            if self.left < 0:
                return replace(said, mood=Mood.DROPPED)
        return replace(said, text=json.dumps(json.loads(said.text) | {"confidence": SURE}))


def scored(answer: dict[str, list[dict[str, dict[str, float | None]]]], score: float) -> object:
    for page in answer["pages"]:
        page["scores"] = {name: None if value is None else score for name, value in page["scores"].items()}
    return answer


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with ModelServer(Models(left=8)) as server:
        yield server


@pytest.fixture(scope="module")
def stack(models: ModelServer) -> Iterator[Stack]:
    """Of its own: its units know where the models are."""
    keys = {"GEMINI_API_KEY": "k", "DASHSCOPE_API_KEY": "k"}
    places = {"GEMINI_BASE_URL": models.gemini_url, "DASHSCOPE_BASE_URL": models.qwen_url}
    with Stack({**keys, **places}) as own:
        for name in (QWEN, GEMINI):
            own.manage("models", "limits", name, "--qpm", "100000", "--tpm", "100000000")
        # A catalogue without pictures loses a tenth of its score.
        own.sql("UPDATE profiles_thresholdprofile SET threshold_a = 0.85")
        own.sql(
            "UPDATE profiles_thresholdprofile"
            " SET classification = jsonb_set(classification, '{page_type_min_confidence}', to_jsonb(%s::float))",
            LEAST,
        )
        yield own


@pytest.mark.long
@pytest.mark.req("TA-P1-5", "LA-PROV", "X-NOBILL")
def test_sixty_pages_in_three_routes_while_a_provider_dies(
    stack: Stack, models: ModelServer, visit: Visit, tmp_path: Path
) -> None:
    jobs = {}
    for series in SCORES:
        path = tmp_path / f"{series} list.pdf"
        path.write_bytes(catalogue("en", series, PAGES))
        jobs[series] = stack.upload(path)
    for series, job in jobs.items():
        state = stack.wait_for(job, lambda one: one.is_left_by_machines or one.status == "DEGRADED_HUMAN", TIMEOUT_S)
        assert state.route == ROUTES[series], state
    for series in ("AUT", "HYB"):
        page = visit(f"/jobs/{jobs[series]}/")
        expect(page.locator('.tile[data-state="IMPORTED_CONFIRMED"]')).to_have_count(PAGES)
        expect(page.locator("[data-figure=skus]")).to_have_text(str(PAGES * ROWS))
    page = visit(f"/jobs/{jobs['MAN']}/")
    stack.wait_for(jobs["MAN"], lambda one: one.finished == PAGES, TIMEOUT_S)
    expect(page.locator('.tile[data-state="HUMAN_QUEUED"]')).to_have_count(PAGES)
    assert not stack.sql(
        "SELECT 1 FROM processing_importrecord i JOIN ingestion_job j ON j.id = i.job_id WHERE j.uuid = %s", jobs["MAN"]
    )

    def analysts(series: str) -> set[str]:
        rows = stack.sql(
            "SELECT DISTINCT analyst FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s",
            jobs[series],
        )
        return {name for (name,) in rows}

    assert {QWEN, GEMINI} <= analysts("AUT")
    # Qwen's breaker is one for all documents: it may be Gemini's turn there too.
    assert {part for name in analysts("HYB") for part in name.split("+")} <= {QWEN, GEMINI}
    assert {part for name in analysts("MAN") for part in name.split("+")} <= {QWEN, GEMINI}, "a person has proposals"
    read = {call.request.model for call in models.calls if call.operation == "PageAnswer"}
    assert read == {QWEN, GEMINI}
    values = {
        series: stack.sql(
            "SELECT replace(s.attributes->>'model', %s, ''), s.attributes->>'product_name', s.attributes->>'price'"
            " FROM processing_sku s JOIN ingestion_job j ON j.id = s.job_id WHERE j.uuid = %s ORDER BY 1",
            series,
            jobs[series],
        )
        for series in ("AUT", "HYB")
    }
    assert values["AUT"] == values["HYB"] and len(values["AUT"]) == PAGES * ROWS

    costs = visit("/models/", user="admin")
    expect(costs.locator("body")).to_contain_text(QWEN)
    expect(costs.locator("body")).to_contain_text(f"{QWEN}: the connection broke off")
