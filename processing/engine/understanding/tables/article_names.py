"""Words under a head of styles that name products: all codes of one article stand beside one of them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.folding import fold, squash
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.tables.columns import CUSTOM, Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header

# Articles with several codes each.
_LEAST = 2
# What stands before the last part of a code, with a figure in it: "RB-2030" of "RB-2030-BK".
_ARTICLE = re.compile(r"(?=.*[0-9].*[-_./ ][^-_./ ]+$)(.+)[-_./ ][^-_./ ]+")


def named_articles(grid: Grid, header: Header, columns: Sequence[Column]) -> list[Column]:
    """Beside codes that are alike up to their last part, as those of one article in several colours are, words that
    each article has one of, and no other has, are its name; words that tell variants apart vary within one."""
    model = next((column for column in columns if column.role == "model"), None)
    styles = [c for c in columns if c.role == CUSTOM and c.label.kind == CODE_OR_NUMBER and not c.share(is_code)]
    if model is None or len(styles) != 1 or any(column.role == "product_name" for column in columns):
        return list(columns)
    pairs = []
    for row in range(header.body, grid.n_rows):
        code, word = grid.text(row, model.col), grid.text(row, styles[0].col)
        found = _ARTICLE.fullmatch(code) if is_code(code) else None
        if word and code and squash(word) != squash(code):
            pairs.append((fold(found.group(1)) if found else fold(code), squash(word)))
    articles = {article for article, _ in pairs}
    several = [article for article in articles if sum(one == article for one, _ in pairs) > 1]
    one_each = len(set(pairs)) == len(articles) == len({word for _, word in pairs})
    if len(several) < _LEAST or not one_each:
        return list(columns)
    return [replace(column, role="product_name") if column is styles[0] else column for column in columns]
