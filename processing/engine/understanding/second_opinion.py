"""A page that the first analyst is not sure of is shown to a second one before a person gets it (GR-2ND)."""

from collections import Counter

import msgspec

from catalogsku.core.text import squash
from processing.engine.result import Blocker, Opinion, PageResult, Sku


def is_wanted(result: PageResult, below: float) -> bool:
    return result.confidence < below


def with_opinion(result: PageResult, other: PageResult) -> PageResult:
    """The first result with what the second one says of it.

    Where both agree on the type and on every product, doubt in the whole page is lifted; every other blocker stays.
    Where they differ, a blocker says so.
    """
    opinion = compare(result, other)
    if opinion.agrees:
        blockers = tuple(blocker for blocker in result.blockers if blocker.code != "low_confidence")
    else:
        params: dict[str, str | int | float] = {"analyst": other.analyst, "differences": opinion.differences}
        blockers = (*result.blockers, Blocker("second_opinion_differs", params))
    return msgspec.structs.replace(result, opinion=opinion, blockers=blockers)


def compare(first: PageResult, second: PageResult) -> Opinion:
    """Products are the same where identity and all attributes are, whatever their order."""
    ours, theirs = Counter(map(_form, first.skus)), Counter(map(_form, second.skus))
    return Opinion(
        analyst=second.analyst,
        confidence=second.confidence,
        page_type=second.page_type,
        same_type=first.page_type == second.page_type,
        same_skus=(ours & theirs).total(),
        only_first=_identities(ours - theirs),
        only_second=_identities(theirs - ours),
    )


Form = tuple[tuple[str, str], ...]


def _form(sku: Sku) -> Form:
    return tuple(sorted((key, squash(value.text)) for key, value in sku.attributes.items()))


def _identities(forms: Counter[Form]) -> tuple[str, ...]:
    texts = (dict(form) for form in forms.elements())
    return tuple(sorted(text.get("model") or text.get("product_name") or "" for text in texts))
