"""The Redis broker whose consumers wait for messages instead of asking again and again.

Dramatiq's own consumer asks at most every idle timeout: short, and idle units take a tenth of a core for asking; long,
and messages lie about. A consumer that has all it may hold also asks by the clock, so that a thread that is ready for
its next message waits for it. Here Redis answers when there is one, and a message that is done with asks for the next.
"""

import os
import threading
import uuid
from typing import Any

import redis
from dramatiq.brokers.redis import RedisBroker, _RedisConsumer  # a consumer of one's own has no other base
from dramatiq.errors import ConnectionClosed


class WaitingConsumer(_RedisConsumer):
    """Waits at Redis while it may take messages, and for its own to be done while it may not."""

    def __init__(self, broker: RedisBroker, queue_name: str, prefetch: int, timeout: int) -> None:
        super().__init__(broker, queue_name, prefetch, timeout)  # type: ignore[no-untyped-call]
        self._queue_key = f"{broker.namespace}:{queue_name}"
        self._done = threading.Event()

    def ack(self, message: Any) -> None:
        try:
            super().ack(message)  # type: ignore[no-untyped-call]
        finally:
            self._done.set()

    def nack(self, message: Any) -> None:
        try:
            super().nack(message)  # type: ignore[no-untyped-call]
        finally:
            self._done.set()

    def __next__(self) -> Any:
        if not self.message_cache and not self._may_fetch():
            return None
        self.misses = 0  # it sleeps for long only after misses in a row
        return super().__next__()  # type: ignore[no-untyped-call]

    def _may_fetch(self) -> bool:
        """Once there is room and a message, or as soon as that may be; False where the idle timeout passed before."""
        self._done.clear()
        if self.outstanding_message_count >= self.prefetch:
            return self._done.wait(self.timeout / 1000)
        try:  # the first message takes its own place: nothing moves, but this waits until there is one
            key, timeout_s = self._queue_key, self.timeout / 1000
            return self.broker.client.blmove(key, key, timeout_s, src="LEFT", dest="LEFT") is not None
        except redis.ConnectionError as error:
            raise ConnectionClosed(error) from None  # type: ignore[no-untyped-call]


class WaitingRedisBroker(RedisBroker):
    """Needs Redis 6.2 or later (BLMOVE). Delayed messages are looked for by the clock, as their time comes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        os.register_at_fork(after_in_child=self._take_own_id)

    def _take_own_id(self) -> None:
        """By its id Redis knows who has a message in hand, and who lives."""
        self.broker_id = str(uuid.uuid4())

    def is_waiting(self, queue_name: str) -> bool:
        """Whether a message lies in the queue that no process has taken. Raises redis.RedisError."""
        return bool(self.client.llen(f"{self.namespace}:{queue_name}"))

    def consume(self, queue_name: str, prefetch: int = 1, timeout: int = 5000) -> Any:
        consumer = _RedisConsumer if queue_name in self.delay_queues else WaitingConsumer
        return consumer(self, queue_name, prefetch, timeout)
