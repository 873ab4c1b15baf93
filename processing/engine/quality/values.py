"""The values of one matched SKU beside the truth's: exact, absent, different, extra; and what is not on the page."""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from catalogsku.core.box import Box, centre, contains_point
from catalogsku.core.text import apart, squash
from processing.engine.page import ParsedPage
from processing.engine.quality.likeness import loose, same_label
from processing.engine.quality.truth import TruthSku
from processing.engine.result import Evidence, Sku

_AMOUNT = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")

# What a page says in sentences: judged only where the truth quotes it; it must stand on the page anyway.
FREE_TEXT = frozenset({"description"})


class Slip(msgspec.Struct, frozen=True):
    """A value that is not as the truth has it.

    ``kind``: absent, different (from every text that is right), extra (given, printed, not in the truth) or
    hallucinated (given, not printed). ``key`` is an attribute, ``custom:LABEL`` or ``tier:QUANTITY``.
    """

    sku: str
    key: str
    kind: Literal["absent", "different", "extra", "hallucinated"]
    wanted: str = ""
    given: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """``asked`` and ``right`` of one SKU; values that are right though only optional count in neither."""

    asked: int
    right: int
    slips: tuple[Slip, ...]

    @property
    def misnamed(self) -> bool:
        """Whether the SKU has another's model or name."""
        return any(slip.kind == "different" and slip.key in ("model", "product_name") for slip in self.slips)


class Printed:
    """What is printed on one page: as it was read, and as the truth quotes it."""

    def __init__(self, page: ParsedPage | None, truth_text: str | None = None) -> None:
        self._words = [word for line in page.lines for word in line.words] if page else []
        read = page.text if page else ""
        cells = [cell.text for table in page.tables for cell in table.cells] if page else []
        self._texts = [squash(text) for text in (read, *cells, truth_text or "") if text.strip()]

    def shows(self, text: str, box: Box) -> bool:
        """Whether the text stands on the page in one piece, or is all there is in the box it was taken from."""
        wanted = squash(text)
        inside = self._inside(box)
        return any(wanted in printed for printed in self._texts) or wanted in inside or squash(apart(text)) in inside

    def holds(self, line: str) -> bool:
        wanted = squash(line)
        return any(wanted in printed for printed in self._texts)

    def _inside(self, box: Box) -> str:
        wide = (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1)
        return squash("".join(word.text for word in self._words if contains_point(wide, *centre(word.box))))


class Pages:
    """The pages of one file that were read, to look values up where their evidence says they were taken from."""

    def __init__(self, printed: dict[int, Printed]) -> None:
        self._printed = printed

    def show(self, text: str, evidence: Evidence, page_number: int) -> bool:
        """On the SKU's own page, or on the page before it from which the value was inherited."""
        numbers = dict.fromkeys((page_number, evidence.page_number))
        pages = [self._printed[number] for number in numbers if number in self._printed]
        return any(page.shows(text, evidence.bbox) for page in pages)


def given_values(sku: Sku) -> Iterator[tuple[str, str, Evidence]]:
    """Key, text and evidence of everything that was found."""
    yield from ((key, value.text, value.evidence) for key, value in sku.attributes.items())
    yield from ((f"custom:{custom.name}", custom.value, custom.evidence) for custom in sku.custom)


def unprinted(sku: Sku, pages: Pages, page_number: int) -> tuple[Slip, ...]:
    """Values whose text is not on the page (hallucinations), of a SKU that may or may not be in the truth."""
    name = sku.identity or ""
    return tuple(
        Slip(name, key, "hallucinated", "", text)
        for key, text, evidence in given_values(sku)
        if not pages.show(text, evidence, page_number)
    )


def judge_values(truth: TruthSku, sku: Sku) -> Verdict:
    """The slips that are judged by the truth alone; every one but ``extra`` belongs to a value that was asked for."""
    slips = (*_attributes(truth, sku), *_custom(truth, sku), *_tiers(truth, sku))
    wrong_optional = sum(slip.kind == "different" and slip.key in truth.optional for slip in slips)
    required = len(truth.asked) + len(truth.custom_attributes) + len(truth.tiers or ()) + wrong_optional
    extra = sum(slip.kind == "extra" for slip in slips)
    return Verdict(required, required - (len(slips) - extra), slips)


def _attributes(truth: TruthSku, sku: Sku) -> Iterator[Slip]:
    values = {key: value.text for key, value in sku.attributes.items()}
    for key in (*truth.asked, *(key for key in values if key not in truth.asked)):
        texts = truth.texts(key)
        if key not in values:
            yield Slip(truth.identity, key, "absent", texts[0])
        elif not texts and key not in FREE_TEXT:
            yield Slip(truth.identity, key, "extra", "", values[key])
        elif texts and loose(values[key]) not in map(loose, texts):
            yield Slip(truth.identity, key, "different", texts[0], values[key])


def _custom(truth: TruthSku, sku: Sku) -> Iterator[Slip]:
    for wanted in truth.custom_attributes:
        values = [attribute.value for attribute in sku.custom if same_label(attribute.name, wanted.name)]
        if not values:
            yield Slip(truth.identity, f"custom:{wanted.name}", "absent", wanted.value)
        elif loose(wanted.value) not in map(loose, values):
            yield Slip(truth.identity, f"custom:{wanted.name}", "different", wanted.value, values[0])


def _tiers(truth: TruthSku, sku: Sku) -> Iterator[Slip]:
    """Tiers are given in normalised form, so that amounts are compared; those of a SKU without any are not judged."""
    if not truth.tiers:
        return
    left = list(_given_tiers(sku))
    for quantity, price in truth.tiers:
        same = next((tier for tier in left if _same_tier((quantity, price), tier)), None)
        if same is not None:
            left.remove(same)
        else:
            kind: Literal["absent", "different"] = "different" if left else "absent"
            yield Slip(truth.identity, f"tier:{quantity}", kind, price, "; ".join(" ".join(tier) for tier in left))
    beyond = max(0, len(list(_given_tiers(sku))) - len(truth.tiers))
    for quantity, price in left[len(left) - beyond :]:
        yield Slip(truth.identity, f"tier:{quantity}", "extra", "", price)


def _given_tiers(sku: Sku) -> Iterator[tuple[str, str]]:
    price = sku.normalized.get("price")
    tiers = price.get("tiers") if isinstance(price, dict) else None
    for tier in tiers if isinstance(tiers, list) else ():
        if isinstance(tier, dict):
            yield str(tier.get("quantity") or tier.get("label") or ""), str(tier.get("value") or "")


def _same_tier(wanted: tuple[str, str], actual: tuple[str, str]) -> bool:
    if _amounts(wanted[1])[:1] != _amounts(actual[1])[:1]:
        return False
    printed, actual_amounts = _amounts(wanted[0]), _amounts(actual[0])
    if not printed:
        return same_label(wanted[0], actual[0])
    # Of a range its lower end alone is enough: that is the quantity from which the price holds.
    return actual_amounts in (printed, printed[:1])


def _amounts(text: str) -> list[float]:
    return [float(amount) for amount in _AMOUNT.findall(_THOUSANDS.sub("", text))]
