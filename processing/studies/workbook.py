"""XLSX of studies: a sheet a group of the template, a row a study and part, beside each value its quote and page; and a
sheet of the checks that do not hold.

Rows of all sheets go to temporary files as they come; memory does not grow with their number.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import IO, Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from catalogsku.core.errors import PermanentFailure
from processing.exports.models import Headings
from processing.exports.tables import neutral
from processing.exports.workbook import CELL_CHARACTERS_MAX, CREATED, ROWS_A_STEP, ROWS_MAX
from processing.studies.columns import label_in
from processing.studies.consistency import Breach
from processing.studies.definition import NUMBERS, Field, Group
from processing.studies.models import Record
from processing.studies.tables import Selection
from processing.studies.values import Value, values_in

# Excel's own limits: of a sheet's name, and of digits in a number.
NAME_CHARACTERS_MAX, DIGITS_MAX = 31, 15
COLUMN_CHARACTERS = 18  # wide
# By what a person has said, else by how far the quote proves it.
FILLS = {
    "confirmed": "#A9D08E", "corrected": "#A9D08E", "not_reported": "#D9D9D9",
    "green": "#E2EFDA", "yellow": "#FFF2CC", "red": "#F8CBAD",
}  # fmt: skip
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?")
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f']")


class _Looks:
    """Formats of cells, each made once. Text has Excel's format for text, so that what is typed over it stays text."""

    def __init__(self, book: Workbook) -> None:
        self._book, self._made = book, dict[tuple[str, int], Format]()
        self.head = book.add_format({"bold": True})

    def of(self, fill: str = "", decimals: int | None = None) -> Format:
        """``decimals``: of a number, as many as were printed; None: text."""
        key = (fill, -1 if decimals is None else decimals)
        if key not in self._made:
            shown = "@" if decimals is None else "0" if not decimals else "0." + "0" * decimals
            colour = {"bg_color": FILLS[fill]} if fill else {}
            self._made[key] = self._book.add_format({"num_format": shown, **colour})
        return self._made[key]


class _Sheet:
    """A sheet that is written from top to bottom. Raises PermanentFailure(too_many_rows)."""

    def __init__(self, sheet: Worksheet, looks: _Looks, head: list[str], frozen: int) -> None:
        """``frozen``: so many columns stay in sight, beside the head."""
        self._sheet, self._row = sheet, 0
        sheet.freeze_panes(1, frozen)
        sheet.set_column(0, max(len(head) - 1, 0), COLUMN_CHARACTERS)
        self.write([(name, looks.head) for name in head])

    def write(self, cells: list[tuple[Any, Format]]) -> None:
        if self._row >= ROWS_MAX:
            raise PermanentFailure("too_many_rows")
        for column, (value, look) in enumerate(cells):
            if isinstance(value, str) and value:
                text = neutral(value).replace("\r\n", "\n").replace("\r", "\n")[:CELL_CHARACTERS_MAX]
                self._sheet.write_string(self._row, column, text, look)
            elif value is None or value == "":
                if look.bg_color:
                    self._sheet.write_blank(self._row, column, None, look)
            else:
                self._sheet.write_number(self._row, column, value, look)
        self._row += 1


def write_workbook(out: IO[bytes], selection: Selection) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        book = Workbook(out, {"constant_memory": True, "tmpdir": folder, "use_zip64": True})
        book.set_properties({"created": CREATED})
        looks, taken = _Looks(book), set[str]()

        def add(label: str, head: list[str], frozen: int) -> _Sheet:
            sheet = book.add_worksheet(sheet_name(label, taken))
            opened.callback(lambda: sheet.row_data_fh.close())  # of a workbook that was given up it would stay open
            return _Sheet(sheet, looks, head, frozen)

        with _in_language(selection.headings):  # never over a step, behind which others speak
            groups = [
                (group, add(label_in(group.labels, group.key, selection.headings), *_head(group, selection.headings)))
                for group in selection.shape.groups
            ]
            checks_name = "checks" if selection.for_programs else pgettext("export", "Checks")
            checks = add(checks_name, _checks_head(selection), 1)
            missing = "not_reported" if selection.for_programs else pgettext("verdict", "not reported")
        for number, (record, _known) in enumerate(selection.records(), 1):
            held = {value.field: value for value in values_in(record.values)}
            for group, sheet in groups:
                if any(field.repeat == record.repeat for field in group.fields):
                    sheet.write(_cells(record, group, held, looks, missing))
            if number % ROWS_A_STEP == 0:
                yield
        with _in_language(selection.headings):
            for subject, breach in selection.breaches():
                checks.write([(text, looks.of()) for text in _breach_cells(subject, breach, selection)])
        book.close()
        yield


