"""What a model provider is: it takes a prompt and returns what the model said, or raises one of four errors.

The four say what the caller can do: ``Transient`` try again, ``RateLimited`` try again later, ``Permanent`` give up
with this model (``Unusable``: for every question), ``BadOutput`` the model answered and the answer is worth nothing.
"""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

Finish = Literal["stop", "length", "blocked", "other"]


class Image(msgspec.Struct, frozen=True):
    """A picture that goes with a prompt; ``label`` ("screenshot", "p3_i2") is stated before it."""

    mime: str
    data: bytes
    label: str

    def __repr__(self) -> str:
        return f"Image({self.label}, {self.mime}, {len(self.data)} bytes)"


class Prompt(msgspec.Struct, frozen=True):
    """A question without provider syntax; ``schema`` is the JSON Schema of the answer, ``max_tokens`` the length of
    thoughts and answer together.

    It goes out as ``system``, ``task``, ``images``, ``user``: first what is the same for page after page, which
    providers then need not read anew (and charge less for). ``task`` may be empty.

    ``thinking``: off, minimal, low, medium or high, ``media_resolution`` of images: low, medium or high. Where these
    are empty and ``temperature`` is None, nothing is said and the provider's own holds.
    """

    system: str
    user: str
    images: tuple[Image, ...]
    schema: dict[str, Any]
    temperature: float | None = 0.0
    max_tokens: int = 8192
    thinking: str = ""
    media_resolution: str = ""
    task: str = ""


class RawAnswer(msgspec.Struct, frozen=True):
    """What the model said, not yet parsed. With ``finish`` "length" the text is cut off, and may be empty."""

    text: str
    finish: Finish
    tokens_in: int
    tokens_out: int  # including thinking
    image_tokens: int  # part of tokens_in
    model: str  # as it was asked for
    latency_ms: int
    tokens_cached: int = 0  # part of tokens_in: the provider had them from an earlier question


class BatchAnswer(msgspec.Struct, frozen=True):
    """Of one question of a batch, ``key`` as it was sent: an answer, or why there is none."""

    key: str
    answer: RawAnswer | None = None
    error: "ModelError | None" = None


class RemoteBatch(msgspec.Struct, frozen=True):
    """How a batch stands with its provider; ``answers`` once it has ended, of as many questions as were answered."""

    id: str
    state: Literal["running", "done", "expired", "failed", "cancelled"]
    answers: tuple[BatchAnswer, ...] = ()
    detail: str = ""


class Batches(Protocol):
    """What a provider takes of questions that may wait. Each function raises ModelError's subclasses and nothing else.

    ``name``: ours. No kit makes sending twice the same as sending once, so the caller looks for the name first.
    """

    def send(self, model: str, name: str, questions: Mapping[str, Prompt], *, api_key: str, timeout_s: float) -> str:
        """``questions`` by their keys; the provider's own name of the batch."""
        ...

    def find(self, name: str, *, api_key: str, timeout_s: float) -> str | None:
        """The provider's name of the batch that was sent under ours."""
        ...

    def look(self, remote_id: str, model: str, *, api_key: str, timeout_s: float) -> RemoteBatch: ...

    def cancel(self, remote_id: str, *, api_key: str, timeout_s: float) -> None:
        """Asks for it; ``look`` says when it is so."""
        ...

    def forget(self, remote_id: str, *, api_key: str, timeout_s: float) -> None:
        """The provider keeps nothing more of a batch that has ended."""
        ...


class Provider(Protocol):
    """Blocking and thread-safe; asks once, so that retrying has one owner."""

    name: str  # "gemini" | "qwen" | "openai"
    needs_key: bool  # False for a server of the operator's own, which may ask for none
    batches: Batches | None

    def ask(self, model: str, prompt: Prompt, *, api_key: str, timeout_s: float) -> RawAnswer:
        """Raises ModelError's four subclasses and nothing else. ``api_key``: "" where there is none.

        ``timeout_s`` bounds each wait for the wire and the answer as a whole, so a call ends within twice of it.
        """
        ...

    def close(self) -> None:
        """Gives up the kept connections; the next question makes new ones."""
        ...


class ModelError(Exception):
    """``code`` is stable (see processing.llm.providers.failures), ``detail`` is for logs and holds no key."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code, self.detail = code, detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}" if self.detail else self.code


class Transient(ModelError):
    """The wire or the service failed; the same question may succeed."""


class RateLimited(ModelError):
    """Too much was asked of the service; ``retry_after_s`` as it says, None where it does not."""

    def __init__(self, code: str, detail: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(code, detail)
        self.retry_after_s = retry_after_s


class Permanent(ModelError):
    """The request, the key or the model's name is refused; asking again changes nothing."""


class Unusable(Permanent):
    """The key, the account or the model itself is refused: no question would be answered until that is mended."""


class BadOutput(ModelError):
    """The service answered without an answer; what it counted is billed all the same."""

    def __init__(
        self, code: str, detail: str = "", tokens_in: int = 0, tokens_out: int = 0, tokens_cached: int = 0
    ) -> None:
        super().__init__(code, detail)
        self.tokens_in, self.tokens_out, self.tokens_cached = tokens_in, tokens_out, tokens_cached


def cached_of(counted: RawAnswer | BadOutput) -> int:
    """Whatever a server counts, they are part of those that went in."""
    return min(max(counted.tokens_cached, 0), counted.tokens_in)
