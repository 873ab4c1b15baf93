"""A dictionary as a file: CSV with the columns kind, word, means, or JSON as the API has it."""

import csv
import io
import json
from typing import Any

from catalogsku.core.errors import Refused

COLUMNS = ("kind", "word", "means")
BYTES_MOST = 200_000
_NO_TEXT = "\ufeff"


def written(entries: list[dict[str, Any]], kind: str) -> str:
    """``kind``: csv or json."""
    if kind == "json":
        return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    rows.writeheader()
    rows.writerows({**entry, "word": _as_text(entry["word"])} for entry in entries)
    return out.getvalue()


def read(raw: bytes) -> Any:
    """What the file says, unchecked. Raises Refused(dictionary_file): neither of both, or too large."""
    if len(raw) > BYTES_MOST:
        raise Refused("dictionary_file", what=f"> {BYTES_MOST} B")
    try:
        text = raw.decode("utf-8").removeprefix(_NO_TEXT)
        if text.lstrip().startswith("["):
            return json.loads(text)
        rows = list(csv.DictReader(io.StringIO(text), strict=True))
    except (ValueError, RecursionError, csv.Error) as error:
        raise Refused("dictionary_file", what=str(error)[:100]) from None
    if not rows and text.strip() and text.strip().split("\n")[0].strip() != ",".join(COLUMNS):
        raise Refused("dictionary_file", what=text.strip()[:40])
    if any(set(row) != set(COLUMNS) or None in row.values() for row in rows):
        raise Refused("dictionary_file", what=", ".join(COLUMNS))
    return [{**row, "word": _as_typed(row["word"])} for row in rows]


def _as_text(word: str) -> str:
    """What a spreadsheet would take for a formula has an apostrophe before it there."""
    return f"'{word}" if word[:1] in ("=", "+", "-", "@", "'") else word


def _as_typed(word: str) -> str:
    return word[1:] if word[:1] == "'" and word[1:2] in ("=", "+", "-", "@", "'") else word
