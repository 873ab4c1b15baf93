"""The coverage ledger: each block of text and each picture of a page ends as used, ignored or unresolved (X-COVER)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from catalogsku.core.box import Box, area, centre, contains_point, holds_centre
from catalogsku.core.text import squash, trim
from processing.engine.page import Block, Line, Picture, Table
from processing.engine.result import Covered, PictureRole, RowTally, Sku
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.classifying.printed import holds_print
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.pictures.marks import is_under
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.rules.wording import is_figure_caption
from processing.engine.understanding.signs import product_sign
from processing.engine.understanding.view import PageView

USED, IGNORED, UNRESOLVED = "used", "ignored", "unresolved"
_GRAVEST = (UNRESOLVED, USED, IGNORED)
# About how many products' worth of text a line is; a code like those of the page's products is one by itself.
_WORTH = {"price": 1.0, "family_code": 1.0, "label": 0.3, "code": 0.3}
_WHOLE = frozenset(sign for sign, worth in _WORTH.items() if worth == 1.0)
# A free picture between half and twice as large as those of the page's products may show one more.
_ALIKE = 2.0


@dataclass(frozen=True)
class Coverage:
    """``share``: products found, over them and what is unresolved beside them, 0 to 1. ``products``: about how many
    products' worth of text is unresolved, ``pictures`` how many pictures."""

    share: float
    products: float
    pictures: int
    ledger: tuple[Covered, ...]


def cover_page(
    view: PageView,
    kind: PageType,
    used: Sequence[Box],
    tallies: Sequence[RowTally],
    skus: Sequence[Sku],
    roles: Sequence[PictureRole],
) -> Coverage:
    """What became of everything on the page. ``used``: boxes whose text the extractor has accounted for.

    Rows of product tables whose SKUs are missing count as unresolved, whoever lost them. Without SKUs a page is judged
    as a whole, by its type's confidence; everything on it has the reason for that type.
    """
    books = _Books(view, kind, (*used, *(sku.box for sku in skus)), tuple(skus), _doubtful_tables(tallies, skus))
    texts = {block.id: [books.text(line) for line in _lines(block)] for block in view.page.blocks}
    rows = sum(books.doubtful.values())
    products = round(rows + _left([why for fates in texts.values() for fate, why in fates if fate == UNRESOLVED]), 4)
    lacking = products >= 1 or any(not sku.bindings for sku in skus)
    shown = zip(view.page.pictures, roles, strict=True)
    pictures = {picture.id: books.picture(picture, role, lacking) for picture, role in shown}
    share = len(skus) / (len(skus) + products) if skus else float(rows == 0)
    blocks = {block: _gravest(fates) for block, fates in texts.items()}
    free = sum(1 for fate, _ in pictures.values() if fate == UNRESOLVED)
    return Coverage(round(share, 4), products, free, _grouped(blocks | pictures))


