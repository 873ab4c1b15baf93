"""A folio whose truth knows what the maker's prices, broken codes and headings mean."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.fit.grammar.photos import PhotoStyle
from tests.golden.styles.pens.folio import NO_VALUES, Drawn, Folio, place
from tests.support.catalogues.ink import Box


@dataclass
class Press(Folio):
    """``codes``: whole codes by the text of those that are broken over lines; ``prices``: by printed text all that is
    as right; ``asking``: texts that stand where a price is not told; ``currency``: signs of the catalogue."""

    codes: dict[str, str] = field(default_factory=dict)
    prices: dict[str, list[str]] = field(default_factory=dict)
    asking: frozenset[str] = frozenset()
    currency: Sequence[str] = ()
    layouts: dict[int, str] = field(default_factory=dict)
    shots: PhotoStyle | None = None
    _carried: dict[str, str] = field(default_factory=dict)
    _accepted: dict[str, Sequence[str]] = field(default_factory=dict)
    _shared: tuple[str, ...] = ()

    def shows(self, motif: str, box: Box, paint: str, wall: str = "#FFFFFF") -> str:
        """As in Folio, by the maker's photographer."""
        assert self.shots, "no photographer"
        shape = (box[2] - box[0], box[3] - box[1])
        place(self.leaf, self.art(self.shots.shot(motif, paint, shape, len(self.images))), box)
        return self.notes_image(box)

    @contextmanager
    def carrying(
        self,
        attributes: Mapping[str, str],
        shared: Iterable[str] = (),
        accept: Mapping[str, Sequence[str]] | None = None,
    ) -> Iterator[None]:
        """Products noted inside have these values too: a heading says them. ``shared``: pictures of all of them."""
        before = self._carried, self._shared, self._accepted
        self._carried, self._shared, self._accepted = dict(attributes), tuple(shared), dict(accept or {})
        yield
        self._carried, self._shared, self._accepted = before

    def sku(
        self,
        cards: Sequence[Box],
        attributes: Mapping[str, str],
        *,
        images: Iterable[str] = (),
        shared: Iterable[str] = (),
        optional: Mapping[str, str] | None = None,
        accept: Mapping[str, Sequence[str]] | None = None,
        custom: Mapping[str, str] | None = None,
        tiers: Sequence[tuple[str, str]] = (),
    ) -> None:
        """As in Folio; what a heading carries is asked as well."""
        asked = {**self._carried, **attributes}
        also, kinds = dict(optional or {}), {**self._accepted, **(accept or {})}
        if asked.get("price", "") in self.asking:
            also["price"] = asked.pop("price", "")
        if forms := self.prices.get(asked.get("price", "")):
            kinds["price"] = [*kinds.get("price", ()), *forms]
        if self.currency and asked.get("price"):
            also["currency"] = self.currency[0]
            kinds["currency"] = list(self.currency)
        if broken := asked.get("model"):
            asked["model"] = self.codes.get(" ".join(broken.split()), broken)
        if self.heading and not asked.get("product_name"):
            # What stands over rows without names may be taken for their name.
            also.setdefault("product_name", self.heading[0])
            kinds["product_name"] = [*kinds.get("product_name", ()), *self.heading]
        printed = {key for key, text in asked.items() if text.strip() not in NO_VALUES}
        also = {key: text for key, text in also.items() if text and key not in printed}
        kinds = {key: [text for text in texts if text != asked.get(key, also.get(key))] for key, texts in kinds.items()}
        super().sku(
            cards,
            asked,
            images=images,
            shared=[*shared, *self._shared],
            optional=also,
            accept=kinds,
            custom=custom,
            tiers=tiers,
        )

    def finish(self) -> Drawn:
        """As in Folio; each page says its layout."""
        drawn = super().finish()
        for page in drawn.truth["pages"]:
            page["layout"] = self.layouts.get(page["page_number"], "")
            if not any(sku["page_number"] == page["page_number"] for sku in self.skus):
                # No line of a list was short enough for its column: headings alone are no products.
                page["page_type"] = "D"
                page.pop("continues", None)
        return drawn
