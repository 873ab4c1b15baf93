"""What an HTTP answer means for an import (docs/protocols.md P3). Pure."""

import json
from typing import Any

from processing.imports.targets.port import Answer, Found, Unclear
from processing.imports.targets.shape import value_at

TAKEN_LATER, TIMED_OUT, CONFLICT, BUSY = 202, 408, 409, 429
LOCKED_OUT = UNKNOWN_TO_IT, FORBIDDEN = 401, 403


def answer_of(status: int, said: str, *, retry_after_s: float | None = None, held: int | None = None) -> Answer:
    """``said``: what of the answer people may read. A redirect took nothing, whatever it points to."""
    response = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if 200 <= status < 300:
        return Answer.assumed() if status == TAKEN_LATER else Answer.confirmed()
    if 300 <= status < 400:
        return Answer.not_sent(response)
    if status in LOCKED_OUT:
        return Answer.shut_out(status, response)
    if status == BUSY:
        return Answer.not_sent(response, retry_after_s)
    if status == CONFLICT:
        return Answer.conflict(response, held)
    if 400 <= status < 500 and status != TIMED_OUT:
        return Answer.refused(response)
    return Answer.lost(response)


def parsed(body: bytes) -> Any:
    """Raises ValueError where it is no JSON; None for an empty body."""
    return json.loads(body) if body.strip() else None


def readable(body: bytes) -> str:
    """The beginning of an answer for people, on one line."""
    return " ".join(body[:2000].decode("utf-8", "replace").replace("\0", "").split())[:400]


def generation_in(tree: Any, name: str) -> int | None:
    value = value_at(tree, name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def found_in(tree: Any, generation: str, content_hash: str) -> Found | Unclear:
    """``generation, content_hash``: how the target calls them; one of the two is enough."""
    number, digest = generation_in(tree, generation), value_at(tree, content_hash)
    if number is None and not isinstance(digest, str):
        return Unclear(f"neither {generation} nor {content_hash} in the answer")
    return Found(number, digest if isinstance(digest, str) else "")
