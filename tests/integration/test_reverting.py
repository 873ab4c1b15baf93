"""A closed task taken back: the page, its SKUs and what is sent of them are as before."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from annotation.models import HumanTask, Judgement
from annotation.queue.services import sla, supervising
from annotation.queue.services.reverting import reopen_own, revert_task, revert_tasks
from annotation.tasks.services import locks, settle
from annotation.workbench.services.submitting import skip_task, submit_task
from catalogsku.accounts.models import User
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.core.models import Transition
from catalogsku.profiles.models import ThresholdProfile, WorkRules
from ingestion.models import Page
from processing.corrections.services.correcting import GivenSku, GivenValue, PageState, content_version
from processing.imports.services import delivering
from processing.models import Image, ImportRecord, Sku
from tests.support.imports import held_products
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku, make_worker

TAB = UUID(int=1)
pytestmark = pytest.mark.django_db
HERE = {"quote": "M", "page_number": 1, "bbox": [1, 2, 3, 4], "match": 1.0, "method": "caption"}


@pytest.fixture
def task(people: People) -> HumanTask:
    """A page with a SKU that went out by itself, one that waits for its picture, and one without specification."""
    WorkRules.objects.update(verdict_least=0, verdict_most=0)
    job = make_job(people.merchant, "PARTIAL_IMPORTED")
    page = make_page(
        job,
        1,
        "HUMAN_QUEUED",
        needs_review=True,
        page_type="B",
        layout_type="L3",
        confidence=0.7,
        sku_count=3,
        blockers=[{"code": "binding_ambiguous", "params": {}}],
        import_state="confirmed",
    )
    sent = make_sku(page, 1, "BOUND", attributes={"price": "$3"}, evidence={"price": HERE, "model": HERE})
    delivering.ledger.open_imports(job, [sent])
    deliver(page)
    blocker = {"code": "binding_ambiguous", "params": {"pictures": 2}}
    make_sku(page, 2, "VALID", attributes={"size": "9 cm"}, evidence={"size": HERE, "model": HERE}, blockers=[blocker])
    make_sku(page, 3, "PARTIAL", validity="partial")
    make_image(page, 1)
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", reasons=page.blockers)


def deliver(page: Page) -> None:
    delivering.ledger.deliver(ImportRecord.objects.filter(page=page), make_worker("out"))


def correct(people: People, task: HumanTask) -> None:
    """A price is corrected, one SKU rejected, one added, a picture is bound and its role changed."""
    skus = {sku.sku_id[-1]: sku for sku in Sku.objects.filter(page=task.page_id, superseded=False)}
    picture = Image.objects.get(page=task.page_id).image_id
    given = (
        GivenSku(skus["1"].sku_id, attributes={"model": GivenValue("M-1"), "price": GivenValue("$4")}),
        GivenSku(skus["2"].sku_id, attributes=_same(skus["2"]), pictures=(picture,)),
        GivenSku(skus["3"].sku_id, rejected=True),
        GivenSku(attributes={"model": GivenValue("M-4"), "size": GivenValue("4 cm")}),
    )
    state = PageState(page_type="C", layout_type="L2", skus=given, roles={picture: "DETAIL"})
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(task.page), state)
    settle.settle_pages([task.page_id])


def _same(sku: Sku) -> dict[str, GivenValue | None]:
    return {key: GivenValue(value) for key, value in sku.attributes.items() if value}


def active(task: HumanTask) -> dict[str, Sku]:
    return {sku.sku_id[-1]: sku for sku in Sku.objects.filter(page=task.page_id, superseded=False)}


def looks(task: HumanTask) -> dict[str, Any]:
    """What a person sees of the page; not which revision it is."""
    page = Page.objects.get(pk=task.page_id)
    return {
        "page": (page.status, page.page_type, page.layout_type, page.blockers, page.needs_review),
        "roles": list(Image.objects.filter(page=page).values_list("role", "status")),
        "skus": {
            n: (
                sku.status if sku.status != "IMPORTED" else "BOUND", sku.attributes, sku.evidence, sku.blockers,
                sku.validity, [p.image_id for p in sku.pictures.all()],
            )
            for n, sku in active(task).items()
        },
    }  # fmt: skip


def downstream() -> dict[str, Any]:
    """What the target holds of each product, by the last digit of its SKU."""
    return {key[-1]: product for key, product in held_products().items()}


def wanted() -> dict[str, int]:
    """Imports that wait to go out, by SKU."""
    return {row.sku_key[-1]: row.generation for row in ImportRecord.objects.filter(state="PENDING")}


@pytest.mark.req("TA-T76", "X-UNDOIMP")
def test_a_reverted_task_leaves_the_page_as_it_was_and_sends_the_earlier_values_again(
    task: HumanTask, people: People
) -> None:
    before, sent = looks(task), downstream()
    correct(people, task)
    assert looks(task) != before
    deliver(task.page)
    assert downstream()["1"] != sent["1"]
    revert_task(people.lead, task.uuid, "the wrong price list")
    settle.settle_pages([task.page_id])
    assert looks(task) == before
    assert wanted() == {"1": 3, "2": 2, "4": 2}
    deliver(task.page)
    assert downstream() == sent
    task.refresh_from_db()
    assert (task.status, task.rework_count, task.closed_by, task.sla_level) == ("CREATED", 1, None, 0)
    row = Transition.objects.get(entity="task", entity_id=task.pk, trigger="reverted")
    assert (row.actor, row.reason) == ("lead", {"reason": "the wrong price list", "skus": 4})


@pytest.mark.req("X-UNDOIMP")
def test_what_has_not_gone_out_yet_never_does(task: HumanTask, people: People) -> None:
    sent = downstream()
    correct(people, task)
    assert sorted(wanted()) == ["1", "2", "4"]
    revert_task(people.lead, task.uuid, "no")
    deliver(task.page)
    assert downstream() == sent and ImportRecord.objects.filter(sku__superseded=True, state="PENDING").count() == 0


@pytest.mark.req("TA-T76")
def test_it_can_be_done_and_reverted_again(task: HumanTask, people: People) -> None:
    before = looks(task)
    for round_ in (1, 2):
        correct(people, task)
        revert_task(people.lead, task.uuid, "again")
        with pytest.raises(Conflict, match="task_open"):
            revert_task(people.lead, task.uuid, "twice")
        settle.settle_pages([task.page_id])
        task.refresh_from_db()
        assert looks(task) == before and task.rework_count == round_
    assert active(task)["1"].revision == 5


@pytest.mark.req("TA-T76")
def test_a_skipped_page_comes_back_to_people(task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    skip_task(people.annotator, task.uuid, lock.token, uuid4(), "unreadable")
    settle.settle_pages([task.page_id])
    assert Page.objects.get(pk=task.page_id).status == "SKIPPED"
    revert_task(people.lead, task.uuid, "it can be read")
    settle.settle_pages([task.page_id])
    page = Page.objects.get(pk=task.page_id)
    assert (page.status, page.skip_reason, page.needs_review) == ("HUMAN_QUEUED", "", True)


@pytest.mark.req("TA-T76", "TA-SLAACCEPT")
def test_what_was_accepted_automatically_can_be_reverted_too(task: HumanTask, people: People) -> None:
    Sku.objects.filter(page=task.page_id, sku_id__endswith="3").delete()
    ThresholdProfile.objects.update(sla_acceptance=True)
    before = looks(task)
    HumanTask.objects.update(clock_from="2026-01-01T00:00Z", sla_level=2)
    page_rules = sla.work_rules()
    assert sla.accept_page(task.page_id, page_rules)
    settle.settle_pages([task.page_id])
    assert active(task)["2"].quality_warning == "auto_accepted" and sorted(wanted()) == ["2"]
    revert_task(people.lead, task.uuid, "not without a person")
    settle.settle_pages([task.page_id])
    assert looks(task) == before and active(task)["2"].quality_warning is None and wanted() == {}


def test_what_was_done_together_is_reverted_together(task: HumanTask, people: People) -> None:
    """As earlier releases closed the other tasks of a page."""
    before = looks(task)
    correct(people, task)
    done = {"status": "COMPLETED", "closed_at": timezone.now(), "result": {"with": task.pk}}
    other = HumanTask.objects.create(job=task.job, page=task.page, type="SKU_CONFIRM", subject="x", **done)
    revert_task(people.lead, other.uuid, "no")
    settle.settle_pages([task.page_id])
    task.refresh_from_db()
    assert task.status == "CREATED" and looks(task) == before


@pytest.mark.req("TA-T76")
def test_what_came_later_is_reverted_first(task: HumanTask, people: People) -> None:
    correct(people, task)
    again = HumanTask.objects.create(job=task.job, page=task.page, type="PAGE_REVIEW")
    lock = locks.claim_task(people.annotator, again.uuid, TAB)
    given = tuple(GivenSku(sku.sku_id, rejected=True) for sku in active(task).values())
    state = PageState(page_type="D", skus=given)
    submit_task(people.annotator, again.uuid, lock.token, uuid4(), content_version(task.page), state)
    with pytest.raises(Conflict, match="page_changed_since"):
        revert_task(people.lead, task.uuid, "no")
    found = revert_tasks(HumanTask.objects.filter(page=task.page, purpose="work"), "lead", "a bad day")
    assert found.tasks == 1 and found.refused == ((task.uuid, "page_changed_since"),), "both cannot be open at once"


@pytest.mark.req("X-MATRIX", "TA-T76")
def test_only_leads_of_its_merchants_revert_and_only_with_a_reason(task: HumanTask, people: People) -> None:
    correct(people, task)
    with pytest.raises(Refused, match="supervise_forbidden"):
        revert_task(people.annotator, task.uuid, "no")
    with pytest.raises(Refused, match="reason_missing"):
        revert_task(people.lead, task.uuid, " ")
    people.lead.merchants.set([people.other])
    with pytest.raises(NotFound):
        revert_task(User.objects.get(pk=people.lead.pk), task.uuid, "no")


@pytest.mark.req("GR-SIG")
def test_who_closed_it_a_while_ago_opens_it_again_as_they_left_it(task: HumanTask, people: People) -> None:
    correct(people, task)
    left = {sku.pk: sku.attributes for sku in active(task).values()}
    with pytest.raises(Refused, match="not_your_decision"):
        reopen_own(people.lead, task.uuid)
    HumanTask.objects.filter(pk=task.pk).update(closed_at=Now() - timedelta(minutes=31))
    with pytest.raises(Refused, match="too_late_to_reopen"):
        reopen_own(people.annotator, task.uuid)
    HumanTask.objects.filter(pk=task.pk).update(closed_at=Now())
    reopen_own(people.annotator, task.uuid)
    settle.settle_pages([task.page_id])
    task.refresh_from_db()
    assert (task.status, task.rework_count, task.assigned_to) == ("CREATED", 0, people.annotator)
    assert "before" in task.result, "a lead can still take all of it back"
    assert Page.objects.get(pk=task.page_id).status == "HUMAN_QUEUED" and not Judgement.objects.exists()
    assert {sku.pk: sku.attributes for sku in active(task).values()} == left
    with pytest.raises(Conflict, match="task_open"):
        reopen_own(people.annotator, task.uuid)


def test_a_page_that_machines_have_is_not_reverted(task: HumanTask, people: People) -> None:
    correct(people, task)
    supervising.rerun_pages(task.job, [1], "lead")
    with pytest.raises(Conflict, match="page_with_machines"):
        revert_task(people.lead, task.uuid, "no")
