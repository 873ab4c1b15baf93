"""Pages of one product: sheets with values in lines or a table, prose with a table of its variants, posters."""

from collections.abc import Callable
from dataclasses import replace

from tests.fit.grammar.caption import compose, draw_template
from tests.fit.grammar.layouts.tables import Table, draw_table_style, rows_that_fit
from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Product
from tests.support.catalogues.grid import Look, draw_table
from tests.support.catalogues.ink import Box


def sheet(paper: Paper) -> Callable[[], None]:
    """Name, photo, text and a list of values, as lines or as a table of two columns."""
    random, maker = paper.random, paper.maker
    form = random.choice(("lines", "gap", "table", "table", "banded"))
    beside, share = random.random() < 0.6, random.uniform(0.38, 0.55)
    roles = [
        role
        for role in ("size", "material", "color", "packing", "weight", "moq", "barcode", "unit")
        if role in maker.goods.fields
    ]
    random.shuffle(roles)
    code_in_list, price_in_list = random.random() < 0.4, random.random() < 0.4
    details = random.choice((0, 0, 1, 3))
    colon = random.choice((":", "", "：" if maker.language.is_eastern else ":"))

    def draw() -> None:
        paper.begin("B", "sheet")
        leaf, ink, (x0, y, x1, y1) = paper.leaf, maker.ink, paper.area
        product = maker.goods.group(1).products[0]
        values = product.values
        top = y
        shown: set[str] = set()
        identity = [] if maker.identity == "code" else ["product_name"]
        if maker.identity != "name" and not (code_in_list and identity):
            identity.append("model")
        for k, role in enumerate(identity):
            size = (22.0 if k == 0 else 12.0) * min(1.0, maker.page_size[0] / 595)
            lines, size = paper.wrapped(ink.bold, values[role], size, x1 - x0)
            for line in lines:
                y += size * 1.2
                leaf.text(
                    x0,
                    y,
                    line,
                    face=ink.bold if k == 0 else ink.body,
                    size=size,
                    colour=ink.accent if k == 0 else ink.grey,
                )
            shown.add(role)
        y += 14
        wide, high = (x1 - x0) * (share if beside else 0.7), (y1 - y) * (0.55 if beside else 0.42)
        shot = (x0, y, x0 + wide, y + high)
        images = [paper.photo(product, shot)]
        at, down = (x0 + wide + 18, y) if beside else (x0, y + high + 18)
        if "description" in values:
            down = paper.paragraph(at, down + ink.size, x1 - at, values["description"], ink.size * 1.1)
            shown.add("description")
        elif random.random() < 0.4:
            text = maker.language.joined(*maker.language.some("phrases", random, 2))
            down = paper.paragraph(at, down + ink.size, x1 - at, text, ink.size * 1.1)
        pairs = [(role, maker.labels[role], values.get(role, "")) for role in roles]
        pairs += [(label, label, value) for label, value in product.specs.items()]
        if "model" not in shown and "model" in values:
            pairs.insert(0, ("model", maker.labels["model"], values["model"]))
        if values.get("price") and price_in_list:
            pairs.append(("price", maker.labels["price"], values["price"]))
        pairs = [pair for pair in pairs if pair[2].strip(" -—")]
        bottom, labelled = _pairs(pairs, (at, down + 8, x1, y1 - 40))
        shown |= labelled
        if values.get("price") and not price_in_list and bottom + 26 < y1:
            paper.fitted(at, bottom + 22, x1 - at, values["price"], face=ink.bold, size=20, colour=ink.accent)
            shown.add("price")
            bottom += 26
        below = max(bottom, y + high) + 12
        for k in range(details if below + 70 < y1 else 0):
            box = (x0 + k * 100, below, x0 + k * 100 + 88, below + 66)
            if box[2] < x1:
                images.append(paper.photo(product, box))
        paper.note(product, [(x0, top, x1, min(y1, max(below + 70, bottom)))], shown, labelled=labelled, images=images)

    def _pairs(pairs: list[tuple[str, str, str]], room: Box) -> tuple[float, set[str]]:
        """Values with labels as the maker sets them; returns the lower edge and what was printed."""
        x, y, end, y1 = room
        ink, leaf, size, done = maker.ink, paper.leaf, maker.ink.size * 1.1, set[str]()
        gap = max([paper.faces[ink.bold].width(label + colon, size) for _, label, _ in pairs], default=0) + 10
        if form in ("table", "banded") and pairs:
            width = end - x
            first = min(gap + 8, width * 0.5)
            look = Look(
                size=size,
                face=ink.body,
                header_face=ink.body,
                header_fill=None,
                band=ink.soft if form == "banded" else None,
                line=ink.grey if form == "table" else ink.soft,
                colour=ink.text,
                aligns=("left", "left"),
            )
            heights: list[float] = []
            rows: list[list[str]] = []
            for _, label, value in pairs:
                left = paper.wrapped(ink.body, label, size, first - 8)
                right = paper.wrapped(ink.body, value, size, width - first - 8)
                high = max(len(left[0]), len(right[0])) * size * look.leading + 8
                if y + sum(heights) + high > y1 or min(left[1], right[1]) < size:
                    break
                heights.append(high)
                rows.append([label, value])
            if rows:
                draw_table(leaf, x, y, [first, width - first], heights, rows, look, header_rows=0)
            return y + sum(heights), {role for role, _, _ in pairs[: len(rows)]}
        for role, label, value in pairs:
            y += size * 1.6
            if y > y1:
                break
            wide = paper.faces[ink.bold].width(label + colon, size) + 5
            value_x = x + (gap if form == "gap" else wide)
            if value_x + paper.faces[ink.body].width(value, size) > end:
                continue
            leaf.text(x, y, label + colon, face=ink.bold, size=size, colour=ink.text)
            leaf.text(value_x, y, value, face=ink.body, size=size, colour=ink.text)
            done.add(role)
        return y + 6, done

    return draw


