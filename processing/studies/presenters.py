"""Templates put into words of the reader's language: fields, checks, and the part that is being worked on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language, gettext, pgettext_lazy

from processing.llm.presenters import code_word
from processing.studies import drafting
from processing.studies.definition import (
    CHECKS,
    PARTS,
    ArmsSumToTotal,
    Between,
    EventsAtMostTotal,
    Fault,
    IntervalHoldsEstimate,
)
from processing.studies.drafting import Draft, NotThere
from processing.studies.faults import words_of
from processing.studies.models import Template
from processing.studies.selectors import templates_to_begin_with

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TYPE_WORDS: dict[str, "StrOrPromise"] = {
    "text": pgettext_lazy("type of field", "Text"),
    "number": pgettext_lazy("type of field", "Number"),
    "integer": pgettext_lazy("type of field", "Whole number"),
    "percentage": pgettext_lazy("type of field", "Percentage"),
    "interval": pgettext_lazy("type of field", "Interval"),
    "choice": pgettext_lazy("type of field", "Choice"),
    "boolean": pgettext_lazy("type of field", "Yes or no"),
    "date": pgettext_lazy("type of field", "Date"),
}
REPEAT_WORDS: dict[str, "StrOrPromise"] = {
    "none": pgettext_lazy("repetition", "once"),
    "per_arm": pgettext_lazy("repetition", "for each arm"),
    "per_outcome": pgettext_lazy("repetition", "for each outcome"),
}
CHECK_WORDS: dict[Any, "StrOrPromise"] = {
    IntervalHoldsEstimate: pgettext_lazy("check", "The estimate lies in its interval"),
    EventsAtMostTotal: pgettext_lazy("check", "No more events than people"),
    ArmsSumToTotal: pgettext_lazy("check", "The arms add up to the total"),
    Between: pgettext_lazy("check", "The value lies between two bounds"),
}
PART_WORDS: dict[str, "StrOrPromise"] = {
    "interval": pgettext_lazy("part of a check", "Interval"),
    "estimate": pgettext_lazy("part of a check", "Estimate"),
    "events": pgettext_lazy("part of a check", "Events"),
    "total": pgettext_lazy("part of a check", "Total"),
    "arms": pgettext_lazy("part of a check", "Counted in each arm"),
    "field": pgettext_lazy("part of a check", "Field"),
}


@dataclass(frozen=True)
class Row:
    """A group, field or check in the outline. ``facts``: type and repetition of a field; what a check is about."""

    at: str
    label: str
    key: str = ""
    facts: tuple[str, ...] = ()
    unit: str = ""
    required: bool = False
    instruction: str = ""
    is_open: bool = False
    has_fault: bool = False
    rows: tuple["Row", ...] = ()


@dataclass(frozen=True)
class Told:
    """A fault with the name of the part that it is in, and where that is."""

    at: str
    about: str
    words: str


@dataclass(frozen=True)
class Input:
    """A field of a check: what it may be about."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...]
    error: str = ""


@dataclass(frozen=True)
class Spot:
    """The part that is worked on. ``errors``: by input; "itself": of the part as a whole."""

    at: str
    kind: str
    typed: Mapping[str, Any]
    errors: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()


def name_of(template: Template) -> str:
    is_chinese = (get_language() or "").startswith("zh")
    return template.name_zh if is_chinese and template.name_zh else template.name


def templates_offered(merchant_id: int) -> list[tuple[str, str]]:
    """(key, name) of those that a document of the merchant may begin with."""
    return [(template.key, name_of(template)) for template in templates_to_begin_with(merchant_id)]


def who_was_asked(asked: Sequence[Mapping[str, Any]]) -> str:
    """In a line: the models that answered, and why others did not; empty where none was asked. ``asked``: as a record
    keeps it."""
    names = ", ".join(dict.fromkeys(one["model"] for one in asked if one["model"]))
    reasons = ", ".join(dict.fromkeys(code_word(one["code"]) for one in asked if one["code"]))
    if names and reasons:
        return gettext("Answered by %(names)s; some questions were not: %(why)s") % {"names": names, "why": reasons}
    if names:
        return gettext("Answered by %(names)s") % {"names": names}
    return gettext("No model has answered: %(why)s") % {"why": reasons} if reasons else ""


