"""One page as the extractors look at it: lines that may name products, pictures that may show them, product tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from catalogsku.core.box import Box, area, centre, contains_point, height, holds_centre, intersect, overlap_ratio, width
from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.result import DocumentFacts
from processing.engine.understanding.bracketed import out_of_brackets
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.contents import is_contents
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.pictures.icons import icons
from processing.engine.understanding.pictures.swatches import swatches
from processing.engine.understanding.rules.in_force import own_words
from processing.engine.understanding.rules.shapes import is_price, price_spans
from processing.engine.understanding.rules.wording import is_figure_caption
from processing.engine.understanding.running import in_margin, picture_key, running_form
from processing.engine.understanding.tables.charts import is_size_chart
from processing.engine.understanding.tables.extractor import Reading, read_tables

A4_AREA = 595.0 * 842.0
_MIN_SIDE = 0.03
# A picture over a third of a page beside few characters makes it a poster: of one product, of a place, or a cover.
_POSTER_AREA = 0.33
_POSTER_CHARS = 400
_MAX_AREA, _GROUND = 0.6, 0.9
# Of the page: a photo that is large; so many of them at most tell of one thing or of its family.
_LARGE_PHOTO, FEW_PHOTOS = 0.05, 3
# Of the page's width.
_ACROSS = 0.9
# In its own heights: how far under its figure a caption stands.
_NEXT = 2.0
# A wide picture with lines of text on it is the ground of a heading; of the page's height, one that is low.
_BANNER, _LOW = 1.8, 0.15
# Of the page: the only picture that begins in the uppermost part, ends above this height and is so small belongs to the
# letterhead.
_TOP, _UPPER, _LETTERHEAD = 0.05, 0.25, 0.06
# Of the page: as wide as a strip along its edge is at least, and as high as it is at most; pictures below it.
_WHOLE, _STRIP, _OVER = 0.97, 0.2, 3
# Of the page: a small picture. Of it: so much print makes it a logo, and so much with a price among it a badge.
_SMALL, _LETTERED, _PRICED = 0.02, 0.35, 0.1
# Variance of the Laplacian (Picture.blur) below which a picture is a shadow, a tinted band or a gradient: photos of
# 2096 products of the seen and the real catalogues lie above 15.
_SMOOTH = 5.0
# Of a photo's sides: how near to its corner a detail is laid upon it.
_CORNER = 0.15
# Of a smaller panel: so much of it lies within another one.
_WITHIN = 0.9


@dataclass(frozen=True)
class PageView:
    """A page with its earlier neighbours, the document's facts and the frozen configuration.

    ``extractions``: what an extractor found, by its name; classifying and extracting ask for the same. ``seen``:
    the same for what is no extraction.
    """

    page: ParsedPage
    earlier: Sequence[ParsedPage]
    facts: DocumentFacts
    config: AnalystConfig
    extractions: dict[str, Extraction] = field(default_factory=dict, compare=False, repr=False)
    seen: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def scale(self) -> float:
        """Lengths on this page against A4."""
        return float((max(1.0, self.page.width_pt * self.page.height_pt) / A4_AREA) ** 0.5)

    @property
    def page_area(self) -> float:
        return max(1.0, self.page.width_pt * self.page.height_pt)

    @cached_property
    def is_index(self) -> bool:
        """Only names what stands on other pages: by the document's facts, or by the page itself."""
        return self.page.number in self.facts.index_pages or is_contents(self.page)

    @cached_property
    def _read(self) -> list[Reading]:
        if self.is_index:
            return []
        return read_tables(self.page, self.earlier, self.config)

    @cached_property
    def tables(self) -> list[Reading]:
        """Tables that list products."""
        return [reading for reading in self._read if reading.judgement.is_product]

    @cached_property
    def suspects(self) -> list[Reading]:
        """Tables that seem to list products and that no rule could take."""
        return [reading for reading in self._read if not reading.judgement.is_product]

    @cached_property
    def table_boxes(self) -> list[Box]:
        return [reading.grid.table.box for reading in self.tables]

    @cached_property
    def lines(self) -> list[Line]:
        """Lines outside product and doubtful tables, size charts and running headers, one for each printed text."""
        return [
            line
            for whole in self.page.lines
            for piece in pieces(whole)
            for line in out_of_brackets(piece)
            if line.text.strip() and not self.is_running(line) and not self._in_other_hands(line.box)
        ]

    @cached_property
    def pieces(self) -> list[Line]:
        """All printed lines, cut where holes part them, but for what runs through the document."""
        parts = (part for whole in self.page.lines for piece in pieces(whole) for part in out_of_brackets(piece))
        return [line for line in parts if line.text.strip() and not self.is_running(line)]

    @cached_property
    def pictures(self) -> list[Picture]:
        """Pictures that may show a product: neither tiny, nor the page's ground, nor repeated through the document, nor
        samples of colours, nor icons."""
        others = swatches(self.page) | icons(self.page)
        return [p for p in self.page.pictures if p.id not in others and self._may_show_product(p)]

    @cached_property
    def large_photos(self) -> list[Picture]:
        """Those of ``pictures`` that take a twentieth of the page."""
        return [p for p in self.pictures if area(p.box) >= _LARGE_PHOTO * self.page_area]

    @cached_property
    def shown(self) -> list[Picture]:
        """The page's pictures; of a recognised page those that were seen on it, not the scan itself."""
        return [p for p in self.page.pictures if self.page.ocr is None or (p.drawn and not self.is_ground(p.box))]

    @cached_property
    def poster(self) -> Picture | None:
        """The page's largest picture where it rules the page; never the scan on which the text was recognised."""
        largest = max(self.shown, key=lambda picture: area(picture.box), default=None)
        if largest is None or self.is_repeated(largest):
            return None
        rules = area(largest.box) > _POSTER_AREA * self.page_area and self.chars < _POSTER_CHARS
        return largest if rules else None

    @cached_property
    def letterhead(self) -> Picture | None:
        """The only picture in the page's head, small and in a corner: with the maker's address, not a product."""
        wide, high = self.page.width_pt, self.page.height_pt
        head = [p for p in self.pictures if p.box[1] < _TOP * high and p.box[3] < _UPPER * high]
        corner = [p for p in head if p.box[2] < wide / 2 or p.box[0] > wide / 2]
        small = len(head) == 1 and all(area(p.box) < _LETTERHEAD * self.page_area for p in head)
        return corner[0] if corner and small else None

    @property
    def chars(self) -> int:
        """Characters outside product tables and running headers."""
        return sum(len(line.text) for line in self.lines)

    @cached_property
    def _running(self) -> frozenset[str]:
        return frozenset(self.facts.running_lines)

    def is_running(self, line: Line) -> bool:
        """As the merchant's dictionary says, or stands in a margin as it does on other pages; the same words further in
        are the page's own, and so is an amount, which several products of a list cost."""
        own = own_words()
        if own.says("running", line.text) or own.matches("running", line.text.strip()):
            return True
        if not in_margin(line.box, self.page.height_pt) or running_form(line.text) not in self._running:
            return False
        return not any(start == 0 for start, _ in price_spans(line.text.strip()))

    def in_product_table(self, box: Box) -> bool:
        return holds_centre(self.table_boxes, box)

    @cached_property
    def cards(self) -> list[Box]:
        """Panels with pictures and print on them, none of which holds another one."""
        pictures, lines = ([centre(part.box) for part in some] for some in (self.pictures, self.lines))
        held = [
            box
            for box in self.page.panels
            if any(contains_point(box, *at) for at in pictures) and any(contains_point(box, *at) for at in lines)
        ]
        return [box for box in held if not any(area(o) < area(box) and overlap_ratio(box, o) > _WITHIN for o in held)]

    def on_other_cards(self, box: Box, other: Box) -> bool:
        """Each stands on a card, and these are two."""
        own, others = ([card for card in self.cards if contains_point(card, *centre(place))] for place in (box, other))
        return bool(own and others) and not any(card in others for card in own)

    @cached_property
    def doubtful_boxes(self) -> list[Box]:
        """Tables that a person must look at; a part of one is no card of its own."""
        return [reading.grid.table.box for reading in self.suspects]

    @cached_property
    def chart_boxes(self) -> list[Box]:
        """Tables with the measures of a garment by its sizes."""
        return [table.box for table in self.page.tables if is_size_chart(table)]

    @cached_property
    def figure_boxes(self) -> list[Box]:
        """Pictures over a figure's caption, as manuals have them: what is printed on one is no product's text."""
        under = [line.box for line in self.page.lines if is_figure_caption(line.text)]
        return [p.box for p in self.page.pictures if any(_is_under(line, p.box) for line in under)]

    def _in_other_hands(self, box: Box) -> bool:
        others = (*self.chart_boxes, *self.doubtful_boxes, *self.figure_boxes)
        taken = holds_centre(others, box)
        return taken or self.in_product_table(box)

    def is_repeated(self, picture: Picture) -> bool:
        return picture_key(picture) in self.facts.repeated_pictures

    def _lines_on(self, box: Box) -> list[Line]:
        return [line for line in self.page.lines if contains_point(box, *centre(line.box))]

    def beside_each_other(self, pictures: Sequence[Picture], products: int) -> list[Picture]:
        """Those of several products: without what runs across the page over all of them, where the rest are enough."""
        narrow = [picture for picture in pictures if width(picture.box) < _ACROSS * self.page.width_pt]
        return narrow if 1 < products <= len(narrow) else list(pictures)

    def is_ground(self, box: Box) -> bool:
        """What the page is printed on: nearly all of it, or most of it with text there."""
        share = area(box) / self.page_area
        return share > _GROUND or (share > _MAX_AREA and bool(self._lines_on(box)))

    def _is_banner(self, box: Box) -> bool:
        """The ground of a heading, not of a price or of the numbers of what it shows. Recognition also reads what is
        printed on products, so it must be low there."""
        low = self.page.ocr is None or height(box) < _LOW * self.page.height_pt
        printed = self._lines_on(box) if low and width(box) > _BANNER * height(box) else []
        return sum(not line.text.strip().isdigit() for line in printed) >= 2 and not any(
            is_price(line.text) for line in printed
        )

    def _is_strip(self, box: Box) -> bool:
        """A low picture along the page's whole upper edge, over others: what the page is headed with."""
        along = width(box) > _WHOLE * self.page.width_pt and box[1] <= _TOP * self.page.height_pt
        return along and height(box) < _STRIP * self.page.height_pt and len(self.page.pictures) > _OVER

    def _is_lettering(self, box: Box) -> bool:
        """A logo: small, and much of it was recognised as print. Less of a price's badge is."""
        if self.page.ocr is None or area(box) > _SMALL * self.page_area:
            return False
        print_on = (common for line in self.page.lines if (common := intersect(line.box, box)))
        least = _PRICED if any(is_price(line.text) for line in self._lines_on(box)) else _LETTERED
        return sum(map(area, print_on)) > least * area(box)

    def _may_show_product(self, picture: Picture) -> bool:
        box = picture.box
        short = min(width(box), height(box))
        if short < _MIN_SIDE * min(self.page.width_pt, self.page.height_pt) or max(width(box), height(box)) > 6 * short:
            return False
        if picture.short_edge < 16 or 0.0 < picture.blur < _SMOOTH or self.is_repeated(picture):
            return False
        if self.is_ground(box) and not (len(self.page.pictures) == 1 and picture is self.poster):
            return False
        if self._is_banner(box) or self._is_strip(box) or self._is_lettering(box):
            return False
        upon = [o.box for o in self.page.pictures if o is not picture and _covers(box, o.box)]
        return not upon or (len(upon) == 1 and _is_inset(box, upon[0]) and not self._lines_on(box))


def _is_inset(box: Box, other: Box) -> bool:
    """In a corner of it, as a detail is laid upon a photo; on a ground a picture stands amid."""
    across, along = _CORNER * width(box), _CORNER * height(box)
    at_side = min(abs(other[0] - box[0]), abs(box[2] - other[2])) <= across
    return at_side and min(abs(other[1] - box[1]), abs(box[3] - other[3])) <= along


def _covers(box: Box, other: Box) -> bool:
    """``box`` is the ground on which at least a much smaller picture lies."""
    return area(box) > 4 * area(other) > 0 and overlap_ratio(box, other) > 0.9 and area(other) > 2000.0


def _is_under(line: Box, picture: Box) -> bool:
    """Right under the picture, in part at least."""
    return line[0] < picture[2] and picture[0] < line[2] and 0 <= line[1] - picture[3] <= _NEXT * height(line)
