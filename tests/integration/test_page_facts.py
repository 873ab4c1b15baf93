"""What a person draws, decides and says of a page becomes rows and annotations of their types (TA-ANN8)."""

from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from PIL import Image as Pillow

from annotation.models import Annotation, HumanTask
from annotation.tasks.services import locks, settle
from annotation.workbench.services.submitting import Invalid, submit_task
from catalogsku.core import storage
from ingestion.models import Page
from processing.corrections.services import page_faults
from processing.corrections.services.correcting import content_version
from processing.models import Image, Sku, SkuImage
from processing.products.page_state import GivenCustom, GivenPicture, GivenSku, GivenValue, PageState
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku

pytestmark = pytest.mark.django_db
TAB = UUID(int=1)
LAMP = {"name": "Lamp", "value": "E27", "evidence": {"quote": "E27", "page_number": 1, "bbox": [1, 2, 3, 4]}}
GLAZE = {"name": "Glaze", "value": "matt", "evidence": None}
MERGE = {"table": "G1", "page_number": 3, "before": "G2", "reason": "head_inherited", "rows": 4, "repeated_rows": 0}


@pytest.fixture
def task(people: People, tmp_path: Path, settings: Any) -> HumanTask:
    """A page of 100 x 200 pt with its picture, a SKU with two attributes of its own, and a table that goes on."""
    settings.MEDIA_ROOT = tmp_path
    Pillow.new("RGB", (400, 800), "white").save(tmp_path / "shown.png")
    storage.put_file("shown/1.png", tmp_path / "shown.png")
    page = make_page(
        make_job(people.merchant),
        1,
        "HUMAN_QUEUED",
        needs_review=True,
        page_type="A",
        layout_type="L4",
        sku_count=1,
        width_pt=100,
        height_pt=200,
        screenshot_key="shown/1.png",
        continues=3,
        validation={"merges": [MERGE]},
    )
    make_sku(page, 1, "BOUND", attributes={"size": "9 cm"}, custom_attributes=[LAMP, GLAZE])
    make_image(page, 1)
    return HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")


def sku_as_it_is(task: HumanTask, **changes: Any) -> GivenSku:
    sku = active(task)[0]
    values = {key: GivenValue(value) for key, value in sku.attributes.items() if value}
    own = tuple(GivenCustom(c["name"], c["value"]) for c in sku.custom_attributes)
    return GivenSku(**{"sku_id": sku.sku_id, "attributes": values, "custom": own, **changes})


def active(task: HumanTask) -> list[Sku]:
    return list(Sku.objects.filter(page=task.page_id, superseded=False).order_by("sku_id"))


def submit(people: People, task: HumanTask, *skus: GivenSku, **parts: Any) -> list[tuple[str, str, Any, Any]]:
    """The annotations that it left."""
    state = PageState(**{"page_type": "A", "layout_type": "L4", "skus": skus, **parts})
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(task.page), state)
    settle.settle_pages([task.page_id])
    return list(Annotation.objects.order_by("pk").values_list("type", "field", "before", "after"))


def faults_of(people: People, task: HumanTask, *skus: GivenSku, **parts: Any) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        submit(people, task, *skus, **parts)
    return [(fault.path, fault.code) for fault in refused.value.faults]


@pytest.mark.req("TA-T68", "TA-ANN8")
def test_a_drawn_picture_is_cut_from_the_page_and_bound(task: HumanTask, people: People) -> None:
    drawn = GivenPicture("new-1", (10, 20, 60, 120))
    told = submit(people, task, sku_as_it_is(task, pictures=("new-1",)), drawn=(drawn,))
    new = Image.objects.get(page=task.page_id, image_id__endswith="_901")
    assert (new.width_px, new.height_px, new.box, new.status) == (200, 400, [10, 20, 60, 120], "DELIVERABLE")
    assert new.search_eligible is False and storage.has_file(new.storage_key) and len(new.content_hash) == 64
    assert list(SkuImage.objects.filter(sku=active(task)[0]).values_list("image_id", "method")) == [(new.pk, "manual")]
    role = {"role": "PRODUCT_MAIN", "box": [10, 20, 60, 120]}
    assert ("IMAGE_ROLE", new.image_id, None, role) in told
    assert ("BINDING", "pictures", [], [new.image_id]) in told


