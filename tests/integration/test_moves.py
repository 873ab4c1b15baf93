"""Statuses move only as their tables declare: every (state, trigger, target) of every lifecycle, in the database."""

import itertools
import threading
from typing import Any

import dramatiq
import pytest
from django.db import connection, transaction
from django.db.models import TextChoices

from annotation.models import HumanTask
from annotation.tasks.lifecycle import TASK, TaskStatus
from catalogsku.core.models import Transition
from catalogsku.core.moves import Lifecycle, UndeclaredMove, audit_rows, move
from ingestion.lifecycle import JOB, PAGE, PAGE_IMPORT, ImportState, JobStatus, PageStatus
from ingestion.models import Job, Page
from processing.imports.lifecycle import IMPORT, Delivery
from processing.models import Image, ImportRecord, Sku
from processing.products.lifecycle import IMAGE, SKU, ImageStatus, SkuStatus
from tests.support.people import People
from tests.support.rows import in_threads, make_image, make_job, make_page, make_pages, make_sku

TABLES: list[tuple[Lifecycle, Any, type[TextChoices]]] = [
    (JOB, Job, JobStatus),
    (PAGE, Page, PageStatus),
    (PAGE_IMPORT, Page, ImportState),
    (SKU, Sku, SkuStatus),
    (IMAGE, Image, ImageStatus),
    (IMPORT, ImportRecord, Delivery),
    (TASK, HumanTask, TaskStatus),
]
ids = [table[0].entity for table in TABLES]
each_table = pytest.mark.parametrize(("lifecycle", "model", "states"), TABLES, ids=ids)


def one_row_a_state(lifecycle: Lifecycle, model: Any, states: type[TextChoices], people: People) -> dict[str, Any]:
    """A row in each state, all else as small as the table's constraints allow."""
    rows = {}
    for number, state in enumerate(states.values, 1):
        job = make_job(people.merchant, **({"status": state} if model is Job else {}))
        if model is Job:
            rows[state] = job
            continue
        page = make_page(job, number, **({lifecycle.field: state} if model is Page else {}))
        if model is Page:
            rows[state] = page
        elif model is Sku:
            rows[state] = make_sku(page, status=state)
        elif model is Image:
            rows[state] = make_image(page, status=state)
        elif model is ImportRecord:
            sku = make_sku(page)
            rows[state] = ImportRecord.objects.create(
                target="local",
                merchant=job.merchant,
                job=job,
                page=page,
                sku=sku,
                sku_key=sku.sku_id,
                generation=1,
                payload=b"{}",
                payload_hash="0" * 64,
                state=state,
            )
        else:
            lock = {"locked_by": people.annotator, "lock_session": job.uuid, "lease_until": job.created_at}
            rows[state] = HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", status=state, **lock)
    return rows


def audit_of(lifecycle: Lifecycle, row: Any, job_id: int, state: str, trigger: str) -> tuple[Any, ...]:
    if lifecycle.audited == "page":
        return row.page_id, job_id, state, "tester", str({"why": trigger, "rows": [row.pk]})
    return row.pk, job_id, state, "tester", str({"why": trigger})


@pytest.mark.django_db
@pytest.mark.req("TA-T46", "TA-ADR09")
@each_table
def test_moves_exactly_what_the_table_declares(
    lifecycle: Lifecycle, model: Any, states: type[TextChoices], people: People
) -> None:
    rows = one_row_a_state(lifecycle, model, states, people)
    declared = {(entry.trigger, entry.target) for entry in lifecycle.moves}
    triggers = sorted({entry.trigger for entry in lifecycle.moves})
    field = lifecycle.field
    for trigger, target in itertools.product(triggers, states.values):
        chosen = model.objects.filter(pk__in=[row.pk for row in rows.values()])
        if (trigger, target) not in declared:
            with pytest.raises(UndeclaredMove):
                move(lifecycle, chosen, to=target, trigger=trigger)
            continue
        sources = {entry.source for entry in lifecycle.moves if (entry.trigger, entry.target) == (trigger, target)}
        moved = move(lifecycle, chosen, to=target, trigger=trigger, actor="tester", reason={"why": trigger})
        assert {m.source for m in moved} == sources, (trigger, target)
        now = {row.pk: row for row in chosen}
        trail = Transition.objects.filter(entity=lifecycle.entity, trigger=trigger, target=target)
        audited = {(t.entity_id, t.job_id, t.source, t.actor, str(t.reason)) for t in trail}
        assert len(trail) == (0 if lifecycle.audited == "not" else len(sources))
        for state, row in rows.items():
            if state in sources:
                assert getattr(now[row.pk], field) == target
                assert now[row.pk].version == row.version + 1
                job_id = row.pk if model is Job else row.job_id
                assert lifecycle.audited == "not" or audit_of(lifecycle, row, job_id, state, trigger) in audited
            else:
                assert getattr(now[row.pk], field) == state
                assert now[row.pk].version == row.version
            model.objects.filter(pk=row.pk).update(**{field: state, "version": row.version})


@pytest.mark.req("TA-T46")
@each_table
def test_every_move_stays_inside_its_states(lifecycle: Lifecycle, model: Any, states: type[TextChoices]) -> None:
    named = {state for entry in lifecycle.moves for state in (entry.source, entry.target)}
    assert named <= set(states.values)
    assert max(map(len, states.values)) <= model._meta.get_field(lifecycle.field).max_length
    assert all(len(entry.trigger) <= 40 for entry in lifecycle.moves)


