"""Batches that were sent to the server, in whichever format: held, answered, expired or refused by the test."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from tests.support.model_server.exchange import ModelRequest, Provider, Reply

State = Literal["pending", "running", "done", "expired", "failed", "cancelled"]


@dataclass(frozen=True)
class Routed:
    """``is_lost``: the connection ends before anything is said, though the request was worked on."""

    status: int
    body: bytes
    is_lost: bool = False


@dataclass
class Batch:
    """``questions`` by the caller's keys; ``replies`` once it has ended."""

    id: str
    name: str
    provider: Provider
    model: str
    questions: dict[str, ModelRequest]
    state: State = "pending"
    replies: dict[str, Reply] = field(default_factory=dict)
    body: Any = None  # as it came


class Batches:
    """``held``: batches stay as they are until `end`; else they are answered with the first look.

    ``refusal``: (status, message) that each new one is refused with. ``lost``: so many more are taken, and the answer
    to that is lost on its way. ``taken``: how many were, also those that were forgotten since. ``hidden``: so many more
    listings do not show what was sent yet.
    """

    def __init__(self) -> None:
        self.held = False
        self.refusal: tuple[int, str] | None = None
        self.lost = self.hidden = self.taken = 0
        self.listed = 0
        self.sent: list[Batch] = []
        self.files: dict[str, bytes] = {}
        self._lock, self._ids = threading.Lock(), count(1)

    def new_id(self) -> str:
        return f"b{next(self._ids)}"

    def take(self, batch: Batch) -> bool:
        """False where the caller must not hear of it."""
        with self._lock:
            self.sent.append(batch)
            self.taken += 1
            if self.lost:
                self.lost -= 1
                return False
            return True

    def listing(self, provider: Provider) -> list[Batch]:
        """Newest first."""
        with self._lock:
            self.listed += 1
            if self.hidden:
                self.hidden -= 1
                return []
            return [batch for batch in reversed(self.sent) if batch.provider == provider]

    def named(self, batch_id: str) -> Batch | None:
        return next((batch for batch in self.sent if batch.id == batch_id), None)

    def look(self, batch: Batch, answer: Callable[[ModelRequest], Reply]) -> None:
        if batch.state == "pending" and not self.held:
            self.end(batch, "done", answer)

    def end(self, batch: Batch, state: State, answer: Callable[[ModelRequest], Reply] | None = None) -> None:
        """With ``answer`` its questions are answered first, as far as they are not."""
        for key, question in batch.questions.items() if answer is not None else ():
            if key not in batch.replies:
                batch.replies[key] = answer(question)  # type: ignore[misc]
        batch.state = state
