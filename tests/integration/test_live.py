"""Live events: whoever watches a job sees every commit, in the end state, whatever is lost on the way."""

import asyncio
import queue
import random
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection, transaction

from catalogsku.accounts.grants import Grant
from catalogsku.core import live
from ingestion import events, lines
from ingestion import hub as hub_module
from ingestion.events import JobEvents
from ingestion.hub import Batch, Hub, Topic
from ingestion.models import Job, Page
from tests.support.people import People
from tests.support.promises import within
from tests.support.rows import in_threads, make_job, make_page, make_pages
from tests.support.strangers import browser

WRITERS, COMMITS_EACH, PAGES = 8, 400, 120


def touch(ids: list[int]) -> None:
    Page.objects.filter(pk__in=sorted(ids)).update(sku_count=random.randint(0, 99), **Page.visible_change())


def read(job_id: int, cursor: int) -> tuple[int, list[tuple[int, int]]]:
    with transaction.atomic(), connection.cursor() as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return events.changed_pages(job_id, cursor)


@pytest.mark.req("X-SEQ")
def test_a_reader_beside_eight_writers_misses_no_commit(committed: None, people: People) -> None:
    """Transactions of random length overlap and roll back; their ids are taken long before they commit."""
    job, other = make_job(people.merchant), make_job(people.merchant)
    ids = [page.pk for page in make_pages(job, range(1, PAGES + 1))]
    make_pages(other, range(1, 5))
    done, known, repeats = threading.Event(), {}, 0

    def write(seed: int) -> Callable[[], int]:
        chance = random.Random(seed)

        def run() -> int:
            for number in range(COMMITS_EACH):
                with transaction.atomic():
                    touch([chance.choice(ids)])
                    if number % 7 == seed % 7:
                        time.sleep(chance.random() * 0.02)
                    if chance.random() < 0.05:
                        transaction.set_rollback(True)
            return 0

        return run

    def follow() -> int:
        nonlocal repeats
        cursor, readings = 0, 0
        while True:
            last = done.is_set()
            cursor, found = read(job.pk, cursor)
            readings += 1
            for pk, version in found:
                if known.get(pk, 0) >= version:
                    repeats += 1
                else:
                    known[pk] = version
            if last:
                return readings
            time.sleep(0.005)

    def write_all() -> int:
        try:
            in_threads([write(seed) for seed in range(WRITERS)])
        finally:
            done.set()
        return 0

    readings, _ = in_threads([follow, write_all], timeout_s=120)
    committed_now = dict(Page.objects.filter(job=job).values_list("pk", "version"))
    assert {pk: v for pk, v in known.items() if pk} == committed_now, "stale rows"
    assert sum(committed_now.values()) - PAGES > WRITERS * COMMITS_EACH * 0.9
    assert readings > 20
    assert repeats > 0, "the cursor stands at the oldest open transaction, so some come again"


