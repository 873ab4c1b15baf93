"""The bell: who is told of what, once a document and kind, in the transaction of the move; and what they do with it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from annotation.models import HumanTask
from annotation.queue.services import sla
from annotation.tasks.services import settle as settle_tasks
from catalogsku.accounts.models import User
from catalogsku.core.moves import Moved, move
from ingestion.lifecycle import JOB, JobStatus
from ingestion.models import Job, MailChoice, Notice, Page
from ingestion.notices import presenters, selectors
from ingestion.notices.kinds import LOOKS, OVER, Kind
from ingestion.notices.services import reading, telling, tidying
from ingestion.services import jobs
from ingestion.services.settle import settle_job
from processing.imports.services import holds
from processing.llm.models import Budget, BudgetLimit, BudgetScope
from processing.llm.money import today
from processing.llm.services.warning import warn_of_budgets
from processing.models import ImportRecord
from tests.support.imports import importable
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-NOTICE")]
PASSED = telling.QUIET_FOR + timedelta(minutes=1)


def goes(job: Job, *states: str) -> None:
    """The document moves from state to state, whatever its pages say."""
    for to in states:
        Job.objects.filter(pk=job.pk).update(status=to)
        with transaction.atomic():
            telling.hear_jobs(to, [Moved(job.pk, JobStatus.PROCESSING, job.pk)])


def told() -> dict[str, list[str]]:
    """Names of those who were told, by kind; unread ones."""
    found: dict[str, list[str]] = {}
    for one in Notice.objects.unread().order_by("person__username").select_related("person"):
        found.setdefault(one.kind, []).append(one.person.username)
    return found


def pass_time(passed: timedelta = PASSED) -> None:
    Notice.objects.update(told_at=Now() - passed)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def job(people: People) -> Job:
    return make_job(people.merchant, uploader=people.uploader)


def test_a_document_that_needs_people_is_told_once_however_many_pages_wait(people: People, job: Job) -> None:
    make_pages(job, range(1, 2001), "HUMAN_QUEUED")
    assert settle_job(job.pk) == JobStatus.PARTIAL_IMPORTED
    assert told() == {Kind.NEEDS_YOU: ["annotator"], Kind.WAITING: ["uploader"]}
    (row,) = presenters.rows(selectors.newest(people.annotator, 10)[0])
    assert (row.document, row.detail) == (job.source_name, "2000 pages wait for a person.")


def test_nobody_of_another_merchant_is_told_and_nobody_who_is_gone(people: People, job: Job) -> None:
    people.annotator.merchants.set([people.other])
    User.objects.create(username="left", role="annotator", is_active=False).merchants.add(people.merchant)
    goes(job, JobStatus.DEGRADED_HUMAN)
    make_page(job, 1, "HUMAN_QUEUED")
    goes(job, JobStatus.PARTIAL_IMPORTED)
    assert told() == {Kind.NEEDS_YOU: ["lead"], Kind.WAITING: ["uploader"]}, "without annotators its leads"
    people.uploader.merchants.set([people.other])
    goes(job, JobStatus.FULL_IMPORTED)
    assert not Notice.objects.filter(kind=Kind.FINISHED).exists()
    assert not Notice.objects.visible_to(User.objects.get(pk=people.uploader.pk)).exists(), "nor sees what came before"


def test_told_twice_it_is_one_notice_and_one_that_was_read_stays_read_for_a_while(people: People, job: Job) -> None:
    make_page(job, 1, "HUMAN_QUEUED")
    goes(job, JobStatus.PARTIAL_IMPORTED, JobStatus.PROCESSING, JobStatus.PARTIAL_IMPORTED)
    assert Notice.objects.count() == 2
    assert reading.read_all(people.annotator) == 1
    goes(job, JobStatus.PROCESSING, JobStatus.PARTIAL_IMPORTED)
    assert Kind.NEEDS_YOU not in told(), "whoever is at work is not told by each page"
    pass_time()
    goes(job, JobStatus.PROCESSING, JobStatus.PARTIAL_IMPORTED)
    assert told() == {Kind.NEEDS_YOU: ["annotator"], Kind.WAITING: ["uploader"]}
    assert Notice.objects.count() == 2


def test_what_is_finished_asks_nobody_any_more_and_says_what_came_of_it(people: People, job: Job) -> None:
    for number, status in ((1, "HUMAN_QUEUED"), (2, "AI_COMPLETED")):
        make_page(job, number, status, import_state="confirmed", sku_count=6)
    settle_job(job.pk)
    assert told() == {Kind.NEEDS_YOU: ["annotator"], Kind.WAITING: ["uploader"]}
    Page.objects.filter(job=job).exclude(status="AI_COMPLETED").update(status="HUMAN_COMPLETED")
    settle_job(job.pk)
    assert told() == {Kind.FINISHED: ["uploader"]}
    newest, _ = selectors.newest(people.uploader, 10)
    said = [(row.word, row.detail, row.is_over) for row in presenters.rows(newest)]
    assert said == [
        ("Finished", "12 products, 1 page was checked by people.", False),
        ("Waits for people", "It is done.", True),
    ]
    assert presenters.target(newest[0]) == reverse("results", args=[job.uuid])
    assert presenters.target(newest[1]) == reverse("job", args=[job.uuid])
    goes(job, JobStatus.PARTIAL_IMPORTED)
    Page.objects.filter(number=1).update(status="HUMAN_QUEUED")
    goes(job, JobStatus.PARTIAL_IMPORTED)
    assert told() == {Kind.NEEDS_YOU: ["annotator"], Kind.WAITING: ["uploader"]}, "it needs them once more"


def test_pages_that_went_wrong_and_a_refusal_are_told_with_the_way_on(people: People, job: Job) -> None:
    make_page(job, 1, "DEAD_LETTER")
    make_page(job, 2, "AI_COMPLETED", import_state="confirmed", sku_count=3)
    settle_job(job.pk)
    refused = make_job(people.merchant, status="UPLOADED", uploader=people.uploader)
    with transaction.atomic():
        rows, changes = Job.objects.filter(pk=refused.pk), {"failure_code": "no_pages"}
        move(JOB, rows, to=JobStatus.REJECTED, trigger="refused", changes=changes)
    assert told() == {Kind.PARTLY: ["uploader"], Kind.REFUSED: ["uploader"]}
    said = {row.word: row.detail for row in presenters.rows(selectors.newest(people.uploader, 10)[0])}
    assert said["Finished, but for some pages"] == "3 products, 1 page went wrong."
    assert said["Refused"]


def test_what_is_rolled_back_is_not_told(people: People, job: Job) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        move(JOB, Job.objects.filter(pk=job.pk), to=JobStatus.FULL_IMPORTED, trigger="settled")
        assert Notice.objects.exists()
        raise ZeroDivisionError
    assert not Notice.objects.exists()


def test_leads_hear_of_what_waited_too_long_once_a_document(people: People, job: Job) -> None:
    pages = make_pages(job, (1, 2, 3), "AI_COMPLETED", needs_review=True, blockers=[{"code": "sku_doubtful"}])
    settle_tasks.settle_pages([page.pk for page in pages])
    settle_job(job.pk)
    HumanTask.objects.update(clock_from=Now() - timedelta(hours=5))
    assert sla.escalate()["escalated"] == 3
    assert told()[Kind.ESCALATED] == ["lead"]
    notice = Notice.objects.get(kind=Kind.ESCALATED)
    assert presenters.target(notice) == f"{reverse('tasks')}?document={job.uuid}"
    people.lead.merchants.clear()
    Notice.objects.all().delete()
    telling.tell_escalated([job.pk])
    assert told() == {Kind.ESCALATED: ["admin"]}, "where a merchant has no lead, administrators"


def test_held_imports_are_told_to_leads_and_to_who_uploaded_it(people: People, job: Job) -> None:
    assert jobs.hold_imports(Job.objects.filter(pk=job.pk), "Wang Lei") == 1
    assert told() == {Kind.HELD: ["lead", "uploader"]}
    (row,) = presenters.rows(selectors.newest(people.lead, 5)[0])
    assert row.detail == "Wang Lei holds its imports: nothing of it goes out."
    assert presenters.target(Notice.objects.filter(kind=Kind.HELD)[0]) == reverse("job_imports", args=[job.uuid])


def test_an_edition_that_only_waits_for_approval_asks_no_annotator(people: People, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(import_hold=True, edition_of=make_job(people.merchant))
    make_page(job, 1, "AI_COMPLETED", import_state="pending")
    assert settle_job(job.pk) == JobStatus.PARTIAL_IMPORTED
    assert told() == {Kind.HELD: ["lead", "uploader"]}
    assert presenters.target(Notice.objects.filter(kind=Kind.HELD)[0]) == reverse("edition", args=[job.uuid])


def test_a_document_held_for_an_operator_is_over_when_it_goes_on(people: People, job: Job) -> None:
    telling.tell_stopped(job)
    assert told() == {Kind.STOPPED: ["lead"]}
    jobs.requeue_job(job, "lead")
    assert told() == {}


def test_the_people_told_are_bounded(people: People, job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "TOLD_MOST", 3)
    for number in range(5):
        person = User.objects.create(username=f"a{number}", role="annotator", last_login=timezone.now())
        person.merchants.add(people.merchant)
    assert telling.tell(Kind.NEEDS_YOU, job) == 3
    assert "annotator" not in told()[Kind.NEEDS_YOU], "those who were here last come first"


def test_a_budget_that_is_nearly_spent_is_told_once_and_once_more_when_nothing_is_left(people: People) -> None:
    BudgetLimit.objects.create(scope=BudgetScope.MERCHANT, merchant=people.merchant, limit_micro=1000)
    BudgetLimit.objects.filter(scope=BudgetScope.DAY).update(limit_micro=10_000)
    of_merchant, of_all = (
        Budget.objects.create(merchant=one, day=today(), settled_micro=500) for one in (people.merchant, None)
    )
    assert warn_of_budgets() == 0
    Budget.objects.filter(pk=of_merchant.pk).update(reserved_micro=350)
    assert [warn_of_budgets(), warn_of_budgets()] == [1, 0]
    assert told() == {Kind.BUDGET: ["lead"]}
    (row,) = presenters.rows(selectors.newest(people.lead, 5)[0])
    assert (row.document, row.detail) == ("North", f"85% of it are spent for {today()}.")
    assert client_of(people.lead).get(row.url)["Location"] == reverse("models")
    Budget.objects.filter(pk=of_merchant.pk).update(reserved_micro=500)
    assert [warn_of_budgets(), warn_of_budgets()] == [1, 0]
    (row,) = presenters.rows(selectors.newest(people.lead, 5)[0])
    assert row.is_unread and row.detail.startswith("It is spent")
    Budget.objects.filter(pk=of_all.pk).update(settled_micro=9_000)
    assert warn_of_budgets() == 1
    assert told() == {Kind.BUDGET: ["admin", "lead"]}
    (row,) = presenters.rows(selectors.newest(people.admin, 5)[0])
    assert row.document == "All merchants"


def test_a_target_that_does_not_take_our_secret_is_told_to_leads_until_it_does(people: People) -> None:
    importable(people)
    ImportRecord.objects.update(target="shop", state="PENDING")
    with transaction.atomic():
        holds.hold("shop", "HTTP 401")
        holds.hold("shop", "HTTP 401")
    assert told() == {Kind.TARGET: ["lead"]}
    (notice,) = Notice.objects.all()
    assert (presenters.target(notice), notice.merchant) == (reverse("imports"), people.merchant)
    holds.let_go(["shop"])
    assert told() == {}


def test_every_kind_has_its_look_and_every_state_ends_only_known_kinds() -> None:
    assert set(LOOKS) == set(Kind)
    assert {kind for kinds in OVER.values() for kind in kinds} <= set(Kind)
    assert set(OVER) <= set(JobStatus)


# --- the screens --------------------------------------------------------------------------------


def client_of(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def test_the_bell_counts_opens_and_is_read(people: People, job: Job) -> None:
    telling.tell(Kind.NEEDS_YOU, job)
    client = client_of(people.annotator)
    assert '<span class="rail-badge" data-bell-count>1</span>' in client.get(reverse("documents")).content.decode()
    panel = client.get(reverse("notices"), {"part": "panel"}).content.decode()
    notice = Notice.objects.get()
    assert "A document needs you" in panel and reverse("notice", args=[notice.pk]) in panel and "Today" in panel
    opened = client.get(reverse("notice", args=[notice.pk]))
    assert (opened.status_code, opened["Location"]) == (302, f"{reverse('tasks')}?document={job.uuid}")
    assert client.get(reverse("notices_unread")).json() == {"unread": ""}
    assert client_of(people.lead).get(reverse("notice", args=[notice.pk])).status_code == 404
    telling.tell(Kind.GO, job)
    assert client_of(people.uploader).post(reverse("notices_read")).status_code == 302
    assert told() == {}
    assert "Nothing to tell" in client_of(people.colleague).get(reverse("notices")).content.decode()


def test_all_notices_come_in_steps_and_none_twice(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "A_PAGE", 4)
    with transaction.atomic():  # at one moment
        for _ in range(10):
            telling.tell(Kind.GO, make_job(people.merchant, uploader=people.uploader))
    client, seen, before = client_of(people.uploader), [], ""
    while True:
        context = client.get(reverse("notices"), {"before": before}).context
        seen += [row.id for day in context["days"] for row in day.rows]
        if not (before := context["following"]):
            break
    assert len(seen) == len(set(seen)) == 10 and seen == sorted(seen, reverse=True)
    assert client.get(reverse("notices"), {"before": "9" * 40}).status_code == 200
    assert client.get(reverse("notices"), {"before": f"{10**16 * 9}-1"}).status_code == 200


def test_days_are_named(people: People, job: Job) -> None:
    for passed, kind in ((0, Kind.GO), (1, Kind.REFUSED), (9, Kind.FINISHED)):
        telling.tell(kind, job)
        Notice.objects.filter(kind=kind).update(told_at=timezone.now() - timedelta(days=passed))
    days = presenters.by_day(selectors.newest(people.uploader, 9)[0])
    assert [day.word for day in days[:2]] == ["Today", "Yesterday"] and days[2].word[:2] == "20"
    with translation.override("zh-hans"):
        assert presenters.by_day(selectors.newest(people.uploader, 9)[0])[1].word == "昨天"


def test_mail_is_chosen(people: People) -> None:
    client = client_of(people.uploader)
    page = client.get(reverse("notices")).content.decode()
    assert page.count('" checked>') == 2, "what ended, not what asks for somebody"
    assert client.post(reverse("notices_mail"), {"needs": "on", "junk": "1"}).status_code == 302
    choice = MailChoice.objects.get()
    assert (choice.person, choice.needs, choice.finished, choice.failed) == (people.uploader, True, False, False)


def test_a_count_is_bounded(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "COUNTED_MOST", 3)
    for _ in range(5):
        telling.tell(Kind.GO, make_job(people.merchant, uploader=people.uploader))
    assert selectors.count_word(selectors.count_unread(people.uploader)) == "2+"


def test_old_notices_go_at_night(people: People) -> None:
    kept = []
    for read_days, told_days in ((31, 40), (10, 40), (None, 40), (None, 200)):
        telling.tell(Kind.GO, make_job(people.merchant, uploader=people.uploader))
        notice = Notice.objects.latest("pk")
        read_at = timezone.now() - timedelta(days=read_days) if read_days else None
        Notice.objects.filter(pk=notice.pk).update(read_at=read_at, told_at=timezone.now() - timedelta(days=told_days))
        kept.append(notice.pk)
    assert tidying.clear_old_notices() == {"notices": 2}
    assert sorted(Notice.objects.values_list("pk", flat=True)) == kept[1:3]


def test_screens_hear_whose_notices_have_changed(people: People, job: Job) -> None:
    source = selectors.NoticeEvents()
    cursor, nothing = source.changed(None)
    assert nothing == []
    telling.tell(Kind.NEEDS_YOU, job)
    _, found = source.changed(cursor)
    assert source.changes([pk for pk, _version in found], None)["people"] == [people.annotator.pk]
    assert source.changes((), people.annotator.pk) == {"type": "notices", "unread": "1"}
    reading.read_all(people.annotator)
    assert source.whole(people.annotator.pk)["unread"] == ""
