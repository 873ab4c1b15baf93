"""Tasks that nobody comes to: four levels, each once, by a clock that stands still while somebody holds the task."""

import json
import re
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from annotation.models import HumanTask
from annotation.queue.services import sla
from annotation.tasks.services import locks, settle
from annotation.workbench import presenters
from catalogsku.core.models import Transition
from catalogsku.profiles.models import ThresholdProfile, WorkRules
from catalogsku.profiles.services import work_rules
from ingestion.models import Job, Page
from ingestion.services.settle import settle_job
from processing.models import ImportRecord, Sku
from tests.support.imports import product_of
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page, make_sku

TAB = UUID(int=1)
HERE = {"quote": "M-1", "page_number": 1, "bbox": [10, 20, 30, 40], "match": 1.0, "method": "caption"}
pytestmark = pytest.mark.django_db


@pytest.fixture
def task(people: People) -> HumanTask:
    return make_task(make_job(people.merchant, "PARTIAL_IMPORTED", route="HYBRID"))


def make_task(job: Job, number: int = 1, **columns: Any) -> HumanTask:
    page = make_page(
        job,
        number,
        "HUMAN_QUEUED",
        needs_review=True,
        confidence=0.65,
        sku_count=1,
        blockers=[{"code": "low_confidence", "params": {}}],
    )
    make_sku(page, 1, "VALID", attributes={"size": "9 cm"}, evidence={"model": HERE, "size": HERE})
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", reasons=page.blockers, **columns)


def wait(minutes: float, *tasks: HumanTask) -> None:
    """As if so much time had passed; the time since which a task is held moves too."""
    passed = timedelta(minutes=minutes)
    rows = HumanTask.objects.filter(pk__in=[task.pk for task in tasks]) if tasks else HumanTask.objects
    rows.update(clock_from=F("clock_from") - passed, locked_at=F("locked_at") - passed)


def state(task: HumanTask) -> tuple[str, str, int]:
    task.refresh_from_db()
    return task.status, task.priority, task.sla_level


def permit(job: Job) -> None:
    ThresholdProfile.objects.filter(pk=job.profile_id).update(sla_acceptance=True)


@pytest.mark.req("TA-T73")
def test_each_level_comes_at_its_time(task: HumanTask) -> None:
    reached = []
    for minutes in (14, 2, 13, 2, 88, 2, 58, 2):
        wait(minutes)
        sla.escalate()
        reached.append(state(task))
    assert reached == [
        ("CREATED", "NORMAL", 0),
        ("CREATED", "HIGH", 1),
        ("CREATED", "HIGH", 1),
        ("ESCALATED", "HIGH", 2),
        ("ESCALATED", "HIGH", 2),
        ("ESCALATED", "CRITICAL", 3),
        ("ESCALATED", "CRITICAL", 3),
        ("SKIPPED", "AUTO_RESOLVE", 4),
    ]


@pytest.mark.req("TA-T73", "TA-SKIPWHY")
def test_the_last_level_closes_the_page_without_holding_up_its_job(task: HumanTask) -> None:
    wait(181)
    assert sla.escalate()["closed"] == 1
    settle.settle_pages([task.page_id])
    page = Page.objects.get(pk=task.page_id)
    assert (page.status, page.skip_reason, page.needs_review) == ("SKIPPED", "sla", False)
    settle_job(task.job_id)
    assert Job.objects.get(pk=task.job_id).status == "PARTIAL_FAILED"
    assert not ImportRecord.objects.exists()


@pytest.mark.req("X-DISPATCH")
def test_an_escalation_fires_once_however_many_sweeps_run_at_once(committed: None, people: People) -> None:
    task = make_task(make_job(people.merchant, "PARTIAL_IMPORTED"))
    wait(31)
    found = in_threads([sla.escalate] * 6)
    found.append(sla.escalate())
    assert sum(one["escalated"] for one in found) == 1
    rows = Transition.objects.filter(entity="task", entity_id=task.pk)
    assert rows.filter(trigger="escalated").count() == 1 and rows.filter(trigger="sla").count() == 1


