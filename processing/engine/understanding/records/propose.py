"""Every way in which a page may tell of its products, side by side; which one it does is decided by score.py."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.dedup import without_duplicates
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.records.grid import grids
from processing.engine.understanding.records.repeat import extract_repeat, repeats
from processing.engine.understanding.records.variants import extract_variants
from processing.engine.understanding.view import PageView

NONE, RULES = "none", "rules"


@dataclass(frozen=True)
class Proposal:
    """``proposer``: its family and its reading, "grid.ruled"; "none" for a page without products."""

    proposer: str
    extraction: Extraction

    @property
    def family(self) -> str:
        return self.proposer.split(".")[0]


@dataclass(frozen=True)
class Proposals:
    """The first says that there are none. ``kind``: what the rules take the page for."""

    kind: PageType
    all: tuple[Proposal, ...]


def propose(view: PageView, kind: PageType, by_rules: Extraction) -> Proposals:
    """Beside what the rules take the page for and found on it. A proposer that fails proposes nothing. A page that only
    names what stands on others has none of its own."""
    proposals = [Proposal(NONE, Extraction()), Proposal(RULES, by_rules)]
    more = () if view.is_index else tuple(PROPOSERS[name] for name in view.config.proposers if name in PROPOSERS)
    for proposer in more:
        try:
            proposals += proposer(view)
        except MemoryError:
            raise  # a limit of the sandbox: the page ends its child and is tried again
        except Exception:
            continue
    whole = [_without_duplicates(proposal) for proposal in proposals]
    return Proposals(kind, (whole[0], *(proposal for proposal in whole[1:] if proposal.extraction.drafts)))


def _without_duplicates(proposal: Proposal) -> Proposal:
    drafts, tallies = without_duplicates(proposal.extraction.drafts, proposal.extraction.tallies)
    return Proposal(proposal.proposer, msgspec.structs.replace(proposal.extraction, drafts=drafts, tallies=tallies))


def _grids(view: PageView) -> Iterator[Proposal]:
    return (Proposal(f"grid.{how}", extraction) for how, extraction in grids(view))


def _repeats(view: PageView) -> Iterator[Proposal]:
    yield from (Proposal(f"repeat.{repeat.how}", extract_repeat(repeat, view)) for repeat in repeats(view))
    yield from (Proposal("repeat.variants", extraction) for extraction in extract_variants(view))


PROPOSERS: dict[str, Callable[[PageView], Iterator[Proposal]]] = {"grid": _grids, "repeat": _repeats}
ALL_PROPOSERS = (RULES, *PROPOSERS)
