"""Document-wide facts, from the summaries of the pages read for the evaluation; computed once (TA-DOCPASS)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from processing.engine.evaluation.scores import MarginSummary
from processing.engine.result import DocumentFacts, Value
from processing.engine.understanding.units import agreed

_SHARE = 0.2
_LEAST_CODES = 4


def document_facts(summaries: Sequence[MarginSummary], prescan: Mapping[str, object] | None = None) -> DocumentFacts:
    """Running lines, repeated pictures, index pages and units; the same for any order of ``summaries``.

    ``prescan`` may hold ``hash8``, the first 8 digits of the file's SHA-256, for the SKU ids.
    """
    pages = sorted(summaries, key=lambda summary: summary.number)
    hash8 = str((prescan or {}).get("hash8", ""))
    return DocumentFacts(
        running_lines=seen_often((page.lines for page in pages), len(pages)),
        repeated_pictures=_hashes(seen_often((page.picture_hashes for page in pages), len(pages))),
        index_pages=tuple(page.number for page in pages if page.index_like or _repeats_others(page, pages)),
        inherited=_agreed([page.notes for page in pages]),
        hash8=hash8,
    )


def _agreed(notes: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """What pages without products say of all values; nothing where two of them say different things."""
    keys = dict.fromkeys(key for note in notes for key in note)
    values = {key: agreed([note[key] for note in notes if key in note]) for key in keys}
    return {key: value for key, value in values.items() if value is not None}


def seen_often(entries: Iterable[Sequence[str]], pages: int) -> tuple[str, ...]:
    """What stands on a fifth of the pages and on at least three (on both of two, on two of three)."""
    counts = Counter(entry for page in entries for entry in set(page) if entry)
    least = max(3, round(_SHARE * pages)) if pages > 3 else 2
    return tuple(sorted(entry for entry, count in counts.items() if count >= least))


def _hashes(placed: tuple[str, ...]) -> tuple[str, ...]:
    """The hashes alone of pictures that keep their place ("hash@4,19")."""
    return tuple(sorted({entry.split("@", 1)[0] for entry in placed}))


def _repeats_others(page: MarginSummary, pages: Sequence[MarginSummary]) -> bool:
    """Nearly all codes of the page have a page of their own further on: a list of what follows, not products."""
    if len(page.codes) < _LEAST_CODES:
        return False
    sheets = [set(other.codes) for other in pages if other.number > page.number and 0 < len(other.codes) < _LEAST_CODES]
    listed = sum(1 for code in page.codes if any(code in sheet for sheet in sheets))
    return listed * 10 >= len(page.codes) * 8