def variants(paper: Paper) -> Callable[[], None]:
    """Prose and photos of a family, then a small table of its variants: its rows are the products."""
    random, maker = paper.random, paper.maker
    goods = maker.goods
    named = maker.identity == "name" or random.random() < 0.5
    style = draw_table_style(random, paper, photo=False, named=named)
    photos = random.choice((1, 1, 2, 3))

    def draw() -> None:
        paper.begin("B", "variants")
        leaf, ink, (x0, y, x1, y1) = paper.leaf, maker.ink, paper.area
        for _ in range(random.choice((1, 1, 2))):
            group = goods.group(random.randint(2, 7))
            products = list(group.products)
            is_name = not named and maker.identity != "code"
            title = group.title if group.is_name or not is_name else products[0].group
            table = Table.measured(paper, style, products, x1 - x0)
            items = table.items(products)
            need = 150 + table.head_height + sum(table.row_height(item) for item in items)
            if y + need > y1:
                items = items[: rows_that_fit(table, items, y1 - y - 170)]
                if len(items) < 1:
                    break
            size = random.choice((15.0, 19.0, 24.0))
            paper.fitted(x0, y + size, x1 - x0, title, face=ink.bold, size=size, colour=ink.accent)
            y += size * 1.5
            wide = (x1 - x0) / 3
            shots = [(x1 - wide * (k + 1) + 6, y, x1 - wide * k, y + 92) for k in range(photos)]
            shared = [paper.photo(products[0], shot) for shot in shots[:2]]
            text = maker.language.joined(*maker.language.some("phrases", random, random.choice((2, 3))))
            left = x1 - x0 - wide * len(shared) - 10
            lines, size = paper.wrapped(ink.body, text, ink.size, left)
            for k, line in enumerate(lines[: int(92 / (size * 1.42))]):
                leaf.text(x0, y + size * (1 + 1.42 * k), line, face=ink.body, size=size, colour=ink.text)
            y += 102
            with paper.press.carrying({"product_name": title} if is_name else {}, shared):
                y = table.draw(x0, y, items) + 22

    return draw


def poster(paper: Paper) -> Callable[[], None]:
    """One product over the whole page."""
    random, maker = paper.random, paper.maker
    template = replace(
        draw_template(random, maker, rich=0.3),
        name_size=random.choice((2.2, 3.0)),
        price_size=random.choice((2.0, 3.0)),
        name_bold=True,
    )
    at_top, full = random.random() < 0.4, random.random() < 0.25

    def draw() -> None:
        paper.begin("C" if not template.is_rich else "B", "poster")
        x0, y0, x1, y1 = paper.area
        product: Product = maker.goods.group(1).products[0]
        caption = compose(paper, template, product, x1 - x0, maker.ink.size * 1.3)
        caption.fit((y1 - y0) * 0.5)
        high = caption.height + 16
        bleeds = full and maker.dressing == "none"
        left, right = (0.0, paper.leaf.width) if bleeds else (x0, x1)
        shot = (left, y0 + high, right, y1) if at_top else (left, y0, right, y1 - high)
        image = paper.photo(product, shot)
        box = caption.draw(x0, y0 if at_top else y1 - high + 10)
        paper.note(product, [shot, box], caption.shown, labelled=caption.labelled, images=[image])

    return draw
