"""Pages of tables with a product a row."""

from collections.abc import Callable

from tests.fit.grammar.layouts.tables import Sections, Table, TableStyle, draw_sections, draw_table_style, rows_that_fit
from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Group, Product

Draw = Callable[[], None]


def _kind(style: TableStyle, base: str) -> str:
    return f"{base}_{'ruled' if style.rules is None else 'lines' if style.rules.row_line else 'open'}"


def _columns_make_names(paper: Paper) -> bool:
    """Names that are headings need no column now and then."""
    goods = paper.maker.goods
    return not (goods.naming == "sized" and paper.random.random() < 0.65)


def _rows(paper: Paper, least: int, most: int) -> list[Product]:
    """Products of one or several groups without their headings."""
    goods, out = paper.maker.goods, list[Product]()
    while len(out) < least:
        out += goods.group(paper.random.randint(3, 9)).products
    return out[:most]


def plain(paper: Paper, *, photo: bool = False) -> Draw:
    """One table on the page, full or with room below."""
    random = paper.random
    style = draw_table_style(random, paper, photo=photo)
    titled = random.random() < 0.6

    def draw() -> None:
        paper.begin("A", _kind(style, "table_photo" if photo else "table"))
        if titled:
            paper.title(paper.maker.language.one("groups", random))
        if random.random() < 0.2:
            paper.intro()
        x0, y0, x1, y1 = paper.area
        products = _rows(paper, random.choice((5, 12, 25, 60)), 60)
        table = Table.measured(paper, style, products, x1 - x0)
        items = table.items(products)
        bottom = table.draw(x0, y0, items[: max(2, rows_that_fit(table, items, y1 - y0))])
        if random.random() < 0.35:
            paper.note_below(bottom)

    return draw


def with_photos(paper: Paper) -> Draw:
    """A photo in each row."""
    return plain(paper, photo=True)


def sections(paper: Paper) -> Draw:
    """Rows with headings stand inside the table; a heading may be the name of the rows below it."""
    random = paper.random
    named = _columns_make_names(paper)
    style = draw_table_style(random, paper, photo=random.random() < 0.15, named=named)
    look = draw_sections(random, paper)

    def draw() -> None:
        paper.begin("A", _kind(style, "sections"))
        if random.random() < 0.5:
            paper.title(paper.maker.language.one("titles.cover", random))
        x0, y0, x1, y1 = paper.area
        groups = paper.maker.goods.groups(7, (2, 8))
        table = Table.measured(paper, style, [one for group in groups for one in group.products], x1 - x0)
        _draw_sections(paper, table, look, groups, y1 - y0, named)

    return draw


def _draw_sections(paper: Paper, table: Table, look: Sections, groups: list[Group], room: float, named: bool) -> None:
    """As many whole groups as fit; where headings are names each group is a table of its own, on one grid."""
    x, y, _, _ = paper.area
    used = table.head_height
    between, products = [], list[Product]()
    first = True
    for group in groups:
        row = look.row(table, len(products), group.title, is_series=not group.is_name)
        items = table.items(group.products)
        need = row.height + sum(table.row_height(item) for item in items)
        if used + need > room and not first:
            break
        while used + need > room and len(items) > 1:
            need -= table.row_height(items.pop())
        used += need
        kept = list(group.products[: len(items)])
        if named:
            between.append(row)
            products += kept
        else:
            # The rows' name is their heading.
            with paper.press.carrying({"product_name": group.title} if group.is_name else {}):
                y = table.draw(
                    x, y, items, head=first, between=[look.row(table, 0, group.title, is_series=not group.is_name)]
                )
        first = False
    if named:
        table.draw(x, y, table.items(products), between=between)


