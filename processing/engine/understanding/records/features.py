"""What speaks for a proposal and against it, in numbers that mean the same on every page."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from statistics import median

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, area, centre, contains_point, gap, height, holds_centre, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.likely_names import bare_name, is_name
from processing.engine.understanding.records.propose import RULES, Proposal, Proposals
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_number, is_price, price_spans
from processing.engine.understanding.rules.wording import is_heading_word, is_sentence, is_title_of_document
from processing.engine.understanding.view import PageView

Floats = NDArray[np.float64]
_SPECS = ("size", "material", "color", "packing", "weight", "moq")
_CENTS = re.compile(r"(?<![\d.,])\d{1,3}(?:[., ]?\d{3})*[.,]\d{2}(?![\d.,])")


class PageEvidence:
    """What the page has to be told of, whichever way."""

    def __init__(self, view: PageView) -> None:
        self.view = view
        self.lines: list[Line] = list(view.pieces)
        self.chars = sum(len(line.text) for line in self.lines)
        self.middles: Floats = np.array([centre(line.box) for line in self.lines]).reshape(-1, 2)
        self.lengths: Floats = np.array([len(line.text) for line in self.lines], dtype=float)
        texts = [line.text for line in self.lines]
        self.price_at = [n for n, text in enumerate(texts) for _ in price_spans(text)]
        self.cents_at = [n for n, text in enumerate(texts) if _CENTS.search(text) and not is_price(text)]
        self.code_at = [n for n, text in enumerate(texts) if is_code(text.strip()) and any(map(str.isalpha, text))]
        self.name_at = [n for n, text in enumerate(texts) if is_name(text)]
        self.prices = [self.lines[n] for n in self.price_at]
        self.names = [self.lines[n] for n in self.name_at]
        self.sizes: Floats = np.array([line.size or height(line.box) for line in self.lines])
        self.bold: NDArray[np.bool_] = np.array([line.bold for line in self.lines], dtype=bool)
        self.sentences = sum(len(line.text) for line in self.lines if is_sentence(line.text))
        self.pictures = [picture.box for picture in view.pictures]
        self.large = [box for box in self.pictures if area(box) >= 0.02 * view.page_area]
        self.body = self._body()
        self.rows = sum(table.n_rows for table in view.page.tables if table.n_cols > 1)

    def _body(self) -> float:
        """The size in which most of the page is printed."""
        if not self.lines:
            return 10.0
        order = np.argsort(self.sizes)
        printed = np.cumsum(self.lengths[order])
        return max(1.0, float(self.sizes[order][np.searchsorted(printed, printed[-1] / 2)]))

    def features(self) -> dict[str, float]:
        view = self.view
        lines = max(1, len(self.lines))
        return {
            "prices": log(1 + len(self.prices)),
            "priced": float(bool(self.prices)),
            "cents": log(1 + len(self.cents_at)),
            "codes": log(1 + len(self.code_at)),
            "names": log(1 + len(self.names)),
            "named": len(self.names) / lines,
            "sentences": self.sentences / max(1, self.chars),
            "chars": log(1 + self.chars) / 5,
            "pictures": log(1 + len(self.pictures)),
            "large": log(1 + len(self.large)),
            "rows": log(1 + self.rows),
            "first": float(view.page.number == 1),
            "recognised": float(view.page.ocr is not None),
            "index": float(view.is_index),
            "document": float(any(is_title_of_document(line.text) for line in self.lines[:12])),
        }


def features(proposal: Proposal, page: PageEvidence, kind: PageType) -> dict[str, float]:
    """Shares are of the proposal's products."""
    own = page.features()
    drafts = proposal.extraction.drafts
    said = {"rules.none": float(kind.page_type == "D"), "rules.sure": kind.confidence}
    if not drafts:
        of_page = {f"none.{name}": value for name, value in (own | said).items()}
        return {"none": 1.0, **of_page, f"none.reason.{kind.reason}": 1.0}
    row: dict[str, float] = {f"some.{name}": value for name, value in own.items() if name in _BESIDE}
    row |= _of_products(drafts)
    row |= _of_names(drafts)
    row |= _of_form(drafts, page)
    row |= _of_print(drafts, page)
    row |= _of_coverage(drafts, page)
    row |= said
    row[f"way.{proposal.proposer}"] = 1.0
    if proposal.family == RULES:
        row |= {"own.sure": kind.confidence, f"own.{kind.reason}": 1.0}
    row[f"family.{proposal.family}"] = 1.0
    if proposal.family == "repeat":
        row |= {
            f"repeat.{name}": row[name]
            for name in ("bare", "priced", "sentence", "pictured", "n", "size", "of_its_print", "read")
            if name in row
        }
    return row


