"""A document's progress: what the hub reads of it for the sockets, and the same as server-sent events (their
names: docs/api.md)."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection
from django.utils.translation import get_language

from catalogsku.accounts.grants import Grant
from catalogsku.accounts.permissions import Action
from catalogsku.core.metrics import STREAMS, STREAMS_ENDED
from catalogsku.core.places import Place
from ingestion import job_page, lines, selectors
from ingestion.admission import ADMITTED, Ticket, admission
from ingestion.hub import Batch, hub
from ingestion.kinds import KINDS
from ingestion.lifecycle import JobStatus
from ingestion.models import Job

KEEP_OPEN_S = 15.0
WAITING_MAX = 64
ENDED = frozenset({JobStatus.FULL_IMPORTED, JobStatus.REJECTED, JobStatus.CANCELLED})
FAILED = frozenset({JobStatus.REJECTED, JobStatus.CANCELLED, JobStatus.EVAL_FAILED})
PEOPLE = frozenset({"HUMAN_QUEUED"})
BUSY_GROUPS = ("queued", "reading")
# What follows the pages, where machines take something from a document as a whole (ingestion.phases).
PHASES_OF_THE_WHOLE = ("extract", "ask")
# In which people have a document that is not settled by its pages.
WITH_PEOPLE = frozenset({JobStatus.PARTIAL_IMPORTED, JobStatus.PARTIAL_FAILED})
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
        return job_page.changes(self.job_id, [pk for pk in ids if pk])

    def whole(self, about: object) -> dict[str, Any]:
        return job_page.sync(Job.objects.get(pk=self.job_id))


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
    changed = [(pk, version) for pk, version in pages]
    return int(following), [*changed, (0, job_version)] if job_version is not None else changed


async def job_events(grant: Grant, place: Place, job: Job) -> AsyncIterator[str]:
    """Event by event as text; ends when machines have nothing left to do in the document, when the listener may see it
    no more, and when the place goes to another stream of the same person.

    A batch is written after its pages were found, so its figures may tell of an end that some pages are still missing
    from: the end is told from the whole.
    """
    stream = _Stream(Ticket(grant, Action.SEE_JOBS, job.pk), place, job)
    place.end = stream.give_way
    STREAMS.inc()
    try:
        yield ": open\n\n"  # the head of an answer goes out with its first piece
        await stream.open()
        async for text in stream.events():
            yield text
    finally:
        stream.close()
        STREAMS.dec()
        STREAMS_ENDED.labels(stream.ended_by).inc()


class _Stream:
    """One open stream. What it waits for comes through one queue: batches, and the word that it is over."""

    def __init__(self, ticket: Ticket, place: Place, job: Job) -> None:
        self.ended_by = "left"
        self._ticket, self._place, self._job = ticket, place, job
        self._language, self._told = get_language() or "en", Told(by_pages=KINDS[job.kind].by_pages)
        self._fresh: asyncio.Queue[Batch | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    async def open(self) -> None:
        await sync_to_async(close_old_connections)()  # what the view has read by is not kept while this waits
        admission.admit(self._ticket, self._refuse)
        await hub.watch(JobEvents(self._job.pk), self._listen)

    def close(self) -> None:
        hub.unwatch(JobEvents(self._job.pk), self._listen)
        admission.leave(self._ticket)
        lines.STREAMS.leave(self._place)

    def give_way(self) -> None:
        """From any thread."""
        self._loop.call_soon_threadsafe(self._end, "gave_way")

    async def events(self) -> AsyncIterator[str]:
        message = await _whole(self._job, self._language)
        while (await admission.look(self._ticket)).code == ADMITTED:
            for text in self._told.news(message):
                lines.STREAMS.heard(self._place)
                yield text
            if self._told.has_ended:
                self.ended_by = "done"
                return
            if await self._is_left_by_machines(message):
                # They may have ended since the message was made, and what they ended with is told before the end.
                for text in self._told.news(await _whole(self._job, self._language)):
                    yield text
                self.ended_by = "done"
                if not self._told.has_ended:
                    yield event("machines_done", {"status": self._told.standing})
                return
            try:
                batch = await asyncio.wait_for(self._fresh.get(), KEEP_OPEN_S)
            except TimeoutError:
                yield ": beat\n\n"
                message = {}
                continue
            if batch is None:
                return
            message = await batch.message(self._language)
            if message["figures"]["status"] in ENDED:
                message = await _whole(self._job, self._language)
        self.ended_by = "no_access"

    async def _is_left_by_machines(self, message: dict[str, Any]) -> bool:
        """While pages wait for machines or are in their hands nobody needs to be asked."""
        figures = message.get("figures", {})
        if any(figures.get(f"filter.{group}", "0") != "0" for group in BUSY_GROUPS):
            return False
        return not await sync_to_async(_has_machine_work)(self._job.pk)

    async def _listen(self, batch: Batch) -> None:
        if self._fresh.qsize() < WAITING_MAX:
            self._fresh.put_nowait(batch)

    async def _refuse(self, code: int) -> None:
        self._end("no_access")

    def _end(self, why: str) -> None:
        self.ended_by = why
        self._fresh.put_nowait(None)


def _has_machine_work(job_id: int) -> bool:
    close_old_connections()
    try:
        return selectors.has_machine_work(job_id)
    finally:
        close_old_connections()


async def _whole(job: Job, language: str) -> dict[str, Any]:
    message: dict[str, Any] = msgspec.json.decode((await hub.whole(JobEvents(job.pk), language)).text)
    return message


class Told:
    """What a listener knows already: each page is told once a state. ``by_pages``: of the document's kind; without it
    nothing is said of products, and people have the document as a whole."""

    def __init__(self, *, by_pages: bool = True) -> None:
        self.has_ended = False
        self.standing = ""
        self._by_pages = by_pages
        self._pages: dict[int, str] = {}
        self._phases: dict[str, str] = {}

    def news(self, message: dict[str, Any]) -> Iterator[str]:
        for row in message.get("rows", []):
            if self._pages.get(row["number"]) != row["state"]:
                self._pages[row["number"]] = row["state"]
                yield from self._page_news(row)
        figures = message.get("figures", {})
        if figures:
            yield from self._phase_news(figures)
        if figures and figures["status"] != self.standing:
            self.standing = figures["status"]
            yield from self._job_news(figures)

    def _page_news(self, row: dict[str, Any]) -> Iterator[str]:
        number, state = row["number"], row["state"]
        if state in STARTED:
            yield event("page_started", {"page_no": number, "phase": "ai_processing"})
        elif state in COMPLETED:
            found = {"skus_found": int(row["count"] or 0)} if self._by_pages else {}
            yield event("page_completed", {"page_no": number, "status": state, **found})
        elif state in PEOPLE:
            yield event("human_needed", {"page_no": number, "reason": row["reason"]})

    def _phase_news(self, figures: dict[str, Any]) -> Iterator[str]:
        for phase in PHASES_OF_THE_WHOLE:
            state = figures.get(f"phase.{phase}.state", "")
            if state == "running" and self._phases.get(phase) != state:
                yield event("phase_started", {"phase": phase})
            self._phases[phase] = state

    def _job_news(self, figures: dict[str, Any]) -> Iterator[str]:
        status = figures["status"]
        if status in FAILED:
            yield event("job_failed", {"status": status, "reason": figures["reason"]})
        elif status == JobStatus.AWAITING_GO:
            yield event("go_needed", {"status": status, "reason": figures["reason"]})
        elif status == JobStatus.FULL_IMPORTED:
            found = {"total_skus": int(figures["skus"] or 0)} if self._by_pages else {}
            yield event("job_completed", {"status": status, **found})
        elif status in WITH_PEOPLE and not self._by_pages:
            yield event("human_needed", {"status": status, "reason": figures["reason"]})
        self.has_ended = status in ENDED


def event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"
