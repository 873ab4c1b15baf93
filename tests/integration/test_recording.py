"""One page's result becomes rows, all or none, in the states they reached; a rerun keeps every product's id."""

from copy import copy
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import HumanTask
from annotation.tasks.services.audit import audit
from annotation.tasks.services.settle import settle_pages
from catalogsku.core import messages, work
from catalogsku.core.models import Transition
from catalogsku.profiles.models import ThresholdProfile
from catalogsku.profiles.services import profile_for
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.jobs import cancel_job, rerun_pages
from processing.engine.page import ParsedPage, Picture, pack_page
from processing.engine.result import (
    BASE_KEYS,
    Binding,
    Blocker,
    DocumentFacts,
    Evidence,
    Finding,
    PageResult,
    PictureRole,
    Value,
)
from processing.engine.result import (
    Sku as FoundSku,
)
from processing.engine.understanding.pipeline import understand_page
from processing.imports.services import delivering
from processing.models import Image, ImportRecord, LocalProduct, PageContent, Sku, SkuImage
from processing.pages.services.recording import reached_status, record_results
from processing.sandboxed import frozen
from tests.support.imports import product_of
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku, make_worker
from tests.unit.understanding.pages import page as parsed_page
from tests.unit.understanding.pages import table

BOX = (10.0, 10.0, 100.0, 50.0)


def found(
    model: str | None, y: float = 10, *, validity: str = "full", ambiguous: bool = False, pictures: tuple[str, ...] = ()
) -> FoundSku:
    box = (10.0, y, 100.0, y + 20)
    values = {"color": "oak"} | ({"model": model} if model else {})
    attributes = {k: Value(v, Evidence(v, 1, box, method="table_cell")) for k, v in values.items()}
    bindings = tuple(Binding(p, "PRODUCT_MAIN", "spatial_proximity", 0.9) for p in pictures)
    return FoundSku(box, attributes, validity=validity, confidence=0.9, ambiguous=ambiguous, bindings=bindings)


def result(*skus: FoundSku, page_type: str = "A", blockers: tuple[Blocker, ...] = (), **more: Any) -> PageResult:
    return PageResult(1, page_type, 0.9, "L3", 0.88, "table_rules", skus, blockers=blockers, **more)


def record(page: Page, outcome: PageResult, pictures: tuple[Picture, ...] = ()) -> Page:
    """As the understanding of the page records it: claimed, locked, in one transaction."""
    Page.objects.filter(pk=page.pk).update(stage="UNDERSTAND_RULES", dispatched_at=None)
    parsed = ParsedPage(1, 595.0, 842.0, 0, "pymupdf", pictures=pictures)
    job = Job.objects.get(pk=page.job_id)
    content, _ = PageContent.objects.update_or_create(
        merchant_id=job.merchant_id,
        file_sha256=job.file_sha256,
        number=1,
        reading_key=frozen.reading_key(),
        defaults={"data": pack_page(parsed), "files": {p.file: f"k/{p.file}" for p in pictures}},
    )
    held = work.claim(dispatch.active_pages().filter(pk=page.pk), "UNDERSTAND_RULES", make_worker())[0]
    with work.recording(Page, held) as row:
        record_results(job, [(row, outcome, content)])
    return Page.objects.get(pk=page.pk)


@pytest.fixture
def page(people: People) -> Page:
    return make_page(make_job(people.merchant))


def active(page: Page) -> dict[str, tuple[str, int, str]]:
    """Model -> (sku_id without its prefix, revision, status)."""
    rows = Sku.objects.filter(page=page, superseded=False)
    return {s.attributes["model"]: (s.sku_id.split("_", 1)[1], s.revision, s.status) for s in rows}


pytestmark = pytest.mark.django_db


@pytest.mark.req("TA-SPECONLY", "TA-BR11", "TA-BR14")
def test_skus_are_inserted_in_the_state_they_reached_with_every_key(page: Page) -> None:
    now = record(
        page,
        result(
            found("A-1"),
            found("A-2", 40, ambiguous=True),
            found("A-3", 70, validity="partial"),
            found(None, 100, validity="invalid"),
            blockers=(Blocker("specification_missing", {}, 2),),
        ),
    )
    states = {sku.sku_id[-3:]: sku.status for sku in Sku.objects.filter(page=page)}
    assert states == {"001": "BOUND", "002": "VALID", "003": "PARTIAL", "004": "INVALID"}
    for sku in Sku.objects.filter(page=page):
        assert set(sku.attributes) == set(BASE_KEYS)
        assert sku.attributes["color"] == "oak" and sku.attributes["price"] is None
        assert set(sku.evidence) == {k for k, v in sku.attributes.items() if v is not None}
    assert (now.status, now.stage, now.worker, now.sku_count) == ("AI_COMPLETED", "NONE", None, 4)
    trail = Transition.objects.filter(entity="sku")
    assert [(t.entity_id, t.target) for t in trail] == [(page.pk, "RECORDED")], "one audit row for the page"
    assert list(ImportRecord.objects.values_list("sku__sku_id", "state")) == [(f"{page.job.hash8}_p01_001", "PENDING")]