@pytest.mark.req("TA-SLA4H")
def test_the_clock_stands_still_while_somebody_holds_the_task(task: HumanTask, people: People) -> None:
    golden = {"purpose": "honeypot", "subject": "1", "assigned_to": people.annotator}
    other = HumanTask.objects.create(job=task.job, page=task.page, type="PAGE_REVIEW", **golden)
    wait(10)
    for held in (other, task):  # nobody could take the one while somebody had the other
        lock = locks.claim_task(people.annotator, held.uuid, TAB)
        wait(120)
        assert sla.escalate() == {"pressing": 0, "escalated": 0, "looked_at": 0, "accepted": 0, "closed": 0}
        HumanTask.objects.filter(pk=held.pk).update(lease_until=Now() + timedelta(seconds=60))
        locks.release_task(people.annotator, held.uuid, lock.token)
        sla.escalate()
        assert state(task)[:2] == ("CREATED", "NORMAL")
    wait(6)
    sla.escalate()
    assert state(task)[:2] == ("CREATED", "HIGH"), "ten minutes before, six after"


@pytest.mark.req("TA-SLA4H")
def test_a_take_over_and_an_escalation_do_not_set_the_clock_back(task: HumanTask, people: People) -> None:
    wait(31)
    sla.escalate()
    locks.claim_task(people.lead, task.uuid, TAB)
    wait(50)
    lock = locks.take_over(people.lead, task.uuid, UUID(int=2))
    wait(50)
    locks.release_task(people.lead, task.uuid, lock.token)
    task.refresh_from_db()
    waited_min = (Now() - F("clock_from"),)
    found = HumanTask.objects.filter(pk=task.pk).annotate(waited=waited_min[0]).get().waited
    assert timedelta(minutes=30.9) < found < timedelta(minutes=31.2) and task.status == "ESCALATED"


@pytest.mark.req("TA-SLAACCEPT")
def test_what_is_printed_and_complete_goes_out_marked_where_the_profile_permits(task: HumanTask) -> None:
    permit(task.job)
    wait(121)
    assert sla.escalate()["accepted"] == 1
    settle.settle_pages([task.page_id])
    sku = Sku.objects.get(page=task.page_id)
    assert (sku.quality_warning, sku.status, sku.revision) == ("auto_accepted", "BOUND", 1)
    assert product_of(ImportRecord.objects.get(sku=sku))["quality_warning"] == "auto_accepted"
    assert state(task)[0] == "COMPLETED" and Page.objects.get(pk=task.page_id).status == "HUMAN_COMPLETED"
    history = Transition.objects.get(entity="task", entity_id=task.pk, trigger="accepted")
    assert (history.actor, history.reason) == ("system", {"auto_accepted": True})


@pytest.mark.req("TA-SLAACCEPT")
@pytest.mark.parametrize(
    ("change", "obstacle"),
    [
        (lambda task: None, "not_permitted"),
        (lambda task: Page.objects.filter(pk=task.page_id).update(confidence=0.5), "confidence_low"),
        (lambda task: Sku.objects.filter(page=task.page_id).update(evidence={"model": HERE}), "not_printed"),
        (lambda task: Sku.objects.filter(page=task.page_id).update(validity="partial"), "not_complete"),
        (lambda task: HumanTask.objects.update(reasons=[{"code": "injection_suspected"}]), "blocked"),
        (lambda task: Job.objects.update(route="HUMAN_ALL", degrade_reason="low_c_doc"), "people_only"),
    ],
)
def test_all_else_stays_open_and_its_history_says_why(task: HumanTask, change: Any, obstacle: str) -> None:
    if obstacle != "not_permitted":
        permit(task.job)
    change(task)
    wait(121)
    assert sla.escalate()["accepted"] == 0
    assert state(task) == ("ESCALATED", "CRITICAL", 3)
    history = Transition.objects.get(entity="task", entity_id=task.pk, trigger="not_accepted")
    assert history.reason == {"against": [obstacle]}
    assert sla.escalate()["looked_at"] == 0, "it is looked at once"


