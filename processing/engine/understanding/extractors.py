"""Extractors by page type; one more is added by registering it, the pipeline stays as it is (GR-AGENT)."""

from collections.abc import Callable

import msgspec

from processing.engine.understanding.captions import extract_captions
from processing.engine.understanding.cards import extract_cards
from processing.engine.understanding.draft import Draft, Extraction, merged
from processing.engine.understanding.singles import extract_single
from processing.engine.understanding.tables.extractor import extract_tables, other_tables
from processing.engine.understanding.view import PageView

Extractor = Callable[[PageView], Extraction]
_EXTRACTORS: dict[str, tuple[str, Extractor]] = {}


def register(page_type: str, name: str, extractor: Extractor) -> None:
    """Makes ``extractor`` the one for pages of that type; its name is stored with each result."""
    _EXTRACTORS[page_type] = (name, extractor)


def extract(page_type: str, view: PageView) -> Extraction:
    """What the page type's extractor finds, nothing for a type without one; every table's rows are accounted for."""
    name, extractor = _EXTRACTORS.get(page_type, ("none", _nothing))
    found = extractor(view)
    tallies = (*found.tallies, *other_tables(view.page, {tally.table for tally in found.tallies}, view.suspects))
    continues = found.continues or next((r.continues for r in view.suspects if r.continues), None)
    return msgspec.structs.replace(found, tallies=tallies, extractor=name, continues=continues)


def _nothing(view: PageView) -> Extraction:
    return Extraction()


def table_page(view: PageView) -> Extraction:
    return extract_tables(view.page, view.tables) if view.tables else extract_single(view)


def mixed_page(view: PageView) -> Extraction:
    """Tables first; cards and captions add only what stands elsewhere."""
    tables = extract_tables(view.page, view.tables)
    cards, captions = extract_cards(view), extract_captions(view)
    if len(captions.drafts) > len(cards.drafts):
        cards, captions = captions, cards
    rest = tuple(draft for draft in captions.drafts if not any(_same_place(draft, other) for other in cards.drafts))
    found = merged([tables, cards, Extraction(rest, used=captions.used)], "mixed")
    return found if found.drafts else merged([found, extract_single(view)], "mixed")


def photo_page(view: PageView) -> Extraction:
    captions = extract_captions(view)
    return captions if captions.drafts else extract_single(view)


def _same_place(a: Draft, b: Draft) -> bool:
    return a.anchor[0] < b.box[2] and b.box[0] < a.anchor[2] and a.anchor[1] < b.box[3] and b.box[1] < a.anchor[3]


register("A", "rules.table", table_page)
register("B", "rules.mixed", mixed_page)
register("C", "rules.photo", photo_page)
