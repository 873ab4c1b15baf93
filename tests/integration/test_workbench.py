"""The workbench's page: what it shows of a task, to whom, and at what cost."""

import json
import re
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotation.models import HumanTask
from annotation.tasks.services import locks
from annotation.workbench import presenters
from annotation.workbench.services import drafts
from catalogsku.core.errors import NotFound
from processing.corrections.services.correcting import PageState, content_version
from processing.models import Sku, SkuImage
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku

QUERIES_MAX = 14
LAMP = {"name": "Lamp", "text": "E27", "box": None, "confirmed": False}
HERE = {"quote": "M-1", "page_number": 1, "bbox": [10, 20, 30, 40], "match": 1.0, "method": "caption"}
NOWHERE = {**HERE, "quote": "", "bbox": None, "match": 0}


@pytest.fixture
def task(db: None, people: People) -> HumanTask:
    """A page with two SKUs, one with a value that is not printed and two pictures that fit almost equally."""
    job = make_job(people.merchant, total_pages=1)
    page = make_page(
        job,
        1,
        "HUMAN_QUEUED",
        needs_review=True,
        width_pt=595.0,
        height_pt=842.0,
        page_type="C",
        layout_type="L2",
        sku_count=2,
        screenshot_key="pages/1.jpg",
    )
    pictures = [make_image(page, n) for n in (1, 2)]
    ready = make_sku(page, 1, evidence={"model": HERE}, custom_attributes=[{"name": "Lamp", "value": "E27"}])
    SkuImage.objects.create(sku=ready, image=pictures[0], role="PRODUCT_MAIN", method="caption", confidence=0.9)
    make_sku(
        page,
        2,
        "VALID",
        attributes={"brand": "Acme"},
        evidence={"brand": NOWHERE},
        blockers=[{"code": "binding_ambiguous", "params": {"pictures": 2}}],
        candidates=[{"image_id": p.image_id, "confidence": 0.6, "method": "x", "reason": ""} for p in pictures],
    )
    reasons = [{"code": "binding_ambiguous", "params": {}}]
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", reasons=reasons)


def shown(client: Client, task: HumanTask) -> dict[str, Any]:
    """The data that the browser's modules start with."""
    client.cookies["django_language"] = "en"
    answer = client.get(reverse("task", args=[task.uuid]))
    assert answer.status_code == 200
    block = re.search(r'<script id="bench-data" type="application/json">(.*?)</script>', answer.content.decode(), re.S)
    assert block is not None
    found: dict[str, Any] = json.loads(block.group(1))
    return found


def of(task: HumanTask, sequence: int) -> str:
    return f"{task.job.hash8}_p01_{sequence:03d}"


def test_shows_the_page_as_a_submit_would_say_it(client: Client, task: HumanTask, people: People) -> None:
    client.force_login(people.annotator)
    data = shown(client, task)
    first, second = data["state"]["skus"]
    assert (data["state"]["page_type"], data["state"]["layout_type"]) == ("C", "L2")
    assert first["attributes"]["model"] == {"text": "M-1", "box": [10, 20, 30, 40], "confirmed": False}
    assert first["attributes"]["brand"] is None and first["custom"] == [LAMP]
    assert first["pictures"] == [f"img_{task.job.hash8}_01_001"] and second["pictures"] == []
    assert data["page"]["version"] == content_version(task.page)
    msgspec.convert(data["state"], PageState)


@pytest.mark.req("LX-UNLOCK")
def test_marks_what_is_not_printed_and_what_may_be_chosen(client: Client, task: HumanTask, people: People) -> None:
    client.force_login(people.annotator)
    about = shown(client, task)["meta"]["skus"]
    assert about[of(task, 1)]["locked"] == [] and about[of(task, 1)]["evidence"]["model"]["bbox"] == HERE["bbox"]
    second = about[of(task, 2)]
    assert second["locked"] == ["brand"]
    assert second["blockers"] == ["Picture is unclear: two fit almost equally"]
    assert second["candidates"] == [f"img_{task.job.hash8}_01_00{n}" for n in (1, 2)]


