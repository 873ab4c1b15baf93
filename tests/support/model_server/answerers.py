"""Answerers: replies in a queue, and answers recorded in a folder. Any function of a request is one too."""

import threading
from collections import deque
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec

from tests.support.model_server.exchange import Answerer, ModelRequest, Mood, Reply


class NoReply(Exception):
    """A request came that nobody foresaw."""


@dataclass
class _Queue:
    provider: str | None
    model: str | None
    operation: str | None
    replies: deque[Reply] = field(default_factory=deque)

    def is_for(self, request: ModelRequest) -> bool:
        asked = (request.provider, request.model, request.operation)
        return all(w is None or w == a for w, a in zip((self.provider, self.model, self.operation), asked, strict=True))


class Scripted:
    """Replies in the order given; the first queue that fits a request and holds one serves it, then ``otherwise``."""

    def __init__(self, *replies: Reply | Mood, otherwise: Answerer | None = None) -> None:
        self._queues: list[_Queue] = []
        self._lock = threading.Lock()
        self._otherwise = otherwise
        self.add(*replies)

    def add(
        self,
        *replies: Reply | Mood,
        provider: str | None = None,
        model: str | None = None,
        operation: str | None = None,
    ) -> None:
        """None means any; a mood alone is a reply in that mood."""
        queue = _Queue(provider, model, operation)
        queue.replies.extend(reply if isinstance(reply, Reply) else Reply(mood=reply) for reply in replies)
        with self._lock:
            self._queues.append(queue)

    @property
    def left(self) -> int:
        with self._lock:
            return sum(len(queue.replies) for queue in self._queues)

    def __call__(self, request: ModelRequest) -> Reply:
        with self._lock:
            queue = next((q for q in self._queues if q.replies and q.is_for(request)), None)
            if queue is not None:
                return queue.replies.popleft()
        if self._otherwise is None:
            raise NoReply(f"{request.provider} {request.model} {request.operation}: the script has no reply left")
        return self._otherwise(request)


class Recorded:
    """Answers from ``folder/<request.key>.json``, each the fields of a Reply; ``record`` writes one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _file(self, request: ModelRequest) -> Path:
        return self._folder / f"{request.key}.json"

    def record(self, request: ModelRequest, reply: Reply) -> None:
        fields = {**asdict(reply), "mood": reply.mood.name}
        del fields["body"]
        self._file(request).write_bytes(msgspec.json.format(msgspec.json.encode(fields)))

    def __call__(self, request: ModelRequest) -> Reply:
        file = self._file(request)
        if not file.exists():
            raise NoReply(f"{request.provider} {request.model} {request.operation}: no recorded answer {file.name}")
        fields = msgspec.json.decode(file.read_bytes())
        return Reply(**{**fields, "mood": Mood[fields.get("mood", "OK")]})
