"""What goes to and fro between a wire format and an answerer."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Literal

Provider = Literal["gemini", "qwen", "openai"]
Finish = Literal["stop", "length", "blocked", "other"]


class Mood(Enum):
    """How the server treats a request. A refused connection needs no mood: it is the address of a stopped server."""

    OK = auto()
    # the service fails
    RATE_LIMITED = auto()  # 429 with Retry-After; Gemini adds RetryInfo, DashScope says Throttling.RateQuota
    QUOTA_SPENT = auto()  # 429 for a quota that is no rate, with the same delay
    SERVER_ERROR = auto()  # 500
    UNAVAILABLE = auto()  # 503
    BAD_GATEWAY = auto()  # 502 with a page of HTML
    BAD_REQUEST = auto()  # 400
    UNAUTHORISED = auto()  # Gemini 403, the others 401
    RETIRED = auto()  # 404: there is no such model any more
    ARREARS = auto()  # 400: the account may not use it
    BLOCKED = auto()  # the content filter: Gemini answers 200 without candidates, the others 400
    # the wire fails
    TIMEOUT = auto()  # no headers until the client gives up, or ``patience_s``
    SLOW = auto()  # the body comes in drops over ``slow_s``
    CUT = auto()  # closed in the middle of the body
    DROPPED = auto()  # closed before the headers
    BAD_JSON_BODY = auto()  # 200 with a body that is no JSON
    # the model fails: the service answers 200 in good form, with a text that is worth nothing
    TRUNCATED = auto()  # half of the text, finish reason "length"
    FENCED = auto()  # ```json ... ```
    PROSE = auto()  # chatter around it
    GARBAGE = auto()  # no JSON at all
    WRONG_SCHEMA = auto()  # JSON of another shape
    NAN = auto()  # numbers become NaN and Infinity
    EMPTY = auto()
    DOUBLED = auto()  # the same object twice


@dataclass(frozen=True)
class ModelRequest:
    """One request, whoever's format it came in.

    ``texts`` are the user's text parts in order; ``schema`` is the JSON Schema of the answer, from the request's own
    field or, where the format has none, from the system text behind the words "JSON Schema".
    """

    provider: Provider
    model: str
    api_key: str
    system: str
    texts: tuple[str, ...]
    images: tuple[tuple[str, bytes], ...]  # (mime, bytes) in order
    schema: dict[str, Any] | None
    temperature: float | None
    max_tokens: int | None
    headers: dict[str, str]  # names in lower case
    body: bytes
    thinking: dict[str, Any] = field(default_factory=dict)  # as the format says it; empty where it says nothing
    media_resolution: Any = None

    @property
    def operation(self) -> str:
        """The title of the schema, which is all that a request says about what it is for."""
        return str((self.schema or {}).get("title", ""))

    @property
    def key(self) -> str:
        """SHA-256 of everything that the answer depends on; the API key and the headers do not count."""
        asked = {
            "provider": self.provider,
            "model": self.model,
            "system": self.system,
            "texts": self.texts,
            "images": [(mime, hashlib.sha256(data).hexdigest()) for mime, data in self.images],
            "schema": self.schema,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What a model says, and how the server passes it on.

    ``text`` is the good answer, also where the mood spoils it. ``status`` stands in for the mood's HTTP status.
    """

    text: str = "{}"
    mood: Mood = Mood.OK
    finish: Finish = "stop"
    tokens_in: int = 100
    tokens_out: int = 20
    thinking_tokens: int = 0  # Gemini counts them beside tokens_out, the others in it
    image_tokens: int = 0  # part of tokens_in
    cached_tokens: int = 0  # part of tokens_in
    retry_after_s: float | None = 7.0  # of RATE_LIMITED; None: the answer names no delay
    status: int | None = None
    body: bytes | None = None  # goes out as it is, in place of what the format makes of the reply


Answerer = Callable[[ModelRequest], Reply]


@dataclass(frozen=True)
class Call:
    """One line of what the server was asked."""

    at_s: float  # monotonic clock, when the request was complete
    provider: Provider
    model: str
    operation: str
    mood: Mood
    images: int
    bytes: int  # of the body
    request: ModelRequest = field(repr=False)
