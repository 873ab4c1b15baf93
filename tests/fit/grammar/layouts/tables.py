"""Tables of products, a product a row: ruled, banded, open; with photos, sections, merged and empty columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Product
from tests.golden.styles.pens.tables import Between, Column, Item, Rules, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import Face, Rgb, rgb, wrap

_NUMBERS = frozenset(("price", "trade", "old", "weight", "moq", "quantity", "amount", "number"))
_KEYS = {
    "trade": "=",
    "barcode": "=",
    "old": "~",
    "number": "~",
    "quantity": "~",
    "amount": "~",
    "tag": "~",
    "description": "~",
}


@dataclass(frozen=True)
class TableStyle:
    """A maker's tables. ``roles``: columns in their order; ``headed``: they have heads; ``merged``: roles whose equal
    neighbours are one cell; ``photo``: edge of a photo in points, 0: none."""

    roles: Sequence[str]
    heads: Mapping[str, str]
    headed: bool
    look: Look
    rules: Rules | None
    photo: float
    merged: frozenset[str]
    row_pad: float
    aligns: Mapping[str, str]
    widest: bool


def draw_table_style(random: Random, paper: Paper, *, photo: bool, named: bool = True, few: bool = False) -> TableStyle:
    """``named``: with a column of names; ``few``: narrow, for half a page."""
    maker = paper.maker
    goods = maker.goods
    first = [] if maker.identity == "name" else ["model"]
    if named and maker.identity != "code":
        first.append("product_name")
    if random.random() < 0.3:
        first.reverse()
    rest = [role for role in goods.fields if role not in ("price", "tag") and not (role == "description" and few)]
    random.shuffle(rest)
    if goods.naming == "sized" and "size" in rest:
        rest.sort(key=lambda role: role != "size")
    kinds = [f"specs.{kind}" for kind in goods.spec_kinds]
    most = 2 if few else 5
    rest = (rest + kinds)[:most] if goods.naming == "sized" or random.random() < 0.5 else (kinds + rest)[:most]
    if goods.naming == "sized" and "size" not in rest:
        rest = ["size", *rest[:-1]]
    roles = [*first, *rest]
    if goods.tiers:
        roles += [f"#{quantity}" for quantity in goods.tiers]
    elif "price" in goods.fields:
        roles.insert(len(roles) if random.random() < 0.8 else random.randrange(len(first), len(roles) + 1), "price")
    if photo:
        roles.insert(random.choice((0, 0, len(first), len(roles))), "photo")
    if random.random() < 0.2:
        roles.insert(0, "number")
    if random.random() < 0.13 and not few:
        roles += random.choice((["quantity"], ["quantity", "amount"]))
    quantity = random.choice(("{}+", "≥ {}", "{} {unit}", ">{}"))
    unit = maker.language.lists["units"][0]
    heads = {role: quantity.format(role[1:], unit=unit) if role[0] == "#" else maker.labels[role] for role in roles}
    rules, look = _drawn(random, paper)
    return TableStyle(
        roles,
        heads,
        headed=random.random() < 0.87,
        look=look,
        rules=rules,
        photo=random.choice((26.0, 36.0, 48.0, 64.0)) if photo else 0.0,
        merged=frozenset(("product_name", "material", "photo")) if random.random() < 0.3 else frozenset(),
        row_pad=random.choice((0.0, 0.0, 3.0, 8.0)),
        aligns=_aligns(random, roles),
        widest=random.random() < 0.75,
    )


def _aligns(random: Random, roles: Sequence[str]) -> dict[str, str]:
    numbers, words = (
        random.choice(("right", "right", "center", "left")),
        random.choice(("left", "left", "left", "center")),
    )
    return {
        role: numbers if role in _NUMBERS or role[0] == "#" else words if role != "photo" else "center"
        for role in roles
    }


def _drawn(random: Random, paper: Paper) -> tuple[Rules | None, Look]:
    ink = paper.maker.ink
    dark_head = random.random() < 0.5
    head_fill = ink.accent if dark_head else random.choice((None, ink.soft))
    look = Look(
        size=ink.size,
        leading=random.choice((1.2, 1.3, 1.4)),
        pad=random.choice((2.5, 3.5, 5.0)),
        face=ink.body,
        header_face=random.choice((ink.bold, ink.bold, ink.body)),
        header_fill=head_fill,
        header_colour=(ink.ground if dark_head else ink.text),
        band=ink.soft if random.random() < 0.4 else None,
        line=random.choice((rgb("#222222"), rgb("#888888"), rgb("#CFCFCF"), ink.accent)),
        colour=ink.text,
    )
    kind = random.choices(("ruled", "lines", "open"), (5, 2, 2.5))[0]
    if kind == "ruled":
        return None, look
    line = 0.0 if kind == "open" else random.choice((0.3, 0.5, 0.8))
    ends = random.choice((0.0, 0.8, 1.4))
    return Rules(ends, line, random.choice((0.0, ends)), colour=look.line), look


@dataclass
class Table:
    """A group's products as columns and items of the pens, measured for a width."""

    paper: Paper
    style: TableStyle
    width: float
    look: Look
    columns: list[Column]

    @classmethod
    def measured(cls, paper: Paper, style: TableStyle, products: Sequence[Product], width: float) -> "Table":
        """Widths after the contents; with smaller type, and at last fewer columns, where the page is too narrow."""
        look, roles = style.look, list(style.roles)
        while True:
            least, natural = _widths(paper, style, look, roles, products)
            if sum(least) <= width:
                break
            if look.size > 5.6:
                look = replace(look, size=look.size - 0.5, pad=max(2.0, look.pad - 0.5))
            else:
                roles = _shorter(roles, paper)
        spare = width - sum(least)
        wanted = [max(0.0, wide - few) for wide, few in zip(natural, least, strict=True)]
        share = min(1.0, spare / sum(wanted)) if sum(wanted) else 0.0
        wide = [few + more * share for few, more in zip(least, wanted, strict=True)]
        if style.widest and sum(wide) < width:
            wide = [one * width / sum(wide) for one in wide]
        columns = [
            Column(_key(paper, role), style.heads[role], one, style.aligns[role], merge=role in style.merged)
            for role, one in zip(roles, wide, strict=True)
        ]
        return cls(paper, style, width, look, columns)

    @property
    def head_height(self) -> float:
        if not self.style.headed:
            return 0.0
        lines = max(self._lines(column.head, column, self.look.header_face) for column in self.columns)
        return lines * self.look.size * self.look.leading + 2 * self.look.pad + 2

    def row_height(self, item: Item) -> float:
        """As the pens will draw it."""
        lines = max(
            (
                self._lines(item.cells.get(column.key, ""), column, self.look.face)
                for column in self.columns
                if not column.merge
            ),
            default=1,
        )
        return max(self.least_row, lines * self.look.size * self.look.leading + 2 * self.look.pad)

    @property
    def least_row(self) -> float:
        one = self.look.size * self.look.leading + 2 * self.look.pad + self.style.row_pad
        if any(column.merge for column in self.columns):
            one = max(one, self.look.size * self.look.leading * 2.2 + 2 * self.look.pad)
        return max(one, self.style.photo + 6 if self.style.photo else 0.0)

    def items(self, products: Sequence[Product], start: int = 1) -> list[Item]:
        """Products as rows."""
        return [self._item(one, start + k) for k, one in enumerate(products)]

    def draw(
        self, x: float, y: float, items: Sequence[Item], *, head: bool = True, between: Sequence[Between] = ()
    ) -> float:
        """Draw and note; returns the lower edge."""
        columns = self.columns
        return product_table(
            self.paper.press,
            x,
            y,
            columns,
            items,
            self.look,
            head=None if head and self.style.headed else (),
            head_height=self.head_height,
            row_height=self.least_row,
            between=between,
            rules=self.style.rules,
        )

    def _lines(self, text: str, column: Column, face: str) -> int:
        return len(wrap(self.paper.faces[face], text, self.look.size, column.width - 2 * self.look.pad)) if text else 1

    def _item(self, product: Product, number: int) -> Item:
        paper, cells = self.paper, {}
        optional = {}
        for column in self.columns:
            role = _role(paper, column.key)
            text = str(number) if role == "number" else product.values.get(role, product.specs.get(role, ""))
            if role == "model" and paper.maker.breaks_codes:
                text = _broken(paper, text)
            if role == "product_name" and product.second_name:
                text = f"{text}\n{product.second_name}"
            cells[column.key] = text
        if "~description" in cells:
            optional["description"] = product.values["description"]
        if product.values.get("barcode") in cells.values() and "model" not in cells:
            optional["model"] = product.values["barcode"]
        if "product_name" not in cells and "model" in cells:
            optional["product_name"] = product.values["model"]
        names = [*product.names, product.values["product_name"]]
        accept = {"product_name": names} if product.names and "product_name" in cells else {}
        return Item(
            cells, (product.motif, product.paint) if self.style.photo else ("", ""), product.group, optional, accept
        )


