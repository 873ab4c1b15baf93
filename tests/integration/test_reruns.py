"""A page is read again after people had worked on it: what they added, drew and decided stands (TA-RERUN)."""

from typing import Any

import pytest

from annotation.models import HumanTask
from annotation.workbench import presenters
from catalogsku.core.box import Box
from ingestion.models import Page
from processing.corrections.services.correcting import GivenSku, GivenValue, PageState, correct_page
from processing.corrections.services.page_faults import Found
from processing.engine.page import Picture
from processing.engine.result import Blocker, TableMerge
from processing.engine.result import Sku as FoundSku
from processing.imports.services import delivering
from processing.models import Image, ImportRecord, LocalProduct, Sku, SkuImage
from processing.products.page_state import GivenPicture
from tests.integration.test_recording import found, record, result
from tests.support.imports import product_of
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-RERUN")]
PICTURES = tuple(
    Picture(f"P{n}", (0.0, 0.0, 50.0, 50.0), 800, 800, file=f"{n}.jpg", content_hash=str(n) * 64) for n in (1, 2)
)
DRAWN: Box = (200.0, 10.0, 300.0, 110.0)


@pytest.fixture
def page(people: People) -> Page:
    """A-1 has the first of two pictures, A-2 none."""
    return record(
        make_page(make_job(people.merchant)), result(found("A-1", pictures=("P1",)), found("A-2", 40)), PICTURES
    )


def given(page: Page, *more: GivenSku, changed: dict[str, dict[str, Any]] | None = None, **parts: Any) -> None:
    """A person submits the page as it stands, with what is ``changed`` of A-1 and A-2, and ``more`` SKUs."""
    skus = []
    for sku in Sku.objects.filter(page=page, superseded=False).order_by("sku_id"):
        values = {key: GivenValue(text) for key, text in sku.attributes.items() if text}
        bound = tuple(sku.pictures.order_by("rank").values_list("image__image_id", flat=True))
        now = {"attributes": dict(values), "pictures": bound, **(changed or {}).get(sku.attributes["model"] or "", {})}
        skus.append(GivenSku(sku.sku_id, **now))
    page = Page.objects.select_related("job").get(pk=page.pk)
    state = PageState(**{"page_type": page.page_type, "skus": (*skus, *more), **parts})
    correct_page(page.job, page, state, Found.of(page.job, page, state), "annotator")


def values(**texts: str) -> dict[str, GivenValue]:
    return {key: GivenValue(text) for key, text in texts.items()}


def active(page: Page) -> dict[str | None, Sku]:
    return {sku.attributes["model"]: sku for sku in Sku.objects.filter(page=page, superseded=False)}


def pictures(sku: Sku) -> list[tuple[str, str]]:
    rows = SkuImage.objects.filter(sku=sku).order_by("rank")
    return [(name[-3:], by) for name, by in rows.values_list("image__image_id", "chosen_by")]


@pytest.mark.req("TA-SKUSTABLE")
def test_what_people_added_and_drew_is_there_as_it_was(page: Page) -> None:
    new = GivenSku(attributes=values(model="N-1", size="9 cm"), pictures=("new-1",), box=DRAWN)
    given(page, new, drawn=(GivenPicture("new-1", DRAWN),))
    delivering.deliver_pages([page.pk])
    before = active(page)["N-1"]
    now = record(page, result(found("A-1", pictures=("P1",)), found("A-2", 40)), PICTURES)
    after = active(page)["N-1"]
    assert (after.pk, after.status, now.sku_count) == (before.pk, "IMPORTED", 3)
    assert pictures(after) == [("901", "annotator")] and Image.objects.get(image_id__endswith="_901").box == list(DRAWN)
    delivering.deliver_pages([page.pk])
    assert not LocalProduct.objects.filter(deleted=True).exists(), "nothing of it is taken back downstream"
    nothing = record(page, result(page_type="D"), PICTURES)
    assert (nothing.status, set(active(page))) == ("AI_COMPLETED", {"N-1"}), "a page with a product is not without any"


@pytest.mark.req("TA-SKUSTABLE")
def test_a_reading_that_finds_it_too_goes_on_with_it(page: Page) -> None:
    given(
        page,
        GivenSku(attributes=values(model="N-1", size="9 cm"), pictures=("new-1",), box=DRAWN),
        drawn=(GivenPicture("new-1", DRAWN),),
    )
    sku_id = active(page)["N-1"].sku_id
    again = FoundSku(DRAWN, {**found("n-1").attributes}, validity="full", confidence=0.8, ambiguous=True)
    asked = (Blocker("binding_ambiguous", sku=1), Blocker("sku_doubtful", sku=1))
    record(page, result(found("A-1"), again, blockers=asked), PICTURES)
    after = active(page)["N-1"]
    assert (after.sku_id, after.revision, after.status, after.blockers) == (sku_id, 2, "BOUND", [])
    assert (after.attributes["size"], after.attributes["color"]) == ("9 cm", "oak"), "what people left open is added"
    assert pictures(after) == [("901", "annotator")] and after.decisions["otherwise"] == {"model": "n-1"}
    assert not Page.objects.get(pk=page.pk).needs_review, "nobody is asked again what was decided"


def test_a_corrected_name_is_not_another_product(page: Page) -> None:
    given(page, changed={"A-1": {"attributes": values(model="A-7", color="oak")}})
    sku_id = active(page)["A-7"].sku_id
    record(page, result(found("A-1"), found("A-2", 40)))
    assert set(active(page)) == {"A-7", "A-2"}
    assert active(page)["A-7"].sku_id == sku_id and active(page)["A-7"].decisions["otherwise"] == {"model": "A-1"}


