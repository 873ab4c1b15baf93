"""CSV and JSON of studies, a line a value; and what is written of them in any format."""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import msgspec
from django.db.models import QuerySet

from processing.exports.columns import Column
from processing.exports.models import Headings
from processing.exports.tables import STEP_BYTES, neutral_however_split
from processing.studies.columns import Line, Shape, lines_of, shape_of
from processing.studies.consistency import Breach, Part, breaches, checked_fields
from processing.studies.definition import CHECKS, Definition
from processing.studies.models import Record, TemplateVersion
from processing.studies.presenters import CHECK_WORDS
from processing.studies.records import Deciders, checked_part, in_steps
from processing.studies.selectors import definition_in

TABLE_VERSION = "study-table-1.0"
# A number alone runs nowhere, whatever it begins with.
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


@dataclass
class _Study:
    """What checks have to be told of one: a few values, of those that they read."""

    subject: str
    definition: Definition
    parts: list[Part] = field(default_factory=list)


@dataclass
class Selection:
    """Records of one study, or of several by one template. ``rows``: in the order of their documents, each with its
    job. They are gone through once; then ``breaches`` tells which checks do not hold, and ``values`` how many values
    there were."""

    rows: "QuerySet[Record]"
    headings: str = Headings.KEYS
    columns: Sequence[Column] = ()
    values: int = 0
    _definitions: dict[int, Definition] = field(default_factory=dict)
    _studies: dict[int, _Study] = field(default_factory=dict)

    def __post_init__(self) -> None:
        used = self.rows.order_by().values("template_version").distinct()
        for version in TemplateVersion.objects.filter(pk__in=used).order_by("-number"):
            self._definitions[version.pk] = definition_in(version)
        self.shape: Shape = shape_of(self._definitions.values())

    @property
    def for_programs(self) -> bool:
        return self.headings == Headings.KEYS

    def records(self) -> Iterator[tuple[Record, Deciders]]:
        for record, known in in_steps(self.rows):
            self.values += len(record.values)
            definition = self._definitions[record.template_version_id]
            study = self._studies.setdefault(record.job_id, _Study(record.subject, definition))
            if (part := checked_part(record, checked_fields(definition))) is not None:
                study.parts.append(part)
            yield record, known

    def lines(self) -> Iterator[Line]:
        fields = self.shape.fields
        for record, known in self.records():
            yield from lines_of(record, known, fields, self.headings)

    def breaches(self) -> Iterator[tuple[str, Breach]]:
        """(study, check)."""
        for study in self._studies.values():
            yield from ((study.subject, breach) for breach in breaches(study.definition, study.parts))

    def words_of(self, check: str) -> str:
        """In the active language; for programs its name."""
        kind = next(kind for kind in CHECKS if kind.__struct_config__.tag == check)
        return check if self.for_programs else str(CHECK_WORDS[kind])


def write_csv(out: IO[bytes], selection: Selection) -> Iterator[None]:
    """As of products: text is quoted, and nothing in it is run; but numbers stay what they are."""
    out.write(codecs.BOM_UTF8)
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([neutral_however_split(column.heading(selection.headings)) for column in selection.columns])
    for line in selection.lines():
        writer.writerow([_cell(column.of_entry(line)) for column in selection.columns])  # type: ignore[arg-type]
        if lines.tell() >= STEP_BYTES:
            out.write(_taken(lines))
            yield
    out.write(_taken(lines))
    yield


def _cell(value: Any) -> Any:
    is_number = isinstance(value, str) and _NUMBER.fullmatch(value)
    return value if is_number else neutral_however_split(value)


def write_json(out: IO[bytes], selection: Selection) -> Iterator[None]:
    """``{"schema_version", "values": [{column: value}], "checks"}``; a program gets the text as printed."""
    out.write(f'{{"schema_version": "{TABLE_VERSION}", "values": ['.encode())
    names, between = [column.heading(selection.headings) for column in selection.columns], "\n"
    lines = io.StringIO(newline="")
    for line in selection.lines():
        told = [column.of_entry(line) for column in selection.columns]  # type: ignore[arg-type]
        lines.write(between + json.dumps(dict(zip(names, told, strict=True)), ensure_ascii=False))
        between = ",\n"
        if lines.tell() >= STEP_BYTES:
            out.write(_taken(lines))
            yield
    failed = [{"study": subject, **msgspec.to_builtins(breach)} for subject, breach in selection.breaches()]
    lines.write(f'], "checks": {json.dumps(failed, ensure_ascii=False)}}}\n')
    out.write(_taken(lines))
    yield


def _taken(lines: io.StringIO) -> bytes:
    text = lines.getvalue()
    lines.seek(0)
    lines.truncate()
    return text.encode()
