"""What a model said of a page becomes drafts: each value with the place on the page that proves it (LX-QUOTE).

Nothing of an answer is believed: a value that is not printed where it was said to be is looked for on the whole page,
one that is nowhere keeps an empty quote, by which it is locked later, and one that is printed with another product, or
under another attribute's label, is marked as that one's. What the rule analyst finds by itself
confirms a product, or leaves it to the model's own confidence.
"""

from collections.abc import Iterable, Sequence

import msgspec

from catalogsku.core.box import Box, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Table
from processing.engine.result import BASE_KEYS, Asked, Blocker, CustomValue, Evidence, RowTally, Value
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import (
    ELSEWHERE,
    MISLABELLED,
    add_currency,
    disproved,
    take_on_request,
    text_value,
)
from processing.engine.understanding.places import Home, Places, Said, Spot
from processing.engine.understanding.rules.shapes import has_value
from processing.engine.understanding.view import PageView

# A product that the rules do not confirm is never surer than this.
_ALONE = 0.9
# Models and rules that differ on the type of a page are both less believed.
_TYPE_DIFFERS = 0.8
# Roles of text that a product's value cannot be in: it is accounted for.
_OTHER_TEXT = ("title", "label", "running", "note")


class AnsweredValue(msgspec.Struct, frozen=True):
    """``text`` as printed; ``source``: ids of the blocks (T3) or cells (G1:2:4: table, row, column) where it stands."""

    text: str
    source: str = ""


class AnsweredCustom(msgspec.Struct, frozen=True):
    """A value under a printed label that the schema does not know."""

    label: str
    value: AnsweredValue


class AnsweredSku(msgspec.Struct, frozen=True):
    """``pictures``: ids of those that show it, the main one first; ``confidence``: the model's own, 0 to 1."""

    attributes: dict[str, AnsweredValue] = {}
    custom: tuple[AnsweredCustom, ...] = ()
    pictures: tuple[str, ...] = ()
    confidence: float = 0.8


class ModelAnswers(msgspec.Struct, frozen=True):
    """All that models said of one page. An empty ``page_type`` and ``skus`` of None: they were not asked.

    ``roles`` by picture id, ``texts`` role by block id; ``chosen``: pictures by index of the SKU whose binding was
    ambiguous. ``blockers``: why a person is needed, as the calls went. ``method``: two_stage or single_stage.
    ``second``: what another model said of the same page, as an opinion only (GR-2ND).
    """

    analyst: str
    page_type: str = ""
    type_confidence: float = 0.0
    layout_type: str = ""
    roles: dict[str, str] = {}
    texts: dict[str, str] = {}
    skus: tuple[AnsweredSku, ...] | None = None
    chosen: dict[int, tuple[str, ...]] = {}
    blockers: tuple[Blocker, ...] = ()
    method: str = "two_stage"
    asked: tuple[Asked, ...] = ()
    second: "ModelAnswers | None" = None


def answered_type(said: ModelAnswers, rules: PageType) -> PageType:
    """The page's type as the model has it; where the rules have another, neither is sure."""
    if not said.page_type:
        return rules
    same = said.page_type == rules.page_type
    confidence = max(said.type_confidence, rules.confidence) if same else said.type_confidence * _TYPE_DIFFERS
    detail = {**rules.detail, "rules_type": rules.page_type, "rules_reason": rules.reason, "model": said.analyst}
    return PageType(said.page_type, round(confidence, 4), said.layout_type or rules.layout, "model", detail)


def answered_drafts(said: ModelAnswers, view: PageView, rules: Extraction) -> Extraction:
    """The model's products as drafts, in its order. ``rules``: what the rule analyst found on the same page."""
    keys = {*BASE_KEYS, *(attribute.key for attribute in view.config.attributes)}
    skus = said.skus or ()
    places = Places(view, [_said(sku) for sku in skus], rules.drafts)
    found = (
        _draft(sku, _Found(view, places, home), view, keys, rules.drafts)
        for sku, home in zip(skus, places.homes, strict=True)
    )
    drafts = tuple(draft for draft in found if draft is not None)
    return Extraction(
        drafts=drafts,
        tallies=_tallies(drafts, view.page.tables, rules.tallies),
        blockers=rules.blockers if not drafts else (),
        used=tuple(_accounted(said, view, drafts)),
        merges=rules.merges,
        extractor=f"model.{said.method}",
    )


