"""Grids of cards: photo and caption, in all places that a caption can have."""

from collections.abc import Callable
from dataclasses import replace

from tests.fit.grammar.caption import Caption, Template, compose, draw_template
from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Product
from tests.support.catalogues.ink import Box

_GRIDS = ((2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (4, 5), (2, 4), (3, 2), (1, 3), (1, 4), (5, 4), (2, 5), (3, 5))


def grid(paper: Paper, *, where: str = "") -> Callable[[], None]:
    """Columns and rows of cards. ``where``: below, above, right, left or over the photo."""
    random, maker = paper.random, paper.maker
    where = where or random.choices(("below", "above", "right", "left", "over"), (6, 1, 2, 1.4, 0.8))[0]
    cols, rows = random.choice(_GRIDS)
    if where in ("right", "left"):
        cols = min(cols, 2)
    if paper.maker.page_size[0] > paper.maker.page_size[1] and cols < rows:
        cols, rows = rows, cols
    cols = max(1, min(cols, int(maker.page_size[0] / 105)))
    template = draw_template(random, maker, rich=0.55 if where in ("right", "left") else 0.35 if rows < 4 else 0.15)
    if where == "over":
        template = replace(template, labelled=(), description=False, specs=False, price="plain")
    frame = random.choice(("none", "none", "box", "fill", "lines"))
    gap, share = random.choice((6.0, 12.0, 20.0)), random.choice((0.4, 0.5, 0.6))
    size = maker.ink.size * random.choice((0.9, 1, 1, 1.1))
    shaped = random.choice((0.75, 1.0, 1.3, 0.0))
    titled, ragged = random.random() < 0.55, random.random() < 0.4
    tagged = "tag" in maker.goods.fields

    def draw() -> None:
        paper.begin("B" if template.is_rich else "C", f"cards_{where}")
        if titled:
            paper.title(maker.language.one("groups", random))
        x0, y0, x1, y1 = paper.area
        wide, high = (x1 - x0 - gap * (cols - 1)) / cols, (y1 - y0 - gap * (rows - 1)) / rows
        count = cols * rows - (random.randrange(1, cols) if ragged and cols > 1 else 0)
        left = count
        while left > 0:
            for product in maker.goods.group(min(left, random.choice((3, 6, 20)))).products[:left]:
                k = count - left
                x, y = x0 + k % cols * (wide + gap), y0 + k // cols * (high + gap)
                _card(paper, template, product, (x, y, x + wide, y + high))
                left -= 1

    def _card(paper: Paper, template: Template, product: Product, box: Box) -> None:
        leaf, ink = paper.leaf, maker.ink
        if frame == "box":
            leaf.rect(box, line=ink.grey, thick=0.6, radius=maker.radius)
        elif frame == "fill":
            leaf.rect(box, fill=ink.soft, radius=maker.radius)
        elif frame == "lines":
            leaf.rule(box[0], box[3], box[2], box[3], colour=ink.grey, thick=0.5)
        inset = 5.0 if frame in ("box", "fill") else 0.0
        inner = (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset - (3 if frame == "lines" else 0))
        shot, text = _places(paper, template, product, inner)
        if shot is None:
            return
        image = paper.photo(product, shot)
        if where == "over":
            leaf.rect((shot[0], text[1] - 3, shot[2], shot[3]), fill=(0.1, 0.1, 0.12))
        caption = _composed(paper, template, product, text[2] - text[0])
        caption.fit(text[3] - text[1])
        printed = caption.draw(text[0], text[1])
        boxes = [shot, printed]
        if tagged and product.values.get("tag") and where != "over":
            _tag(paper, product.values["tag"], shot)
        paper.note(product, boxes, caption.shown, labelled=caption.labelled, images=[image])

    def _composed(paper: Paper, template: Template, product: Product, width: float) -> Caption:
        on = (0.1, 0.1, 0.12) if where == "over" else None
        return compose(paper, template, product, width, size, on=on)

    def _places(paper: Paper, template: Template, product: Product, inner: Box) -> tuple[Box | None, Box]:
        """Where photo and text stand; None where the card is too small for both."""
        x0, y0, x1, y1 = inner
        if where in ("right", "left"):
            edge = x0 + (x1 - x0) * share
            caption = _composed(paper, template, product, (x1 - edge if where == "right" else edge - x0) - 8)
            if not caption.fit(y1 - y0):
                return None, inner
            shot, text = (
                ((x0, y0, edge, y1), (edge + 8, y0, x1, y1))
                if where == "right"
                else ((edge, y0, x1, y1), (x0, y0, edge - 8, y1))
            )
            return _shaped(shot, shaped), text
        pad = 4.0 if where == "over" else 0.0
        caption = _composed(paper, template, product, x1 - x0 - 2 * pad)
        if not caption.fit((y1 - y0) * 0.45 if where == "over" else (y1 - y0) * 0.62):
            return None, inner
        high = caption.height + 4
        if where == "below":
            return _shaped((x0, y0, x1, y1 - high - 3), shaped), (x0, y1 - high, x1, y1)
        if where == "above":
            return _shaped((x0, y0 + high + 3, x1, y1), shaped), (x0, y0, x1, y0 + high)
        return (x0, y0, x1, y1), (x0 + pad, y1 - high, x1 - pad, y1)

    return draw


def _shaped(box: Box, ratio: float) -> Box:
    """The largest box of the ratio in the middle of another; the box itself for 0."""
    wide, high = box[2] - box[0], box[3] - box[1]
    if not ratio:
        return box
    w, h = min(wide, high * ratio), min(high, wide / ratio)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return x - w / 2, y - h / 2, x + w / 2, y + h / 2


def _tag(paper: Paper, text: str, shot: Box) -> None:
    ink = paper.maker.ink
    size = 6.5
    wide = paper.faces[ink.bold].width(text, size) + 8
    if wide < shot[2] - shot[0]:
        paper.leaf.rect((shot[0], shot[1], shot[0] + wide, shot[1] + 11), fill=ink.accent)
        paper.leaf.text(shot[0] + 4, shot[1] + 8, text, face=ink.bold, size=size, colour=ink.ground)


def tags(paper: Paper) -> Callable[[], None]:
    """Price tags: a name and a large price in a frame, no picture."""
    random, maker = paper.random, paper.maker
    if "price" not in maker.goods.fields:
        return grid(paper, where="below")
    cols, rows = random.choice(((2, 4), (3, 6), (3, 5), (2, 5), (4, 7)))
    cols = max(1, min(cols, int(maker.page_size[0] / 120)))
    template = replace(
        draw_template(random, maker, rich=0.2),
        price_size=random.choice((1.8, 2.4, 3.0)),
        align=random.choice(("center", "left")),
        price=random.choice(("plain", "right", "pill")),
    )
    filled, gap = random.random() < 0.3, random.choice((0.0, 6.0, 14.0))

    def draw() -> None:
        paper.begin("B" if template.is_rich else "A", "tags")
        x0, y0, x1, y1 = paper.area
        wide, high = (x1 - x0 - gap * (cols - 1)) / cols, min(130.0, (y1 - y0 - gap * (rows - 1)) / rows)
        products = [one for group in maker.goods.groups(9, (3, 6)) for one in group.products][: cols * rows]
        for k, product in enumerate(products):
            x, y = x0 + k % cols * (wide + gap), y0 + k // cols * (high + gap)
            box = (x, y, x + wide, y + high)
            if filled:
                paper.leaf.rect(box, fill=maker.ink.soft)
            paper.leaf.rect(box, line=maker.ink.grey, thick=0.7, radius=maker.radius)
            caption = compose(paper, template, product, wide - 16, maker.ink.size * 1.1)
            if caption.fit(high - 12):
                caption.draw(x + 8, y + 6 + (high - 12 - caption.height) / 2)
                paper.note(product, [box], caption.shown, labelled=caption.labelled)

    return draw
