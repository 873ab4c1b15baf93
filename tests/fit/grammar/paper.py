"""A page being laid out: its free area, and how texts, photos and products come onto it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.fit.grammar.dressing import dress
from tests.fit.grammar.furniture import furnish
from tests.fit.grammar.maker import Maker
from tests.fit.grammar.press import Press
from tests.fit.grammar.product import Product
from tests.golden.styles.pens.folio import Leaf, place
from tests.support.catalogues.ink import Box, Face, Rgb, wrap

_LEAST_PT = 4.6
# Roles that are attributes by themselves wherever they stand; the others only where a label says what they are.
SPEAKING = frozenset(("model", "product_name", "price", "size", "material", "color"))
NAMED = frozenset(("packing", "weight", "moq", "unit"))
LABELLED = frozenset(("barcode", "trade"))


@dataclass
class Paper:
    """``area``: where the layout may draw, inside margins and running lines."""

    press: Press
    maker: Maker
    random: Random
    area: Box = (0, 0, 0, 0)

    @property
    def leaf(self) -> Leaf:
        """The page being drawn."""
        return self.press.leaf

    @property
    def faces(self) -> Mapping[str, Face]:
        """The catalogue's faces by name."""
        return self.press.seen

    def begin(self, kind: str, layout: str, *, continues: bool = False, bare: bool = False) -> None:
        """A new page with the maker's furniture; ``bare`` without any, as covers are."""
        self.press.page(kind, layout, size=self.maker.page_size, continues=continues)
        self.press.layouts[self.press.number] = layout
        self.area = furnish(self.leaf, self.maker, self.press, self.random, bare=bare)
        if kind != "D":
            self.area = dress(self.press, self.maker, self.random, self.area)

    def title(self, text: str) -> None:
        """A heading at the top of the free area, which may be taken for the series of what stands below."""
        self.press.heading = (text,)
        ink, random, (x0, y0, x1, y1) = self.maker.ink, self.random, self.area
        size = random.choice((12.0, 14.0, 17.0, 21.0, 26.0))
        lines, size = self.wrapped(ink.bold, text, size, x1 - x0)
        align = random.choice(("left", "left", "center"))
        at = x0 if align == "left" else (x0 + x1) / 2
        if random.random() < 0.2:
            self.leaf.rect((x0, y0, x1, y0 + size * 1.25 * len(lines) + 6), fill=ink.accent)
            colour: Rgb = (1, 1, 1)
        else:
            colour = random.choice((ink.accent, ink.text))
        for k, line in enumerate(lines):
            self.leaf.text(
                at + (6 if align == "left" else 0),
                y0 + size * (1.05 + 1.25 * k) + 2,
                line,
                face=ink.bold,
                size=size,
                colour=colour,
                align=align,
            )
        bottom = y0 + size * 1.25 * len(lines) + 6
        if random.random() < 0.3:
            self.leaf.rule(x0, bottom + 2, x1, bottom + 2, colour=ink.accent, thick=random.choice((0.5, 1, 2)))
        self.area = (x0, bottom + random.choice((8, 12, 18)), x1, y1)

    def wrapped(self, face: str, text: str, size: float, width: float) -> tuple[list[str], float]:
        """Lines no wider than the width, and the size at which no word is."""
        font = self.faces[face]
        while True:
            lines = wrap(font, text, size, width)
            if size <= _LEAST_PT or all(font.width(line, size) <= width + 0.05 for line in lines):
                return lines, size
            size = max(_LEAST_PT, size - 0.4)

    def fitted(
        self, x: float, y: float, width: float, text: str, *, face: str, size: float, colour: Rgb, align: str = "left"
    ) -> float:
        """One line from the baseline ``y``, smaller where it would be too wide. Returns its width."""
        wide = self.faces[face].width(text, size)
        if wide > width:
            size = max(3.6, size * width / wide)
        at = {"left": x, "center": x + width / 2, "right": x + width}[align]
        return self.leaf.text(at, y, text, face=face, size=round(size, 1), colour=colour, align=align)

    def paragraph(self, x: float, y: float, width: float, text: str, size: float, colour: Rgb | None = None) -> float:
        """Body text from the baseline ``y``; returns the baseline after it."""
        ink = self.maker.ink
        lines, size = self.wrapped(ink.body, text, size, width)
        for line in lines:
            self.leaf.text(x, y, line, face=ink.body, size=size, colour=colour or ink.text)
            y += size * 1.42
        return y

    def note_below(self, y: float) -> None:
        """Small print under what was drawn, where there is room."""
        x0, _, x1, y1 = self.area
        text = self.random.choice(("* ", "", "** ")) + self.maker.language.one("terms", self.random)
        lines, size = self.wrapped(self.maker.ink.light, text, self.maker.ink.size * 0.9, x1 - x0)
        if y + size * (1.5 * len(lines) + 1) < y1:
            for k, line in enumerate(lines):
                self.leaf.text(
                    x0,
                    y + size * (1.6 + 1.42 * k),
                    line,
                    face=self.maker.ink.light,
                    size=size,
                    colour=self.maker.ink.grey,
                )

    def intro(self) -> None:
        """A paragraph above what comes."""
        x0, y0, x1, y1 = self.area
        text = self.maker.language.joined(*self.maker.language.some("phrases", self.random, self.random.choice((2, 4))))
        y = self.paragraph(x0, y0 + self.maker.ink.size, x1 - x0, text, self.maker.ink.size)
        self.area = (x0, y + 4, x1, y1)

    def photo(self, product: Product, box: Box) -> str:
        """The product's picture, noted."""
        return self.press.shows(product.motif, box, product.paint)

    def decorates(self, jpeg: bytes, box: Box) -> None:
        """A picture of no product."""
        place(self.leaf, self.press.art(jpeg), box)

    def note(
        self,
        product: Product,
        boxes: Sequence[Box],
        shown: Iterable[str],
        *,
        labelled: Iterable[str] = (),
        images: Iterable[str] = (),
        shared: Iterable[str] = (),
    ) -> None:
        """The product as printed: ``shown`` roles (or labels of technical values), ``labelled`` those with a label."""
        shown, labelled, values = set(shown), set(labelled), product.values
        asked = {role: values[role] for role in shown if role in SPEAKING or (role in NAMED and role in labelled)}
        also = {role: values[role] for role in shown if role in NAMED - labelled or role == "description"}
        custom = {self.maker.labels[role]: values[role] for role in shown & labelled if role in LABELLED}
        custom |= {label: value for label, value in product.specs.items() if label in shown}
        accept = {"product_name": list(product.names)} if product.names and "product_name" in shown else {}
        if "barcode" in shown and "model" not in shown:
            also["model"] = values["barcode"]
        if "model" in asked and "product_name" not in asked:
            also["product_name"] = asked["model"]
        self.press.sku(boxes, asked, optional=also, accept=accept, custom=custom, images=images, shared=shared)