class _Found:
    """Values of one product, each with its evidence; what was found so far tells the nearest of several places."""

    def __init__(self, view: PageView, places: Places, home: Home) -> None:
        self._page, self._places, self._home = view.page, places, home
        self._boxes: list[Box] = []
        self._spots: list[Spot] = []

    @property
    def box(self) -> Box:
        return union(self._boxes) if self._boxes else (0.0, 0.0, self._page.width_pt, self._page.height_pt)

    @property
    def row(self) -> tuple[str, int]:
        """Table and row (column where products stand side by side); ("", -1) where none of its values is in one."""
        own = (spot.cols if self._home.sideways else spot.rows for spot in self._spots)
        return self._home.row if any(self._home.row in spans for spans in own) else ("", -1)

    def value(self, key: str, said: AnsweredValue) -> tuple[Value, str]:
        """The value with its evidence, and what is printed as its label; without a place its quote is empty."""
        number, text = self._page.number, trim(said.text)
        asked = Said(key, text, said.source)
        spot, elsewhere = self._places.find(asked, self._home, self.box if self._boxes else None)
        if spot is not None and (elsewhere or self._places.is_mislabelled(asked, spot, self._home)):
            value = spot.proof_of(text, number)
            proof = disproved(value.evidence, ELSEWHERE if elsewhere else MISLABELLED)
            return msgspec.structs.replace(value, evidence=proof), spot.label_of(text)
        if spot is not None:
            self._boxes.append(spot.box)
            self._spots.append(spot)
            return spot.proof_of(text, number), spot.label_of(text)
        wanted = squash(text)
        parts = [s for s in self._places.named_lines(said.source) if squash(s.text) and squash(s.text) in wanted]
        if parts:
            box = union(spot.box for spot in parts)
            self._boxes.append(box)
            return text_value(text, box, number, "text_line"), ""
        return Value(text, Evidence("", number, self.box, 0.0, "model")), ""


def _said(sku: AnsweredSku) -> list[Said]:
    return [Said(key, value.text, value.source) for key, value in sku.attributes.items() if has_value(key, value.text)]


def _draft(sku: AnsweredSku, found: _Found, view: PageView, keys: set[str], rules: Sequence[Draft]) -> Draft | None:
    """None where no value is left."""
    attributes: dict[str, Value] = {}
    custom: list[CustomValue] = []
    contexts: dict[str, str] = {}
    for key, said in sku.attributes.items():
        if not has_value(key, said.text):
            continue
        value, context = found.value(key, said)
        if key in keys:
            attributes[key] = value
            contexts[key] = context or key
        else:
            custom.append(CustomValue(context or key, value.text, value.evidence))
    for one in sku.custom:
        if has_value(None, one.value.text):
            value, _ = found.value(one.label, one.value)
            custom.append(CustomValue(trim(one.label), value.text, value.evidence))
    on_request = take_on_request(attributes)
    add_currency(attributes)
    if not attributes and not custom:
        return None
    box, (table, row) = found.box, found.row
    draft = Draft(
        box=box, anchor=box, attributes=attributes, custom=tuple(custom), contexts=contexts, table=table, row=row,
        picture=_picture(sku, view), on_request=on_request,
    )  # fmt: skip
    alone = min(_ALONE, max(0.0, sku.confidence))
    sure = max((other.confidence for other in rules if _confirms(other, draft)), default=alone)
    return msgspec.structs.replace(draft, confidence=sure)


def _picture(sku: AnsweredSku, view: PageView) -> Box | None:
    boxes = {picture.id: picture.box for picture in view.pictures}
    return next((boxes[name] for name in sku.pictures if name in boxes), None)


def _confirms(rule: Draft, draft: Draft) -> bool:
    """The same product with the same values, as far as both name them."""
    ours, theirs = ({key: squash(v.text) for key, v in d.attributes.items()} for d in (rule, draft))
    identities = [key for key in ("model", "product_name") if key in ours and key in theirs]
    return bool(identities) and all(ours[key] == theirs[key] for key in ours.keys() & theirs.keys())


def _tallies(drafts: Sequence[Draft], tables: Sequence[Table], rules: Sequence[RowTally]) -> tuple[RowTally, ...]:
    """Every table's rows accounted for: rows without a product are ignored where the rules know why, else open."""
    known = {tally.table: tally for tally in rules}
    found = []
    for table in tables:
        skus = sum(draft.table == table.id for draft in drafts)
        rule = known.get(table.id)
        if not skus:
            found += [rule] if rule is not None else []
            continue
        head = min(draft.row for draft in drafts if draft.table == table.id)
        ignored = dict(rule.ignored) if rule is not None else {}
        merged = rule.merged if rule is not None else 0
        rows = rule.rows if rule is not None else table.n_rows - head
        left = max(0, rows - skus - merged - sum(ignored.values()))
        found.append(RowTally(table.id, skus + merged + sum(ignored.values()) + left, skus, merged, ignored, left))
    return tuple(found)


def _accounted(said: ModelAnswers, view: PageView, drafts: Sequence[Draft]) -> Iterable[Box]:
    for block in view.page.blocks:
        if said.texts.get(block.id) in _OTHER_TEXT:
            yield block.box
    for draft in drafts:
        for value in draft.attributes.values():
            yield value.evidence.bbox
        for custom in draft.custom:
            yield custom.evidence.bbox
    cited = {draft.table for draft in drafts if draft.table}
    for table in view.page.tables:
        if table.id in cited:
            yield table.box