def _key(paper: Paper, role: str) -> str:
    if role == "photo":
        return "picture"
    if role.startswith("specs."):
        return f"={paper.maker.labels[role]}"
    if role in ("trade", "barcode"):
        return f"={paper.maker.labels[role]}"
    return _KEYS.get(role, "") + role


def _role(paper: Paper, key: str) -> str:
    """The role, or the label of a technical value, of a column's key."""
    for role in ("trade", "barcode"):
        if key == f"={paper.maker.labels[role]}":
            return role
    return key.lstrip("=~")


def _broken(paper: Paper, code: str) -> str:
    for sign in ("-", "/", "."):
        at = code.rfind(sign)
        if 2 <= at < len(code) - 1:
            text = f"{code[: at + 1]}\n{code[at + 1 :]}"
            paper.press.codes[" ".join(text.split())] = code
            return text
    return code


def _shorter(roles: list[str], paper: Paper) -> list[str]:
    """One column less, never what tells products apart."""
    kept = {"model", "product_name", "price", "photo", *(role for role in roles if role[0] == "#")} | (
        {"size"} if paper.maker.goods.naming == "sized" else set()
    )
    gone = [role for role in roles if role not in kept] or [role for role in roles if role in ("price", "photo")]
    return [role for role in roles if role != gone[-1]]


