"""A document's progress: what the hub reads of it for the sockets, and the same as server-sent events (names: seeds/000
5.1)."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection
from django.utils.translation import get_language

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from ingestion import selectors
from ingestion.hub import Batch, hub
from ingestion.lifecycle import JobStatus
from ingestion.models import Job

KEEP_OPEN_S = 15.0
WAITING_MAX = 64
ENDED = frozenset({JobStatus.FULL_IMPORTED, JobStatus.REJECTED, JobStatus.CANCELLED})
FAILED = frozenset({JobStatus.REJECTED, JobStatus.CANCELLED, JobStatus.EVAL_FAILED})
PEOPLE = frozenset({"HUMAN_QUEUED"})
STARTED = frozenset({"AI_PROCESSING"})
COMPLETED = frozenset(
    {"AI_COMPLETED", "IMPORTED_CONFIRMED", "IMPORTED_ASSUMED", "IMPORT_FAILED", "HUMAN_COMPLETED", "BLANK", "SKIPPED",
     "DEAD_LETTER"}
)  # fmt: skip


@dataclass(frozen=True)
class JobEvents:
    """The pages of one document by their keys; the job itself has id 0."""

    job_id: int

    @property
    def topic(self) -> int:
        return self.job_id

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        return changed_pages(self.job_id, cursor or 0)

    def changes(self, ids: Collection[int], about: object) -> dict[str, Any]:
        return selectors.changes(self.job_id, [pk for pk in ids if pk])

    def whole(self, about: object) -> dict[str, Any]:
        return selectors.sync(Job.objects.get(pk=self.job_id))


def changed_pages(job_id: int, cursor: int) -> tuple[int, list[tuple[int, int]]]:
    """(next cursor, [(page id, version)]) of the pages and the job changed since ``cursor``, without missing a commit.

    Rows of transactions that were still open at the last reading come again: the cursor is the oldest open one.
    Must run alone in a REPEATABLE READ transaction. The job itself has id 0.
    """
    with connection.cursor() as db:
        db.execute(
            "SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array(SELECT ARRAY[id, version] FROM ingestion_page"
            " WHERE job_id = %s AND changed >= %s::text::xid8),"
            " (SELECT version FROM ingestion_job WHERE id = %s AND changed >= %s::text::xid8)",
            [job_id, str(cursor), job_id, str(cursor)],
        )
        following, pages, job_version = db.fetchone()
    found = [(pk, version) for pk, version in pages]
    return int(following), [*found, (0, job_version)] if job_version is not None else found


async def job_events(user_id: int, job: Job) -> AsyncIterator[str]:
    """Event by event as text; ends when the document has ended, or when the person may see it no more.

    A batch is written after its pages were found, so its figures may tell of an end that some pages are still missing
    from: the end is told from the whole.
    """
    told, language = Told(), get_language() or "en"
    fresh: asyncio.Queue[Batch] = asyncio.Queue()

    async def listen(batch: Batch) -> None:
        if fresh.qsize() < WAITING_MAX:
            fresh.put_nowait(batch)

    await hub.watch(JobEvents(job.pk), listen)
    try:
        message = await _whole(job, language)
        while True:
            for event in told.news(message):
                yield event
            if told.has_ended:
                return
            try:
                batch = await asyncio.wait_for(fresh.get(), KEEP_OPEN_S)
            except TimeoutError:
                yield ": beat\n\n"
                message = {}
            else:
                message = await batch.message(language)
                if message["figures"]["status"] in ENDED:
                    message = await _whole(job, language)
            if not await sync_to_async(_may_see)(user_id, job.pk):
                return
    finally:
        hub.unwatch(JobEvents(job.pk), listen)


async def _whole(job: Job, language: str) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(await hub.whole(JobEvents(job.pk), language))
    return found


class Told:
    """What a listener knows already: each page is told once a state."""

    def __init__(self) -> None:
        self.has_ended = False
        self._pages: dict[int, str] = {}
        self._status = ""

    def news(self, message: dict[str, Any]) -> Iterator[str]:
        for row in message.get("rows", []):
            if self._pages.get(row["number"]) != row["state"]:
                self._pages[row["number"]] = row["state"]
                yield from _page_news(row)
        figures = message.get("figures", {})
        if figures and figures["status"] != self._status:
            self._status = figures["status"]
            yield from self._job_news(figures)

    def _job_news(self, figures: dict[str, Any]) -> Iterator[str]:
        status = figures["status"]
        if status in FAILED:
            yield event("job_failed", {"status": status, "reason": figures["reason"]})
        elif status == JobStatus.FULL_IMPORTED:
            yield event("job_completed", {"status": status, "total_skus": int(figures["skus"] or 0)})
        self.has_ended = status in ENDED


def _page_news(row: dict[str, Any]) -> Iterator[str]:
    number, state = row["number"], row["state"]
    if state in STARTED:
        yield event("page_started", {"page_no": number, "phase": "ai_processing"})
    elif state in COMPLETED:
        yield event("page_completed", {"page_no": number, "status": state, "skus_found": int(row["count"] or 0)})
    elif state in PEOPLE:
        yield event("human_needed", {"page_no": number, "reason": row["reason"]})


def event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"


def _may_see(user_id: int, job_id: int) -> bool:
    close_old_connections()
    try:
        user = User.objects.filter(pk=user_id, is_active=True).first()
        return user is not None and may(user, Action.SEE_JOBS) and _is_visible(user, job_id)
    finally:
        close_old_connections()


def _is_visible(user: User, job_id: int) -> bool:
    found: bool = Job.objects.visible_to(user).filter(pk=job_id).exists()
    return found
