"""What the screen of figures shows, for spreadsheets and programs: the same points, categories and operations."""

import codecs
import csv
import io
from collections.abc import Iterator
from typing import Any

from annotation.figures.presenters import TODAY, Shown
from annotation.figures.sums import COUNTED, MICRO, SHARES, Sums
from processing.exports.tables import neutral_however_split

COLUMNS = (*(name for name in COUNTED if name != "cost_micro"), *SHARES)


def values_of(sums: Sums) -> dict[str, Any]:
    """By COLUMNS; a share is None where there is nothing that it would be a share of."""
    return {name: _rounded(getattr(sums, name)) for name in COLUMNS}


def _rounded(value: float | None) -> float | None:
    return round(value, 6) if isinstance(value, float) else value


def points_of(shown: Shown) -> Iterator[tuple[str, Sums]]:
    """By when each begins: a day, or (today) an hour."""
    for point in shown.points:
        yield (f"{point.begins}T{point.name}" if shown.range == TODAY else str(point.begins)), point.sums


def csv_of(shown: Shown) -> bytes:
    """``by``: time, category or operation; ``of``: which one. Of an operation only the cost is known."""
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["by", "of", *COLUMNS])
    parts = [("time", of, sums) for of, sums in points_of(shown)]
    parts += [("category", of, sums) for of, sums in shown.categories.items() if not sums.is_nothing]
    for by, of, sums in parts:
        writer.writerow([by, neutral_however_split(of), *values_of(sums).values()])
    for operation, micro in shown.operations.items():
        cost = {"cost_usd": micro / MICRO}
        writer.writerow(["operation", neutral_however_split(operation), *(cost.get(name, "") for name in COLUMNS)])
    return codecs.BOM_UTF8 + lines.getvalue().encode()