def _widths(
    paper: Paper, style: TableStyle, look: Look, roles: Sequence[str], products: Sequence[Product]
) -> tuple[list[float], list[float]]:
    faces = paper.faces
    least, natural = [], []
    for role in roles:
        if role == "photo":
            edge = style.photo * 1.25 + 8
            least.append(edge)
            natural.append(edge)
            continue
        key = _role(paper, _key(paper, role))
        texts = [one.values.get(key, one.specs.get(key, "")) for one in products] if role != "number" else ["100"]
        if role == "model" and paper.maker.breaks_codes:
            texts = [line for text in texts for line in _broken(paper, text).split("\n")]
        if role == "product_name":
            texts = [text for one in products for text in (one.values[role], one.second_name) if text]
        heads = [style.heads[role]] if style.headed else []
        sides = [(look.face, text) for text in texts] + [(look.header_face, text) for text in heads]
        pad = 2 * look.pad + 1.5
        least.append(pad + max([_piece(faces[face], text, look.size) for face, text in sides], default=10))
        if role in ("price", "trade", "old") or role[0] == "#":
            # Nobody breaks an amount over lines.
            least[-1] = max([least[-1], *(pad + faces[look.face].width(text, look.size) for text in texts)])
        most = {"product_name": 210, "description": 190}.get(role, 130)
        natural.append(
            max(
                least[-1],
                min(most, pad + max([faces[face].width(text, look.size) for face, text in sides], default=10)),
            )
        )
    return least, natural


def _piece(face: Face, text: str, size: float) -> float:
    """Width of the longest piece that no line break can be put into."""
    if not text:
        return 6.0
    return max(face.width(line, size) for line in wrap(face, text, size, 0.1))


def rows_that_fit(table: Table, items: Sequence[Item], room: float) -> int:
    """How many of the first items fit under a head."""
    used = table.head_height
    for k, item in enumerate(items):
        used += table.row_height(item)
        if used > room:
            return k
    return len(items)


@dataclass(frozen=True)
class Sections:
    """How rows with headings look."""

    fill: Rgb | None
    colour: Rgb | None
    align: str

    def row(self, table: Table, at: int, title: str, *, is_series: bool) -> Between:
        """A row over the whole width with the heading of a group."""
        height = table.look.size * 1.4 + 2 * table.look.pad
        return Between(
            at,
            title,
            fill=self.fill,
            face=table.paper.maker.ink.bold,
            colour=self.colour,
            align=self.align,
            height=height,
            series=title if is_series else "",
        )


def draw_sections(random: Random, paper: Paper) -> Sections:
    """A maker's rows with headings."""
    ink = paper.maker.ink
    fill = random.choice((None, ink.soft, ink.accent))
    return Sections(fill, ink.ground if fill == ink.accent else ink.text, random.choice(("left", "left", "center")))
