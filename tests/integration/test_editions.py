"""A new edition: recognised, carried over, shown, approved, and nothing goes out before; or it is none after all."""

import pytest
from django.db import transaction

from annotation.tasks.services.settle import settle_pages
from catalogsku.core.errors import Conflict
from catalogsku.core.models import Transition
from ingestion.models import Job, Page
from ingestion.services import jobs
from ingestion.services.settle import settle_job
from processing.corrections.services.correcting import Found, GivenSku, GivenValue, PageState, correct_page
from processing.editions.services import approving, comparing, recognising
from processing.imports.services import delivering
from processing.models import Edition, EditionChange, ImportRecord, LocalProduct, PageContent, Sku
from tests.support.editions import (
    approve,
    deliver_everything,
    finish,
    finish_all,
    held_downstream,
    look,
    make_earlier,
    make_later,
    print_of,
    sell,
)
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-DIFF")]
BOOK = ["cover", "Alba", "Bruno", "Cleo", "Dora", "terms"]


def key(job: Job, page: int) -> str:
    return f"{job.hash8}_p{page:02d}_001"


def statuses(job: Job) -> list[str]:
    return [f"{p.status}{'*' if p.carried else ''}" for p in job.pages.order_by("number")]


def changes(job: Job) -> list[tuple[str, str]]:
    """(kind, product) in the order in which they are shown."""
    rows = EditionChange.objects.filter(edition=job.pk).order_by("rank", "weight", "pk")
    return [(c.kind, (c.later or c.earlier).attributes["model"]) for c in rows]  # type: ignore[union-attr]


# --- recognition -------------------------------------------------------------------------------------


def test_an_edition_is_recognised_and_nothing_of_it_goes_out(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba", "Bruno'", "Cleo", "Dora", "terms"])
    edition = Edition.objects.get(job=new)
    assert (edition.predecessor_id, edition.origin, edition.state, edition.share) == (old.pk, "recognised", "open", 1.0)
    assert (new.edition_of_id, new.import_hold) == (old.pk, True)
    assert [3, 3, "alike"] in edition.pages


@pytest.mark.parametrize(
    "pages",
    [
        ["cover", "Egon", "Fanny", "Gus", "Hugo", "terms"],
        ["cover", "Alba", "Egon", "Fanny", "terms"],
        ["Alba"],
    ],
    ids=["cover and back page alone", "one product page", "an excerpt"],
)
def test_another_catalogue_of_the_merchant_is_none(people: People, pages: list[str]) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, pages)
    assert not Edition.objects.filter(job=new).exists()
    assert (new.edition_of_id, new.import_hold) == (None, False)
    assert statuses(new) == ["AI_QUEUED"] * len(pages)


def test_a_catalogue_of_another_merchant_is_none(people: People) -> None:
    make_earlier(people.other, BOOK)
    assert not Edition.objects.filter(job=make_later(people.merchant, BOOK)).exists()