_BESIDE = ("sentences", "index", "first", "document", "recognised", "chars", "prices", "pictures")


def _share(values: Sequence[bool]) -> float:
    return sum(values) / max(1, len(values))


def _of_products(drafts: Sequence[Draft]) -> dict[str, float]:
    def has(*keys: str) -> float:
        return _share([any(key in d.attributes for key in keys) for d in drafts])

    keys = Counter(frozenset(d.attributes) for d in drafts)
    contents = Counter(tuple(sorted((k, squash(v.text)) for k, v in d.attributes.items())) for d in drafts)
    models = [squash(d.attributes["model"].text) for d in drafts if "model" in d.attributes]
    names = [squash(d.attributes["product_name"].text) for d in drafts if "product_name" in d.attributes]
    n = len(drafts)
    return {
        "some": 1.0,
        "n": log(n),
        "one": float(n == 1),
        "few": float(2 <= n <= 3),
        "priced": has("price"),
        "coded": has("model"),
        "namedones": has("product_name"),
        "spec": has(*_SPECS),
        "custom": _share([bool(d.custom) for d in drafts]),
        "nobody": _share([not {"model", "product_name"} & set(d.attributes) for d in drafts]),
        "bare": _share([len(d.attributes) == 1 and not d.custom for d in drafts]),
        "coded_and_priced": _share(["model" in d.attributes and "price" in d.attributes for d in drafts]),
        "alike": keys.most_common(1)[0][1] / n,
        "distinct": len(contents) / n,
        "models_differ": len(set(models)) / len(models) if models else 0.0,
        "names_differ": len(set(names)) / len(names) if names else 0.0,
        "values": sum(len(d.attributes) for d in drafts) / n / 4,
        "sure": sum(d.confidence for d in drafts) / n,
    }


@kept(8192)
def _name_facts(text: str) -> tuple[bool, ...]:
    bare = bare_name(text)
    return (
        is_sentence(text),
        is_name(bare),
        label_kind(text) is not None,
        is_price(text) or is_number(text),
        is_heading_word(text),
        is_code(text),
        text.rstrip().endswith((":", "：")),
        text[:1].islower(),
    )


def _of_names(drafts: Sequence[Draft]) -> dict[str, float]:
    names = [trim(d.attributes["product_name"].text) for d in drafts if "product_name" in d.attributes]
    traits = [_name_facts(name) for name in names]
    keys = ("sentence", "is_name", "is_label", "is_amount", "is_heading", "name_is_code", "colon", "small")
    row = {key: _share([fact[n] for fact in traits]) for n, key in enumerate(keys)}
    row["long"] = min(2.0, sum(map(len, names)) / max(1, len(names)) / 40)
    models = [trim(d.attributes["model"].text) for d in drafts if "model" in d.attributes]
    row["is_code"] = _share([is_code(model) for model in models])
    row["digits"] = _share([model.isdigit() for model in models])
    row["short_code"] = _share([len(model) < 4 for model in models])
    return row


_BULLETS = ("•", "·", "●", "○", "▪", "■", "►", "✓", "√", "*", "\uf0b7", "\uf0d8")


def _of_print(drafts: Sequence[Draft], page: PageEvidence) -> dict[str, float]:
    """How the identities stand out: their print against the page's, and what of it is not theirs."""
    boxes = [v.evidence.bbox for d in drafts if (v := d.attributes.get("product_name") or d.attributes.get("model"))]
    own = _held(page.middles, boxes)
    if not own.any():
        return {}
    size, bold = float(np.median(page.sizes[own])), page.bold[own]
    like = (np.abs(page.sizes - size) <= 0.04 * size) & (page.bold == bold[0])
    larger = sum(page.sizes[n] > 1.15 * size for n in page.name_at)
    return {
        "size": min(2.0, log(max(0.2, size / page.body)) + 1),
        "bold": float(bold.mean()),
        "of_its_print": min(1.0, float(own.sum()) / max(1.0, float(like.sum()))),
        "larger_names": min(2.0, log(1 + larger)),
        "larger_each": min(2.0, larger / len(drafts)),
        "bulleted": _share([page.lines[n].text.lstrip().startswith(_BULLETS) for n in np.flatnonzero(own)]),
    }