@pytest.mark.req("LX-UNLOCK")
def test_a_value_that_only_the_picture_shows_waits_with_its_crop(
    client: Client, task: HumanTask, people: People
) -> None:
    seen = {**HERE, "quote": "Acne", "match": 0, "method": "seen"}
    Sku.objects.filter(sku_id=of(task, 2)).update(evidence={"brand": seen})
    client.force_login(people.annotator)
    data = shown(client, task)
    first, second = (data["meta"]["skus"][of(task, n)]["evidence"] for n in (1, 2))
    assert (second["brand"]["crop"], second["brand"]["seen"]) == (HERE["bbox"], True)
    assert data["meta"]["skus"][of(task, 2)]["locked"] == ["brand"], "it is not proved by that"
    assert (first["model"]["crop"], first["model"]["seen"]) == (HERE["bbox"], False)
    Sku.objects.filter(sku_id=of(task, 2)).update(evidence={"brand": {**seen, "method": "elsewhere"}})
    elsewhere = shown(client, task)["meta"]["skus"][of(task, 2)]["evidence"]["brand"]
    assert (elsewhere["crop"], elsewhere["seen"]) == (None, False), "what stands there is another product's"


def test_says_where_attributes_that_the_category_lacks_are_printed(
    client: Client, task: HumanTask, people: People
) -> None:
    found = {"Lamp": HERE, "Socket": {**HERE, "page_number": 2}, "Cord": NOWHERE}
    customs = [{"name": name, "value": "x", "evidence": proof} for name, proof in found.items()]
    Sku.objects.filter(sku_id=of(task, 1)).update(custom_attributes=[*customs, {"name": "Typed", "value": "x"}])
    client.force_login(people.annotator)
    about = shown(client, task)["meta"]["skus"]
    assert about[of(task, 1)]["customs"] == {"Lamp": HERE["bbox"]}, "not of another page, nor of what is not printed"
    assert about[of(task, 2)]["customs"] == {}


@pytest.mark.req("X-MATRIX")
def test_is_there_for_those_who_do_tasks_of_this_merchant(client: Client, task: HumanTask, people: People) -> None:
    address = reverse("task", args=[task.uuid])
    seen = {}
    for name in ("annotator", "lead", "admin", "uploader", "outsider", "other_uploader"):
        client.force_login(people.named(name))  # type: ignore[arg-type]
        seen[name] = client.get(address).status_code
    assert seen == {
        "annotator": 200,
        "lead": 200,
        "admin": 200,
        "uploader": 403,
        "outsider": 404,
        "other_uploader": 403,
    }
    client.force_login(people.annotator)
    assert client.get(reverse("task", args=[uuid4()])).status_code == 404
    with pytest.raises(NotFound):
        presenters.get_task(people.outsider, task.uuid)


@pytest.mark.req("X-DRAFT")
def test_shows_the_readers_own_draft_and_nobody_elses(client: Client, task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, uuid4())
    drafts.save_draft(people.annotator, task.uuid, lock.token, 4, 7, {"page_type": "D", "skus": []})
    client.force_login(people.annotator)
    data = shown(client, task)
    assert data["draft"] == {"seq": 4, "state": {"page_type": "D", "skus": []}, "page_version": 7}
    assert data["holder"]["me"] is True
    client.force_login(people.lead)
    data = shown(client, task)
    assert data["draft"] is None
    assert data["holder"]["name"] == "Annotator" and data["holder"]["me"] is False


def test_costs_no_more_queries_for_more_skus(
    client: Client, task: HumanTask, people: People, django_assert_max_num_queries: Any
) -> None:
    for sequence in range(3, 30):
        sku = make_sku(task.page, sequence, evidence={"model": HERE})
        picture = make_image(task.page, sequence)
        SkuImage.objects.create(sku=sku, image=picture, role="PRODUCT_MAIN", method="caption", confidence=0.9)
    client.force_login(people.annotator)
    with django_assert_max_num_queries(QUERIES_MAX):
        assert len(shown(client, task)["state"]["skus"]) == 29


def test_speaks_the_readers_language(task: HumanTask, people: People) -> None:
    with translation.override("zh-hans"):
        data = presenters.bench(people.annotator, presenters.get_task(people.annotator, task.uuid))
        words = presenters.choices()
    assert {"key": "model", "label": "型号", "required": False} in data["meta"]["keys"]
    assert all(re.search(r"[\u4e00-\u9fff]", word) for pairs in words.values() for _, word in pairs)


def test_the_list_leads_to_it(client: Client, task: HumanTask, people: People) -> None:
    client.force_login(people.annotator)
    text = client.get(reverse("tasks")).content.decode()
    assert f'data-href="{reverse("task", args=[task.uuid])}?claim=1"' in text