def test_the_same_file_again_and_an_edition_that_nobody_has_seen_are_no_predecessors(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    assert not Edition.objects.filter(job=make_later(people.merchant, BOOK, file_sha256=old.file_sha256)).exists()
    second = make_later(people.merchant, [*BOOK[:-1], "Egon", "terms"])
    finish_all(second, {6: {"Egon": "9"}})
    settle_pages(list(second.pages.values_list("pk", flat=True)))
    third = make_later(people.merchant, [*BOOK[:-1], "Fanny", "terms"])
    assert Edition.objects.get(job=third).predecessor_id == old.pk


def test_of_several_the_newest_is_taken(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    newer = make_earlier(people.merchant, [*BOOK[:-1], "terms 2"])
    assert Edition.objects.get(job=make_later(people.merchant, BOOK[:-1])).predecessor_id == newer.pk


def test_recognising_twice_changes_nothing(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, BOOK)
    before = Edition.objects.values().get()
    recognising.recognise(new, look(BOOK))
    assert Edition.objects.values().get() == before


# --- what unchanged pages take over --------------------------------------------------------------------


@pytest.mark.req("TA-SKUSTABLE")
def test_unchanged_pages_have_their_results_without_any_stage_also_where_they_moved(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba", "Egon", "Bruno", "Cleo", "terms"])
    assert statuses(new) == ["SKIPPED*", "AI_COMPLETED*", "AI_QUEUED", "AI_COMPLETED*", "AI_COMPLETED*", "SKIPPED*"]
    sku = Sku.objects.get(job=new, page__number=4)
    assert (sku.sku_id, sku.predecessor, sku.status, sku.revision) == (key(new, 4), key(old, 3), "BOUND", 1)
    assert sku.evidence["model"]["page_number"] == 4
    assert sku.pictures.get().image.image_id == f"img_{new.hash8}_04_001"
    page = new.pages.get(number=4)
    assert (page.screenshot_key, page.extraction_method, page.stage) == ("shots/Bruno.jpg", "grid_rules", "NONE")
    contents = (
        PageContent.objects.filter(file_sha256=new.file_sha256).order_by("number").values_list("number", flat=True)
    )
    assert list(contents) == [1, 2, 4, 5, 6]
    assert not ImportRecord.objects.filter(job=new).exists()
    assert Transition.objects.filter(entity="sku", job_id=new.pk, trigger="carried").count() == 3


def test_two_changed_pages_of_forty_are_two_pages_of_work(people: People) -> None:
    names = [f"P{n}" for n in range(40)]
    make_earlier(people.merchant, names)
    later = [f"{name}'" if n % 20 == 7 else name for n, name in enumerate(names)]
    new = make_later(people.merchant, later)
    assert new.pages.exclude(stage="NONE").count() == 2
    finish_all(new, {n: {f"P{n - 1}": "120"} for n in (8, 28)})
    approve(new)
    assert LocalProduct.objects.filter(received=2).count() == 2
    assert LocalProduct.objects.count() == 40


@pytest.mark.req("TA-RERUN")
def test_what_people_confirmed_and_rejected_is_taken_over(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    page = old.pages.get(number=3)
    extra = sell_more(page)
    Page.objects.filter(pk=page.pk).update(status="HUMAN_COMPLETED")
    Sku.objects.filter(pk=extra.pk).update(status="REJECTED")
    Sku.objects.filter(page=page, attributes__model="Bruno").update(attribute_source={"price": "person"})
    new = make_later(people.merchant, BOOK)
    assert new.pages.get(number=3).status == "HUMAN_COMPLETED"
    skus = {s.attributes["model"]: s for s in Sku.objects.filter(page__job=new, page__number=3)}
    assert skus["Extra"].status == "REJECTED"
    assert skus["Bruno"].attribute_source == {"price": "person"}


def sell_more(page: Page) -> Sku:
    from tests.support.rows import make_sku

    return make_sku(page, 2, attributes={"model": "Extra"})


@pytest.mark.req("TA-P1-5")
def test_a_document_for_people_takes_over_only_what_people_have_decided(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    old.pages.filter(number=3).update(status="HUMAN_COMPLETED")
    new = make_later(people.merchant, BOOK, route="HUMAN_ALL", degrade_reason="low_c_doc")
    assert statuses(new) == [*["AI_QUEUED"] * 2, "HUMAN_COMPLETED*", *["AI_QUEUED"] * 3]


@pytest.mark.parametrize("read", [(), (2,)])
def test_pages_go_through_again_where_they_were_read_by_older_code_or_had_failed(
    people: People, read: tuple[int, ...]
) -> None:
    old = make_earlier(people.merchant, BOOK)
    PageContent.objects.filter(file_sha256=old.file_sha256, number=2).update(reading_key="older")
    old.pages.filter(number=3).update(status="DEAD_LETTER")
    new = make_later(people.merchant, BOOK, read=read)
    assert [p.number for p in new.pages.filter(carried=False)] == [2, 3]


def test_a_page_goes_through_again_where_another_one_that_it_leans_on_has_changed(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    evidence = {"brand": {"quote": "Alba Living", "page_number": 1, "bbox": [0, 0, 9, 9]}}
    Sku.objects.filter(job=old, page__number=4).update(evidence=evidence)
    new = make_later(people.merchant, ["another cover", *BOOK[1:]])
    assert [p.number for p in new.pages.filter(carried=False)] == [1, 4]


@pytest.mark.req("X-MERGE")
@pytest.mark.parametrize(("reason", "again"), [("head_inherited", [3, 4]), ("head_repeated", [3])])
def test_a_table_without_a_head_of_its_own_goes_with_the_page_before(
    people: People, reason: str, again: list[int]
) -> None:
    old = make_earlier(people.merchant, BOOK)
    merge = {"table": "TBL1", "page_number": 3, "before": "TBL1", "reason": reason, "rows": 2, "repeated_rows": 0}
    old.pages.filter(number=4).update(continues=3, validation={"merges": [merge]})
    new = make_later(people.merchant, ["cover", "Alba", "Bruno'", *BOOK[3:]])
    assert [p.number for p in new.pages.filter(carried=False)] == again


# --- what the merchant sees ----------------------------------------------------------------------------


def test_changes_are_shown_prices_first(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", "Bruno'", "Cleo'", "Egon", "terms"])
    finish_all(new, {2: {"Alba": "105"}, 3: {"Bruno": "100"}, 4: {"Cleo": "60"}, 5: {"Egon": "7"}})
    Sku.objects.filter(job=new, page__number=3).update(attributes={"model": "Bruno", "price": "100", "color": "oak"})
    new.pages.filter(number=3).update(**Page.visible_change())
    assert comparing.compare_edition(new.pk)
    assert changes(new) == [
        ("changed", "Cleo"),
        ("changed", "Alba"),
        ("changed", "Bruno"),
        ("added", "Egon"),
        ("removed", "Dora"),
    ]
    first = EditionChange.objects.filter(edition=new.pk).order_by("rank", "weight").first()
    assert first is not None
    assert (first.price_change, ["price", "100", "60"] in first.fields) == (pytest.approx(-0.4), True)
    tally = Edition.objects.get(job=new).tally
    assert {k: tally[k] for k in ("changed", "price", "added", "removed", "not_compared")} == {
        "changed": 3,
        "price": 2,
        "added": 1,
        "removed": 1,
        "not_compared": 0,
    }
    assert old.pk


def test_a_product_is_not_gone_while_its_page_is_in_work(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    comparing.compare_edition(new.pk)
    assert changes(new) == []
    assert Edition.objects.get(job=new).tally["not_compared"] == 1
    finish_all(new)
    assert changes(new) == [("removed", "Alba")]


def test_the_sweep_brings_changes_up_to_date_and_keeps_what_was_said_of_them(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", "Bruno'", *BOOK[3:]])
    finish(new.pages.get(number=2), {"Alba": "105"})
    assert comparing.compare_moved_on() == 1
    assert approving.choose(new, goes=False, keys=[key(new, 2)]) == 1
    finish(new.pages.get(number=3), {"Bruno": "110"})
    assert comparing.compare_moved_on() == 1
    assert dict(EditionChange.objects.values_list("key", "goes")) == {key(new, 2): False, key(new, 3): True}


# --- approval ---------------------------------------------------------------------------------------


@pytest.mark.req("TA-SKUSTABLE", "PL-C3")
def test_nothing_goes_out_before_approval_and_everything_once_after_it(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba", "Bruno'", "Cleo", "Egon", "terms"])
    finish_all(new, {3: {"Bruno": "120"}, 5: {"Egon": "7"}})
    before = held_downstream(people.merchant)
    settle_pages(list(new.pages.values_list("pk", flat=True)))
    settle_job(new.pk)
    new.refresh_from_db()
    assert new.status == "PARTIAL_IMPORTED"
    assert (deliver_everything(), approving.release(new.pk), approving.release_all()) == (0, 0, 0)
    assert held_downstream(people.merchant) == before
    approve(new)
    assert held_downstream(people.merchant) == {
        key(old, 2): ("Alba", "100", 1),
        key(old, 3): ("Bruno", "120", 2),
        key(old, 4): ("Cleo", "100", 1),
        key(old, 5): ("Dora", "100", 1),
        key(new, 5): ("Egon", "7", 1),
    }
    bruno = Sku.objects.get(job=new, page__number=3)
    assert (bruno.predecessor, bruno.downstream_id, bruno.status) == (key(old, 3), key(old, 3), "IMPORTED")
    assert (deliver_everything(), approving.release(new.pk)) == (0, 0)
    settle_pages(list(new.pages.values_list("pk", flat=True)))
    settle_job(new.pk)
    new.refresh_from_db()
    assert (new.status, new.import_hold) == ("FULL_IMPORTED", False)
    with pytest.raises(Conflict, match="edition_closed"):
        approving.approve(new, "", "uploader")


def test_what_is_left_out_stays_as_it_was_and_what_is_gone_is_taken_back_where_it_is_wanted(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", "Bruno'", "Egon", "terms"])
    finish_all(new, {2: {"Alba": "105"}, 3: {"Bruno": "120"}, 4: {"Egon": "7"}})
    approving.choose(new, goes=False, keys=[key(new, 2), key(new, 4)])
    approving.choose(new, goes=True, keys=[f"-{key(old, 5)}"])
    approve(new)
    assert held_downstream(people.merchant) == {
        key(old, 2): ("Alba", "100", 1),
        key(old, 3): ("Bruno", "120", 2),
        key(old, 4): ("Cleo", "100", 1),
    }
    settle_pages(list(new.pages.values_list("pk", flat=True)))
    settle_job(new.pk)
    new.refresh_from_db()
    assert new.status == "FULL_IMPORTED"


def test_a_correction_after_approval_reaches_the_same_product(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, BOOK[:-1])
    finish_all(new)
    approve(new)
    new.refresh_from_db()
    page = new.pages.get(number=2)
    given = GivenSku(sku_id=key(new, 2), attributes={"model": GivenValue("Alba"), "price": GivenValue("90.00")})
    with transaction.atomic():
        correct_page(new, page, PageState(page_type="A", skus=(given,)), Found.of(new, page), "annotator")
    deliver_everything()
    assert held_downstream(people.merchant)[key(old, 2)] == ("Alba", "90.00", 2)
    with transaction.atomic():
        gone = PageState(page_type="A", skus=(GivenSku(sku_id=key(new, 2), rejected=True, attributes={}),))
        correct_page(new, page, gone, Found.of(new, page), "annotator")
    deliver_everything()
    assert key(old, 2) not in held_downstream(people.merchant)


def test_the_earlier_edition_says_nothing_more_of_products_that_a_later_one_has(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    finish_all(new, {2: {"Alba": "120"}})
    approve(new)
    page = old.pages.get(number=2)
    given = GivenSku(sku_id=key(old, 2), attributes={"model": GivenValue("Alba"), "price": GivenValue("1.00")})
    with transaction.atomic():
        correct_page(old, page, PageState(page_type="A", skus=(given,)), Found.of(old, page), "annotator")
    deliver_everything()
    assert held_downstream(people.merchant)[key(old, 2)][1] == "120"


@pytest.mark.req("TA-SKUSTABLE")
def test_a_third_edition_keeps_the_id_of_the_first(people: People) -> None:
    first = make_earlier(people.merchant, BOOK)
    second = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    finish_all(second, {2: {"Alba": "110"}})
    approve(second)
    settle_pages(list(second.pages.values_list("pk", flat=True)))
    settle_job(second.pk)
    third = make_later(people.merchant, ["cover", "Alba''", *BOOK[2:]])
    assert Edition.objects.get(job=third).predecessor_id == second.pk
    finish_all(third, {2: {"Alba": "120"}})
    approve(third)
    sku = Sku.objects.get(job=third, page__number=2)
    assert (sku.predecessor, sku.downstream_id) == (key(second, 2), key(first, 2))
    assert held_downstream(people.merchant)[key(first, 2)] == ("Alba", "120", 3)
    assert LocalProduct.objects.count() == 4


def test_approval_waits_for_pages_and_for_the_newest_look(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    comparing.compare_edition(new.pk)
    seen = Edition.objects.get(job=new).digest
    with pytest.raises(Conflict, match="edition_not_ready"):
        approving.approve(new, seen, "uploader")
    finish_all(new, {2: {"Alba": "105"}})
    with pytest.raises(Conflict, match="edition_moved_on"):
        approving.approve(new, seen, "uploader")
    assert Edition.objects.get(job=new).state == "open"


def test_of_two_editions_of_one_catalogue_the_older_is_not_approved_after_the_newer(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    second = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    third = make_later(people.merchant, ["cover", "Alba''", *BOOK[2:]])
    for new, price in ((third, "120"), (second, "110")):
        finish_all(new, {2: {"Alba": price}})
    approve(third)
    comparing.compare_edition(second.pk)
    with pytest.raises(Conflict, match="edition_overtaken"):
        approve(second)


# --- declared, undone, held ----------------------------------------------------------------------------


def test_a_declared_edition_needs_no_likeness(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_job(people.merchant, "UPLOADED", stage="PRESCAN", route="")
    recognising.declare(new, old, "uploader")
    new.refresh_from_db()
    recognising.recognise(new, look(["Alba", "Egon"]))
    edition = Edition.objects.get(job=new)
    assert (edition.origin, edition.predecessor_id, [1, 2, "same"] in edition.pages) == ("declared", old.pk, True)


@pytest.mark.parametrize("left_out", [False, True])
def test_declared_late_what_went_out_under_its_own_ids_is_taken_back(people: People, left_out: bool) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["Alba'", "Bruno", "Egon"], recognise=False)
    finish_all(new, {1: {"Alba": "105"}, 2: {"Bruno": "100"}, 3: {"Egon": "7"}})
    deliver_everything()
    assert len(held_downstream(people.merchant)) == 7
    recognising.declare(new, old, "uploader")
    comparing.compare_edition(new.pk)
    assert changes(new) == [("changed", "Alba"), ("added", "Egon"), ("removed", "Cleo"), ("removed", "Dora")]
    if left_out:
        approving.choose(new, goes=False, keys=[key(new, 3)])
    approve(new)
    shown = held_downstream(people.merchant)
    egon = {} if left_out else {key(new, 3): ("Egon", "7")}
    assert {k: v[:2] for k, v in shown.items()} == egon | {
        key(old, 2): ("Alba", "105"),
        key(old, 3): ("Bruno", "100"),
        key(old, 4): ("Cleo", "100"),
        key(old, 5): ("Dora", "100"),
    }


def test_declared_while_pages_wait_these_are_carried_over(people: People) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["Alba", "Egon", "Bruno"], recognise=False)
    finish(new.pages.get(number=1), {"Alba": "100"})
    recognising.declare(new, old, "uploader")
    assert statuses(new) == ["AI_COMPLETED", "AI_QUEUED", "AI_COMPLETED*"]


@pytest.mark.parametrize("code", ["edition_same_file", "edition_order", "edition_unseen", "edition_open", "job_ended"])
def test_what_cannot_be_an_edition_is_refused(people: People, code: str) -> None:
    old = make_earlier(people.merchant, BOOK)
    new = make_job(people.merchant, **({"file_sha256": old.file_sha256} if code == "edition_same_file" else {}))
    job, earlier = new, old
    if code == "edition_order":
        job, earlier = old, new
    elif code == "edition_unseen":
        earlier = make_later(people.merchant, BOOK)
        job = make_job(people.merchant)
    elif code == "edition_open":
        job = make_later(people.merchant, BOOK)
    elif code == "job_ended":
        Job.objects.filter(pk=new.pk).update(status="CANCELLED")
    with pytest.raises(Conflict, match=code):
        recognising.declare(job, earlier, "uploader")


def test_a_wrong_recognition_is_undone(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba", "Bruno", "Cleo", "Egon", "terms"])
    finish_all(new, {5: {"Egon": "7"}})
    recognising.undo(new, "uploader")
    approving.release(new.pk)
    new.refresh_from_db()
    assert (new.edition_of_id, new.import_hold, Edition.objects.get(job=new).state) == (None, False, "undone")
    assert statuses(new) == ["AI_QUEUED"] * 4 + ["AI_COMPLETED", "AI_QUEUED"]
    deliver_everything()
    assert held_downstream(people.merchant)[key(new, 5)] == ("Egon", "7", 1)
    recognising.recognise(new, look(BOOK))
    assert Edition.objects.get(job=new).state == "undone"
    with pytest.raises(Conflict, match="edition_closed"):
        recognising.undo(new, "uploader")


def test_an_operators_hold_is_reopened_and_its_imports_go_out_once(people: People) -> None:
    job = make_job(people.merchant)
    assert jobs.hold_imports(Job.objects.filter(pk=job.pk), "operator") == 1
    page = make_page(job, 1, stage="READ", fingerprint=print_of("x"))
    finish(page, {"Alba": "100", "Bruno": "90"})
    settle_pages([page.pk])
    settle_job(job.pk)
    job.refresh_from_db()
    assert (job.status, deliver_everything(), approving.release_all()) == ("PARTIAL_IMPORTED", 0, 0)
    assert jobs.let_imports_go(Job.objects.filter(pk=job.pk)) == 1
    assert approving.release_all() == 2  # also where the message was lost
    assert (delivering.deliver_pages([page.pk]), delivering.deliver_pages([page.pk])) == (2, 0)
    settle_pages([page.pk])
    settle_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.import_hold) == ("FULL_IMPORTED", False)


def test_an_operators_hold_outlives_the_approval_of_an_edition(people: People) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    finish_all(new, {2: {"Alba": "105"}})
    jobs.hold_imports(Job.objects.filter(pk=new.pk), "operator")
    comparing.compare_edition(new.pk)
    approve(new)
    assert LocalProduct.objects.filter(received=2).count() == 0
    jobs.let_imports_go(Job.objects.filter(pk=new.pk))
    approving.release(new.pk)
    deliver_everything()
    assert LocalProduct.objects.filter(received=2).count() == 1


def test_pages_that_wait_for_people_are_not_let_out_with_a_hold(people: People) -> None:
    job = make_job(people.merchant, import_hold=True)
    page = make_page(job, 1, "HUMAN_QUEUED", needs_review=True, blockers=[{"code": "x", "params": {}, "sku": None}])
    sell(page, {"Alba": "100"})
    assert approving.release(job.pk) == 0
    assert not ImportRecord.objects.filter(job=job).exists()
