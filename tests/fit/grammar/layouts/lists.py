"""Lists without a grid: lines with leader dots, menus, lines of code, name and price in columns of the page."""

from collections.abc import Callable
from dataclasses import replace

from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Group, Product
from tests.support.catalogues.ink import Box


class _Lines:
    """How the lines of a maker's list read. ``leader``: what leads the eye to the price."""

    def __init__(self, paper: Paper, leader: str) -> None:
        random, maker = paper.random, paper.maker
        self.paper, self.leader, self.count = paper, leader, 0
        self.order = random.choice(("code_name", "name_code", "code_name"))
        self.joint = random.choice(("  ", " ", " – ", "   "))
        self.face = maker.ink.body
        self.size = maker.ink.size * random.choice((1.0, 1.0, 1.2))
        self.step = self.size * random.choice((1.5, 1.8, 2.2))
        self.bullet = random.choice(("", "", "", "• ", "- ", "・" if maker.language.is_eastern else "", "#. "))
        self.bold_price = random.random() < 0.4
        self.size_behind = "size" in maker.goods.fields and (maker.goods.naming == "sized" or random.random() < 0.5)
        self.fact = random.choice(
            [role for role in ("color", "material", "packing", "") if role in (*maker.goods.fields, "")]
        )

    def parts(self, product: Product, *, named: bool) -> list[tuple[str, str]]:
        """Role and text of what stands left of the price."""
        values, identity = product.values, self.paper.maker.identity
        code = [("model", values["model"])] if identity != "name" else []
        name = [("product_name", values["product_name"])] if named and identity != "code" else []
        parts = code + name if self.order == "code_name" else name + code
        if self.size_behind:
            parts.append(("size", values["size"]))
        if self.fact and values.get(self.fact, "").strip(" -—"):
            parts.append((self.fact, values[self.fact]))
        return parts

    def _with_facts(self, product: Product, parts: list[tuple[str, str]]) -> Product:
        """In a line without columns a size or colour behind the name may be taken for a part of it."""
        roles = [role for role, _ in parts]
        if "product_name" not in roles:
            return product
        behind = [text for _, text in parts[roles.index("product_name") :]]
        if "model" in roles[roles.index("product_name") :]:
            return product
        longer = [" ".join(self.joint.join(behind[:k]).split()) for k in range(2, len(behind) + 1)]
        return replace(product, names=[*product.names, *longer])

    def line(self, product: Product, x: float, y: float, end: float, *, named: bool = True) -> bool:
        """One product from the upper edge ``y``; False, and nothing drawn, where it does not fit."""
        paper, ink, price = self.paper, self.paper.maker.ink, product.values.get("price", "")
        parts = self.parts(product, named=named)
        if not parts:
            return False
        text = self.bullet.replace("#", str(self.count + 1)) + self.joint.join(part for _, part in parts)
        font, bold = paper.faces[self.face], paper.faces[ink.bold]
        wide, cost = font.width(text, self.size), bold.width(price, self.size) if price else 0.0
        if x + wide + cost + 14 > end:
            return False
        base = y + self.size
        self.count += 1
        paper.leaf.text(x, base, text, face=self.face, size=self.size, colour=ink.text)
        if price:
            paper.leaf.text(
                end,
                base,
                price,
                face=ink.bold if self.bold_price else self.face,
                size=self.size,
                colour=ink.text,
                align="right",
            )
            room = end - cost - 6 - (x + wide + 4)
            if self.leader and room > 6:
                dots = int(room / font.width(self.leader, self.size))
                paper.leaf.text(
                    end - cost - 6,
                    base,
                    self.leader * dots,
                    face=self.face,
                    size=self.size,
                    colour=ink.grey,
                    align="right",
                )
        shown = [role for role, _ in parts] + (["price"] if price else [])
        paper.note(self._with_facts(product, parts), [(x, y, end, y + self.step)], shown)
        return True


def _list(paper: Paper, name: str, leader: str, cols: int) -> Callable[[], None]:
    random, maker = paper.random, paper.maker
    lines = _Lines(paper, leader)
    gap = random.choice((16.0, 26.0))
    heading = random.choice(("plain", "rule", "bar", "center"))
    carried = random.random() < 0.7
    pictured = random.random() < 0.25

    def draw() -> None:
        paper.begin("A", name)
        if random.random() < 0.6:
            paper.title(maker.language.one("titles.cover", random))
        x0, y0, x1, y1 = paper.area
        count = max(1, min(cols, int((x1 - x0) / 170)))
        wide = (x1 - x0 - gap * (count - 1)) / count
        for col in range(count):
            x, y = x0 + col * (wide + gap), y0
            for group in maker.goods.groups(9, (3, 8)):
                if y + lines.step * 4 > y1:
                    break
                y = _group(group, (x, y, x + wide, y1)) + lines.step * 0.8

    def _group(group: Group, room: Box) -> float:
        x, y, end, y1 = room
        ink, leaf, size = maker.ink, paper.leaf, lines.size * 1.3
        if heading == "bar":
            leaf.rect((x, y, end, y + size * 1.5), fill=ink.accent)
        paper.fitted(
            x + (4 if heading == "bar" else 0),
            y + size * 1.1,
            end - x,
            group.title,
            face=ink.bold,
            size=size,
            colour=ink.ground if heading == "bar" else ink.accent,
            align="center" if heading == "center" else "left",
        )
        if heading == "rule":
            leaf.rule(x, y + size * 1.4, end, y + size * 1.4, colour=ink.accent, thick=0.8)
        y += size * 1.9
        is_name = group.is_name and carried
        shared = []
        if pictured and y + 60 < y1 and y + 60 + lines.step * 3 < y1:
            shared = [paper.photo(group.products[0], (x, y, x + 70, y + 52))]
            y += 60
        paper.press.heading = () if group.is_name else (group.title,)
        with paper.press.carrying({"product_name": group.title} if is_name else {}, shared):
            for product in group.products:
                if y + lines.step > y1:
                    break
                if lines.line(product, x, y, end, named=not is_name):
                    y += lines.step
        return y

    return draw


def dotted(paper: Paper) -> Callable[[], None]:
    """Leader dots to the price, one to three columns."""
    return _list(
        paper, "dotted", paper.random.choice((".", ".", "…", "·", "_", "-")), paper.random.choice((1, 2, 2, 3))
    )


def menu(paper: Paper) -> Callable[[], None]:
    """A priced list in columns without leaders."""
    return _list(paper, "menu", "", paper.random.choice((1, 2, 2, 3)))
