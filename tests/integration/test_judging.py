"""Finished work is looked at again: by a second person, against golden pages; and what that does to profiles."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, AnnotatorProfile, GoldenPage, HumanTask, Judgement
from annotation.people.services import annotators, golden, judging
from annotation.people.services.team import annotator, team_of
from annotation.queue.filtering import Wanted, queue_of
from annotation.queue.services import dispatch
from annotation.queue.services.reverting import revert_task
from annotation.tasks.lifecycle import TaskStatus
from annotation.tasks.services import locks, settle
from annotation.tasks.services.locks import TaskHeld
from annotation.workbench import presenters
from annotation.workbench.first_hand import first_hand
from annotation.workbench.services.submitting import submit_task
from catalogsku.accounts.models import Role, User
from catalogsku.core.errors import Refused
from catalogsku.core.models import Transition
from catalogsku.profiles.models import WorkRules
from catalogsku.profiles.services import work_rules
from ingestion.models import Page
from processing.corrections.services.correcting import GivenSku, GivenValue, PageState, content_version
from processing.models import ImportRecord, Sku
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = pytest.mark.django_db
QUIET = {"verdict_least": 0, "verdict_most": 0, "honeypot_ratio": 0}


@pytest.fixture
def rules() -> None:
    """Nothing is drawn unless a test wants it."""
    WorkRules.objects.update(**QUIET)


@pytest.fixture
def second(people: People) -> User:
    user = User.objects.create(username="second", role=Role.ANNOTATOR, display_name="Second", language="en")
    user.merchants.set([people.merchant])
    return user


@pytest.fixture
def task(people: People, rules: None) -> HumanTask:
    return make_task(people)


def make_task(people: People, number: int = 1, **columns: Any) -> HumanTask:
    job = make_job(people.merchant, "PARTIAL_IMPORTED")
    page = make_page(
        job,
        number,
        "HUMAN_QUEUED",
        needs_review=True,
        page_type="B",
        layout_type="L3",
        sku_count=2,
        confidence=0.7,
        blockers=[{"code": "low_confidence", "params": {}}],
    )
    for n in (1, 2):
        make_sku(page, n, "VALID", attributes={"size": f"{n} cm", "price": "$3"})
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", reasons=page.blockers, **columns)


def done(actor: User, task: HumanTask, **prices: str) -> None:
    """As ``actor`` leaves it: the page as shown, but for the prices of the SKUs named s1, s2."""
    lock = locks.claim_task(actor, task.uuid, uuid4())
    page = Page.objects.get(pk=task.page_id)
    shown = presenters.bench(actor, presenters.get_task(actor, task.uuid))["state"]
    skus = []
    for sku in shown["skus"]:
        values = {key: GivenValue(v["text"]) for key, v in sku["attributes"].items() if v}
        if price := prices.get(f"s{sku['sku_id'][-1]}"):
            values["price"] = GivenValue(price)
        skus.append(GivenSku(sku["sku_id"], attributes=dict(values)))
    state = PageState(page_type=shown["page_type"], layout_type=shown["layout_type"], skus=tuple(skus))
    submit_task(actor, task.uuid, lock.token, uuid4(), content_version(page), state)
    settle.settle_pages([task.page_id])


def judged_by_all() -> None:
    WorkRules.objects.update(verdict_least=1, verdict_most=1)


# --- a second person ---------------------------------------------------------------------------------


@pytest.mark.req("X-VERDICT")
@pytest.mark.parametrize(("accuracy", "share"), [(0.8, 0.4), (0.95, 0.1), (0.99, 0.05), (0.5, 0.5)])
def test_the_less_accurate_somebody_is_the_more_is_looked_at(accuracy: float, share: float, db: None) -> None:
    assert judging.verdict_share(accuracy, work_rules()) == pytest.approx(share)


@pytest.mark.req("X-VERDICT", "X-PURPOSE")
def test_a_second_person_accepts_and_the_page_does_not_move(people: People, task: HumanTask, second: User) -> None:
    judged_by_all()
    done(people.annotator, task, s1="$4")
    verdict = HumanTask.objects.get(purpose="verdict")
    assert (verdict.about_id, verdict.page_id) == (task.pk, task.page_id)
    assert Page.objects.get(pk=task.page_id).status == "HUMAN_COMPLETED"
    rows, imports = Sku.objects.count(), ImportRecord.objects.count()
    done(second, verdict)
    found = Judgement.objects.get()
    assert (found.kind, found.outcome, found.score) == ("verdict", "accepted", 1.0)
    assert (found.annotator, found.reviewer) == (people.annotator, second)
    assert found.counts["changed"] == 1 and found.counts["missed"] == 0
    assert (Sku.objects.count(), ImportRecord.objects.count()) == (rows, imports)
    assert HumanTask.objects.filter(purpose="verdict").count() == 1, "a verdict is not judged again"


@pytest.mark.req("X-VERDICT")
def test_a_second_person_fixes_what_the_first_one_missed(people: People, task: HumanTask, second: User) -> None:
    judged_by_all()
    done(people.annotator, task, s1="$4")
    done(second, HumanTask.objects.get(purpose="verdict"), s2="$9")
    found = Judgement.objects.get()
    assert (found.outcome, found.score) == ("fixed", 0.5)
    assert (found.counts["changed"], found.counts["missed"], found.by_field["price"]) == (1, 1, [2, 1])
    assert Sku.objects.get(page=task.page_id, sku_id__endswith="2", superseded=False).attributes["price"] == "$9"
    assert Page.objects.get(pk=task.page_id).status == "HUMAN_COMPLETED"


@pytest.mark.req("X-VERDICT", "X-DISPATCH")
def test_rejected_work_returns_to_its_author_with_the_reason(people: People, task: HumanTask, second: User) -> None:
    judged_by_all()
    done(people.annotator, task, s1="$4")
    verdict = HumanTask.objects.get(purpose="verdict")
    lock = locks.claim_task(second, verdict.uuid, uuid4())
    with pytest.raises(Refused, match="reason_missing"):
        judging.reject(second, verdict.uuid, lock.token, uuid4(), " ")
    submit_id = uuid4()
    for _ in (1, 2):
        judging.reject(second, verdict.uuid, lock.token, submit_id, "the prices are in yen")
    settle.settle_pages([task.page_id])
    task.refresh_from_db()
    assert (task.status, task.rework_count, task.assigned_to) == ("CREATED", 1, people.annotator)
    assert task.reasons[-1] == {"code": "sent_back", "params": {"reason": "the prices are in yen"}}
    assert Page.objects.get(pk=task.page_id).status == "HUMAN_QUEUED"
    with pytest.raises(TaskHeld, match="task_reserved"):
        locks.claim_task(second, task.uuid, uuid4())
    assert dispatch.next_task(people.annotator) == task.uuid
    assert Judgement.objects.get().score == 0.0
    WorkRules.objects.update(**QUIET)
    done(people.annotator, task, s1="¥4")
    revert_task(people.lead, task.uuid, "all of it")
    skus = Sku.objects.filter(page=task.page_id, superseded=False)
    assert {sku.attributes["price"] for sku in skus} == {"$3"}, "back to the machine's word, not to the first attempt"


@pytest.mark.req("X-VERDICT")
def test_the_second_person_sees_what_the_first_one_changed_in_all_rounds(
    client: Client, people: People, task: HumanTask, second: User
) -> None:
    judged_by_all()
    done(people.annotator, task, s1="$4", s2="$8")
    verdict = HumanTask.objects.get(purpose="verdict")
    lock = locks.claim_task(second, verdict.uuid, uuid4())
    judging.reject(second, verdict.uuid, lock.token, uuid4(), "the first price is in yen")
    done(people.annotator, task, s1="¥4", s2="$3")
    verdict = HumanTask.objects.get(purpose="verdict", status="CREATED")
    seen = first_hand(presenters.get_task(second, verdict.uuid))
    assert seen is not None and (seen.author, seen.rounds) == ("Annotator", 2)
    assert [(one.subject[-3:], one.key, one.before, one.after) for one in seen.differences] == [
        ("001", "price", "$3", "¥4")
    ], "what was changed back is no change"
    assert first_hand(presenters.get_task(people.annotator, task.uuid)) is None
    client.force_login(second)
    client.cookies["django_language"] = "en"
    told = client.get(reverse("task", args=[verdict.uuid])).content.decode()
    assert "Send back…" in told and "Accept and next" in told and "<ins>¥4</ins>" in told
    own = client.get(reverse("task", args=[task.uuid])).content.decode()
    assert "Send back…" not in own and "Submit and next" in own


@pytest.mark.req("X-VERDICT")
def test_what_a_lead_took_back_is_not_shown_as_done(people: People, task: HumanTask, second: User) -> None:
    done(people.annotator, task, s1="$4")
    revert_task(people.lead, task.uuid, "again")
    # In one transaction everything happens at the same moment.
    Annotation.objects.update(created_at=F("created_at") - timedelta(hours=2))
    Transition.objects.filter(trigger="reverted").update(at=F("at") - timedelta(hours=1))
    judged_by_all()
    done(people.annotator, task, s2="$9")
    seen = first_hand(presenters.get_task(second, HumanTask.objects.get(purpose="verdict").uuid))
    assert seen is not None and [(one.before, one.after) for one in seen.differences] == [("$3", "$9")]


@pytest.mark.req("X-VERDICT")
def test_nobody_judges_their_own_work_nor_rejects_what_is_no_verdict(people: People, task: HumanTask) -> None:
    judged_by_all()
    lock = locks.claim_task(people.annotator, task.uuid, UUID(int=1))
    with pytest.raises(Refused, match="not_a_verdict"):
        judging.reject(people.annotator, task.uuid, lock.token, uuid4(), "no")
    done(people.annotator, task) if locks.release_task(people.annotator, task.uuid, lock.token) is None else None
    verdict = HumanTask.objects.get(purpose="verdict")
    with pytest.raises(Refused, match="own_work"):
        locks.claim_task(people.annotator, verdict.uuid, uuid4())
    assert dispatch.next_task(people.annotator) is None


def test_a_revert_counts_against_who_did_it(people: People, task: HumanTask) -> None:
    done(people.annotator, task)
    revert_task(people.lead, task.uuid, "all wrong")
    found = Judgement.objects.get()
    assert (found.kind, found.annotator, found.score) == ("revert", people.annotator, 0.0)


# --- golden pages --------------------------------------------------------------------------------------


@pytest.fixture
def measured(people: People, task: HumanTask, second: User) -> HumanTask:
    """A golden page (its first price is $4), put before the annotator as their next task."""
    done(second, task, s1="$4")
    golden.make_golden(people.lead, task.uuid)
    WorkRules.objects.update(honeypot_ratio="0.15")
    # The draw is one a finished task: finish others until it is this person's turn.
    for n in range(2, 60):
        if dispatch.next_task(people.annotator):
            break
        finished = make_task(people, n)
        HumanTask.objects.filter(pk=finished.pk).update(status="COMPLETED", closed_by=people.annotator, closed_at=Now())
    return HumanTask.objects.get(purpose="honeypot")


@pytest.mark.req("X-HONEY")
def test_a_golden_page_looks_like_any_other_as_it_was_at_first(people: People, measured: HumanTask) -> None:
    shown = presenters.get_task(people.annotator, measured.uuid)
    data = presenters.bench(people.annotator, shown)
    assert {sku["attributes"]["price"]["text"] for sku in data["state"]["skus"]} == {"$3"}
    assert {about["status"] for about in data["meta"]["skus"].values()} == {"VALID"}
    told = repr(data).lower()
    assert not any(word in told for word in ("honeypot", "golden", "purpose"))


@pytest.mark.req("X-HONEY")
def test_only_the_person_it_measures_sees_it(people: People, measured: HumanTask, second: User) -> None:
    offered = {who: queue_of(who, Wanted(), work_rules()) for who in (people.annotator, second, people.lead)}
    assert [who for who, queue in offered.items() if measured in queue] == [people.annotator]
    with pytest.raises(TaskHeld, match="task_reserved"):
        locks.claim_task(second, measured.uuid, uuid4())


@pytest.mark.req("X-HONEY", "X-PURPOSE")
@pytest.mark.parametrize(("prices", "score"), [({"s1": "$4"}, 1.0), ({}, 0.0), ({"s1": "$4", "s2": "$7"}, 0.5)])
def test_it_is_measured_and_changes_nothing(
    people: People, measured: HumanTask, prices: dict[str, str], score: float
) -> None:
    page = Page.objects.get(pk=measured.page_id)
    before = (page.status, page.version, list(Sku.objects.values_list("pk", "status")), ImportRecord.objects.count())
    notes = Annotation.objects.count()
    done(people.annotator, measured, **prices)
    page.refresh_from_db()
    after = (page.status, page.version, list(Sku.objects.values_list("pk", "status")), ImportRecord.objects.count())
    assert after == before and Annotation.objects.count() == notes
    found = Judgement.objects.get()
    assert (found.kind, found.annotator, found.score) == ("golden", people.annotator, score)
    measured.refresh_from_db()
    assert (measured.status, measured.result) == ("COMPLETED", {})


@pytest.mark.req("X-HONEY")
def test_five_to_fifteen_percent_of_what_people_do_are_golden_pages(db: None) -> None:
    for person in (1, 7, 4711):
        drawn = sum(judging.is_sampled(f"golden{person}/{n}", 0.10) for n in range(2000))
        assert 0.05 <= drawn / 2000 <= 0.15


@pytest.mark.req("X-HONEY")
def test_a_page_is_not_shown_twice_nor_to_who_made_it_right(people: People, measured: HumanTask, second: User) -> None:
    done(people.annotator, measured)
    rules = work_rules()
    rules.honeypot_ratio = 1  # type: ignore[assignment]
    assert not golden.mix_in_golden_page(people.annotator, rules)
    assert not golden.mix_in_golden_page(second, rules)
    assert not golden.mix_in_golden_page(people.lead, rules)


@pytest.mark.req("X-HONEY")
def test_only_a_lead_makes_a_finished_page_golden(people: People, task: HumanTask) -> None:
    with pytest.raises(Refused, match="cannot_be_golden"):
        golden.make_golden(people.lead, task.uuid)
    done(people.annotator, task)
    with pytest.raises(Refused, match="supervise_forbidden"):
        golden.make_golden(people.annotator, task.uuid)
    golden.make_golden(people.lead, task.uuid)
    assert golden.make_golden(people.lead, task.uuid).pk == GoldenPage.objects.get().pk


# --- profiles and offers -----------------------------------------------------------------------------------


def judge(person: User, task: HumanTask, score: float, **columns: Any) -> None:
    Judgement.objects.create(
        kind="verdict",
        outcome="fixed",
        task=task,
        about=task,
        annotator=person,
        type=columns.pop("type", task.type),
        score=score,
        **columns,
    )


@pytest.mark.req("TA-T79")
def test_a_profile_is_thirty_days_of_judged_work_and_starts_at_08_and_300_s(people: People, task: HumanTask) -> None:
    assert annotator(people.annotator).accuracy == 0.8
    assert annotator(people.annotator).duration_s == 300
    HumanTask.objects.update(status="COMPLETED", closed_by=people.annotator, closed_at=Now(), worked_s=100)
    for _ in range(10):
        judge(people.annotator, task, 1.0, counts={"kept": 8, "changed": 2})
    judge(people.annotator, task, 0.0)
    Judgement.objects.filter(score=0.0).update(at=Now() - timedelta(days=31))
    assert annotators.update_profiles() == {"people": 1}
    found = AnnotatorProfile.objects.get()
    assert (found.tasks, found.duration_s, found.accuracy, found.judged) == (1, 100, pytest.approx(0.9), 10)
    assert found.kappa == 1.0 and found.by_type["PAGE_REVIEW"]["tasks"] == 1
    assert annotator(people.annotator).accuracy == pytest.approx(0.9)


@pytest.mark.req("TA-T79")
def test_a_specialty_is_done_often_well_and_faster_than_others_do_it() -> None:
    mine = {
        "A": {"tasks": 10, "accuracy": 0.9, "duration_s": 89.0},
        "B": {"tasks": 9, "accuracy": 0.9, "duration_s": 10.0},
        "C": {"tasks": 50, "accuracy": 0.7, "duration_s": 10.0},
        "D": {"tasks": 50, "accuracy": 0.9, "duration_s": 95.0},
    }
    assert annotators.specialties_of(mine, dict.fromkeys("ABCD", 100.0), 0.85) == ["A"]


@pytest.mark.req("TA-T79")
def test_an_offer_says_why_and_passes_over_what_is_not_for_this_person(people: People, rules: None) -> None:
    old = make_task(people, 1, confidence=0.3)
    put_off = make_task(people, 2, postponed_until=Now() + timedelta(minutes=5))
    kept = make_task(people, 3, assigned_to=people.lead, assigned_until=Now() + timedelta(minutes=5))
    own = make_task(people, 4)
    offered = dispatch.offer(people.annotator)
    assert (offered.task, offered.why) == (own, ("oldest",)), "the others are hard, put off, and kept for the lead"
    assert dispatch.offer(people.lead).task == kept and dispatch.offer(people.lead).why[0] == "for_you"
    HumanTask.objects.filter(pk=kept.pk).delete()
    assert dispatch.offer(people.lead).task == own
    HumanTask.objects.filter(pk=own.pk).delete()
    assert dispatch.offer(people.annotator).task is None
    assert dispatch.offer(people.lead).task == old, "a lead does what nobody else may"
    assert put_off.status == TaskStatus.CREATED


@pytest.mark.req("TA-T79")
def test_who_has_as_many_as_the_rules_allow_is_offered_no_more(people: People, rules: None) -> None:
    WorkRules.objects.update(open_most=1)
    first, _ = make_task(people, 1), make_task(people, 2)
    locks.claim_task(people.annotator, first.uuid, uuid4())
    assert dispatch.offer(people.annotator) == dispatch.Offered(None, full=True)


@pytest.mark.req("TA-T79")
def test_a_lead_sees_the_team_the_best_and_freest_first(people: People, rules: None, second: User) -> None:
    AnnotatorProfile.objects.create(user=second, duration_s=200, accuracy=0.95)
    assert [user for user, _ in team_of(people.lead)] == [second, people.annotator, people.lead]
    for n in range(1, 6):
        make_task(people, n, assigned_to=second, assigned_until=Now() + timedelta(minutes=5))
    assert [user for user, _ in team_of(people.lead)][0] == people.annotator


def test_a_verdict_on_work_that_was_taken_back_is_over(people: People, task: HumanTask, second: User) -> None:
    judged_by_all()
    done(people.annotator, task, s1="$4")
    first = HumanTask.objects.get(purpose="verdict")
    lock = locks.claim_task(second, first.uuid, UUID(int=1))
    revert_task(people.lead, task.uuid, "again")
    assert locks.renew_locks(second, UUID(int=1), {first.uuid: lock.token}) == [first.uuid]
    done(people.annotator, task, s1="$5")
    assert list(HumanTask.objects.filter(purpose="verdict").order_by("pk").values_list("status", flat=True)) == [
        "SKIPPED",
        "CREATED",
    ]
