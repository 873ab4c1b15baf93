"""Which pages of a document are evaluated (TA-EVAL)."""

from collections.abc import Sequence


def choose_sample(non_blank_pages: Sequence[int], limit: int = 40) -> list[int]:
    """All pages up to ``limit``, else ``limit`` of them: first, last and evenly spread; the same for the same pages.

    One page is taken from the middle of each equal stretch, so that every part of the document is seen.
    """
    pages = sorted(set(non_blank_pages))
    if limit < 2:
        raise ValueError("a sample has at least two pages")
    if len(pages) <= limit:
        return pages
    inner, strata = pages[1:-1], limit - 2
    middles = [inner[(2 * n + 1) * len(inner) // (2 * strata)] for n in range(strata)]
    return [pages[0], *middles, pages[-1]]