def label_of(labels: Mapping[str, str]) -> str:
    first, second = ("zh", "en") if (get_language() or "").startswith("zh") else ("en", "zh")
    return labels.get(first) or labels.get(second) or gettext("without a name")


def groups_in(draft: Draft, at: str = "", faults: Sequence[Fault] = ()) -> list[Row]:
    """``at``: the part that is open."""
    wrong = {drafting.owner_of(fault.path) for fault in faults}
    groups = []
    for n, group in enumerate(draft["groups"]):
        here = f"groups.{n}"
        fields = tuple(
            Row(
                place := f"{here}.fields.{m}",
                label_of(one["labels"]),
                one["key"],
                _facts(one),
                unit=one.get("unit", ""),
                required=bool(one.get("required")),
                instruction=one.get("instruction", ""),
                is_open=place == at,
                has_fault=place in wrong,
            )
            for m, one in enumerate(group["fields"])
        )
        groups.append(
            Row(
                here,
                label_of(group["labels"]),
                group["key"],
                is_open=here == at,
                has_fault=here in wrong,
                rows=fields,
            )
        )
    return groups


def checks_in(draft: Draft, at: str = "", faults: Sequence[Fault] = ()) -> list[Row]:
    wrong = {drafting.owner_of(fault.path) for fault in faults}
    rows = []
    for n, check in enumerate(draft["checks"]):
        here, kind = f"checks.{n}", drafting.kind_of(check)
        about = [_label_of_key(draft, check[name]) for name in PARTS[kind]]
        if kind is Between:
            typed = drafting.typed_of(draft, here)
            about.append(f"{typed.get('least', '')} … {typed.get('most', '')}".strip())
        rows.append(Row(here, str(CHECK_WORDS[kind]), "", tuple(about), is_open=here == at, has_fault=here in wrong))
    return rows


def told(draft: Draft, faults: Sequence[Fault]) -> list[Told]:
    rows = {row.at: row for group in groups_in(draft) for row in (group, *group.rows)}
    rows |= {row.at: row for row in checks_in(draft)}
    found = []
    for fault in faults:
        at = drafting.owner_of(fault.path)
        found.append(Told(at, rows[at].label if at in rows else "", words_of(fault)))
    return found


def spot(draft: Draft, at: str, faults: Sequence[Fault] = ()) -> Spot | None:
    """None where there is no such part."""
    try:
        part, typed = drafting.part_at(draft, at), drafting.typed_of(draft, at)
    except NotThere:
        return None
    errors: dict[str, str] = {}
    for fault in faults:
        if drafting.owner_of(fault.path) != at:
            continue
        name, line = drafting.input_of(at, fault.path)
        words = gettext("Line %(n)s: %(words)s") % {"n": line, "words": words_of(fault)} if line else words_of(fault)
        errors.setdefault(name or "itself", words)
    kind = "check" if at.startswith("checks.") else "field" if ".fields." in at else "group"
    inputs = _inputs(draft, part, errors) if kind == "check" else ()
    return Spot(at, kind, typed, errors, inputs)


def _inputs(draft: Draft, part: Mapping[str, Any], errors: Mapping[str, str]) -> tuple[Input, ...]:
    fields = [one for group in draft["groups"] for one in group["fields"]]
    inputs = []
    for name, needed in PARTS[drafting.kind_of(part)].items():
        fitting = [
            (one["key"], label_of(one["labels"]))
            for one in fields
            if one.get("type", "text") in needed.types and one.get("repeat", "none") in needed.repeats
        ]
        value = part[name]
        if value and value not in dict(fitting):
            fitting.append((value, value))
        inputs.append(Input(name, str(PART_WORDS[name]), value, tuple(fitting), errors.get(name, "")))
    return tuple(inputs)


def _facts(one: Mapping[str, Any]) -> tuple[str, ...]:
    repeat = one.get("repeat", "none")
    facts = [str(TYPE_WORDS[one.get("type", "text")])]
    return tuple(facts if repeat == "none" else [*facts, str(REPEAT_WORDS[repeat])])


def _label_of_key(draft: Draft, key: str) -> str:
    labels = (one["labels"] for group in draft["groups"] for one in group["fields"] if key and one["key"] == key)
    return next((label_of(found) for found in labels), "–")


def kinds_of_checks() -> list[tuple[str, str]]:
    """(what adds one, words)."""
    return [(f"checks.{kind.__struct_config__.tag}", str(CHECK_WORDS[kind])) for kind in CHECKS]
