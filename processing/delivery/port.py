"""What an import target is: it takes products, one per (merchant, SKU), and can be asked what it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from processing.lifecycle import Delivery


@dataclass(frozen=True)
class Envelope:
    """One product on its way; ``payload`` are the exact bytes, also of every repetition."""

    merchant_id: int
    sku_key: str
    generation: int
    payload: bytes
    payload_hash: str

    @property
    def idempotency_key(self) -> str:
        return f"{self.merchant_id}:{self.sku_key}:{self.generation}"


@dataclass(frozen=True)
class Answer:
    """What the ledger makes of the target's answer to one envelope."""

    state: str
    trigger: str
    response: str = ""

    @classmethod
    def confirmed(cls) -> "Answer":
        return cls(Delivery.CONFIRMED, "confirmed")

    @classmethod
    def assumed(cls) -> "Answer":
        return cls(Delivery.ASSUMED, "assumed")

    @classmethod
    def refused(cls, response: str) -> "Answer":
        return cls(Delivery.REFUSED, "refused", response[:500])

    @classmethod
    def not_sent(cls, response: str) -> "Answer":
        return cls(Delivery.PENDING, "not_sent", response[:500])

    @classmethod
    def lost(cls, response: str) -> "Answer":
        return cls(Delivery.UNKNOWN, "answer_lost", response[:500])


@dataclass(frozen=True)
class Found:
    """What the target holds for a SKU."""

    generation: int
    payload_hash: str


class Target(Protocol):
    """Answers come in the order of the envelopes, one for each; a target never raises for what the other side does."""

    def put(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Answer]: ...

    def query(self, merchant_id: int, sku_key: str) -> Found | None: ...