def without_specification(job: Job) -> PageResult:
    """What the rules make of a product with a name and nothing else, under the job's own profile."""
    cells = [["Model", "Name"], ["A-1", "Oak chair"]]
    return understand_page(parsed_page(tables=[table(cells)]), (), DocumentFacts(), frozen.analyst_config(job))


@pytest.mark.req("TA-P1-14")
def test_a_strict_profile_asks_people_about_partial_products_and_a_lenient_one_delivers_them(people: People) -> None:
    """The profile is the category's own, where it has one."""
    strict = ThresholdProfile.get_active("default")
    assert strict.validity_mode == "strict"
    lenient = copy(strict)
    lenient.key, lenient.category, lenient.validity_mode = "lamps", "lamps", "lenient"
    lenient.add_version()
    found = {}
    for category in ("chairs", "lamps"):
        page = make_page(make_job(people.merchant, category=category, profile=profile_for(category)))
        record(page, without_specification(page.job))
        settle_pages([page.pk])
        sku = Sku.objects.get(page=page)
        assert (sku.validity, sku.quality_warning) == ("partial", "missing_specifications")
        tasks = [(task.type, task.subject, task.reasons[0]["code"]) for task in HumanTask.objects.filter(page=page)]
        sent = [product_of(row) for row in ImportRecord.objects.filter(page=page)]
        found[category] = (sku.status, tasks, [product["quality_warning"] for product in sent])
        if category == "chairs":
            asked = ("SKU_CONFIRM", sku.sku_id, "specification_missing")
    assert found == {"chairs": ("PARTIAL", [asked], []), "lamps": ("BOUND", [], ["missing_specifications"])}


@pytest.mark.req("TA-BR14", "TA-T55")
def test_a_categorys_own_keys_are_there_too(people: People) -> None:
    from catalogsku.profiles.models import CategorySchema

    schema = CategorySchema(
        key="lamps", label_zh="灯", label_en="Lamps", attributes=[{"key": "lumen"}, {"key": "size"}]
    )
    schema.add_version()
    page = make_page(make_job(people.merchant, schema=schema))
    record(page, result(found("L-1")))
    assert set(Sku.objects.get().attributes) == {*BASE_KEYS, "lumen"}


@pytest.mark.req("TA-REV", "TA-SKUSTABLE", "TA-ADR06")
def test_a_rerun_keeps_ids_as_next_revisions_and_uses_no_number_again(page: Page) -> None:
    record(page, result(found("A-1"), found("A-2", 40), found("A-3", 70)))
    rerun_pages(page.job, [1], "uploader")
    record(page, result(found("A-0", 5), found("A-3", 70), found("A-1", 300)))
    assert active(page) == {
        "A-1": ("p01_001", 2, "BOUND"),
        "A-3": ("p01_003", 2, "BOUND"),
        "A-0": ("p01_004", 1, "BOUND"),
    }
    gone = Sku.objects.filter(page=page, superseded=True)
    assert {(s.attributes["model"], s.revision, s.status) for s in gone} == {
        ("A-1", 1, "SUPERSEDED"),
        ("A-2", 1, "SUPERSEDED"),
        ("A-3", 1, "SUPERSEDED"),
    }
    rerun_pages(page.job, [1], "uploader")
    record(page, result(found("A-2", 40)))
    assert active(page) == {"A-2": ("p01_005", 1, "BOUND")}, "002 was another product's number once"


