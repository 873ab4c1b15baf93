"""Pages with their proposals, and how much of the truth each proposal tells."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.page import ParsedPage
from processing.engine.quality.lenient import judge_counted, match_counted
from processing.engine.quality.match import match_page
from processing.engine.quality.truth import TruthSku
from processing.engine.quality.values import judge_values
from processing.engine.result import DocumentFacts
from processing.engine.understanding.classifying.classify import classify
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.extractors import extract
from processing.engine.understanding.judging.validity import to_sku
from processing.engine.understanding.records.features import all_features, identities
from processing.engine.understanding.records.propose import ALL_PROPOSERS, propose
from processing.engine.understanding.records.score import values_of
from processing.engine.understanding.told_by_names import with_values_of_names
from processing.engine.understanding.upright import upright
from processing.engine.understanding.view import PageView
from processing.quality.services.golden_sets import find_golden
from processing.quality.services.measuring import read_golden

# Of what a proposal is worth, the share of its products' values; the rest is their F1.
_VALUES = 0.3


@dataclass(frozen=True)
class Option:
    """One proposal. ``worth``: 0 to 1; ``right``: nothing missing, false or wrong. ``products``: their identities;
    ``values``: how many it gives."""

    proposer: str
    features: dict[str, float]
    worth: float
    right: bool
    products: frozenset[str]
    values: float


@dataclass(frozen=True)
class Example:
    maker: str
    page_number: int
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Page:
    maker: str
    page: ParsedPage
    earlier: tuple[ParsedPage, ...]
    facts: DocumentFacts
    wanted: tuple[TruthSku, ...]
    counted: bool


def pages_of(folder: Path, keep: Path, corpus: Path | None = None) -> Iterator[Page]:
    """Judged pages of a golden set that are not blank, read or taken from ``keep``."""
    golden, _ = find_golden([folder], corpus, [])
    for file in golden:
        read = read_golden(file, keep)
        for one in file.truth.pages:
            n = one.page_number
            if n in read.pages:
                earlier = tuple(read.pages[m] for m in range(n - LOOK_BACK_PAGES, n) if m in read.pages)
                yield Page(file.maker, read.pages[n], earlier, read.facts, file.truth.skus_of(n), file.truth.counted)


def examples(pages: Sequence[Page], processes: int = os.cpu_count() or 1) -> list[Example]:
    """In the order of the pages."""
    with get_context("fork").Pool(processes) as pool:
        return pool.map(_example, pages, chunksize=4)


def _example(given: Page) -> Example:
    seen = upright(given.page, given.earlier, given.facts)
    view = PageView(seen.page, seen.earlier, seen.facts, AnalystConfig(proposers=ALL_PROPOSERS))
    kind = classify(view)
    found = propose(view, kind, extract(kind.page_type, view))
    rows = all_features(found, view)
    options = tuple(
        Option(one.proposer, dict(row), *_worth(given, one.extraction.drafts), identities(one), values_of(one))
        for one, row in zip(found.all, rows, strict=True)
    )
    return Example(given.maker, given.page.number, options)


def _worth(given: Page, drafts: Sequence[Draft]) -> tuple[float, bool]:
    """What a proposal is worth to the page, and whether it is right in all; judged as `manage.py evaluate` does."""
    match, judge = (match_counted, judge_counted) if given.counted else (match_page, judge_values)
    wanted, skus = given.wanted, [to_sku(draft, (), 1.0) for draft in with_values_of_names(drafts)]
    if not wanted and not skus:
        return 1.0, True
    pairs = match(wanted, skus)
    f1 = 2 * len(pairs) / (len(wanted) + len(skus))
    verdicts = [judge(wanted[pair.truth], skus[pair.sku]) for pair in pairs]
    asked = sum(verdict.asked + sum(slip.kind == "extra" for slip in verdict.slips) for verdict in verdicts)
    values = sum(verdict.right for verdict in verdicts) / asked if asked else 1.0
    right = f1 == 1.0 and not any(verdict.slips for verdict in verdicts)
    return f1 * (1 - _VALUES + _VALUES * values), right
