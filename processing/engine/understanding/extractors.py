"""Extractors by page type; one more is added by registering it, the pipeline stays as it is (GR-AGENT).

An extractor finds boundaries (rows, cards, captioned pictures) and then the attributes inside each. Where that gives
nothing, mostly products without identity, or an exception, the page is read in a single pass by every way at once
(TA-T27).
"""

import msgspec

from catalogsku.core.text import squash
from processing.engine.understanding.captions.extractor import extract_captions
from processing.engine.understanding.captions.photo_names import extract_photo_names, photos_tell_more
from processing.engine.understanding.cards.extractor import extract_cards
from processing.engine.understanding.cards.families import extract_families
from processing.engine.understanding.cards.titled_tables import extract_titled_tables, tells_by_titles
from processing.engine.understanding.draft import Draft, Extraction, merged
from processing.engine.understanding.judging.validity import judge_validity
from processing.engine.understanding.lists.extractor import extract_listed, lists_tell_more
from processing.engine.understanding.once import Extractor
from processing.engine.understanding.singles import extract_single
from processing.engine.understanding.strategies import STRATEGIES
from processing.engine.understanding.tables.extractor import extract_tables, merges_of, other_tables
from processing.engine.understanding.view import PageView

SINGLE_PASS = "rules.single"
# Rows that a name over them is given to.
_LEAST_ROWS = 2


def extract(page_type: str, view: PageView) -> Extraction:
    """What the page type's extractor finds, else the single pass; nothing for a type without an extractor.

    Every table's rows are accounted for. Raises what the single pass raises.
    """
    name, extractor = _EXTRACTORS.get(page_type, ("none", _nothing))
    extraction, reason = _tried(extractor, view)
    if reason and extractor is not _nothing:
        name, extraction, reason = _fallen_back(name, extraction, reason, view)
    tallies = (
        *extraction.tallies,
        *other_tables(view.page, {tally.table for tally in extraction.tallies}, view.suspects),
    )
    merges = extraction.merges + merges_of(view.suspects)
    return msgspec.structs.replace(extraction, tallies=tallies, extractor=name, merges=merges, fallback_reason=reason)


def _tried(extractor: Extractor, view: PageView) -> tuple[Extraction, str]:
    """What it finds, and why that is not enough (empty where it is)."""
    try:
        extraction = extractor(view)
    except MemoryError:
        raise  # a limit of the sandbox, no matter of the page's content
    except Exception as error:
        return Extraction(), f"exception:{type(error).__name__}"
    if not extraction.drafts:
        return extraction, "empty_result"
    most = view.config.rules.invalid_share * len(extraction.drafts)
    return extraction, "invalid_ratio_high" if _invalid(extraction) > most else ""


def _invalid(extraction: Extraction) -> int:
    return sum(1 for draft in extraction.drafts if judge_validity(draft.attributes)[0] == "invalid")


def _fallen_back(name: str, first: Extraction, reason: str, view: PageView) -> tuple[str, Extraction, str]:
    """The single pass where it gives more products with identity, else what was found first, with both reasons."""
    second = single_pass(view)
    if len(second.drafts) - _invalid(second) > len(first.drafts) - _invalid(first):
        return SINGLE_PASS, second, reason
    return name, first, reason if first.drafts else f"{reason},single_stage_empty"


def _nothing(view: PageView) -> Extraction:
    return Extraction()


def table_page(view: PageView) -> Extraction:
    return _tables(view) if view.tables else extract_single(view)


def _tables(view: PageView) -> Extraction:
    return extract_tables(view.page, view.tables, view.earlier)


def mixed_page(view: PageView) -> Extraction:
    """Tables first; cards and captions add only what stands elsewhere. Families and headed lists are the whole page."""
    if not view.tables and (families := extract_families(view)).drafts:
        return families
    if tells_by_titles(view, extract_captions(view), extract_cards(view)):
        return extract_titled_tables(view)
    if not view.tables and lists_tell_more(view, extract_captions(view), extract_cards(view), extract_single(view)):
        return extract_listed(view)
    if not view.tables and photos_tell_more(view, extract_captions(view), extract_cards(view), extract_single(view)):
        return extract_photo_names(view)
    extraction = _combined(_tables(view), extract_cards(view), extract_captions(view))
    return extraction if extraction.drafts else merged([extraction, _without_cards(view)], "mixed")


def photo_page(view: PageView) -> Extraction:
    captions = extract_captions(view)
    if photos_tell_more(view, captions, extract_cards(view), extract_single(view)):
        return extract_photo_names(view)
    return captions if captions.drafts else _without_cards(view)


def _without_cards(view: PageView) -> Extraction:
    return next((extraction for strategy in STRATEGIES if (extraction := strategy.extract(view)).drafts), Extraction())


def single_pass(view: PageView) -> Extraction:
    """Every extractor over the whole page, whatever its type; one that raises is left out, unless all do."""
    extractions, errors = [], []
    for extractor in (_tables, extract_cards, extract_captions):
        try:
            extractions.append(extractor(view))
        except MemoryError:
            raise
        except Exception as error:
            extractions.append(Extraction())
            errors.append(error)
    if len(errors) == len(extractions):
        raise errors[0]
    return _combined(*extractions)


def _combined(tables: Extraction, cards: Extraction, captions: Extraction) -> Extraction:
    own = tuple(draft for draft in captions.drafts if not _names_rows(draft, tables))
    captions = msgspec.structs.replace(captions, drafts=own)
    if (len(captions.drafts), captions.values) > (len(cards.drafts), cards.values):
        cards, captions = captions, cards
    rest = tuple(draft for draft in captions.drafts if not any(_same_place(draft, other) for other in cards.drafts))
    return merged([tables, cards, Extraction(rest, used=captions.used)], "mixed")


def _names_rows(draft: Draft, tables: Extraction) -> bool:
    """It is a name alone, which several rows have as theirs."""
    if {"model", "price"} & set(draft.attributes) or "product_name" not in draft.attributes:
        return False
    name = squash(draft.attributes["product_name"].text)
    rows = (row.attributes.get("product_name") for row in tables.drafts if "model" in row.attributes)
    return sum(value is not None and squash(value.text) == name for value in rows) >= _LEAST_ROWS


def _same_place(a: Draft, b: Draft) -> bool:
    return a.anchor[0] < b.box[2] and b.box[0] < a.anchor[2] and a.anchor[1] < b.box[3] and b.box[1] < a.anchor[3]


# By page type: the name that is stored with each result, and what finds the products.
_EXTRACTORS: dict[str, tuple[str, Extractor]] = {
    "A": ("rules.table", table_page),
    "B": ("rules.mixed", mixed_page),
    "C": ("rules.photo", photo_page),
}