def sheet_name(label: str, taken: set[str]) -> str:
    """One that Excel takes, and that no other sheet has; ``taken``, in small letters, gets it."""
    plain = " ".join(_NOT_IN_NAMES.sub(" ", neutral(label)).split()) or "-"
    for number in range(1, len(taken) + 2):
        end = f" {number}" if number > 1 else ""
        name = plain[: NAME_CHARACTERS_MAX - len(end)].rstrip() + end
        if name.casefold() not in {*taken, "history"}:
            break
    taken.add(name.casefold())
    return name


def number_of(field: Field, text: str) -> tuple[float, int] | None:
    """The number and its printed decimals, where the text of a number's field is one and nothing else, as a spreadsheet
    shows it again; else None, and it stays text."""
    plain = _NUMBER.fullmatch(text) if field.type in NUMBERS else None
    if plain is None or len(re.sub(r"\D", "", text)) > DIGITS_MAX or (text[0] == "-" and not float(text)):
        return None
    return float(text), len(plain[1] or "")


def _head(group: Group, headings: str) -> tuple[list[str], int]:
    """The names of the columns, and how many of them say of what the row is."""
    repeats = {field.repeat for field in group.fields}
    by_key = headings == Headings.KEYS
    head = ["study" if by_key else pgettext("export", "Study")]
    if repeats != {"none"}:
        head.append("part" if by_key else pgettext("export", "Arm or outcome"))
    named_by = len(head)
    for field in group.fields:
        label = label_in(field.labels, field.key, headings)
        named = f"{label} ({field.unit})" if field.unit and not by_key else label
        beside = [("quote", pgettext("export", "Quote")), ("page", _("Page"))]
        head += [named, *(f"{label}_{key}" if by_key else f"{label}: {word}" for key, word in beside)]
    return head, named_by


def _cells(
    record: Record, group: Group, held: Mapping[str, Value], looks: _Looks, missing: str
) -> list[tuple[str | float | None, Format]]:
    cells: list[tuple[str | float | None, Format]] = [(record.subject, looks.of())]
    if any(field.repeat != "none" for field in group.fields):
        cells.append((record.part, looks.of()))
    for field in group.fields:
        value = held.get(field.key) if field.repeat == record.repeat else None
        if value is None:
            cells += [(None, looks.of())] * 3
            continue
        fill = value.verdict or value.grade
        number = number_of(field, value.text)
        shown = (value.text, looks.of(fill)) if number is None else (number[0], looks.of(fill, number[1]))
        beside = missing if value.verdict == "not_reported" else value.quote
        cells += [shown, (beside, looks.of()), (value.page or None, looks.of("", 0))]
    return cells


def _checks_head(selection: Selection) -> list[str]:
    if selection.for_programs:
        return ["study", "part", "check", "values", "least", "most"]
    return [
        pgettext("export", "Study"),
        pgettext("export", "Arm or outcome"),
        pgettext("export", "Check that does not hold"),
        pgettext("export", "Values"),
        pgettext("export", "At least"),
        pgettext("export", "At most"),
    ]


def _breach_cells(subject: str, breach: Breach, selection: Selection) -> list[Any]:
    fields = selection.shape.fields
    read = []
    for value in breach.values:
        label = label_in(fields[value.field].labels, value.field, selection.headings)
        read.append(f"{value.part}, {label}: {value.text}" if value.part else f"{label}: {value.text}")
    bounds = ["" if bound is None else f"{bound:g}" for bound in (breach.least, breach.most)]
    return [subject, breach.part, selection.words_of(breach.check), "; ".join(read), *bounds]


def _in_language(headings: str) -> Any:
    return translation.override(headings if headings != Headings.KEYS else Headings.ENGLISH)
