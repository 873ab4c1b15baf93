"""What a record holds: one value for a field, and what else was offered for it; pure."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from catalogsku.core.structs import ready
from processing.engine.kinds.candidates import Candidate
from processing.engine.kinds.printed import Place
from processing.engine.kinds.proving import Proof
from processing.studies.definition import Field

RULES = "rules-1"
PERSON = "person"
WITHDRAWN = "withdrawn"  # what a Decision says that takes the last one back
# A value of these is one of a list, which print does not say: what is printed is offered beside it.
CHOSEN: frozenset[str] = frozenset({"choice", "boolean"})

Verdict = Literal["", "confirmed", "corrected", "not_reported"]
Shade = Literal["green", "yellow", "red", ""]


class Spot(msgspec.Struct, frozen=True):
    """``boxes``: one a printed line, points, as in catalogsku.core.box."""

    page: int
    boxes: tuple[tuple[float, float, float, float], ...]


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value for ``field``, as printed in ``quote``. ``page``: that of the quote, from 1; ``places``: where it stands
    there. ``method``: who found it, RULES, PERSON or the name of a model. ``reason``: as in ``engine.kinds.proving``;
    or, where the quote proves it, why a person has to look: ``offered`` (nobody has said that it is what the field
    asks for), ``chosen`` (the quote says which of a list in words of its own), ``models_differ``,
    ``injection_suspected``."""

    field: str
    text: str = ""
    quote: str = ""
    page: int = 0
    places: tuple[Spot, ...] = ()
    method: str = ""
    reason: str = ""


class Value(Said, frozen=True, omit_defaults=True):
    """``grade``: as in ``proving``; empty where a person has said it without a quote. ``verdict``: a person's, empty
    before; ``decision``: id of the Decision that says so."""

    grade: Shade = ""
    verdict: Verdict = ""
    decision: int = 0


def values_in(raw: Any) -> list[Value]:
    return msgspec.convert(raw, ready(list[Value]))


def offers_in(raw: Any) -> list[Said]:
    return msgspec.convert(raw, ready(list[Said]))


def stored(entries: Iterable[Said]) -> list[dict[str, Any]]:
    raw: list[dict[str, Any]] = msgspec.to_builtins(list(entries))
    return raw


def spots(place: Place) -> tuple[Spot, ...]:
    return tuple(Spot(spot.page, tuple(tuple(box) for box in spot.boxes)) for spot in place)  # type: ignore[misc]


def offered(candidate: Candidate) -> Value:
    """No candidate is green: that its quote proves it does not say that it is what was asked for."""
    reason = "offered" if candidate.reason == "proved" else candidate.reason
    place = spots(candidate.places[0]) if candidate.places else ()
    page = place[0].page if place else candidate.page
    return Value(candidate.field, candidate.text, candidate.quote, page, place, RULES, reason, "yellow")


def answered(field: Field, text: str, quote: str, page: int | None, proof: Proof, model: str, doubt: str = "") -> Value:
    """What a model said, as far as its quote proves it. Of a choice the quote says it in words of its own; ``doubt``
    is a reason for which a person looks at what would be proved."""
    reason: str = proof.reason
    grade: Shade = proof.grade
    if grade == "green" and (doubt or field.type in CHOSEN):
        grade, reason = "yellow", doubt or "chosen"
    place = spots(proof.places[0]) if proof.places else ()
    at = place[0].page if place else page or 0
    return Value(field.key, text, quote, at, place, model, reason, grade)


def with_answers(
    held: Sequence[Value], offers: Sequence[Said], answers: Sequence[Value], fields: Sequence[Field]
) -> tuple[list[Value], list[Said]]:
    """Values and offers of a record that models have been asked about: of a field that they answered, their first
    answer is the value, unless a person has decided; what else was said is offered."""
    current = {value.field: value for value in held}
    new, further = [], []
    for field in fields:
        said: list[Said] = [answer for answer in answers if answer.field == field.key]
        value = current.get(field.key)
        if said and not (value and value.verdict):
            said, value = [*said[1:], *([value] if value else [])], said[0]  # type: ignore[assignment]  # answers are Values
        new += [value] if value else []
        told = {value.text} if value else set()
        for one in (*said, *(offer for offer in offers if offer.field == field.key)):
            if one.text not in told:
                told.add(one.text)
                further.append(_plain(one))
    return new, further


def merged(
    values: Sequence[Value], candidates: Sequence[Candidate], fields: Sequence[Field]
) -> tuple[list[Value], list[Said]]:
    """Values and offers of a record whose candidates are these: the likeliest is the value of its field, the others are
    offered; where a person has decided, all are."""
    decided = {value.field: value for value in values if value.verdict}
    new, offers = [], []
    for field in fields:
        said = [offered(candidate) for candidate in candidates if candidate.field == field.key]
        if field.key in decided:
            new.append(decided[field.key])
        elif said and field.type not in CHOSEN:
            new.append(said.pop(0))
        offers += [_plain(value) for value in said]
    return new, offers


def _plain(value: Said) -> Said:
    return Said(value.field, value.text, value.quote, value.page, value.places, value.method, value.reason)


def pages_of(values: Iterable[Said]) -> list[int]:
    return sorted({value.page for value in values if value.page})