def titled(paper: Paper) -> Draw:
    """A table of its own under each heading; its head is repeated, or stands once."""
    random = paper.random
    named = _columns_make_names(paper)
    style = draw_table_style(random, paper, photo=random.random() < 0.12, named=named)
    repeated = random.random() < 0.7
    align, size = random.choice(("left", "left", "center")), random.choice((9.0, 11.0, 13.0))
    bar = random.random() < 0.25

    def draw() -> None:
        paper.begin("A", _kind(style, "titled"))
        leaf, ink, (x0, y, x1, y1) = paper.leaf, paper.maker.ink, paper.area
        groups = paper.maker.goods.groups(6, (2, 7))
        table = Table.measured(paper, style, [one for group in groups for one in group.products], x1 - x0)
        for k, group in enumerate(groups):
            head = repeated or k == 0
            items = table.items(group.products)
            need = size * 2.2 + (table.head_height if head else 0) + sum(table.row_height(item) for item in items)
            if y + need > y1:
                if k:
                    break
                items = items[: max(1, rows_that_fit(table, items, y1 - y - size * 2.2))]
            if bar:
                leaf.rect((x0, y, x1, y + size * 1.6), fill=ink.accent)
            paper.fitted(
                x0 + (4 if bar else 0),
                y + size * 1.15,
                x1 - x0,
                group.title,
                face=ink.bold,
                size=size,
                align=align,
                colour=ink.ground if bar else ink.text,
            )
            carried = {"product_name": group.title} if group.is_name and not named else {}
            paper.press.heading = () if group.is_name else (group.title,)
            with paper.press.carrying(carried):
                y = table.draw(x0, y + size * 1.8, items, head=head) + random.choice((8, 14, 20))

    return draw


def pair(paper: Paper) -> Draw:
    """Two tables beside each other."""
    random = paper.random
    style = draw_table_style(random, paper, photo=False, few=True)
    gap = random.choice((8.0, 14.0, 24.0))

    def draw() -> None:
        paper.begin("A", _kind(style, "pair"))
        if random.random() < 0.5:
            paper.title(paper.maker.language.one("groups", random))
        x0, y0, x1, y1 = paper.area
        width = (x1 - x0 - gap) / 2
        for k in range(2):
            products = _rows(paper, random.choice((8, 16, 40)), 40)
            table = Table.measured(paper, style, products, width)
            items = table.items(products)
            table.draw(x0 + k * (width + gap), y0, items[: max(2, rows_that_fit(table, items, y1 - y0))])

    return draw


def continued(paper: Paper) -> Draw:
    """A table that goes on over pages, with or without its head."""
    random = paper.random
    style = draw_table_style(random, paper, photo=random.random() < 0.1)
    repeated = random.random() < 0.55

    def draw() -> None:
        products = _rows(paper, 90, 110)
        paper.begin("A", _kind(style, "continued"))
        table = Table.measured(paper, style, products, paper.area[2] - paper.area[0])
        items = table.items(products)
        for k in range(2):
            if k:
                paper.begin("A", _kind(style, "continued"), continues=True)
            x0, y0, _, y1 = paper.area
            count = max(2, rows_that_fit(table, items, y1 - y0))
            count = count if k == 0 else min(count, random.randint(3, 40))
            table.draw(x0, y0, items[:count], head=repeated or k == 0)
            items = items[count:]
            if not items:
                break

    return draw


def beside_photo(paper: Paper) -> Draw:
    """Blocks of a group's photo and a small table; the photo belongs to all rows, the title may be their name."""
    random = paper.random
    named = _columns_make_names(paper)
    style = draw_table_style(random, paper, photo=False, named=named, few=True)
    left, share = random.random() < 0.6, random.choice((0.22, 0.3, 0.4))

    def draw() -> None:
        paper.begin("B", "beside_photo")
        leaf, ink, (x0, y, x1, y1) = paper.leaf, paper.maker.ink, paper.area
        wide = (x1 - x0) * share
        for group in paper.maker.goods.groups(6, (2, 6)):
            table = Table.measured(paper, style, group.products, x1 - x0 - wide - 14)
            items = table.items(group.products)
            high = table.head_height + sum(table.row_height(item) for item in items) + 20
            need = max(high, wide * 0.7)
            if y + need > y1:
                break
            box = (
                (x0, y + 4, x0 + wide, y + 4 + min(need - 6, wide * 0.8))
                if left
                else (x1 - wide, y + 4, x1, y + 4 + min(need - 6, wide * 0.8))
            )
            shared = paper.photo(group.products[0], box)
            at = x0 + wide + 14 if left else x0
            paper.fitted(at, y + 13, table.width, group.title, face=ink.bold, size=11, colour=ink.accent)
            carried = {"product_name": group.title} if group.is_name and not named else {}
            paper.press.heading = () if group.is_name else (group.title,)
            with paper.press.carrying(carried, [shared]):
                table.draw(at, y + 20, items)
            y += need + random.choice((10, 18))
            leaf.rule(x0, y - 5, x1, y - 5, colour=ink.soft, thick=0.6)

    return draw