@pytest.mark.req("TA-T68", "TA-ANN8")
def test_a_moved_box_is_a_revision_with_its_difference(task: HumanTask, people: People) -> None:
    told = submit(people, task, sku_as_it_is(task, box=(5, 5, 50, 60)))
    assert told == [("SKU_ATTRIBUTE", "source_box", [0, 0, 10, 10], [5, 5, 50, 60])]
    sku = active(task)[0]
    assert (sku.revision, sku.box, sku.status) == (2, [5, 5, 50, 60], "BOUND")


@pytest.mark.req("TA-ANN8")
def test_own_attributes_are_confirmed_rejected_and_added_one_by_one(task: HumanTask, people: People) -> None:
    given = (GivenCustom("Lamp", "E27", confirmed=True), GivenCustom("Foot", "oak", box=(1, 1, 9, 9)))
    told = submit(people, task, sku_as_it_is(task, custom=given))
    assert told == [
        ("CUSTOM_ATTR_CONFIRM", "Lamp", {"value": "E27", "confirmed": False}, {"value": "E27", "confirmed": True}),
        ("CUSTOM_ATTR_CONFIRM", "Foot", None, {"value": "oak", "confirmed": True}),
        ("CUSTOM_ATTR_CONFIRM", "Glaze", {"value": "matt", "confirmed": False}, None),
    ]
    lamp, foot = active(task)[0].custom_attributes
    assert lamp == {**LAMP, "confirmed": True}, "its evidence stays"
    assert foot["evidence"] == {
        "quote": "oak",
        "page_number": 1,
        "bbox": [1, 1, 9, 9],
        "match": 1.0,
        "method": "person",
    }


@pytest.mark.req("TA-ANN8", "X-MERGE")
def test_facts_of_the_page_are_kept_with_their_differences(
    task: HumanTask, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_faults, "block_names", lambda job, page: frozenset({"T1", "T2"}))
    told = submit(
        people,
        task,
        sku_as_it_is(task),
        page_type="C",
        texts={"T2": "caption"},
        separate=("G1",),
        new_type="Fold-out",
    )
    assert told == [
        ("PAGE_TYPE", "page_type", "A", "C"),
        ("NEW_TYPE_REPORT", "page_type", "C", "Fold-out"),
        ("TEXT_ROLE", "T2", None, "caption"),
        ("LAYOUT", "merge:G1", {"page_number": 3, "table": "G2"}, None),
    ]
    page = Page.objects.get(pk=task.page_id)
    assert (page.continues, page.validation["merges"], page.validation["separated"]) == (None, [], [MERGE])
    assert page.validation["texts"] == {"T2": "caption"}


def test_a_sku_that_is_taken_back_is_ready_again(task: HumanTask, people: People) -> None:
    Sku.objects.filter(page=task.page_id).update(status="REJECTED")
    assert submit(people, task, sku_as_it_is(task)) == [("SKU_ATTRIBUTE", "rejected", True, False)]
    assert [(sku.status, sku.revision) for sku in active(task)] == [("BOUND", 2)]


def test_a_box_off_the_page_and_names_of_nothing_are_refused(task: HumanTask, people: People) -> None:
    said = sku_as_it_is(task, box=(5, 5, 500, 60))
    assert faults_of(people, task, said) == [("skus[0].box", "box_off_page")]
    assert faults_of(people, task, sku_as_it_is(task, box=(5, 5, 6, 60))) == [("skus[0].box", "box_off_page")]
    bad = {"drawn": (GivenPicture("new-1", (0, 0, 1, 1)), GivenPicture("img", (0, 0, 9, 9))), "separate": ("G9",)}
    assert faults_of(people, task, sku_as_it_is(task), texts={"T9": "note"}, **bad) == [
        ("drawn[0]", "box_off_page"),
        ("drawn[1]", "unknown_picture"),
        ("texts.T9", "unknown_text"),
        ("separate.G9", "unknown_table"),
    ]
    Page.objects.filter(pk=task.page_id).update(screenshot_key="")
    drawn = (GivenPicture("new-1", (0, 0, 9, 9)),)
    assert faults_of(people, task, sku_as_it_is(task), drawn=drawn) == [("drawn[0]", "nothing_to_cut")]
    assert not Image.objects.filter(image_id__endswith="_901").exists()