@dataclass(frozen=True)
class _Books:
    view: PageView
    kind: PageType
    used: tuple[Box, ...]
    skus: tuple[Sku, ...]
    doubtful: dict[str, int]

    def text(self, line: Line) -> tuple[str, str]:
        """Fate and reason of one line."""
        if self.view.is_running(line):
            return IGNORED, "running_line"
        table = next((t for t in self.view.page.tables if contains_point(t.box, *centre(line.box))), None)
        if table is not None and table.id in self.doubtful:
            return UNRESOLVED, "table_row"
        # In a hole of its grid.
        lost = table is not None and not holds_centre([cell.box for cell in table.cells], line.box)
        if holds_centre([sku.box for sku in self.skus] if lost else self.used, line.box):
            return USED, "product"
        if not self.skus:
            return self._whole()
        sign = self._sign(line)
        if sign is None or (table is not None and not lost and not self._is_caption_row(table, sign)):
            return IGNORED, "no_product_words" if table is None else "table_without_products"
        return (IGNORED, "named_again") if sign == "known_code" else (UNRESOLVED, sign)

    def _is_caption_row(self, table: Table, sign: str) -> bool:
        """Captions beside each other may be taken for a table: where no product is of one, what names or prices a
        product counts as it does elsewhere."""
        return not table.ruled and sign in _WHOLE and not any(sku.table for sku in self.skus)

    def picture(self, picture: Picture, role: PictureRole, lacking: bool) -> tuple[str, str]:
        """Fate and reason of one picture. ``lacking``: a product has no picture, or some text no product."""
        if any(binding.picture == picture.id for sku in self.skus for binding in sku.bindings):
            return USED, "product"
        if self.view.is_repeated(picture):
            return IGNORED, "repeated"
        if not self.skus:
            return self._whole()
        if self.kind.page_type in ("B", "C") and picture in self.view.pictures:
            if holds_print(self.view, picture):
                return UNRESOLVED, "may_hold_text"
            more = (lacking or self._is_captioned(picture)) and role.role != "SIZE_CHART"
            if more and self._is_alike(picture):
                return UNRESOLVED, "like_the_products"
        return IGNORED, role.role.lower()

    def _is_alike(self, picture: Picture) -> bool:
        """About as large as the pictures of the page's products, where they have any."""
        bound = {binding.picture for sku in self.skus for binding in sku.bindings}
        sizes = [area(other.box) for other in self.view.page.pictures if other.id in bound]
        return not sizes or median(sizes) / _ALIKE <= area(picture.box) <= median(sizes) * _ALIKE

    def _is_captioned(self, picture: Picture) -> bool:
        """Right under it stands, for itself, what a product of the page is named."""
        names = {squash(sku.attributes["product_name"].text) for sku in self.skus if "product_name" in sku.attributes}
        return any(
            squash(line.text) in names and is_under(picture.box, line) and not holds_centre(self._own, line.box)
            for block in self.view.page.blocks
            for line in _lines(block)
        )

    @cached_property
    def _own(self) -> list[Box]:
        return [sku.box for sku in self.skus]

    def _whole(self) -> tuple[str, str]:
        sure = self.kind.confidence >= self.view.config.classification.page_type_min_confidence
        return (IGNORED if self.kind.page_type == "D" and sure else UNRESOLVED), self.kind.reason

    @cached_property
    def _models(self) -> dict[str, str]:
        """The shape of each found code, by the code."""
        texts = [sku.attributes["model"].text for sku in self.skus if "model" in sku.attributes]
        return {squash(text): _shape(text) for text in texts}

    @cached_property
    def _page_before(self) -> str:
        """What the page before prints, which this one may name again ("FF-203 (continued)")."""
        pages = [other for other in self.view.earlier if other.number == self.view.page.number - 1]
        return squash(pages[0].text) if pages else ""

    def _sign(self, line: Line) -> str | None:
        sign, text = product_sign(line), trim(line.text)
        spaced = is_code(text) and not is_figure_caption(text)  # "KB 190": its first word is none
        if sign != "code" and not (sign is None and spaced):
            return sign
        heads = (text.split(" ", 1)[0], *([text] if spaced else []))
        if any(squash(head) in self._models or squash(head) in self._page_before for head in heads):
            return "known_code"
        return "family_code" if any(_shape(head) in self._models.values() for head in heads) else sign


def _shape(code: str) -> str:
    """What codes of one family have in common: their letters, and where digits stand ("DLX-100": "DLX-9")."""
    return re.sub(r"\d+", "9", code.upper())


def _doubtful_tables(tallies: Sequence[RowTally], skus: Sequence[Sku]) -> dict[str, int]:
    """Rows by table that ended in no SKU and for no reason: unresolved ones, and those whose SKU is not there."""
    rows = {t.table: t.unresolved + max(0, t.skus - sum(sku.table == t.table for sku in skus)) for t in tallies}
    return {table: count for table, count in rows.items() if count}


def _left(reasons: Sequence[str]) -> float:
    """Codes alone prove little."""
    strong = any(_WORTH.get(reason, 0.0) and reason != "code" for reason in reasons)
    return sum(_WORTH.get(reason, 0.0) for reason in reasons if strong or reason != "code")


def _lines(block: Block) -> list[Line]:
    return [piece for line in block.lines for piece in pieces(line)]


def _gravest(fates: Sequence[tuple[str, str]]) -> tuple[str, str]:
    return min(fates, key=lambda fate: _GRAVEST.index(fate[0]), default=(IGNORED, "empty"))


def _grouped(fates: dict[str, tuple[str, str]]) -> tuple[Covered, ...]:
    groups: dict[tuple[str, str], list[str]] = {}
    for part, fate in fates.items():
        groups.setdefault(fate, []).append(part)
    return tuple(Covered(fate, reason, tuple(parts)) for (fate, reason), parts in sorted(groups.items()))
