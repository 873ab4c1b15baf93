"""What rules offer for the fields of a trial, without any model: each value with its quote, and whether that holds it.

Rules offer and do not decide: that a quote stands in the paper says where a value was taken from, and not that it is
the one that was asked for. No candidate is green; a person or a model takes one or another.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from processing.engine.kinds.outcomes import Arm, Outcome, facts_of, outcomes_of
from processing.engine.kinds.paper_tables import tables_of
from processing.engine.kinds.printed import Place, PrintedText
from processing.engine.kinds.proving import prove
from processing.engine.kinds.statements import statements_of
from processing.engine.page import ParsedPage

# Of one field and part: a person reads no more.
MOST_OF_A_FIELD = 5
# Outcomes of a paper: a large one has some hundred rows of tables.
MOST_OUTCOMES = 200
_CONTROL = re.compile(
    r"placebo|\bcontrols?\b|usual|standard|sham|conventional|no (?:treatment|intervention)|wait", re.IGNORECASE
)
# What one table says behind an arm's name and another one leaves out.
_GROUP = re.compile(r"(?<=\S)\s+(?:group|arm)$", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """``field``: a key of the shipped templates. ``repeat``: as of fields in a template; ``part``: the arm's or
    outcome's name, empty for what is said once.
    ``text`` as printed in ``quote``; ``places``: where that stands, ``reason`` as in ``proving``."""

    field: str
    repeat: str
    part: str
    text: str
    quote: str
    page: int
    reason: str
    places: tuple[Place, ...]


def candidates_of(pages: Sequence[ParsedPage]) -> list[Candidate]:
    """In the order of statements, arms and outcomes; of one field and part the likeliest first. What its quote does not
    hold in print (red) is left out."""
    printed = PrintedText(pages)
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for field, repeat, part, text, quote, page in _offers(pages):
        if counts[field, part] >= MOST_OF_A_FIELD:
            continue
        proof = prove(printed, text, quote, page)
        if proof.grade != "red":
            counts[field, part] += 1
            found.append(Candidate(field, repeat, part, text, quote, page, proof.reason, proof.places))
    return found


_Offer = tuple[str, str, str, str, str, int]


def _offers(pages: Sequence[ParsedPage]) -> Iterator[_Offer]:
    told: set[tuple[str, str]] = set()
    for said in statements_of(pages):
        if (said.field, said.text) not in told:
            told.add((said.field, said.text))
            yield said.field, "none", "", said.text, said.quote, said.page
    tables = [table for page in pages for table in tables_of(page)]
    named: dict[str, str] = {}
    for fact in facts_of(tables):
        part = named.setdefault(_GROUP.sub("", fact.arm.label).casefold(), fact.arm.label)
        if fact.field != "arm_name" or part == fact.arm.label:
            yield fact.field, "per_arm", part, fact.text, fact.quote, fact.page
    outcomes = [outcome for table in tables for outcome in outcomes_of(table)]
    for outcome in outcomes[:MOST_OUTCOMES]:
        yield from _of_outcome(outcome)


def _of_outcome(outcome: Outcome) -> Iterator[_Offer]:
    """Of two arms one is the control by its name; of others nothing says which two are compared."""
    (first, one), (second, other), *more = outcome.figures
    sides = _sides(first, second)
    if more or sides is None or one.kind != other.kind:
        return
    yield "outcome_name", "per_outcome", outcome.name, outcome.label, one.quote, outcome.page
    for side, (arm, figure) in zip(sides, ((first, one), (second, other)), strict=True):
        keys = ("events", "total") if figure.kind == "events" else ("mean", "sd")
        yield f"{keys[0]}_{side}", "per_outcome", outcome.name, figure.first, figure.quote, outcome.page
        if figure.kind == "mean" or figure.second != arm.size:
            yield f"{keys[1]}_{side}", "per_outcome", outcome.name, figure.second, figure.quote, outcome.page
    for effect in outcome.effects:
        yield f"{effect.measure}_value", "per_outcome", outcome.name, effect.value, one.quote, outcome.page
        yield f"{effect.measure}_interval", "per_outcome", outcome.name, effect.interval, one.quote, outcome.page


def _sides(first: Arm, second: Arm) -> tuple[str, str] | None:
    controls = [bool(_CONTROL.search(arm.label)) for arm in (first, second)]
    if controls == [False, True]:
        return "treatment", "control"
    return ("control", "treatment") if controls == [True, False] else None