@pytest.mark.req("TA-SKUSTABLE", "TA-SPECONLY")
@pytest.mark.req("TA-RERUN")
def test_a_rerun_keeps_what_a_person_decided(page: Page) -> None:
    record(page, result(found("M-1"), found("M-2", 100)))
    given = {"quote": "ash", "page_number": 1, "bbox": None, "match": 1.0, "method": "person"}
    first, second = Sku.objects.order_by("sku_id")
    first.attributes["color"], first.evidence["color"], first.attribute_source["color"] = "ash", given, "person"
    changed = {name: getattr(first, name) for name in ("attributes", "evidence", "attribute_source")}
    Sku.objects.filter(pk=first.pk).update(**changed)
    Sku.objects.filter(pk=second.pk).update(status="REJECTED")
    rerun_pages(page.job, [1], "lead")
    record(page, result(found("M-1"), found("M-2", 100)))
    first, second = Sku.objects.filter(superseded=False).order_by("sku_id")
    assert (first.revision, first.attributes["color"], first.attribute_source["color"]) == (2, "ash", "person")
    assert first.evidence["color"] == given and first.attributes["model"] == "M-1"
    assert (second.revision, second.status) == (2, "REJECTED")
    assert not ImportRecord.objects.filter(sku=second).exists()


def test_without_identity_the_place_tells_which_it_was(page: Page) -> None:
    record(page, result(found(None, 10, validity="invalid"), found(None, 200, validity="invalid")))
    first = {s.sku_id[-3:]: s.box[1] for s in Sku.objects.filter(page=page)}
    record(Page.objects.get(pk=page.pk), result(found("B-2", 202), found("B-1", 11)))
    assert {s.sku_id[-3:] for s in Sku.objects.filter(page=page, superseded=False)} == set(first)
    assert active(page)["B-1"][0] == "p01_001"
    assert active(page)["B-2"][0] == "p01_002"


@pytest.mark.req("TA-SKUSTABLE")
def test_more_than_nine_hundred_ninety_nine_skus_go_on_counting(page: Page) -> None:
    make_sku(page, sku_id=f"{page.job.hash8}_p01_999", superseded=True)
    make_sku(page, sku_id=f"{page.job.hash8}_p01_1000", superseded=True)
    record(page, result(found("A-1")))
    assert active(page)["A-1"][0] == "p01_1001"


@pytest.mark.req("TA-REV", "PL-C3")
def test_a_rerun_withdraws_what_was_not_sent_and_sends_only_what_changed(page: Page) -> None:
    record(page, result(found("A-1"), found("A-2", 40), found("A-3", 70)))
    delivering.deliver_pages([page.pk])
    record(page, result(found("A-1"), found("A-2", 40), found("A-9", 400)))
    newest = {r.sku_key[-3:]: r for r in ImportRecord.objects.order_by("generation")}
    assert {key: (row.generation, row.state) for key, row in newest.items()} == {
        "001": (2, "CONFIRMED"),
        "002": (2, "CONFIRMED"),
        "003": (2, "PENDING"),
        "004": (1, "PENDING"),
    }
    record(page, result(found("A-1")))
    assert ImportRecord.objects.get(sku_key__endswith="004").state == "SUPERSEDED"
    assert delivering.deliver_pages([page.pk]) == 2, "what is no longer there is deleted"
    assert list(LocalProduct.objects.filter(deleted=False).values_list("sku_key", flat=True)) == [newest["001"].sku_key]


@pytest.mark.req("X-BLOCKER", "TA-SPECONLY")
def test_what_needs_a_person_is_not_sent_before_one_has_seen_it(page: Page) -> None:
    record(page, result(found("A-1"), found("A-2", 40), blockers=(Blocker("price_unclear", sku=1),)))
    assert [r.sku_key[-3:] for r in ImportRecord.objects.all()] == ["001"], "the good ones go at once"
    other = make_page(page.job, 2)
    Page.objects.filter(pk=page.pk).update(stage="NONE")
    record(page, result(found("A-1"), blockers=(Blocker("page_type_uncertain"),)))
    assert not ImportRecord.objects.filter(state="PENDING").exists(), "a reason that concerns the page holds all"
    assert Page.objects.get(pk=page.pk).needs_review
    assert other.status == "AI_QUEUED"


@pytest.mark.req("TA-P1-5")
@pytest.mark.parametrize(
    ("route", "confidence", "held"), [("HYBRID", 0.5, True), ("HYBRID", 0.8, False), ("AUTO", 0.5, False)]
)
def test_below_the_page_threshold_a_hybrid_page_goes_to_a_person(
    people: People, route: str, confidence: float, held: bool
) -> None:
    page = make_page(make_job(people.merchant, route=route))
    outcome = PageResult(1, "A", 0.9, "L3", confidence, "table_rules", (found("A-1"),))
    now = record(page, outcome)
    assert now.needs_review == held
    assert ImportRecord.objects.exists() != held
    assert [b["code"] for b in now.blockers] == (["low_confidence"] if held else [])