@pytest.mark.req("X-SEQ")
def test_a_transaction_that_began_before_the_cursor_moved_is_not_missed(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    early, late = make_pages(job, [1, 2])
    started, may_end = threading.Event(), threading.Event()

    def slow() -> int:
        with transaction.atomic():
            touch([early.pk])
            started.set()
            may_end.wait(10)
        return 0

    def watch() -> int:
        started.wait(10)
        cursor, _ = read(job.pk, 0)
        touch([late.pk])
        cursor, found = read(job.pk, cursor)
        assert (late.pk, 2) in found
        assert (early.pk, 2) not in found
        may_end.set()
        time.sleep(0.3)
        _, found = read(job.pk, cursor)
        assert (early.pk, 2) in found
        return 0

    in_threads([slow, watch])


@pytest.mark.django_db
@pytest.mark.req("X-SEQ")
def test_the_job_itself_is_number_zero(people: People) -> None:
    job = make_job(people.merchant)
    Job.objects.filter(pk=job.pk).update(**Job.visible_change())
    _, found = events.changed_pages(job.pk, 0)
    assert found == [(0, 2)]


# --- the hub -------------------------------------------------------------------------------------


class Seen:
    """A listener that keeps the versions it was shown."""

    def __init__(self, fail_first: int = 0) -> None:
        self.versions: dict[int, int] = {}
        self.messages, self.failures_left = 0, fail_first

    async def __call__(self, batch: Batch) -> None:
        if self.failures_left:
            self.failures_left -= 1
            raise OSError("the database went away")
        message = await batch.message("en")
        self.messages += 1
        for row in message["rows"]:
            assert self.versions.get(row["id"], 0) < row["v"] or self.failures_left == 0
            self.versions[row["id"]] = row["v"]

    async def reaches(self, wanted: dict[int, int], within_s: float) -> float:
        """Seconds until it had seen these versions."""
        began = time.monotonic()
        while any(self.versions.get(pk, 0) < version for pk, version in wanted.items()):
            assert time.monotonic() - began < within_s, f"stale: {self.versions} is not {wanted}"
            await asyncio.sleep(0.01)
        return time.monotonic() - began


def version_of(page: Page) -> dict[int, int]:
    return {page.pk: Page.objects.get(pk=page.pk).version}


@pytest.fixture
async def watched(committed: None, people: People) -> Any:
    job = await sync_to_async(make_job)(people.merchant)
    page = await sync_to_async(make_page)(job, 1)
    hub, seen = Hub(), Seen()
    await hub.watch(JobEvents(job.pk), seen)
    yield hub, seen, page
    hub.unwatch(JobEvents(job.pk), seen)
    for topic in list(hub.topics.values()):
        await asyncio.wait_for(topic.task, 5)
    assert hub.topics == {}, "nobody listens, nothing is read"


@pytest.mark.req("LX-NOTIFY", "X-SEQ")
async def test_a_lost_hint_costs_at_most_two_seconds(watched: Any) -> None:
    hub, seen, page = watched
    for _ in range(2):
        await sync_to_async(touch)([page.pk])
        await seen.reaches(await sync_to_async(version_of)(page), within_s=within(2.5))


@pytest.mark.req("LX-NOTIFY", "TA-PROG")
async def test_a_hint_is_followed_at_once_and_so_is_what_comes_right_behind_it(watched: Any) -> None:
    """The second commit's hint leaves a little later; it must not wait for the hub's own looking."""
    hub, seen, page = watched

    def commit() -> None:
        with transaction.atomic():
            touch([page.pk])
            live.hint_after_commit(page.job_id)

    await asyncio.sleep(0.5)
    for _ in range(4):
        await sync_to_async(commit)()
        await asyncio.sleep(0.03)
        await sync_to_async(commit)()
        await seen.reaches(await sync_to_async(version_of)(page), within_s=within(0.9))
        await asyncio.sleep(0.6)


@pytest.mark.req("X-SEQ")
async def test_nothing_is_passed_on_twice_and_nothing_while_all_is_quiet(watched: Any) -> None:
    hub, seen, page = watched
    await sync_to_async(touch)([page.pk])
    hub.topics[JobEvents(page.job_id)].woken.set()
    await seen.reaches(await sync_to_async(version_of)(page), within_s=within(2))
    messages = seen.messages
    for _ in range(3):
        hub.topics[JobEvents(page.job_id)].woken.set()
        await asyncio.sleep(0.3)
    assert seen.messages == messages


@pytest.mark.req("X-SEQ")
async def test_a_listener_that_failed_once_gets_everything_again(watched: Any, people: People) -> None:
    hub, healthy, page = watched
    stumbling = Seen(fail_first=1)
    await hub.watch(JobEvents(page.job_id), stumbling)
    await sync_to_async(touch)([page.pk])
    hub.topics[JobEvents(page.job_id)].woken.set()
    await stumbling.reaches(await sync_to_async(version_of)(page), within_s=within(3))
    hub.unwatch(JobEvents(page.job_id), stumbling)
    assert healthy.messages == 1, "the others are not bothered"


@pytest.mark.req("X-SEQ")
async def test_what_is_committed_between_the_first_look_and_the_first_reading_is_not_lost(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket reads the whole region after `watch` returned: from then on every commit must reach it."""
    job = await sync_to_async(make_job)(people.merchant)
    page = await sync_to_async(make_page)(job, 1)
    original = Topic._read

    def slow(topic: Topic) -> list[int]:
        time.sleep(0.3)
        return original(topic)

    monkeypatch.setattr(Topic, "_read", slow)
    hub, seen = Hub(), Seen()
    await hub.watch(JobEvents(job.pk), seen)
    await asyncio.to_thread(in_threads, [lambda: touch([page.pk])])
    await seen.reaches({page.pk: 2}, within_s=within(3))
    hub.unwatch(JobEvents(job.pk), seen)
    await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 5)


@pytest.mark.req("X-SEQ", "LX-NOTIFY")
async def test_a_first_reading_that_fails_is_made_up_for(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    page = await sync_to_async(make_page)(job, 1)
    original, broken = Topic._read, [True]

    def read_(topic: Topic) -> list[int]:
        if broken.pop() if broken else False:
            raise OSError("the database is away")
        return original(topic)

    monkeypatch.setattr(Topic, "_read", read_)
    monkeypatch.setattr(hub_module, "SLOWEST_S", 0.3)
    hub, seen = Hub(), Seen()
    await hub.watch(JobEvents(job.pk), seen)
    await sync_to_async(touch)([page.pk])
    await seen.reaches({page.pk: 2}, within_s=within(3))
    hub.unwatch(JobEvents(job.pk), seen)
    await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 5)


@pytest.mark.req("X-SEQ", "LX-NOTIFY")
async def test_who_comes_while_the_last_one_leaves_hears_everything(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that is loaded again: the old socket closes, the new one opens before the old reading has ended."""
    job = await sync_to_async(make_job)(people.merchant)
    page = await sync_to_async(make_page)(job, 1)
    leaving, may_leave = asyncio.Event(), asyncio.Event()

    async def hear_until_told(topic: Topic) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            leaving.set()
            await may_leave.wait()

    monkeypatch.setattr(Topic, "_hear_hints", hear_until_told)
    hub, old, new = Hub(), Seen(), Seen()
    await hub.watch(JobEvents(job.pk), old)
    hub.unwatch(JobEvents(job.pk), old)
    await asyncio.wait_for(leaving.wait(), 5)
    await hub.watch(JobEvents(job.pk), new)
    may_leave.set()
    await sync_to_async(touch)([page.pk])
    await new.reaches({page.pk: 2}, within_s=within(3))
    hub.unwatch(JobEvents(job.pk), new)
    await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 5)


@pytest.mark.req("X-SEQ", "TA-PROGDTO")
async def test_the_end_of_a_document_is_told_after_all_its_pages(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch names the pages of its reading and is written later: its figures may know of an end that they do not."""
    job = await sync_to_async(make_job)(people.merchant)
    await sync_to_async(make_page)(job, 1, "AI_COMPLETED")
    last = await sync_to_async(make_page)(job, 2)
    hub = Hub()
    monkeypatch.setattr(events, "hub", hub)
    client = await sync_to_async(browser)(people.uploader)
    place = await sync_to_async(lines.take_stream)(people.uploader, job)
    stream = events.job_events(Grant(session_key=str(client.cookies[settings.SESSION_COOKIE_NAME].value)), place, job)
    assert await anext(stream) == ": open\n\n"
    told = [await anext(stream)]
    topic = hub.topics[JobEvents(job.pk)]
    topic.source = Silent(job.pk)

    def end() -> None:
        Page.objects.filter(pk=last.pk).update(status="AI_COMPLETED", **Page.visible_change())
        Job.objects.filter(pk=job.pk).update(status="FULL_IMPORTED", **Job.visible_change())

    await sync_to_async(end)()
    for listener in topic.listeners:
        await listener(Batch(JobEvents(job.pk), {0}))
    told += [text async for text in stream]
    assert [text.split("\n")[0] for text in told] == [
        "event: page_completed",
        "event: page_completed",
        "event: job_completed",
    ]
    await asyncio.wait_for(topic.task, 5)


class Silent(JobEvents):
    """Its readings find nothing: what a test passes on is all there is."""

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        return cursor or 0, []


# --- hints ---------------------------------------------------------------------------------------


@pytest.mark.req("LX-NOTIFY")
def test_without_redis_work_goes_on_and_a_watcher_is_at_most_two_seconds_late(
    committed: None, people: People, settings: Any
) -> None:
    from channels.layers import channel_layers

    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": "redis://127.0.0.1:1", "socket_connect_timeout": 1}]},
        }
    }
    channel_layers.backends = {}
    try:
        job = make_job(people.merchant)
        page = make_page(job, 1)

        async def scenario() -> None:
            hub, seen = Hub(), Seen()
            await hub.watch(JobEvents(job.pk), seen)

            def commit() -> None:
                live._leaves_at_s.clear()
                with transaction.atomic():
                    touch([page.pk])
                    live.hint_after_commit(job.pk)

            await sync_to_async(commit)()
            # Two seconds, and what a machine under load adds.
            await seen.reaches(await sync_to_async(version_of)(page), within_s=within(2.8))
            hub.unwatch(JobEvents(job.pk), seen)
            await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 5)

        asyncio.run(scenario())
    finally:
        channel_layers.backends = {}


@pytest.mark.req("LX-NOTIFY")
def test_hints_leave_after_commit_and_those_that_follow_each_other_as_one(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: queue.Queue[tuple[str, int]] = queue.Queue()

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            sent.put((group, message["topic"]))

    monkeypatch.setattr(live, "get_channel_layer", Layer)
    monkeypatch.setattr(live, "HINT_EVERY_S", 1.0)
    live._leaves_at_s.clear()
    with transaction.atomic():
        live.hint_after_commit(7)
        with pytest.raises(queue.Empty):
            sent.get(timeout=0.05)
    assert sent.get(timeout=5) == ("job.7", 7)
    with transaction.atomic():
        live.hint_after_commit(8)
        transaction.set_rollback(True)
    for _ in range(50):
        live.hint(7)
    live.hint(9)
    assert sent.get(timeout=5) == ("job.9", 9), "nothing else came before it"
    assert sent.get(timeout=5) == ("job.7", 7), "the fifty leave as one, a little later"
    with pytest.raises(queue.Empty):
        sent.get(timeout=1.2)
    live.hint(7)
    assert sent.get(timeout=5) == ("job.7", 7)


def test_a_hint_that_cannot_be_sent_is_counted_and_the_next_one_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: queue.Queue[str] = queue.Queue()
    unsent: queue.Queue[int] = queue.Queue()

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            if group == "stands still":
                await asyncio.sleep(60)
            if group == "is away":
                raise ConnectionError
            sent.put(group)

    monkeypatch.setattr(live, "get_channel_layer", Layer)
    monkeypatch.setattr(live, "SEND_WITHIN_S", 0.1)
    monkeypatch.setattr(live, "HINTS_UNSENT", SimpleNamespace(inc=lambda: unsent.put(1)))
    live._leaves_at_s.clear()
    for topic in ("stands still", "is away", "is there"):
        live.hint(topic)
    assert sent.get(timeout=5) == "is there", "it does not wait for the others"
    assert [unsent.get(timeout=5) for _ in range(2)] == [1, 1]
