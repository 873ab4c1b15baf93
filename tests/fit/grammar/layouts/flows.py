"""Products below each other with photo and text: in turn left and right, under numbered headings, in ragged columns."""

from collections.abc import Callable
from dataclasses import replace

from tests.fit.grammar.caption import compose, draw_template
from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Product
from tests.support.catalogues.ink import Box


def zigzag(paper: Paper) -> Callable[[], None]:
    """Photo left, then right; or always on one side."""
    random, maker = paper.random, paper.maker
    per_page, share = random.choice((2, 3, 3, 4, 5)), random.choice((0.3, 0.4, 0.5))
    turns, left = random.random() < 0.65, random.random() < 0.5
    template = draw_template(random, maker, rich=0.85)
    template = replace(template, description=True, name_size=max(1.3, template.name_size), align="left")
    ruled, titled = random.random() < 0.3, random.random() < 0.4

    def draw() -> None:
        paper.begin("B", "zigzag")
        if titled:
            paper.title(maker.language.one("groups", random))
        x0, y0, x1, y1 = paper.area
        high = (y1 - y0) / per_page
        products = [one for group in maker.goods.groups(3, (2, 4)) for one in group.products][:per_page]
        for k, product in enumerate(products):
            y = y0 + k * high
            on_left = left != (turns and k % 2 == 1)
            wide = min((x1 - x0) * share, high * 1.3)
            shot = (x0, y + 4, x0 + wide, y + high - 10) if on_left else (x1 - wide, y + 4, x1, y + high - 10)
            at = x0 + wide + 16 if on_left else x0
            caption = compose(paper, template, product, x1 - x0 - wide - 16, maker.ink.size * 1.1)
            if not caption.fit(high - 14):
                continue
            image = paper.photo(product, shot)
            box = caption.draw(at, y + 4 + max(0.0, (high - 14 - caption.height) / 2))
            paper.note(product, [shot, box], caption.shown, labelled=caption.labelled, images=[image])
            if ruled and k < len(products) - 1:
                paper.leaf.rule(x0, y + high - 2, x1, y + high - 2, colour=maker.ink.soft, thick=0.8)

    return draw


def numbered(paper: Paper) -> Callable[[], None]:
    """Headings with numbers that are no codes, a photo under each and labelled lines beside or below it."""
    random, maker = paper.random, paper.maker
    per_page = random.choice((2, 2, 3, 4))
    chapter, deep = random.randint(1, 9), random.choice((True, True, False))
    template = draw_template(random, maker, rich=1.0)
    roles = [role for role in maker.goods.fields if role in ("size", "material", "color", "packing", "weight")]
    template = replace(
        template, facts=(), labelled=roles, specs=True, price="label", align="left", price_size=1.0, identity="label"
    )
    beside, share = random.random() < 0.7, random.choice((0.3, 0.42))
    mark = random.choice(("", ".", ")"))
    size = random.choice((10.0, 11.5, 13.0))

    def draw() -> None:
        paper.begin("B", "numbered")
        leaf, ink, (x0, y0, x1, y1) = paper.leaf, maker.ink, paper.area
        start = random.randint(1, 12)
        high = (y1 - y0) / per_page
        products = [one for group in maker.goods.groups(4, (1, 3)) for one in group.products][:per_page]
        for k, product in enumerate(products):
            y = y0 + k * high
            number = f"{chapter}.{start + k}{mark}" if deep else f"{start + k}{mark or '.'}"
            name = product.values["product_name"]
            has_name = maker.identity != "code"
            wide = leaf.text(x0, y + size, number, face=ink.bold, size=size, colour=ink.text)
            title = name if has_name else product.values["model"]
            paper.fitted(x0 + wide + 8, y + size, x1 - x0 - wide - 8, title, face=ink.bold, size=size, colour=ink.text)
            top = y + size * 1.6
            foot = y + high - 12
            plain = replace(product, values={**product.values, "product_name": "" if has_name else name})
            width = (x1 - x0) * (1 - share) - 14 if beside else x1 - x0
            caption = compose(paper, template, plain, width, ink.size * 1.1)
            caption.lines = (
                caption.lines
                if has_name and maker.identity == "code_name"
                else [line for line in caption.lines if "model" not in line.roles]
            )
            room = foot - top
            foot = min(foot, top + (x1 - x0) * share * 1.25) if beside else foot
            shot = (
                (x0, top, x0 + (x1 - x0) * share, foot)
                if beside
                else (x0, top, x0 + (x1 - x0) * 0.45, top + room * 0.55)
            )
            if not caption.fit(room if beside else y + high - 12 - shot[3] - 6):
                continue
            image = paper.photo(product, shot)
            box = caption.draw(shot[2] + 14, top) if beside else caption.draw(x0, shot[3] + 6)
            shown = caption.shown | {"product_name" if has_name else "model"}
            paper.note(product, [(x0, y, x1, top), shot, box], shown, labelled=caption.labelled, images=[image])

    return draw


