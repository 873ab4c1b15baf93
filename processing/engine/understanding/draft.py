"""What an extractor gives for one product, before validity, order and binding."""

import msgspec

from catalogsku.core.box import Box
from processing.engine.result import Blocker, CustomValue, RowTally, TableMerge, Value


class Draft(msgspec.Struct, frozen=True):
    """A product as an extractor saw it.

    ``box``: everything that belongs to it. ``anchor``: its text, from which pictures are measured. ``contexts``: the
    label of each attribute, where units and currencies may stand. ``confidence``: of the way it was found.
    ``tiers``: label and amount of each of several price columns.
    ``picture``: the picture that it captions, by the side on which the page's captions stand.
    ``told_pictures``: ids of those that a model says show it, the whole product first.
    ``seen_twice``: rules and a model give it the same values and no other.
    ``section``: the section row of its table under which it stands.
    ``on_request``: the words that stand for a price which is only given when asked for.
    ``units``: of ``size`` and ``weight``, where they are printed once for many values (units.py).
    """

    box: Box
    anchor: Box
    attributes: dict[str, Value]
    custom: tuple[CustomValue, ...] = ()
    contexts: dict[str, str] = {}
    confidence: float = 0.5
    table: str = ""
    row: int = -1
    price_unclear: bool = False
    tiers: tuple[tuple[str, str], ...] = ()
    picture: Box | None = None
    on_request: Value | None = None
    units: dict[str, Value] = {}
    section: Value | None = None
    told_pictures: tuple[str, ...] = ()
    seen_twice: bool = False


class Extraction(msgspec.Struct, frozen=True):
    """All that one extractor found on a page. ``used``: boxes whose text it has accounted for.

    ``fallback_reason``: why the page type's extractor was not enough: empty_result, invalid_ratio_high or
    exception:NAME, then single_stage_empty where the single pass found nothing either; empty where it was.
    """

    drafts: tuple[Draft, ...] = ()
    tallies: tuple[RowTally, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    used: tuple[Box, ...] = ()
    merges: tuple[TableMerge, ...] = ()
    extractor: str = ""
    fallback_reason: str = ""

    @property
    def values(self) -> int:
        """How many attributes its products have together."""
        return sum(len(draft.attributes) for draft in self.drafts)


def merged(extractions: list[Extraction], extractor: str) -> Extraction:
    """Several extractors' findings as one page's."""
    return Extraction(
        drafts=tuple(draft for extraction in extractions for draft in extraction.drafts),
        tallies=tuple(tally for extraction in extractions for tally in extraction.tallies),
        blockers=tuple(blocker for extraction in extractions for blocker in extraction.blockers),
        used=tuple(box for extraction in extractions for box in extraction.used),
        merges=tuple(merge for extraction in extractions for merge in extraction.merges),
        extractor=extractor,
    )
