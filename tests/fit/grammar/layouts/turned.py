"""Transposed tables: products as columns, properties as rows."""

from collections.abc import Callable
from dataclasses import replace

from tests.fit.grammar.layouts.tables import draw_table_style
from tests.fit.grammar.paper import SPEAKING, Paper
from tests.fit.grammar.product import Product
from tests.support.catalogues.grid import Entry, draw_table
from tests.support.catalogues.ink import Box


def transposed(paper: Paper) -> Callable[[], None]:
    """One or two tables whose columns are products."""
    random = paper.random
    style = draw_table_style(random, paper, photo=False)
    pictured = random.random() < 0.35
    labels = [role for role in style.roles if role not in ("number", "quantity", "amount")]

    def draw() -> None:
        paper.begin("A", "transposed")
        if random.random() < 0.7:
            paper.title(paper.maker.language.one("groups", random))
        x0, y, x1, y1 = paper.area
        for _ in range(random.choice((1, 1, 2))):
            products = list(paper.maker.goods.group(random.randint(2, 6)).products)
            if len(products) < 2:
                continue
            bottom = _draw(paper, style.look.size, labels, products, (x0, y, x1, y1), pictured)
            if bottom is None:
                break
            y = bottom + 22

    look = style.look

    def _draw(
        paper: Paper, size: float, labels: list[str], products: list[Product], area: Box, pictured: bool
    ) -> float | None:
        x0, y, x1, y1 = area
        first = (x1 - x0) * random.uniform(0.18, 0.3)
        one = (x1 - x0 - first) / max(3, len(products))
        used = replace(look, size=size, aligns=("left", *["center"] * len(products)))
        rows: list[list[Entry | str | None]] = []
        heights: list[float] = []
        keys: list[str] = []
        for label in labels:
            key = paper.maker.labels[label] if label.startswith("specs.") else label
            texts = [product.values.get(key, product.specs.get(key, "")) for product in products]
            face = look.header_face if not rows else look.face
            fits = [paper.wrapped(face, text, size, one - 2 * look.pad) for text in texts]
            head = paper.wrapped(face, style.heads[label], size, first - 2 * look.pad)
            if min([small for _, small in fits] + [head[1]]) < size:
                return None if size <= 5 else _draw(paper, size - 0.5, labels, products, area, pictured)
            lines = max(len(wrapped) for wrapped, _ in [*fits, head])
            rows.append([style.heads[label], *texts])
            heights.append(lines * size * look.leading + 2 * look.pad + 2)
            keys.append(key)
        high = min(70.0, one * 0.8) if pictured else 0.0
        if y + sum(heights) + high > y1:
            if len(rows) <= 3 or y > area[1]:
                return None
            return _draw(paper, size, labels[:-1], products, area, pictured)
        images = []
        for k, product in enumerate(products if pictured else []):
            left = x0 + first + k * one
            box = (left + 4, y, left + one - 4, y + high - 4)
            images.append(paper.photo(product, box))
        boxes = draw_table(paper.leaf, x0, y + high, [first, *[one] * len(products)], heights, rows, used)
        for k, product in enumerate(products):
            shown = [key for key in keys if product.values.get(key, product.specs.get(key, "")).strip()]
            labelled = [key for key in shown if key not in SPEAKING]
            paper.note(
                product, [boxes[r, k + 1] for r in range(len(rows))], shown, labelled=labelled, images=images[k : k + 1]
            )
        return y + high + sum(heights)

    return draw
