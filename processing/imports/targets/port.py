"""What an import target is: it takes products, one per (merchant, SKU), and can be asked what it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from processing.imports.lifecycle import Delivery


class Writes(TextChoices):
    """What a repeated product does at the target (I1)."""

    UPSERT = "upsert", _("replaces the product")
    INSERT = "insert", _("adds another one: nothing goes out twice unless the target says that it lacks it")
    ONCE = "once", _("takes a SKU once: what changes later is carried over by hand")


class Queries(TextChoices):
    """What the target can be asked (I5)."""

    SKU = "sku", _("one SKU at a time")
    JOB = "job", _("all SKUs of a document")
    NONE = "none", _("nothing")


@dataclass(frozen=True)
class Traits:
    """``batch``: most products in a request (I4). ``whole_job``: those of a document go out together, at its end.

    ``here``: in this database, which answers at once: nobody is shown that a product is on its way.
    """

    writes: str = Writes.UPSERT
    query: str = Queries.SKU
    batch: int = 1
    whole_job: bool = False
    here: bool = False


@dataclass(frozen=True)
class Envelope:
    """One product on its way; ``payload`` are the exact bytes, also of every repetition.

    ``external_id``: the SKU's id as the target knows it, where that differs. ``job``: the document's id.
    """

    merchant_id: int
    sku_key: str
    generation: int
    payload: bytes
    payload_hash: str
    external_id: str = ""
    job: str = ""
    deleted: bool = False

    @property
    def idempotency_key(self) -> str:
        return f"{self.merchant_id}:{self.sku_key}:{self.generation}"

    @property
    def name(self) -> str:
        """The SKU as the target knows it."""
        return self.external_id or self.sku_key


@dataclass(frozen=True)
class Answer:
    """What the ledger makes of the target's answer to one envelope.

    ``retry_after_s``: how long the target wants to be left alone. ``held``: the generation that it says it has.
    ``locked_out``: the status by which it turns us away, not the product: no other would fare better.
    """

    state: str
    trigger: str
    response: str = ""
    retry_after_s: float | None = None
    held: int | None = None
    locked_out: int | None = None

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
    def not_sent(cls, response: str, retry_after_s: float | None = None) -> "Answer":
        return cls(Delivery.PENDING, "not_sent", response[:500], retry_after_s)

    @classmethod
    def shut_out(cls, status: int, response: str) -> "Answer":
        return cls(Delivery.PENDING, "not_sent", response[:500], locked_out=status)

    @classmethod
    def conflict(cls, response: str, held: int | None = None) -> "Answer":
        return cls(Delivery.PENDING, "conflict", response[:500], held=held)

    @classmethod
    def lost(cls, response: str) -> "Answer":
        return cls(Delivery.UNKNOWN, "answer_lost", response[:500])


@dataclass(frozen=True)
class Found:
    """What the target holds for a SKU; targets may keep the generation, the hash, or both."""

    generation: int | None
    payload_hash: str


@dataclass(frozen=True)
class Unclear:
    """The target gave no answer that says anything."""

    response: str


Held = Found | Unclear | None


class Target(Protocol):
    """Answers come in the order of the envelopes, one for each; a target never raises for what the other side does."""

    @property
    def traits(self) -> Traits: ...

    def put(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Answer]:
        """Ends within ``timeout_s``; what could not be begun by then was not sent."""
        ...

    def query(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Held]:
        """What the target holds of these SKUs; None: nothing."""
        ...
