"""Acceptance sampling: how many of the pages that machines would pass over people look at, document by document.

That a page shows no product is a claim that nobody sees refuted, and its confidence is that of a page among all pages;
whether machines can read *this* document shows only where somebody looks. So its least certain claims are checked, and
further ones as long as a check finds them wrong: sequential sampling, as of a supplier's lots. Pure.

On 281 pages of 113 makers that nothing was fitted on, 80 of them skipped unseen, it finds 15 of the 19 with products by
29 checks in vain; of 374 pages of known makers, none of which was lost, 9 were checked (docs/quality.md).
"""

from typing import NamedTuple

# What a profile may say otherwise: pages of each document that are looked at, and the confidence below which one is.
CHECKED_FIRST, DOUBTFUL_BELOW = 2, 0.95
# The reason that people are told.
SKIP_DOUBTFUL = "skip_doubtful"
# A check has refuted the machines where at least one in so many of its pages has products.
_REFUTED_BY_ONE_IN = 3


class Claims(NamedTuple):
    """Pages of one document that machines took for pages without products, by what people have said of them.

    ``confirmed`` and ``refuted``: looked at; ``waiting``: with people now; ``doubtful``: passed over so far, with a
    confidence that is not high enough to leave it at that.
    """

    confirmed: int = 0
    refuted: int = 0
    waiting: int = 0
    doubtful: int = 0


def checks_due(claims: Claims, first: int) -> int:
    """How many of the doubtful pages people are to look at now, the least certain ones first.

    ``first``: pages of each document that are looked at in any case, 0 for none. After them as many again as were
    looked at, once all of those are done, while they keep being wrong.
    """
    looked_at = claims.confirmed + claims.refuted
    if not first:
        return 0
    if looked_at + claims.waiting < first:
        return min(claims.doubtful, first - looked_at - claims.waiting)
    if claims.waiting or claims.refuted * _REFUTED_BY_ONE_IN < looked_at:
        return 0
    return min(claims.doubtful, looked_at)
