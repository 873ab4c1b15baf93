"""What tables of studies hold: a line a value, and the columns of it that every format takes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from processing.exports.columns import Column, Label
from processing.exports.models import Headings
from processing.studies.definition import Definition, Field, Group, Labels
from processing.studies.models import Record
from processing.studies.records import Deciders
from processing.studies.values import Value, values_in


@dataclass(frozen=True)
class Line:
    """A value of a record. ``label``: of its field, in the language of the headings."""

    record: Record
    field: Field
    label: str
    value: Value
    decided_by: str | None


class Shape(NamedTuple):
    """What several versions of a template ask, put together: those fields that a later one has no more come last."""

    groups: tuple[Group, ...]

    @property
    def fields(self) -> dict[str, Field]:
        return {field.key: field for group in self.groups for field in group.fields}


def shape_of(definitions: Iterable[Definition]) -> Shape:
    """``definitions``: the newest first."""
    groups: dict[str, Group] = {}
    fields: dict[str, list[Field]] = {}
    seen: set[tuple[str, str]] = set()
    for definition in definitions:
        for group in definition.groups:
            groups.setdefault(group.key, group)
            for field in group.fields:
                if (field.key, field.repeat) not in seen:
                    seen.add((field.key, field.repeat))
                    fields.setdefault(group.key, []).append(field)
    return Shape(tuple(Group(key, group.labels, tuple(fields.get(key, ()))) for key, group in groups.items()))


def label_in(labels: Labels, key: str, headings: str) -> str:
    """In the language of the headings; for programs the key."""
    if headings == Headings.KEYS:
        return key
    first, second = (labels.zh, labels.en) if headings == Headings.CHINESE else (labels.en, labels.zh)
    return first or second or key


def lines_of(record: Record, known: Deciders, fields: dict[str, Field], headings: str) -> Iterator[Line]:
    """In the order in which the record holds them; a value of a field that nobody asks any more is left out."""
    for value in values_in(record.values):
        field = fields.get(value.field)
        if field is not None:
            decided = known.get(value.decision)
            label = label_in(field.labels, field.key, headings)
            yield Line(record, field, label, value, decided.by if decided else None)


def _column(key: str, label: Label, of_line: Callable[[Line], Any]) -> Column:
    return Column(key, label, label, of_line)  # type: ignore[arg-type]  # the same columns, of another line


COLUMNS: dict[str, Column] = {
    column.key: column
    for column in (
        _column("study", pgettext_lazy("export", "Study"), lambda line: line.record.subject),
        _column("repeat", pgettext_lazy("export", "Repeated"), lambda line: line.record.repeat),
        _column("part", pgettext_lazy("export", "Arm or outcome"), lambda line: line.record.part),
        _column("record_status", _("Status"), lambda line: line.record.status),
        _column("field", pgettext_lazy("export", "Field"), lambda line: line.field.key),
        _column("label", pgettext_lazy("export", "Name of the field"), lambda line: line.label),
        _column("value", pgettext_lazy("export", "Value"), lambda line: line.value.text),
        _column("unit", pgettext_lazy("export", "Unit"), lambda line: line.field.unit),
        _column("quote", pgettext_lazy("export", "Quote"), lambda line: line.value.quote),
        _column("page", _("Page"), lambda line: line.value.page or None),
        _column("grade", pgettext_lazy("export", "Proof"), lambda line: line.value.grade),
        _column("verdict", pgettext_lazy("export", "Verdict"), lambda line: line.value.verdict),
        _column("decided_by", pgettext_lazy("export", "Decided by"), lambda line: line.decided_by),
        _column("job_id", _("Document id"), lambda line: str(line.record.job.uuid)),
    )
}


def columns_of(merchant_id: int) -> dict[str, Column]:
    """The same for every merchant."""
    return COLUMNS
