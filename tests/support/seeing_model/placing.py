"""Where the text zones print what was seen: rows and columns of tables that are products, blocks, cells, pictures."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from catalogsku.core.box import Box
from tests.support.seeing_model.eyes import folded, holds
from tests.support.seeing_model.recognising import Found, SeenProduct
from tests.support.seeing_model.shown import Cell, Shown, Table

# On the scale of 0 to 1000.
_MARGIN = 8.0
# Of what a picture and its place in the truth cover together, the part that they share.
_SAME_PICTURE = 0.3


@dataclass
class PrintedTable:
    """A table that prints a product in each of ``lines``, and what its ``columns`` are."""

    table: Table
    sideways: bool
    lines: dict[int, SeenProduct] = field(default_factory=dict)
    columns: dict[int, str] = field(default_factory=dict)

    def says(self, n: int, key: str, text: str) -> bool:
        """Whether a column says that value of the product."""
        cells = self.table.line(n, self.sideways)
        return any(told == key and at in cells and cells[at].text == folded(text) for at, told in self.columns.items())


def printed_tables(shown: Shown, products: Sequence[SeenProduct]) -> list[PrintedTable]:
    """Each table the way round that says more of the products; none that does not say which product a line is."""
    found, left = [], list(products)
    for table in shown.tables:
        inside = [one for one in left if holds(table.box, _name_of(one).place.box, _MARGIN)]
        ways = [_way(table, sideways, inside) for sideways in (False, True)]
        best = max(ways, key=lambda way: len(way.lines) * len(way.columns))
        if best.lines and {"model", "product_name"} & set(best.columns.values()):
            found.append(best)
            left = [one for one in left if not any(one is told for told in best.lines.values())]
    return found


def _way(table: Table, sideways: bool, products: Sequence[SeenProduct]) -> PrintedTable:
    printed = PrintedTable(table, sideways)
    lines = {n: table.line(n, sideways) for n in table.lines(sideways)}
    said = {n: {cell.text for cell in cells.values()} for n, cells in lines.items()}
    for product in products:
        texts = {folded(one.text) for one in product.told.values()}
        name = folded(_name_of(product).text)
        named = [n for n in lines if name in said[n]]
        rows = [n for n in named if n not in printed.lines]
        if named and not rows:  # several products stand side by side in it
            return PrintedTable(table, sideways)
        if rows:
            printed.lines[max(rows, key=lambda n: (len(texts & said[n]), -n))] = product
    printed.lines = dict(sorted(printed.lines.items()))
    printed.columns = _columns(printed, lines)
    return printed


def _columns(printed: PrintedTable, lines: dict[int, dict[int, Cell]]) -> dict[int, str]:
    """What at least half of the products that have a value of the key have in that column."""
    votes, having = Counter[tuple[int, str]](), Counter[str]()
    for n, product in printed.lines.items():
        for key, one in product.told.items():
            having[key] += 1
            votes.update((at, key) for at, cell in lines[n].items() if cell.text == folded(one.text))
    columns: dict[int, str] = {}
    for (at, key), count in votes.most_common():
        if at not in columns and key not in columns.values() and 2 * count >= having[key]:
            columns[at] = key
    return dict(sorted(columns.items()))


def _name_of(product: SeenProduct) -> Found:
    return next(product.values[key] for key in ("model", "product_name") if key in product.values)


def id_at(shown: Shown, one: Found, line: tuple[PrintedTable, int] | None) -> str | None:
    """The cell or block that prints the value at that place; None where only the image shows it."""
    text = folded(one.text)
    if line is not None and holds(line[0].table.box, one.place.box, _MARGIN):
        return _only(line[0].table.line(line[1], line[0].sideways).values(), text)
    for table in shown.tables:
        if holds(table.box, one.place.box) and (name := _only(table.cells, text)):
            return name
    return next((b.id for b in shown.blocks if text in b.text and holds(b.box, one.place.box, _MARGIN)), None)


def _only(cells: Collection[Cell], text: str) -> str | None:
    """The one cell that prints it, alone or among other words; None where several do."""
    equal = {cell.id for cell in cells if cell.text == text}
    named = equal or {cell.id for cell in cells if text in cell.text}
    return min(named) if len(named) == 1 else None


def pictures_at(shown: Shown, boxes: Sequence[Box]) -> list[str]:
    """Ids of the pictures that lie there, in the same order."""
    found = []
    for box in boxes:
        shares = [(_share(box, other), name) for name, other in shown.pictures]
        share, name = max(shares, default=(0.0, ""))
        if share >= _SAME_PICTURE and name not in found:
            found.append(name)
    return found


def _share(a: Box, b: Box) -> float:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    both = max(0.0, wide) * max(0.0, high)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return both / (areas - both) if areas > both else 0.0


def aside(shown: Shown, products: Sequence[SeenProduct]) -> list[str]:
    """Blocks that lie on no card and hold no value that was seen."""
    cards = [one.product.card for one in products if one.product.card]
    texts = {folded(found.text) for one in products for found in one.told.values()}
    return [
        block.id
        for block in shown.blocks
        if not any(holds(card, block.box, _MARGIN) for card in cards) and not any(text in block.text for text in texts)
    ]