@pytest.mark.req("TA-SLAACCEPT", "X-PURPOSE")
def test_a_share_of_what_was_accepted_is_looked_at_by_a_person(people: People) -> None:
    job = make_job(people.merchant, "PARTIAL_IMPORTED")
    permit(job)
    WorkRules.objects.update(audit_ratio=1)
    task = make_task(job)
    wait(121)
    sla.escalate()
    audit = HumanTask.objects.get(purpose="audit")
    assert (audit.page_id, audit.status) == (task.page_id, "CREATED")
    settle.settle_pages([task.page_id])
    assert Page.objects.get(pk=task.page_id).status == "HUMAN_COMPLETED", "an audit does not move the page"
    wait(31)
    sla.escalate()
    assert state(audit)[:2] == ("CREATED", "NORMAL"), "nor is anybody told of it"


@pytest.mark.req("TA-T73")
def test_the_times_can_be_edited_and_stay_in_order(task: HumanTask) -> None:
    rules = work_rules()
    rules.high_after_min, rules.reason = 5, "a busy week"
    rules.add_version(expected=1)
    wait(6)
    assert sla.escalate()["pressing"] == 1
    wrong = work_rules()
    wrong.escalate_after_min = 5
    with pytest.raises(ValidationError) as refused, transaction.atomic():
        wrong.add_version()
    assert "sla_order" in [error.code for error in refused.value.error_dict["__all__"]]
    with pytest.raises(IntegrityError, match="sla_levels_in_order"), transaction.atomic():
        WorkRules.objects.filter(active=True).update(skip_after_min=1)
    with pytest.raises(IntegrityError, match="honeypots_5_to_15"), transaction.atomic():
        WorkRules.objects.filter(active=True).update(honeypot_ratio=0.3)


def test_a_lead_who_raised_a_task_by_hand_keeps_that(task: HumanTask) -> None:
    HumanTask.objects.update(priority="CRITICAL")
    wait(16)
    sla.escalate()
    assert state(task) == ("CREATED", "CRITICAL", 1)


def test_the_command_runs_one_round(task: HumanTask) -> None:
    wait(16)
    out = StringIO()
    call_command("escalate", "--json", stdout=out)
    assert json.loads(out.getvalue()) == {"pressing": 1, "escalated": 0, "looked_at": 0, "accepted": 0, "closed": 0}


@pytest.mark.req("TA-T73")
def test_the_queue_counts_down_in_words_and_colour_the_most_pressing_first(
    client: Client, people: People, task: HumanTask
) -> None:
    later = make_task(task.job, 2)
    wait(175, task)
    client.force_login(people.lead)
    client.cookies["django_language"] = "en"
    text = client.get(reverse("tasks")).content.decode()
    assert re.findall(r'data-tone="(\w+)"', text) == ["risk", "calm"]
    assert text.index(str(task.uuid)) < text.index(str(later.uuid))
    assert "5 min</time> <span data-word>at risk" in text and "3:00</time>" in text
    wait(10, task)
    text = client.get(reverse("tasks")).content.decode()
    assert "overdue</span>" in text and 'data-tone="over"' in text


def test_the_workbench_is_told_the_time_that_is_left(people: People, task: HumanTask) -> None:
    wait(60)
    task = presenters.get_task(people.annotator, task.uuid)
    told = presenters.bench(people.annotator, task)["due"]
    assert (told["tone"], told["still"], told["limit_s"]) == ("calm", False, 10800)
    assert 7190 <= told["left_s"] <= 7200
    locks.claim_task(people.annotator, task.uuid, TAB)
    task = presenters.get_task(people.annotator, task.uuid)
    assert presenters.bench(people.annotator, task)["due"]["still"] is True
