"""A documented refusal, and the bytes that it comes in."""

import json
from dataclasses import dataclass
from typing import Any

from tests.support.model_server import Mood, Reply
from tests.support.model_server.exchange import Provider

# What the house makes of a refusal, and its error (processing.llm.providers.port).
UNUSABLE = "unusable"  # key, account or model: nobody is asked through it (Unusable)
BUSY = "busy"  # the page is put back for as long as is named (RateLimited)
QUESTION = "question"  # this question alone: the next model, else the rules (Permanent, BadOutput)
TRANSIENT = "transient"  # tried again at once, then the next model (Transient)


@dataclass(frozen=True)
class Refusal:
    """``code`` and ``message`` as the provider spells them, ``made`` what the house makes of it, ``house_code`` under
    which code it is known there. ``raised``: the kit's own error, "" where the kit returns it. ``host``: of an address
    that the row is true of alone."""

    provider: Provider
    status: int
    code: str
    message: str
    made: str
    house_code: str
    raised: str
    body: dict[str, Any]
    retry_after_s: float | None = None
    host: str = ""

    @property
    def name(self) -> str:
        words = "".join(sign if sign.isalnum() else " " for sign in self.message).split()
        return f"{self.provider} {self.status} {self.code} {' '.join(words[:7])}".strip()

    def reply(self) -> Reply:
        mood = Mood.OK if self.retry_after_s is None else Mood.RATE_LIMITED  # which sends the header
        body = json.dumps(self.body, ensure_ascii=False).encode()
        return Reply(mood=mood, status=self.status, retry_after_s=self.retry_after_s, body=body)