def _of_form(drafts: Sequence[Draft], page: PageEvidence) -> dict[str, float]:
    boxes = [d.box for d in drafts]
    lefts = Counter(round(box[0] / 4) for box in boxes)
    heights = [height(box) for box in boxes]
    middle = median(heights)
    places = [union([v.evidence.bbox for v in d.attributes.values()]) for d in drafts if d.attributes]
    crossing = sum(_meet(a, b) for n, a in enumerate(places) for b in places[n + 1 : n + 6])
    return {
        "aligned": _share([lefts[round(box[0] / 4)] > 1 for box in boxes]),
        "same_height": _share([0.7 * middle <= high <= 1.4 * middle for high in heights]),
        "crossing": min(1.0, crossing / len(drafts)),
        "in_chart": _share([holds_centre(page.view.chart_boxes, box) for box in boxes]),
        "tall": min(2.0, middle / max(1.0, page.view.page.height_pt) * 4),
    }


def _meet(a: Box, b: Box) -> bool:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide > 2 and high > 2 and wide * high > 0.3 * min(area(a), area(b))


def _of_coverage(drafts: Sequence[Draft], page: PageEvidence) -> dict[str, float]:
    boxes = [d.box for d in drafts]
    said = [
        box
        for d in drafts
        for box in (*(v.evidence.bbox for v in d.attributes.values()), *(c.evidence.bbox for c in d.custom))
    ]
    priced = [d.attributes["price"].evidence.bbox for d in drafts if "price" in d.attributes]
    inside, valued, paid = (_held(page.middles, some) for some in (boxes, said, priced))
    prices = len(page.prices)
    prices_told = _of(paid, page.price_at)
    free = [box for box in page.large if not any(_touches(box, b) for b in boxes)]
    within = float(page.lengths[inside].sum())
    return {
        "prices_told": prices_told if prices else 0.5,
        "prices_left": (1 - prices_told) * min(1.0, log(1 + prices)) if prices else 0.0,
        "prices_each": min(2.0, prices / len(drafts)) if prices else 0.0,
        "cents_left": (1 - _of(valued, page.cents_at)) * min(1.0, log(1 + len(page.cents_at)) / 2),
        "codes_left": (1 - _of(valued, page.code_at)) * min(1.0, log(1 + len(page.code_at)) / 2),
        "names_left": 1 - _of(valued, page.name_at) if page.names else 0.0,
        "pictured": _share([any(_near(d, box) for box in page.pictures) for d in drafts]),
        "pictures_each": min(2.0, len(page.pictures) / len(drafts)),
        "photos_free": min(1.0, len(free) / max(1, len(page.large))) if page.large else 0.0,
        "inside": within / max(1, page.chars),
        "read": float(page.lengths[valued].sum()) / max(1.0, within),
    }


def _held(middles: Floats, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Which of the lines' middles lie in one of the boxes."""
    if not boxes or not len(middles):
        return np.zeros(len(middles), dtype=bool)
    x, y, b = middles[:, :1], middles[:, 1:], np.array(boxes).T
    within: NDArray[np.bool_] = ((x >= b[0]) & (x <= b[2]) & (y >= b[1]) & (y <= b[3])).any(axis=1)
    return within


def _of(held: NDArray[np.bool_], at: Sequence[int]) -> float:
    """Share of the lines with these numbers."""
    return float(held[list(at)].mean()) if at else 0.0


def _near(draft: Draft, box: Box) -> bool:
    return contains_point(draft.box, *centre(box)) or gap(draft.anchor, box) <= 0.6 * max(height(box), 20.0)


def _touches(a: Box, b: Box) -> bool:
    return gap(a, b) <= 15.0


def agreements(proposals: Sequence[Proposal]) -> list[dict[str, float]]:
    """For each: which share of its products another family of proposers tells too, and how many say quite the same."""
    products = [identities(proposal) for proposal in proposals]
    rows = []
    for n, proposal in enumerate(proposals):
        others = [t for k, t in enumerate(products) if k != n and proposals[k].family != proposal.family and t]
        if not products[n]:
            rows.append({"none.others": log(1 + len({p.family for p in proposals}) - 1 or 1)})
            continue
        union_of = Counter(identity for t in others for identity in t)
        same = sum(t == products[n] for t in others)
        rows.append(
            {
                "agreed": _share([identity in union_of for identity in products[n]]),
                "same_sets": log(1 + same),
                "others": log(1 + len(others)),
                "beyond": min(2.0, len(set(union_of) - products[n]) / max(1, len(products[n]))),
            }
        )
    return rows


def identities(proposal: Proposal) -> frozenset[str]:
    return frozenset(
        squash((d.attributes.get("model") or d.attributes["product_name"]).text)
        for d in proposal.extraction.drafts
        if {"model", "product_name"} & set(d.attributes)
    )


def all_features(proposals: Proposals, view: PageView) -> list[Mapping[str, float]]:
    page = PageEvidence(view)
    agreed = agreements(proposals.all)
    return [
        features(proposal, page, proposals.kind) | also for proposal, also in zip(proposals.all, agreed, strict=True)
    ]