def columns(paper: Paper) -> Callable[[], None]:
    """Two or three ragged columns of products, each as high as it needs, as a word processor sets them."""
    random, maker = paper.random, paper.maker
    count = max(1, min(random.choice((2, 2, 3)), int(maker.page_size[0] / 150)))
    template = replace(draw_template(random, maker, rich=0.9), name_bold=True, align="left")
    after, pictured = random.random() < 0.5, random.random() < 0.75
    gap = random.choice((14.0, 22.0))

    def draw() -> None:
        paper.begin("B", "columns")
        if random.random() < 0.5:
            paper.title(maker.language.one("titles.cover", random))
        x0, y0, x1, y1 = paper.area
        wide = (x1 - x0 - gap * (count - 1)) / count
        for col in range(count):
            x, y = x0 + col * (wide + gap), y0
            while y < y1:
                group = maker.goods.group(random.randint(2, 5))
                if not group.is_name and random.random() < 0.6 and y + 90 < y1:
                    paper.fitted(x, y + 11, wide, group.title, face=maker.ink.body, size=11, colour=maker.ink.accent)
                    paper.press.heading = (group.title,)
                    paper.leaf.rule(x, y + 15, x + wide, y + 15, colour=maker.ink.accent, thick=1)
                    y += 22
                bottom = y
                for product in group.products:
                    bottom = _one(paper, product, (x, y, x + wide, y1)) or y1 + 1
                    if bottom > y1:
                        break
                    y = bottom + random.choice((10, 16))
                if bottom > y1:
                    break

    def _one(paper: Paper, product: Product, room: Box) -> float | None:
        x, y, x1, y1 = room
        caption = compose(paper, template, product, x1 - x, maker.ink.size)
        high = (x1 - x) * random.choice((0.4, 0.55, 0.7)) if pictured else 0.0
        if y + caption.height + high + 6 > y1:
            return None
        images = []
        if pictured:
            edge = random.uniform(0.55, 0.95) * (x1 - x)
            top = y + caption.height + 4 if after else y
            shot = (x, top, x + edge, top + high)
            images = [(paper.photo(product, shot), shot)]
        box = caption.draw(x, y if after or not pictured else y + high + 3)
        paper.note(
            product,
            [box, *(shot for _, shot in images)],
            caption.shown,
            labelled=caption.labelled,
            images=[image for image, _ in images],
        )
        return y + caption.height + high + 6

    return draw


def beside_list(paper: Paper) -> Callable[[], None]:
    """A photo of the group and a ragged list of names beside it, two or three groups a page."""
    random, maker = paper.random, paper.maker
    per_page, left = random.choice((1, 2, 2, 3)), random.random() < 0.6
    align, size = random.choice(("left", "center", "right")), maker.ink.size * random.choice((1.0, 1.2, 1.5))
    pill = random.random() < 0.6
    template = replace(
        draw_template(random, maker, rich=0.0),
        name_size=1.0,
        align=align,
        price="plain",
        price_size=1.0,
        facts=("size",) if "size" in maker.goods.fields else (),
    )

    def draw() -> None:
        paper.begin("B", "beside_list")
        leaf, ink, (x0, y0, x1, y1) = paper.leaf, maker.ink, paper.area
        high = (y1 - y0) / per_page
        for k in range(per_page):
            y = y0 + k * high
            group = maker.goods.group(random.randint(3, 9))
            paper.press.heading = () if group.is_name else (group.title,)
            if pill:
                leaf.rect((x0, y, x0 + (x1 - x0) * 0.6, y + 22), fill=ink.accent, radius=8)
            paper.fitted(
                x0 + 12,
                y + 16,
                (x1 - x0) * 0.56,
                group.title,
                face=ink.bold,
                size=14,
                colour=ink.ground if pill else ink.accent,
            )
            wide = (x1 - x0) * 0.36
            top, foot = y + 30, y + high - 14
            tall = min(foot - top, wide)
            shot = (x0, top, x0 + wide, top + tall) if left else (x1 - wide, top, x1, top + tall)
            shared = paper.photo(group.products[0], shot)
            at, line = x0 + wide + 16 if left else x0, top
            for product in group.products:
                # A name that is the heading need not be said again in each line.
                caption = compose(paper, template, product, x1 - x0 - wide - 16, size)
                if line + caption.height > foot:
                    break
                box = caption.draw(at, line)
                paper.note(product, [box], caption.shown, labelled=caption.labelled, shared=[shared])
                line += caption.height + size * 0.5

    return draw
