"""One product found twice on a page becomes one SKU, when nothing printed speaks against it."""

import msgspec

from catalogsku.core.text import squash
from processing.engine.result import RowTally
from processing.engine.understanding.draft import Draft


def without_duplicates(
    drafts: tuple[Draft, ...], tallies: tuple[RowTally, ...]
) -> tuple[tuple[Draft, ...], tuple[RowTally, ...]]:
    """The drafts, later repetitions folded into the first; a table's tally counts a folded row as merged."""
    unique: list[Draft] = []
    folded: dict[str, int] = {}
    for draft in drafts:
        place = next((n for n, other in enumerate(unique) if _same(other, draft)), None)
        if place is None:
            unique.append(draft)
            continue
        unique[place] = _joined(unique[place], draft)
        if draft.table:
            folded[draft.table] = folded.get(draft.table, 0) + 1
    return tuple(unique), tuple(_recount(tally, folded.get(tally.table, 0)) for tally in tallies)


def _same(a: Draft, b: Draft) -> bool:
    if "model" not in a.attributes or "model" not in b.attributes or _text(a, "model") != _text(b, "model"):
        return False
    if a.table and a.table == b.table and set(a.attributes) != set(b.attributes):
        return False
    shared = set(a.attributes) & set(b.attributes)
    if any(_text(a, key) != _text(b, key) for key in shared):
        return False
    if any("price" in priced.attributes and other.on_request for priced, other in ((a, b), (b, a))):
        return False
    customs = {squash(custom.name): squash(custom.value) for custom in a.custom}
    return all(customs.get(squash(c.name), squash(c.value)) == squash(c.value) for c in b.custom)


def _text(draft: Draft, key: str) -> str:
    return squash(draft.attributes[key].text)


def _joined(first: Draft, second: Draft) -> Draft:
    """The first with what only the second prints."""
    names = {squash(custom.name) for custom in first.custom}
    return msgspec.structs.replace(
        first,
        attributes={**second.attributes, **first.attributes},
        custom=(*first.custom, *(custom for custom in second.custom if squash(custom.name) not in names)),
        contexts={**second.contexts, **first.contexts},
        confidence=max(first.confidence, second.confidence),
        picture=first.picture or second.picture,
        on_request=first.on_request or second.on_request,
    )


def _recount(tally: RowTally, folded: int) -> RowTally:
    if not folded:
        return tally
    return RowTally(
        tally.table, tally.rows, tally.skus - folded, tally.merged + folded, tally.ignored, tally.unresolved
    )
