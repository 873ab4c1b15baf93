"""What was not chosen and tells of further products: offered to whoever looks at the page, never taken by itself."""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from catalogsku.core.box import overlap_ratio
from catalogsku.core.text import squash
from processing.engine.result import Alternative, Sku
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.records.features import identities
from processing.engine.understanding.records.propose import Proposal
from processing.engine.understanding.records.score import Choice

# Of a page; of one: its products, and the bytes of its JSON.
MOST, MOST_SKUS, MOST_BYTES = 2, 200, 250_000
# Scores from which on a proposal is worth a look: of one beside no products, and beside products as a share of what was
# chosen, of which it must tell so much too. On 55 pages of 26 public makers that the weights had not seen, 189 of 357
# missed products are offered so, with 135 false ones, and 185 with 218 without these limits; on pages that are read
# well four times as many false ones would be offered.
_LEAST, _BESIDE, _SHARED = 0.1, 0.6, 0.5
# Two boxes are one product's place from this share of both on.
_SAME_PLACE = 0.5

Taken = Callable[[Proposal], tuple[PageType, Sequence[Sku]]]


def best_of(skus: Sequence[Sku], choice: Choice, taken: Taken) -> tuple[Alternative, ...]:
    """At most two of different proposers, the best first, each of products that ``skus``, what was read, lacks; the
    second tells of some that the first lacks too.

    ``taken``: what becomes of a proposal where it is taken; one that fails in it or is too large is passed over."""
    names, found = _names(skus), list[Alternative]()
    least = _BESIDE * choice.score if skus else _LEAST
    for proposal, score in choice.proposals:
        if len(found) == MOST or score < least:
            break
        if proposal.proposer in {one.proposer for one in found} or not identities(proposal) - names:
            continue
        try:
            kind, own = taken(proposal)
        except MemoryError:
            raise  # a limit of the sandbox: the page ends its child and is tried again
        except Exception:
            continue
        more = _with_free_pictures(further(own, skus), skus)
        one = Alternative(proposal.proposer, round(score, 3), kind.page_type, kind.layout, more)
        if _names(more) - names and _tells(own, skus) and _fits(one):
            found.append(one)
            names |= _names(more)
    return tuple(found)


def further(skus: Sequence[Sku], known: Sequence[Sku]) -> tuple[Sku, ...]:
    """Those that have a code or name which none of ``known`` has, and stand at a place of their own."""
    names = _names(known)
    return tuple(
        sku
        for sku in skus
        if sku.identity
        and squash(sku.identity) not in names
        and not any(overlap_ratio(sku.box, other.box) >= _SAME_PLACE for other in known)
    )


def _with_free_pictures(more: Sequence[Sku], skus: Sequence[Sku]) -> tuple[Sku, ...]:
    """Without pictures that one of the products that were read has for itself."""
    bound = Counter(binding.picture for sku in skus for binding in sku.bindings)
    return tuple(
        msgspec.structs.replace(sku, bindings=tuple(one for one in sku.bindings if bound[one.picture] != 1))
        for sku in more
    )


def _tells(own: Sequence[Sku], skus: Sequence[Sku]) -> bool:
    """Of most of what was read."""
    return len(further(skus, own)) <= (1 - _SHARED) * len(skus)


def _fits(one: Alternative) -> bool:
    return len(one.skus) <= MOST_SKUS and len(msgspec.json.encode(one)) <= MOST_BYTES


def _names(skus: Sequence[Sku]) -> set[str]:
    return {squash(sku.identity) for sku in skus if sku.identity}