@pytest.mark.req("TA-T46")
def test_a_path_needs_every_step_declared() -> None:
    assert SKU.check_path("EXTRACTED", "VALID", "BOUND") == "BOUND"
    with pytest.raises(UndeclaredMove):
        SKU.check_path("EXTRACTED", "BOUND")


@pytest.mark.req("TA-ADR09")
def test_a_move_outside_a_transaction_is_refused(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    with pytest.raises(transaction.TransactionManagementError):
        move(JOB, Job.objects.filter(pk=job.pk), to="CANCELLED", trigger="cancelled")


@pytest.mark.req("TA-T46")
def test_of_eight_racing_moves_one_moves_and_one_is_audited(committed: None, people: People) -> None:
    job = make_job(people.merchant, status="UPLOADED")

    def accept() -> int:
        with transaction.atomic():
            return len(move(JOB, Job.objects.filter(pk=job.pk), to="EVALUATING", trigger="accepted"))

    assert sorted(in_threads([accept] * 8)) == [0] * 7 + [1]
    assert Transition.objects.filter(entity="job", entity_id=job.pk).count() == 1


@pytest.mark.req("TA-T46", "TA-CANCEL")
def test_a_row_that_moves_meanwhile_is_moved_from_where_it_has_got_to(committed: None, people: People) -> None:
    """A page goes from one cancellable state to another while the cancel waits for it: it must not slip through."""
    page = make_page(make_job(people.merchant), status="AI_QUEUED")
    held, waits = threading.Event(), threading.Event()

    def fails() -> int:
        with transaction.atomic():
            moved = move(PAGE, Page.objects.filter(pk=page.pk), to="AI_FAILED", trigger="failed")
            held.set()
            waits.wait(5)
            return len(moved)

    def cancels() -> int:
        held.wait(5)
        threading.Timer(0.3, waits.set).start()
        with transaction.atomic():
            return len(move(PAGE, Page.objects.filter(pk=page.pk), to="SKIPPED", trigger="cancelled"))

    assert in_threads([fails, cancels]) == [1, 1]
    page.refresh_from_db()
    assert page.status == "SKIPPED"
    trail = Transition.objects.filter(entity="page", entity_id=page.pk).order_by("id")
    assert list(trail.values_list("source", "target")) == [("AI_QUEUED", "AI_FAILED"), ("AI_FAILED", "SKIPPED")]


def queued(actor: str) -> list[Any]:
    broker = dramatiq.get_broker()
    queue = broker.get_actor(actor).queue_name
    consumer = broker.consume(queue, prefetch=100, timeout=50)
    found = []
    while (message := next(consumer)) is not None:
        consumer.ack(message)
        if message.actor_name == actor:
            found.append(message.args[0])
    consumer.close()
    return found


@pytest.mark.req("TA-ADR09")
def test_news_leaves_after_commit_once_a_job_and_never_without(committed: None, people: People) -> None:
    dramatiq.get_broker().flush_all()
    job = make_job(people.merchant)
    pages = make_pages(job, range(1, 4), status="HUMAN_QUEUED")
    rows = Page.objects.filter(pk__in=[page.pk for page in pages])
    with pytest.raises(RuntimeError), transaction.atomic():
        move(PAGE, rows, to="SKIPPED", trigger="skipped")
        raise RuntimeError("the transaction fails after the move")
    assert queued("settle_job") == []
    assert not Transition.objects.exists()
    with transaction.atomic():
        move(PAGE, rows, to="SKIPPED", trigger="skipped")
        assert queued("settle_job") == []
    assert queued("settle_job") == [job.pk]


@pytest.mark.django_db
@pytest.mark.req("TA-T46")
def test_two_thousand_pages_move_in_one_statement(people: People, django_assert_num_queries: Any) -> None:
    job = make_job(people.merchant)
    make_pages(job, range(1, 2001))
    with django_assert_num_queries(1):
        assert len(move(PAGE, Page.objects.filter(job=job), to="SKIPPED", trigger="cancelled")) == 2000
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM core_transition WHERE job_id = %s", [job.pk])
        assert cursor.fetchone() == (2000,)


@pytest.mark.django_db
@pytest.mark.req("TA-T46")
def test_one_audit_row_stands_for_a_pages_children(people: People) -> None:
    audit_rows("sku", 8, {7: {"states": {"BOUND": 3}}}, target="RECORDED", trigger="understood")
    row = Transition.objects.get(entity="sku")
    assert (row.entity_id, row.job_id, row.target, row.reason) == (7, 8, "RECORDED", {"states": {"BOUND": 3}})


@pytest.mark.django_db
@pytest.mark.req("TA-T46")
def test_a_pages_skus_that_move_together_share_one_audit_row(people: People) -> None:
    page = make_page(make_job(people.merchant))
    skus = [make_sku(page, n) for n in (1, 2, 3)]
    move(SKU, Sku.objects.filter(page=page), to="IMPORTING", trigger="sending")
    row = Transition.objects.get(entity="sku")
    assert (row.entity_id, row.reason) == (page.pk, {"rows": [sku.pk for sku in skus]})
