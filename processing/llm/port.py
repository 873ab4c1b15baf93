"""What the wrappers of a model call hand on, outermost first as in chain.py, and how a call may end badly."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from processing.llm.parsing import Fault
from processing.llm.providers.port import Image


class Operation(StrEnum):
    """What models are asked for (LA-OPS); keys of prompts, routes and the ledger. A probe has no prompt."""

    EVALUATE_DOCUMENT = "evaluate_document"
    READ_PAGE = "read_page"
    READ_STUDY = "read_study"
    PROBE_MODEL = "probe_model"


Data = TypeVar("Data", bound=BaseModel)


@dataclass(frozen=True)
class About:
    """Whose call it is and what for: everything that ledger, budget and route need to know. ``batched``: it may wait a
    day, at the price of batches."""

    merchant_id: int
    job_id: int | None = None
    page_id: int | None = None
    category: str = ""
    language: str = "zh"
    page_type: str = ""
    complexity: str = "simple"
    bucket: str = ""
    profile: str = ""
    batched: bool = False


@dataclass(frozen=True)
class Request(Generic[Data]):
    """One question: the zones and images that its prompt shows, and the class of the answer (GR-CONTEXT).

    ``injection`` 0 to 1, as the guard found it in the document's text; ``model`` names one that must be used, ``but``
    those that must not. ``faults`` of an earlier answer are quoted to the model (GR-CRITIQUE). ``ids``: what evidence
    may name; ``places``: how many blocks and rows there are to hold a product. ``keep``: calls of the page that are
    planned for later questions, which no repeat of this one may take. ``examples``: ids of those in their zone;
    ``keys``: of the attributes that the answer may have.
    """

    operation: Operation
    about: About
    zones: Mapping[str, str]
    answer: type[Data]
    images: tuple[Image, ...] = ()
    images_truncated: int = 0
    injection: float = 0.0
    faults: tuple[Fault, ...] = ()
    model: str = ""
    but: tuple[str, ...] = ()
    ids: frozenset[str] | None = None
    places: int | None = None
    keep: int = 0
    examples: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply(Generic[Data]):
    """``data`` has the shape that was asked for; ``reasons``: codes of why a person should look at what comes of it.
    ``cut``: the model had no room for the rest."""

    data: Data
    model: str
    prompt_version: str
    call_id: int
    kept: bool = False
    reasons: tuple[str, ...] = ()
    downgraded: str = ""
    cut: bool = False


# Reasons for which the same question is asked later; every other one goes on to the next model, then to the rules.
PUT_BACK = frozenset({"rate_requests", "rate_tokens", "rate_limited", "asked_already", "batched"})
# It waits in a batch: no other model is asked meanwhile. ``facts``: the row's id in the ledger as ``call_id``.
BATCHED = "batched"


class Ask(Protocol):
    """Raises only NotAnswered."""

    def __call__(self, request: Request[Data]) -> Reply[Data]: ...


class NotAnswered(Exception):
    """No usable answer; ``code`` says why, in the words of metrics and blockers.

    ``retry_after_s``: nothing was spent and the same may go through then (a rate, a breaker, the same question asked
    by a neighbour); None: asking again would not help.
    """

    def __init__(self, code: str, detail: str = "", retry_after_s: float | None = None, **facts: Any) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code, self.detail, self.retry_after_s, self.facts = code, detail, retry_after_s, facts
