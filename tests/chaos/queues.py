"""Messages lost, doubled, late and out of order: done to the broker's queues in Redis while the workers empty them."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.chaos.ground import NAMESPACE, ChaosStack

QUEUES = ("cpu", "llm", "out", "quick")
MEDDLES_S = 2.0
# Until something was met: queues are short, workers are fast.
PATIENCE_S, REFILL_EVERY_S = 20.0, 5.0
_COPY = "copy"

Meddling = Callable[[ChaosStack, Random], int]


def lose(stack: ChaosStack, chance: Random) -> int:
    """Whatever waits in a queue is gone; the number of messages lost."""
    return _for_a_while(stack, chance, lambda client, queue, ids: client.hdel(f"{queue}.msgs", *ids))


def double(stack: ChaosStack, chance: Random) -> int:
    """Whatever waits is there twice, some of it again some seconds later, long after it was done."""
    kept: dict[bytes, tuple[str, dict[str, Any]]] = {}

    def twice(client: Any, queue: str, ids: list[bytes]) -> None:
        client.rpush(queue, *ids)
        for name, data in zip(ids, client.hmget(f"{queue}.msgs", ids), strict=True):
            if data is not None and name not in kept and _COPY not in (message := json.loads(data))["options"]:
                kept[name] = queue, message
                _send_again(client, queue, message)

    _for_a_while(stack, chance, twice)
    time.sleep(chance.uniform(0, 3))
    client = stack.redis_client()
    for queue, message in kept.values():
        _send_again(client, queue, message)
    client.close()
    return len(kept)


def delay(stack: ChaosStack, chance: Random) -> int:
    """Whatever waits comes some seconds later."""
    held: list[tuple[str, list[bytes]]] = []
    met = _for_a_while(stack, chance, lambda client, queue, ids: held.append((queue, ids)))
    time.sleep(chance.uniform(1, 8))
    client = stack.redis_client()
    for queue, ids in held:
        client.rpush(queue, *ids)
    client.close()
    return met


def reorder(stack: ChaosStack, chance: Random) -> int:
    """Whatever waits comes in another order."""

    def shuffled(client: Any, queue: str, ids: list[bytes]) -> None:
        client.rpush(queue, *chance.sample(ids, len(ids)))

    return _for_a_while(stack, chance, shuffled)


def _for_a_while(stack: ChaosStack, chance: Random, act: Callable[[Any, str, list[bytes]], object]) -> int:
    """Take what waits out of each queue and let ``act`` do with it what it likes; the number of messages taken.

    Where nothing waited, workers had all of it in their hands: another document comes in.
    """
    client = stack.redis_client()
    began_s, met = time.monotonic(), 0
    refill_s = began_s + MEDDLES_S
    while (now_s := time.monotonic()) < began_s + MEDDLES_S or (not met and now_s < began_s + PATIENCE_S):
        for queue, ids in _waiting(client):
            met += len(ids)
            act(client, queue, ids)
        if not met and now_s > refill_s:
            stack.keep_busy(chance)
            refill_s = now_s + REFILL_EVERY_S
        time.sleep(0.005)
    client.close()
    return met


def _waiting(client: Any) -> Iterator[tuple[str, list[bytes]]]:
    for name in QUEUES:
        queue = f"{NAMESPACE}:{name}"
        with client.pipeline(transaction=True) as together:
            together.lrange(queue, 0, -1)
            together.delete(queue)
            ids = together.execute()[0]
        if ids:
            yield queue, ids


def _send_again(client: Any, queue: str, message: dict[str, Any]) -> None:
    name = str(uuid.uuid4())
    options = {**message["options"], "redis_message_id": name, _COPY: True}
    client.hset(f"{queue}.msgs", name, json.dumps({**message, "options": options}))
    client.rpush(queue, name)