@pytest.mark.req("LA-GUARD")
def test_what_a_rule_found_stays_with_the_page_although_nobody_has_to_look(page: Page) -> None:
    doubtful = Finding("injection_suspected", "warning", {"score": 0.8, "quote": "ignore the rules"})
    kept = record(page, result(found("A-1"), findings=(doubtful,)))
    assert not kept.needs_review
    assert [(f["code"], f["params"]["score"]) for f in kept.validation["findings"]] == [("injection_suspected", 0.8)]


@pytest.mark.req("TA-CLS")
def test_a_page_without_products_is_skipped_with_its_reason(page: Page) -> None:
    now = record(page, result(page_type="D"))
    assert (now.status, now.skip_reason, now.sku_count) == ("SKIPPED", "no_product", 0)


@pytest.mark.parametrize(
    ("outcome", "status", "rung"),
    [
        (result(found("A1")), "AI_QUEUED", ["deliver_pages"]),
        (result(found(None, validity="invalid")), "AI_QUEUED", ["settle_pages"]),
        (result(found("A1"), blockers=(Blocker("page_score_low"),)), "AI_QUEUED", ["settle_pages"]),
        (result(page_type="D"), "AI_QUEUED", ["settle_job"]),
        (result(page_type="D"), "HUMAN_QUEUED", ["settle_pages"]),
    ],
)
def test_one_message_goes_on_with_a_page_and_a_page_without_products_needs_none(
    people: People, monkeypatch: pytest.MonkeyPatch, outcome: PageResult, status: str, rung: list[str]
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(messages, "send_after_commit", lambda actor, *args: sent.append(actor))
    record(make_page(make_job(people.merchant), status=status), outcome)
    assert sent == rung


@pytest.mark.req("TA-P1-5", "TA-P0-1")
def test_people_only_pages_get_a_prefill_and_import_nothing(people: People) -> None:
    job = make_job(people.merchant, status="DEGRADED_HUMAN", route="HUMAN_ALL")
    now = record(make_page(job, status="HUMAN_QUEUED"), result(found("A-1")))
    assert (now.status, now.needs_review, now.sku_count) == ("HUMAN_QUEUED", True, 1)
    assert not ImportRecord.objects.exists()


@pytest.mark.req("TA-T78")
def test_pictures_are_kept_by_what_they_may_be_used_for(page: Page) -> None:
    pictures = tuple(
        Picture(f"P{n}", BOX, px, px, content_hash=digest * 64, file=f"p{n}.jpg")
        for n, (px, digest) in enumerate([(800, "a"), (639, "b"), (800, "a"), (900, "c")], 1)
    )
    roles = tuple(PictureRole(f"P{n}", "LOGO" if n == 4 else "PRODUCT_MAIN", 0.9) for n in range(1, 5))
    record(page, result(found("A-1", pictures=("P1", "P9")), roles=roles), pictures)
    rows = list(Image.objects.order_by("image_id"))
    assert [i.search_eligible for i in rows] == [True, False, True, False]
    assert [i.status for i in rows] == ["DELIVERABLE"] * 3 + ["NOT_DELIVERABLE"]
    assert SkuImage.objects.get().image == rows[0]
    ids = [(i.pk, i.image_id) for i in rows]
    record(page, result(found("A-1", pictures=("P1",)), roles=roles), pictures)
    assert [(i.pk, i.image_id) for i in Image.objects.order_by("image_id")] == ids, "a rerun writes them again"


@pytest.mark.req("LX-SCATTER", "TA-T52")
def test_a_result_is_there_whole_or_not_at_all(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    from processing.pages.services import recording

    def breaks(*args: Any, **options: Any) -> None:
        raise RuntimeError("in the last step")

    monkeypatch.setattr(recording.ledger, "open_imports", breaks)
    with pytest.raises(RuntimeError), transaction.atomic():
        record(page, result(found("A-1")))
    assert not Sku.objects.exists()
    assert Page.objects.get(pk=page.pk).status == "AI_QUEUED"


@pytest.mark.req("TA-CANCEL")
def test_a_job_cancelled_meanwhile_gets_no_rows(page: Page) -> None:
    Page.objects.filter(pk=page.pk).update(stage="UNDERSTAND_RULES")
    held = work.claim(dispatch.active_pages().filter(pk=page.pk), "UNDERSTAND_RULES", make_worker())[0]
    cancel_job(page.job, "uploader")
    from ingestion.services.pages import page_is_wanted

    with work.recording(Page, held) as row:
        assert not page_is_wanted(row)


# --- what the database itself refuses ------------------------------------------------------------


def refused(name: str) -> Any:
    return pytest.raises(IntegrityError, match=name)


@pytest.mark.req("TA-T78")
@pytest.mark.invariant("INV-03", "holds", "violated")
def test_inv_03_a_small_picture_is_never_offered_for_search(page: Page) -> None:
    make_image(page, 1, short_edge=640, search_eligible=True)
    make_image(page, 2, short_edge=639, search_eligible=False)
    with refused("inv_03"), transaction.atomic():
        make_image(page, 3, short_edge=639, search_eligible=True)


@pytest.mark.req("TA-REV")
@pytest.mark.invariant("INV-07", "holds", "violated")
def test_inv_07_one_active_revision_a_sku(page: Page) -> None:
    make_sku(page, 1, superseded=True)
    make_sku(page, 1, revision=2)
    with refused("inv_07"), transaction.atomic():
        make_sku(page, 1, revision=3)
    with refused("one_sku_revision"), transaction.atomic():
        make_sku(page, 1, revision=1, superseded=True)


@pytest.mark.req("TA-ONEHOLDER")
@pytest.mark.invariant("INV-08", "holds", "violated")
def test_inv_08_a_task_in_hand_has_its_lock_and_a_page_one_holder(page: Page, people: People) -> None:
    lock = {"locked_by": people.annotator, "lock_session": page.job.uuid, "lease_until": timezone.now()}

    def task(subject: str, **columns: Any) -> HumanTask:
        return HumanTask.objects.create(job=page.job, page=page, type="SKU_CONFIRM", subject=subject, **columns)

    for missing in lock:
        with refused("inv_08"), transaction.atomic():
            task("a", status="PROCESSING", **{k: v for k, v in lock.items() if k != missing})
    task("a", status="PROCESSING", **lock)
    with refused("one_holder_a_page"), transaction.atomic():
        task("1", purpose="honeypot", status="PROCESSING", **lock)
    for status in ("CREATED", "ESCALATED"):
        with refused("one_open_task"), transaction.atomic():
            task("b", status=status)
    for person in ("1", "2"):
        task(person, purpose="honeypot")
    with refused("one_golden_page_a_person"), transaction.atomic():
        task("1", purpose="honeypot")
    HumanTask.objects.filter(subject="a").update(status="COMPLETED")
    task("b")


@pytest.mark.req("TA-P1-10")
@pytest.mark.invariant("INV-11", "holds", "violated")
def test_inv_11_the_route_and_its_reason_agree(people: People) -> None:
    make_job(people.merchant, route="HYBRID", degrade_reason="whatever")
    for route, reason in (("AUTO", "x"), ("HUMAN_ALL", None)):
        with refused("inv_11"), transaction.atomic():
            make_job(people.merchant, route=route, degrade_reason=reason)


@pytest.mark.req("TA-BR14")
@pytest.mark.invariant("INV-12", "holds")
def test_inv_12_every_key_is_there_however_little_was_found(page: Page) -> None:
    empty = FoundSku(BOX, {}, validity="invalid")
    record(page, result(empty))
    assert Sku.objects.get().attributes == dict.fromkeys(BASE_KEYS)


@pytest.mark.req("TA-BR14", "PL-C8")
@pytest.mark.invariant("INV-12", "violated")
def test_inv_12_a_sku_that_lacks_a_key_is_found_by_the_nightly_audit(page: Page) -> None:
    sku = make_sku(page, 1)
    assert audit()["inv_12"] == 0
    sku.attributes.pop("price")
    sku.save(update_fields=["attributes"])
    assert audit()["inv_12"] == 1


@pytest.mark.parametrize(
    ("validity", "doubted", "ambiguous", "reached"),
    [
        ("partial", True, False, "PARTIAL"),
        ("partial", False, False, "BOUND"),
        ("partial", False, True, "PARTIAL"),
        ("full", False, False, "BOUND"),
        ("full", False, True, "VALID"),
        ("invalid", False, False, "INVALID"),
    ],
)
def test_a_product_without_specification_waits_where_that_is_doubted(
    validity: str, doubted: bool, ambiguous: bool, reached: str
) -> None:
    own = [Blocker("specification_missing", {}, 0)] if doubted else []
    assert reached_status(validity, ambiguous, own) == reached
