"""Notices are written where documents move, in the same transaction: who is told, of what, and what is over."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from catalogsku.accounts.models import Role, User
from catalogsku.core import live
from catalogsku.core.moves import Moved, audit_rows
from ingestion.kinds import KINDS
from ingestion.lifecycle import PAGES_WITH_PEOPLE, SETTLED, JobStatus, PageStatus
from ingestion.models import Job, Page
from ingestion.notices.kinds import LOOKS, OVER, Audience, Kind
from ingestion.notices.models import TOPIC, Notice, NoticeQuerySet
from ingestion.settling import tally

# Of one kind about one document; those who have signed in last come first.
TOLD_MOST = 200
# A notice that was read and is told again turns unread only after so long a silence: a document goes back and forth
# between people and machines while somebody works on it.
QUIET_FOR = timedelta(hours=1)
# Who else hears of what is no document, in the transaction in which people are told: its kind, what it is about, the
# merchant, and the facts. Apps above put themselves here.
LISTENERS: list[Callable[[Kind, str, int | None, Mapping[str, Any]], None]] = []

_TELL = """
    INSERT INTO ingestion_notice AS n (person_id, merchant_id, job_id, about, kind, facts)
    SELECT person, %s, %s, %s, %s, %s::jsonb FROM unnest(%s::bigint[]) AS person ORDER BY person
    ON CONFLICT (person_id, job_id, kind, merchant_id, about) DO UPDATE
        SET facts = excluded.facts, told_at = now(), over_at = NULL,
        read_at = CASE WHEN {anew} THEN NULL ELSE n.read_at END,
        mailed_at = CASE WHEN {anew} THEN NULL ELSE n.mailed_at END,
        mail_tries = CASE WHEN {anew} THEN 0 ELSE n.mail_tries END,
        mail_not_before = CASE WHEN {anew} THEN NULL ELSE n.mail_not_before END,
        version = n.version + 1, changed = pg_current_xact_id()""".format(
    anew=f"(n.over_at IS NOT NULL OR n.told_at < now() - interval '{QUIET_FOR.total_seconds():.0f} s')"
)


def tell(kind: Kind, job: Job, facts: Mapping[str, Any] | None = None, *, also: Collection[Audience] = ()) -> int:
    """Whom it concerns, at most TOLD_MOST of an audience; how many. Call in the transaction of what is told of.

    Told again it is the same notice, brought up to date.
    """
    people: set[int] = set(_uploader(job)) if Audience.UPLOADER in (LOOKS[kind].audience, *also) else set()
    for audience in {LOOKS[kind].audience, *also} - {Audience.UPLOADER}:
        people.update(_audience(audience, job.merchant_id))
    return _write(people, [job.merchant_id, job.pk, "", kind], facts)


def tell_about(kind: Kind, about: str, merchant_id: int | None, facts: Mapping[str, Any] | None = None) -> int:
    """The same of what is no document; without a merchant to administrators."""
    told = _write(_audience(LOOKS[kind].audience, merchant_id), [merchant_id, None, about[:120], kind], facts)
    for listener in LISTENERS if told else ():
        listener(kind, about, merchant_id, facts or {})
    return told


def _write(people: Collection[int], row: list[Any], facts: Mapping[str, Any] | None) -> int:
    if people:
        with connection.cursor() as cursor:
            cursor.execute(_TELL, [*row, json.dumps(dict(facts or {})), sorted(people)])
        live.hint_after_commit(TOPIC)
    return len(people)


def end(kinds: Collection[str], job_ids: Collection[int]) -> int:
    """What these asked for is done, or holds no more: they count as read, and no mail of them leaves."""
    return _end(Notice.objects.filter(job__in=job_ids, kind__in=kinds))


def end_about(kind: Kind, abouts: Collection[str]) -> int:
    return _end(Notice.objects.filter(kind=kind, about__in=abouts))


def _end(rows: NoticeQuerySet) -> int:
    # in the order in which they are told: two at once wait for each other's rows in one order
    open_ones = rows.filter(over_at=None).order_by("person", "job", "kind").select_for_update(no_key=True)
    keys = list(open_ones.values_list("pk", flat=True))
    ended = Notice.objects.filter(pk__in=keys).update(over_at=Now(), read_at=Now(), **Notice.visible_change())
    if ended:
        live.hint_after_commit(TOPIC)
    return ended


def _uploader(job: Job) -> list[int]:
    return list(_active(job.merchant_id).filter(pk=job.uploader_id or 0).values_list("pk", flat=True))


def _active(merchant_id: int | None) -> QuerySet[User]:
    """People who may see what belongs to the merchant."""
    of_merchant = Q(merchants=merchant_id, merchants__is_active=True) if merchant_id else Q(pk=None)
    return User.objects.filter(Q(role=Role.ADMIN) | of_merchant, is_active=True).distinct()


def _audience(audience: Audience, merchant_id: int | None) -> list[int]:
    """Keys of people; the first of the roles that has somebody."""
    latest = _active(merchant_id).order_by(F("last_login").desc(nulls_last=True), "pk").values_list("pk", flat=True)
    for role in _ROLES[audience]:
        if people := list(latest.filter(role=role)[:TOLD_MOST]):
            return people
    return []


_ROLES = {Audience.TEAM: (Role.ANNOTATOR, Role.LEAD), Audience.LEADS: (Role.LEAD, Role.ADMIN)}


def hear_jobs(status: str, moved: Sequence[Moved]) -> None:
    """Documents have moved there (catalogsku.core.moves)."""
    if over := OVER.get(status):
        end(over, [row.id for row in moved])
    if status in _TOLD:
        sources = {row.id: row.source for row in moved}
        for job in Job.objects.filter(pk__in=sources).order_by("pk"):
            _TOLD[status](job, sources[job.pk])


def _ended(job: Job, _source: str) -> None:
    pages = tally(Page.census(job.pk))
    checked = Page.objects.filter(job=job, status=PageStatus.HUMAN_COMPLETED).count()
    kind = Kind.FINISHED if job.status == JobStatus.FULL_IMPORTED else Kind.PARTLY
    tell(kind, job, {"products": (job.completion or {}).get("skus", 0), "checked": checked, "failed": pages.wrong})


def _refused(job: Job, _source: str) -> None:
    tell(Kind.REFUSED, job)


def _asks(job: Job, _source: str) -> None:
    tell(Kind.GO, job)


def _needs_people(job: Job, source: str) -> None:
    """Its pages follow in the same transaction where a route has just sent it there; else they are there already."""
    by_pages = KINDS[job.kind].by_pages
    if source not in SETTLED or not by_pages or Page.objects.filter(job=job, status__in=PAGES_WITH_PEOPLE).exists():
        tell(Kind.NEEDS_YOU, job)
        tell(Kind.WAITING, job)
    elif job.import_hold:
        tell_held([job])


_TOLD: Mapping[str, Callable[[Job, str], None]] = {
    JobStatus.FULL_IMPORTED: _ended,
    JobStatus.PARTIAL_FAILED: _ended,
    JobStatus.REJECTED: _refused,
    JobStatus.AWAITING_GO: _asks,
    JobStatus.DEGRADED_HUMAN: _needs_people,
    JobStatus.PARTIAL_IMPORTED: _needs_people,
}


def tell_held(jobs: Iterable[Job]) -> int:
    """Nothing of them goes out: an operator said so, or they are editions that wait for approval. How many they are.

    The audit row is what programs outside hear of it (processing.webhooks.events).
    """
    held = list(jobs)
    for job in held:
        cause, actor = ("by_operator", job.import_held_by) if job.import_held_by else ("awaits_approval", "system")
        audit_rows("job_imports", job.pk, {job.pk: {}}, target="HELD", trigger=cause, actor=actor[:80])
        tell(Kind.HELD, job, {"by": job.import_held_by}, also=(Audience.UPLOADER,))
    return len(held)


def tell_stopped(job: Job) -> None:
    """It does not get on, and waits for an operator."""
    tell(Kind.STOPPED, job)


def tell_escalated(job_ids: Collection[int]) -> None:
    """Pages of these have waited too long for an annotator."""
    for job in Job.objects.filter(pk__in=job_ids).order_by("pk"):
        tell(Kind.ESCALATED, job)
