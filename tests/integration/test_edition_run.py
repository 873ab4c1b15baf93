"""A real second edition through the real stages: what machines do for it, counted, not timed."""

from pathlib import Path
from typing import Any

import pytest

from catalogsku.core.models import Transition
from ingestion.models import Job, Page
from processing.editions.services import comparing
from processing.llm import calls
from processing.models import AskingRule, AskModels, Edition, EditionChange, ModelCall, Sku
from processing.pages.services import consulting
from tests.support.model_server import ModelServer
from tests.support.people import People
from tests.support.stages import as_worker, process, sheet

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-DIFF", "TA-KEEP")]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    as_worker(monkeypatch, consulting, calls)


def understood(job: Job) -> list[int]:
    """Numbers of the pages that machines have understood."""
    ids = Transition.objects.filter(job_id=job.pk, entity="page", trigger="understood").values_list(
        "entity_id", flat=True
    )
    return sorted(Page.objects.filter(pk__in=list(ids)).values_list("number", flat=True))


def test_only_the_changed_page_and_the_new_one_are_worked_on(people: People, tmp_path: Path) -> None:
    names = ["AB", "CD", "EF", "GH", "JK", "LM"]
    old = process(people, tmp_path / "book 2025.pdf", [sheet(name, "100.00") for name in names])
    assert understood(old) == [1, 2, 3, 4, 5, 6]
    later = [sheet(name, "120.00" if name == "EF" else "100.00") for name in names]
    new = process(people, tmp_path / "book 2026.pdf", [later[0], sheet("XY", "7.00"), *later[1:]])
    edition = Edition.objects.get(job=new)
    assert (edition.predecessor_id, edition.origin) == (old.pk, "recognised")
    assert understood(new) == [2, 4]
    pages = Page.objects.filter(job=new).order_by("number")
    assert [p.number for p in pages if p.timings_ms] == [2, 4]  # read, too
    assert not new.pages.exclude(stage="NONE").exists()
    assert Sku.objects.filter(job=new).count() == Sku.objects.filter(job=old).count() + 3
    comparing.compare_edition(new.pk)
    rows = EditionChange.objects.filter(edition=edition).order_by("rank", "weight", "pk")
    told = [(c.kind, c.price_change and round(c.price_change, 3)) for c in rows]
    assert told == [*[("changed", 0.2)] * 3, *[("added", None)] * 3]


def unsure() -> list[list[str]]:
    """A table that a person has to look at: of its products neither model nor name is printed."""
    return [["尺寸", "材质", "价格(元)", "库存"], *(["80x90cm", "橡木", f"{n}0.00", "3"] for n in range(1, 4))]


def waiting(job: Job) -> dict[int, str]:
    return dict(job.pages.exclude(stage="NONE").order_by("number").values_list("number", "stage"))


@pytest.mark.req("X-DIFF")
def test_a_page_that_a_person_would_still_have_to_look_at_is_offered_with_the_new_ones(
    people: People, tmp_path: Path, reading_models: ModelServer, settings: Any
) -> None:
    sheets = [sheet("AB", "100.00"), sheet("CD", "100.00"), unsure(), unsure(), sheet("JK", "100.00")]
    keys = settings.GEMINI_API_KEY, settings.DASHSCOPE_API_KEY
    settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = ""
    old = process(people, tmp_path / "book 2025.pdf", sheets)
    assert sorted(old.pages.exclude(blockers=[]).values_list("number", flat=True)) == [3, 4]
    touched = old.pages.get(number=4)
    Page.objects.filter(pk=touched.pk).update(validation={**touched.validation, "decided": {"layout_type": "single"}})

    again = process(people, tmp_path / "book 2026.pdf", [sheets[0], sheet("XY", "7.00"), *sheets[1:]])
    assert waiting(again) == {} and not again.pages.get(number=4).timings_ms, "without a key nothing is done anew"
    settings.GEMINI_API_KEY, settings.DASHSCOPE_API_KEY = keys
    rule = AskingRule.objects.create(merchant=people.merchant, ask_models=AskModels.NEVER)
    again = process(people, tmp_path / "book 2027.pdf", [sheets[0], sheet("XZ", "7.00"), *sheets[1:]])
    assert waiting(again) == {}, "nor where models are never asked"

    rule.delete()
    new = process(people, tmp_path / "book 2028.pdf", [sheets[0], sheet("YZ", "7.00"), *sheets[1:]])
    assert Edition.objects.get(job=new).predecessor_id == old.pk
    assert waiting(new) == {4: "UNDERSTAND"} and (new.models_state, new.models_pages) == ("go", 1)
    assert [p.number for p in new.pages.filter(carried=False).order_by("number")] == [2, 4]
    consulting.consult_models([new.pages.get(number=4).pk])
    asked = new.pages.get(number=4)
    assert {call.page_id for call in ModelCall.objects.filter(job=new, page__isnull=False)} == {
        asked.pk
    } and reading_models.calls
    assert asked.validation["asked"] and not asked.analyst.startswith("rules")
