"""Consumers wait at Redis: a message is there at once, is taken once, and an idle unit asks for next to nothing."""

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dramatiq
import pytest
from django.conf import settings
from dramatiq.middleware import Middleware

from catalogsku.core.broker import WaitingConsumer, WaitingRedisBroker
from catalogsku.core.embedded import Running
from tests.support.promises import within

LONG_MS = 30_000
AT_ONCE_S = within(2)  # far above what a busy machine adds, and below half of LONG_MS
LONG_IDLE = 30  # rounds without a message, after which Dramatiq's own consumer sleeps for at least half its timeout


@pytest.fixture
def broker(services: Running) -> Iterator[WaitingRedisBroker]:
    middleware: list[Middleware] = []
    broker = WaitingRedisBroker(url=settings.REDIS_URL, middleware=middleware, namespace=f"test-{uuid.uuid4()}")
    broker.declare_queue("work")
    yield broker
    for key in broker.client.keys(f"{broker.namespace}:*"):
        broker.client.delete(key)


def send(broker: WaitingRedisBroker, *names: str, delay: int | None = None) -> None:
    for name in names:
        broker.enqueue(dramatiq.Message("work", name, (), {}, {}), delay=delay)


def names(found: list[Any]) -> list[str]:
    return sorted(message.actor_name for message in found if message is not None)


def test_an_idle_consumer_is_woken_by_a_message(broker: WaitingRedisBroker) -> None:
    consumer = broker.consume("work", prefetch=1, timeout=LONG_MS)
    consumer.misses = LONG_IDLE
    threading.Timer(0.3, send, (broker, "one")).start()
    began_s = time.monotonic()
    while (message := next(consumer)) is None:
        pass
    assert message.actor_name == "one"
    assert time.monotonic() - began_s < AT_ONCE_S


def test_messages_keep_their_order(broker: WaitingRedisBroker) -> None:
    send(broker, "one", "two", "three")
    consumer = broker.consume("work", prefetch=1, timeout=LONG_MS)
    found = []
    for _ in range(3):
        message = next(consumer)
        found.append(message.actor_name)
        consumer.ack(message)
    assert found == ["one", "two", "three"]
    assert broker.do_qsize("work") == 0


def test_of_two_waiting_consumers_one_takes_a_message_and_the_other_waits_on(broker: WaitingRedisBroker) -> None:
    consumers = [broker.consume("work", prefetch=1, timeout=800) for _ in range(2)]

    def one_round(consumer: Any) -> list[Any]:
        """What comes within the time of about one idle wait."""
        until_s, found = time.monotonic() + 1.0, []
        while time.monotonic() < until_s:
            found.append(next(consumer))
        return found

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(one_round, consumer) for consumer in consumers]
        time.sleep(0.2)
        send(broker, "one")
        time.sleep(0.2)
        send(broker, "two")
        found = [names(future.result()) for future in running]
    assert sorted(map(tuple, found)) == [("one",), ("two",)], "each took one, as neither may hold two"


def test_a_message_that_is_done_with_asks_for_the_next(broker: WaitingRedisBroker) -> None:
    send(broker, "one", "two")
    consumer = broker.consume("work", prefetch=1, timeout=LONG_MS)
    first = next(consumer)
    consumer.misses = LONG_IDLE
    threading.Timer(0.3, consumer.ack, (first,)).start()
    began_s = time.monotonic()
    while (second := next(consumer)) is None:
        pass
    assert second.actor_name == "two"
    assert 0.2 < time.monotonic() - began_s < AT_ONCE_S, "not before there is room, and then at once"


def test_waiting_asks_redis_for_next_to_nothing(broker: WaitingRedisBroker) -> None:
    consumer = broker.consume("work", prefetch=1, timeout=1_000)
    assert next(consumer) is None
    asked = [0]
    execute = broker.client.execute_command

    def counted(*args: Any, **options: Any) -> Any:
        asked[0] += 1
        return execute(*args, **options)

    broker.client.execute_command = counted
    until_s = time.monotonic() + 2.0
    while time.monotonic() < until_s:
        assert next(consumer) is None
    assert asked[0] <= 6


def test_delayed_messages_are_looked_for_by_the_clock(broker: WaitingRedisBroker) -> None:
    send(broker, "later", delay=50)
    consumer = broker.consume("work.DQ", prefetch=1, timeout=200)
    assert not isinstance(consumer, WaitingConsumer)
    assert next(consumer).actor_name == "later"


def test_what_a_dead_worker_held_is_looked_for_with_the_rights_of_the_socket(broker: WaitingRedisBroker) -> None:
    """Dramatiq does so with one command in a thousand: of any other test that would be luck."""
    send(broker, "held")
    assert next(broker.consume("work", prefetch=1, timeout=LONG_MS)) is not None  # and its worker dies
    heir = WaitingRedisBroker(
        url=settings.REDIS_URL,
        middleware=[],
        namespace=broker.namespace,
        maintenance_chance=1_000_000,
        heartbeat_timeout=1,
    )
    heir.declare_queue("work")
    time.sleep(0.05)
    heir.do_qsize("work")
    assert next(heir.consume("work", prefetch=1, timeout=LONG_MS)).actor_name == "held"
    heartbeats = f"{broker.namespace}:__heartbeats__"
    heir.do_qsize("work")
    assert broker.broker_id.encode() not in broker.client.zrange(heartbeats, 0, -1)
