"""Which proposal tells the page best, and how likely all that it says is right; both by fitted trees (tests/fit)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from pathlib import Path
from typing import Protocol

import msgspec

from processing.engine.understanding.classifying.classify import classify
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.extractors import extract
from processing.engine.understanding.records.column_roles import is_amount_of_money
from processing.engine.understanding.records.features import all_features, identities
from processing.engine.understanding.records.forest import Forest, unpack
from processing.engine.understanding.records.kinds import kind_of
from processing.engine.understanding.records.propose import NONE, PROPOSERS, RULES, Proposal, propose
from processing.engine.understanding.tables.extractor import other_tables
from processing.engine.understanding.view import PageView

# From here on the rules are not doubted where they found products: in 37 makers' catalogues at first sight these were
# eight pages, with all their products right, and to read them in other ways too takes as long again.
_SURE = 0.9
# Below this the rules are not as sure as they say; above it they know better.
_MORE_LIKELY_WRONG = 0.5
# Of a score: what is no difference, and up to where another reading of the same products is worth a look; of the values
# that it gives: the share that is as good as all.
_HARDLY, _NEAR, _FEW_MORE = 0.05, 0.15, 0.75
WEIGHTS = Path(__file__).parent.parent / "weights" / "records.bin"


class Weights(msgspec.Struct, frozen=True, array_like=True):
    """Packed forests. ``scorer``: of a proposal, how much of the page's truth it tells, about 0 to 1; ``trust``: of the
    chosen one, the probability that the page is right."""

    scorer: bytes
    trust: bytes


@dataclass(frozen=True)
class Choice:
    """What the page tells. ``right``: the probability that nothing of it is missing, false or wrong; None where the
    rules are believed, which have confidences of their own. ``score``: of what
    was chosen; ``proposals``: all that tell of products, with theirs, the highest first. None where the rules are
    beyond doubt."""

    extraction: Extraction
    kind: PageType
    right: float | None = None
    score: float = 0.0
    proposals: tuple[tuple[Proposal, float], ...] = ()


def choose(view: PageView) -> Choice:
    kind = classify(view)
    by_rules = extract(kind.page_type, view)
    if not PROPOSERS.keys() & set(view.config.proposers) or _is_beyond_doubt(kind, by_rules):
        return Choice(by_rules, kind)
    scorer, trust = forests(view.config.weights)
    proposals = propose(view, kind, by_rules)
    rows = all_features(proposals, view)
    scores = scorer.predict(rows)
    products = [identities(proposal) for proposal in proposals.all]
    best = best_of(products, [values_of(proposal) for proposal in proposals.all], scores, rules_at(proposals.all))
    row = trust_row(products, rows, scores, best)
    right = min(1.0, max(0.0, trust.predict([row])[0]))
    proposal = proposals.all[best]
    told = tuple(sorted(zip(proposals.all[1:], scores[1:], strict=True), key=lambda scored: -scored[1]))
    kind = kind_of(proposal, proposals.kind, view)
    detail = {
        "way": proposal.proposer,
        "scores": [
            [proposal.proposer, len(proposal.extraction.drafts), round(score, 3)]
            for proposal, score in zip(proposals.all, scores, strict=True)
        ],
    }
    if proposal.proposer == RULES:
        kind = replace(kind, detail={**kind.detail, "records": detail})
        believed = right if right < _MORE_LIKELY_WRONG else None
        return Choice(_whole(proposal.extraction, view), kind, believed, scores[best], told)
    certain = min(right, proposals.kind.confidence) if proposal.proposer == NONE else _against(scores[best], scores[0])
    kind = replace(kind, confidence=round(certain, 4), detail={**kind.detail, "records": detail})
    return Choice(_whole(proposal.extraction, view), kind, right, scores[best], told)


def _is_beyond_doubt(kind: PageType, extraction: Extraction) -> bool:
    """The rules are sure of products, and no amounts are left that may be their prices."""
    priced = any("price" in draft.attributes or draft.on_request for draft in extraction.drafts)
    amounts = (custom.value for draft in extraction.drafts for custom in draft.custom)
    sure = kind.page_type != "D" and kind.confidence >= _SURE and bool(extraction.drafts)
    return sure and (priced or not any(map(is_amount_of_money, amounts)))


def _against(products: float, none: float) -> float:
    """How sure it is that there are products: what speaks for them, of all that speaks."""
    return max(0.0, products) / max(max(0.0, products) + max(0.0, none), 1e-9)


def _whole(extraction: Extraction, view: PageView) -> Extraction:
    """Every table's rows are accounted for, also those of tables that list no products here."""
    taken = {tally.table for tally in extraction.tallies}
    return msgspec.structs.replace(
        extraction, tallies=(*extraction.tallies, *other_tables(view.page, taken, view.suspects))
    )


class _Proposed(Protocol):
    @property
    def proposer(self) -> str: ...


def rules_at(proposals: Sequence[_Proposed]) -> int:
    """Which proposal is the rules'; where they found nothing, that there is nothing."""
    return next((n for n, proposal in enumerate(proposals) if proposal.proposer == RULES), 0)


def best_of(products: Sequence[frozenset[str]], values: Sequence[float], scores: Sequence[float], rules: int) -> int:
    """The proposal with the highest score; that of the ``rules`` where it is hardly below. What they find is hardly
    ever nothing: where they found products, others may only tell of other ones. Of those that tell of the same products
    the one that gives most of their values, the rules' where others give few more: they know best how these are said.
    """
    best = max(range(1 if rules else 0, len(scores)), key=scores.__getitem__)
    if scores[rules] >= scores[best] - _HARDLY:
        best = rules
    alike = [n for n, own in enumerate(products) if own == products[best] and scores[n] >= scores[best] - _NEAR]
    most = max(values[n] for n in alike)
    if rules in alike and values[rules] >= _FEW_MORE * most:
        return rules
    return max(alike, key=lambda n: (values[n], scores[n]))


def values_of(proposal: Proposal) -> float:
    """How many attributes it gives; prices of several quantities are one more."""
    return float(sum(len(draft.attributes) + bool(draft.tiers) for draft in proposal.extraction.drafts))


def trust_row(
    products: Sequence[frozenset[str]], rows: Sequence[Mapping[str, float]], scores: Sequence[float], best: int
) -> dict[str, float]:
    """What the chosen one is like, and how far it stands from whoever says something else. ``products``: the identities
    that each proposal gives."""
    others = [score for n, score in enumerate(scores) if products[n] != products[best]]
    nearest = max(others, default=0.0)
    return {
        **rows[best],
        "score": scores[best],
        "ahead": scores[best] - nearest,
        "nearest": nearest,
        "none_score": scores[0],
        "same": log(1 + sum(own == products[best] for own in products)),
    }


@lru_cache(maxsize=2)
def forests(weights: bytes) -> tuple[Forest, Forest]:
    """The scorer and the trust of these weights; of those that ship where there are none."""
    packed = msgspec.msgpack.decode(weights or WEIGHTS.read_bytes(), type=Weights)
    return unpack(packed.scorer), unpack(packed.trust)
