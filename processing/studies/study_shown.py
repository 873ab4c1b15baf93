"""Studies put into words: rows of the list, sections of one study, and a value with why it stands as it does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from catalogsku.core.errors import NotFound
from ingestion.presentation import JOBS, Filter
from processing.studies import standings, studies_seen
from processing.studies.answers import NO, YES
from processing.studies.definition import Definition, Field, Labels
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Record
from processing.studies.presenters import label_of
from processing.studies.standings import Progress, Stand
from processing.studies.studies_seen import Counts, Study, people_behind
from processing.studies.values import CHOSEN, PERSON, RULES, Said, Value, offers_in, values_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

OFFERS_SHOWN = 5  # as many as have a key
# By reason (engine/kinds/proving.py, and "offered" of studies.values).
REASON_WORDS: dict[str, "StrOrPromise"] = {
    "offered": gettext_lazy(
        "The quote is printed and holds the value: whether it answers the question is yours to say"
    ),
    "proved": gettext_lazy("The quote is printed in one place and holds the value"),
    "chosen": gettext_lazy("The quote is printed: whether it says this one of the list is yours to say"),
    "models_differ": gettext_lazy("Two models say different things"),
    "injection_suspected": gettext_lazy("The paper holds text that gives orders to models"),
    "several_places": gettext_lazy("The quote is printed in several places"),
    "quote_approximate": gettext_lazy("The quote is printed with small differences"),
    "value_approximate": gettext_lazy("The quote holds the value with small differences"),
    "value_written_otherwise": gettext_lazy("The quote holds the same amount, written in another way"),
    "quote_bare": gettext_lazy("The quote is numbers alone and does not say of what"),
    "no_value": gettext_lazy("There is no value"),
    "no_quote": gettext_lazy("No quote was given"),
    "quote_not_found": gettext_lazy("The quote is not printed in the paper"),
    "value_not_in_quote": gettext_lazy("The quote is printed but does not hold the value"),
}
VERDICT_WORDS: dict[str, "StrOrPromise"] = {
    "confirmed": gettext_lazy("Confirmed by %(name)s"),
    "corrected": gettext_lazy("Corrected by %(name)s"),
    "not_reported": gettext_lazy("Not reported, says %(name)s"),
}
# Icon and tone of a dot; never the colour alone.
DOTS: dict[Stand, tuple[str, str]] = {
    "proved": ("check", "done"),
    "check": ("dot", "person"),
    "locked": ("lock", "fault"),
    "absent": ("slash", "ink2"),
    "nothing": ("waiting", "ink3"),
}
STAND_WORDS: dict[Stand, "StrOrPromise"] = {
    "proved": pgettext_lazy("value", "Proved"),
    "check": pgettext_lazy("value", "To look at"),
    "locked": pgettext_lazy("value", "Locked until somebody has looked"),
    "absent": pgettext_lazy("value", "Not reported"),
    "nothing": pgettext_lazy("value", "Nothing found"),
}
STATUS: dict[str, tuple["StrOrPromise", str, str]] = {
    RecordStatus.WAITING: (pgettext_lazy("study", "Being read"), "running", "acc"),
    RecordStatus.FOUND: (pgettext_lazy("study", "Being read"), "running", "acc"),
    RecordStatus.REVIEW: (pgettext_lazy("study", "To be reviewed"), "person", "person"),
    RecordStatus.APPROVED: (pgettext_lazy("study", "Approved"), "checks", "done"),
    RecordStatus.REJECTED: (pgettext_lazy("study", "Left out"), "slash", ""),
}
SHOWN_WORDS: dict[str, tuple["StrOrPromise", str, str]] = {
    "all": (pgettext_lazy("studies", "All"), "", ""),
    "machines": (pgettext_lazy("studies", "Being read"), "running", "acc"),
    "open": (pgettext_lazy("studies", "To be reviewed"), "person", "person"),
    "approved": (pgettext_lazy("studies", "Approved"), "checks", "done"),
    "ended": (pgettext_lazy("studies", "Refused or cancelled"), "slash", "ink2"),
}
REPEATS: dict[str, "StrOrPromise"] = {
    "per_arm": pgettext_lazy("parts of a study", "Arms"),
    "per_outcome": pgettext_lazy("parts of a study", "Outcomes"),
}


@dataclass(frozen=True)
class Dot:
    icon: str
    tone: str
    words: str
    stand: Stand


@dataclass(frozen=True)
class Cell:
    dot: Dot
    text: str


@dataclass(frozen=True)
class GridRow:
    job_id: str
    subject: str
    cells: tuple[Cell, ...]
    counts: Counts
    status: tuple["StrOrPromise", str, str]


@dataclass(frozen=True)
class Offer:
    """``number``: its key; ``boxes``: as of FieldRow; ``takes``: it can be the value as it is printed."""

    number: int
    text: str
    quote: str
    page: int
    boxes: str
    words: str
    takes: bool


@dataclass(frozen=True)
class Typed:
    """What a person has there that is not taken, and why not."""

    words: str
    text: str = ""
    quote: str = ""
    page: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class FieldRow:
    """``boxes``: where the quote stands, "page x0 y0 x1 y1" in points, joined by ";". ``seen``: id of the decision that
    is shown; ``stamp``: another one where anything of it is; ``version``: of its record; ``left``: to be decided on;
    ``choices``: (value, label), for a value of a list."""

    record: str
    key: str
    label: str
    unit: str
    type: str
    required: bool
    dot: Dot
    raw: str
    text: str
    quote: str
    page: int
    boxes: str
    words: str
    verdict: str
    seen: int
    may_decide: bool
    offers: tuple[Offer, ...]
    choices: tuple[tuple[str, str], ...]
    typed: Typed | None = None
    stamp: str = ""
    version: int = 0
    left: bool = False

    @property
    def id(self) -> str:
        return f"field-{self.record}-{self.key}"


@dataclass(frozen=True)
class Section:
    """A group of what the study says once, or one arm or outcome. ``address``: its parameters in the address."""

    id: str
    address: str
    title: str
    record: str
    repeat: str
    status: str
    progress: Progress
    is_part: bool
    may_change: bool

    @property
    def left(self) -> bool:
        """People have still to decide on something there."""
        return self.status == RecordStatus.REVIEW and self.progress.decided < self.progress.all


def dot_of(value: Value | None) -> Dot:
    return dot_of_stand(standings.stand_of(value))


def dot_of_stand(stand: Stand) -> Dot:
    icon, tone = DOTS[stand]
    return Dot(icon, tone, str(STAND_WORDS[stand]), stand)


def words_for(labels: Labels) -> str:
    return label_of({"en": labels.en, "zh": labels.zh})


def shown_text(asked: Field, text: str) -> str:
    if asked.type == "choice":
        return next((words_for(choice.labels) for choice in asked.choices if choice.key == text), text)
    if asked.type == "boolean":
        return {YES: pgettext("answer", "Yes"), NO: pgettext("answer", "No")}.get(text, text)
    return text


# --- the list -----------------------------------------------------------------------------------------


def filters(counts: Mapping[str, int]) -> list[Filter]:
    """What was refused or cancelled is there where something was."""
    shown = {key: words for key, words in SHOWN_WORDS.items() if key != "ended" or counts[key]}
    return [Filter(key, str(word), icon, counts[key], tone) for key, (word, icon, tone) in shown.items()]


def status_of(main: Record) -> tuple["StrOrPromise", str, str]:
    """Words, icon and tone. A document that was refused or cancelled says so: nothing more is read of it."""
    status = main.job.status
    if status in studies_seen.ENDED:
        return main.job.get_status_display(), JOBS[status].icon, JOBS[status].tone
    return STATUS[main.status]


def heads(definition: Definition) -> tuple[list[tuple[str, int]], list[tuple[Field, str]]]:
    """Groups of columns with how many each has, and the columns: fields that are said once."""
    groups, columns = [], []
    for group in definition.groups:
        own = [(asked, words_for(asked.labels)) for asked in group.fields if asked.repeat == "none"]
        if own:
            groups.append((words_for(group.labels), len(own)))
            columns += own
    return groups, columns


def grid_row(main: Any, columns: Sequence[tuple[Field, str]], counts: Counts) -> GridRow:
    held = {value.field: value for value in values_in(main.values)}
    cells = []
    for asked, _label in columns:
        value = held.get(asked.key)
        cells.append(Cell(dot_of(value), shown_text(asked, value.text) if value else ""))
    return GridRow(str(main.job.uuid), main.subject, tuple(cells), counts, status_of(main))


# --- one study ----------------------------------------------------------------------------------------


def sections(study: Study, *, may: bool) -> list[Section]:
    """All of them, without rows. ``may``: the person may decide."""
    found = []
    may = may and study.main.status == RecordStatus.REVIEW
    held = {value.field: value for value in values_in(study.main.values)}
    for group in study.definition.groups:
        own = [asked for asked in group.fields if asked.repeat == "none"]
        if own:
            title, address = words_for(group.labels), urlencode({"group": group.key})
            found.append(_section(study.main, own, held, f"group-{group.key}", address, title, may))
    for part in study.parts:
        held = {value.field: value for value in values_in(part.values)}
        address = urlencode({"part": str(part.uuid)})
        found.append(_section(part, study.fields(part.repeat), held, f"part-{part.uuid}", address, part.part, may))
    return found


def _section(
    record: Record, own: Sequence[Field], held: Mapping[str, Value], id_: str, address: str, title: str, may: bool
) -> Section:
    decided = [key for key, value in held.items() if value.verdict]
    progress, is_part = standings.progress_of(own, held, decided), record.repeat != "none"
    may_change = may and is_part and record.status in (RecordStatus.REVIEW, RecordStatus.REJECTED)
    return Section(id_, address, title, str(record.uuid), record.repeat, record.status, progress, is_part, may_change)


def rows_of(study: Study, group: str, part: str, *, may: bool) -> tuple[FieldRow, ...]:
    """Of the group of that key, or of the part of that id. Raises NotFound(not_found)."""
    if part:
        record = study.record(part)
        return field_rows(record, study.fields(record.repeat), may=may)
    own = [one for one in study.definition.groups if one.key == group]
    fields = [asked for asked in own[0].fields if asked.repeat == "none"] if own else []
    if not fields:
        raise NotFound("not_found")
    return field_rows(study.main, fields, may=may)


def field_rows(
    record: Record, fields: Sequence[Field], *, may: bool, typed: Typed | None = None
) -> tuple[FieldRow, ...]:
    """``typed``: of the only field."""
    held = {value.field: value for value in values_in(record.values)}
    people = people_behind([held[asked.key].decision for asked in fields if asked.key in held])
    offers = offers_in(record.offers)
    may_decide = may and record.status == RecordStatus.REVIEW
    return tuple(
        _row(record, asked, held.get(asked.key), offers, people, may_decide=may_decide, typed=typed) for asked in fields
    )


def _row(
    record: Record,
    asked: Field,
    value: Value | None,
    offers: Sequence[Said],
    people: Mapping[int, str],
    *,
    may_decide: bool,
    typed: Typed | None,
) -> FieldRow:
    offered = [_offer(n, one, asked) for n, one in enumerate(_further(asked, value, offers), start=1)]
    said = value or Value(asked.key)
    return FieldRow(
        record=str(record.uuid),
        key=asked.key,
        label=words_for(asked.labels),
        unit="%" if asked.type == "percentage" else asked.unit,
        type=asked.type,
        required=asked.required,
        dot=dot_of(value),
        raw=said.text,
        text=shown_text(asked, said.text),
        quote=said.quote,
        page=said.page,
        boxes=boxes_of(said),
        words=_why(said, people),
        verdict=said.verdict,
        seen=said.decision,
        may_decide=may_decide,
        offers=tuple(offered),
        choices=_choices(asked),
        typed=typed,
        version=record.version,
        left=may_decide and standings.is_left(asked, value),
        stamp=blake2b(msgspec.json.encode([said, offers, may_decide]), digest_size=8).hexdigest(),
    )


def _further(asked: Field, value: Value | None, offers: Sequence[Said]) -> list[Said]:
    """What was offered for the field beside its value, each printed thing once."""
    own: dict[tuple[str, str], Said] = {}
    for one in offers:
        is_value = value is not None and (one.text, one.quote) == (value.text, value.quote)
        if one.field == asked.key and not is_value:
            own.setdefault((one.text, one.quote), one)
    return list(own.values())[:OFFERS_SHOWN]


def offer_taken(record: Record, asked: Field, number: int) -> Said | None:
    """The one that is shown with that key."""
    value = next((one for one in values_in(record.values) if one.field == asked.key), None)
    further = _further(asked, value, offers_in(record.offers))
    return further[number - 1] if 0 < number <= len(further) else None


def _offer(number: int, one: Said, asked: Field) -> Offer:
    words = str(REASON_WORDS.get(one.reason, ""))
    return Offer(number, one.text, one.quote, one.page, boxes_of(one), words, asked.type not in CHOSEN)


def boxes_of(said: Said) -> str:
    boxes = [(spot.page, box) for spot in said.places for box in spot.boxes]
    return ";".join(f"{page} {' '.join(f'{edge:.1f}' for edge in box)}" for page, box in boxes)


def _why(said: Value, people: Mapping[int, str]) -> str:
    """Who has decided, and what the quote proves."""
    words = []
    if said.verdict:
        words.append(str(VERDICT_WORDS[said.verdict]) % {"name": people.get(said.decision, "–")})
    elif said.method not in ("", RULES, PERSON):
        words.append(_("Read by %(name)s") % {"name": said.method})
    proves = said.reason if said.verdict != "not_reported" else ""
    if proves and not (said.verdict == "confirmed" and proves == "offered"):
        words.append(str(REASON_WORDS.get(proves, "")))
    return ". ".join(filter(None, words))


def _choices(asked: Field) -> tuple[tuple[str, str], ...]:
    if asked.type == "choice":
        return tuple((choice.key, words_for(choice.labels)) for choice in asked.choices)
    if asked.type == "boolean":
        return ((YES, shown_text(asked, YES)), (NO, shown_text(asked, NO)))
    return ()


def named_fields(lacking: Sequence[tuple[Record, Field]]) -> list[str]:
    """As people read them: "arm: field"."""
    return [
        _("%(part)s: %(field)s") % {"part": record.part, "field": words_for(asked.labels)}
        if record.part
        else words_for(asked.labels)
        for record, asked in lacking
    ]