@pytest.mark.parametrize(("chosen", "kept"), [((1,), [("002", "annotator")]), ((), [])])
def test_pictures_that_people_chose_or_took_away_stay_so(page: Page, chosen: tuple[int, ...], kept: list[Any]) -> None:
    names = list(Image.objects.filter(page=page).order_by("image_id").values_list("image_id", flat=True))
    given(page, changed={"A-1": {"pictures": tuple(names[n] for n in chosen)}})
    record(page, result(found("A-1", pictures=("P1",)), found("A-2", 40)), PICTURES)
    assert pictures(active(page)["A-1"]) == kept
    record(page, result(found("A-1", pictures=("P1",)), found("A-2", 40)), PICTURES[::-1])
    assert pictures(active(page)["A-1"]) == [("001", by) for _, by in kept], "the same picture under its new number"
    record(page, result(found("A-1")), PICTURES[:1])
    assert pictures(active(page)["A-1"]) == [], "a picture that is gone is not replaced by another"


def test_what_was_emptied_confirmed_or_moved_stays_so_and_the_conflict_is_shown(page: Page, people: People) -> None:
    box = (11.0, 11.0, 99.0, 29.0)
    given(page, changed={"A-1": {"attributes": values(model="A-1", size="1 m"), "box": box}})
    blockers = (Blocker("price_unclear", {"price": "?"}, 1), Blocker("value_far", {"key": "color", "value": "oak"}, 0))
    record(page, result(found("A-1"), found("A-2", 40), blockers=blockers))
    after = active(page)["A-1"]
    assert (after.attributes["color"], after.attributes["size"], tuple(after.box)) == (None, "1 m", box)
    assert after.decisions == {"box": True, "emptied": ["color"], "otherwise": {"color": "oak"}}
    assert [b["code"] for b in Page.objects.get(pk=page.pk).blockers] == ["price_unclear"], "the colour was decided"
    task = HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")
    shown = presenters.bench(people.annotator, presenters.get_task(people.annotator, task.uuid))
    assert shown["meta"]["skus"][after.sku_id]["otherwise"] == {"color": "oak"}
    given(page)
    assert active(page)["A-1"].decisions == {"box": True, "emptied": ["color"]}, "whoever leaves it so has seen it"


def test_a_product_that_is_right_though_incomplete_is_not_asked_about_again(page: Page) -> None:
    given(page, changed={"A-2": {"attributes": values(model="A-2b")}})
    thin = FoundSku((10.0, 40.0, 100.0, 60.0), {"model": found("A-2b").attributes["model"]}, validity="partial")
    record(page, result(found("A-1"), thin, blockers=(Blocker("specification_missing", sku=1),)))
    after = active(page)["A-2b"]
    assert (after.status, after.validity, after.blockers) == ("BOUND", "partial", [])
    assert ImportRecord.objects.filter(sku=after).exists() or ImportRecord.objects.filter(sku_key=after.sku_id).exists()


def test_what_was_said_of_the_page_stays_so(page: Page) -> None:
    merge = TableMerge("G1", 3, "G2", "head_inherited", 4)
    skus = (found("A-1"), found("A-2", 40))
    record(page, result(*skus, merges=(merge,)), PICTURES)
    name = Image.objects.filter(page=page).order_by("image_id")[0].image_id
    given(page, page_type="C", layout_type="L2", texts={"T1": "note"}, roles={name: "LOGO"}, separate=("G1",))
    now = record(page, result(*skus, merges=(merge,)), PICTURES)
    assert (now.page_type, now.layout_type, now.type_confidence, now.continues) == ("C", "L2", 1.0, None)
    assert now.validation["texts"] == {"T1": "note"} and now.validation["merges"] == []
    image = Image.objects.get(image_id=name)
    assert (image.role, image.role_confidence, image.status) == ("LOGO", 1.0, "NOT_DELIVERABLE")


def test_that_there_is_no_product_holds_until_one_is_found(page: Page) -> None:
    nobody = {name: {"rejected": True} for name in ("A-1", "A-2")}
    given(page, changed=nobody, page_type="D")
    now = record(page, result(found("A-1"), found("A-2", 40)))
    assert (now.page_type, {sku.status for sku in active(page).values()}) == ("D", {"REJECTED"})
    now = record(page, result(found("A-1"), found("A-9", 300)))
    assert (now.page_type, active(page)["A-9"].status) == ("A", "BOUND")
    assert active(page)["A-2"].status == "REJECTED", "what was rejected is remembered, found or not"


def test_who_has_decided_nothing_keeps_nothing(page: Page) -> None:
    given(page)
    record(page, result(found("A-1", pictures=("P2",))), PICTURES)
    assert set(active(page)) == {"A-1"} and pictures(active(page)["A-1"]) == [("002", "rules")]


def test_bindings_are_told_to_the_target_as_people_chose_them(page: Page) -> None:
    second = Image.objects.filter(page=page).order_by("image_id")[1]
    given(page, changed={"A-1": {"pictures": (second.image_id,)}})
    record(page, result(found("A-1", pictures=("P1",)), found("A-2", 40)), PICTURES)
    images = product_of(ImportRecord.objects.get(sku=active(page)["A-1"]))["images"]
    assert [image["image_id"] for image in images] == [second.image_id]
