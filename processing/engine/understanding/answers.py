"""What a model said of a page becomes drafts: each value with the place on the page that proves it (LX-QUOTE).

Nothing of an answer is believed: a value that is not printed where it was said to be is looked for on the whole page,
one that is nowhere keeps an empty quote, by which it is locked later, and one that is printed with another product, or
under another attribute's label, is marked as that one's. What the rule analyst finds by itself
confirms a product, or leaves it to the model's own confidence.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from catalogsku.core.box import Box, rounded, union
from catalogsku.core.text import squash, trim
from processing.engine.page import ParsedPage, Table
from processing.engine.result import BASE_KEYS, Asked, Blocker, CustomValue, Evidence, RowTally, Value
from processing.engine.understanding import second_look
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import (
    ELSEWHERE,
    MISLABELLED,
    READ_AGAIN,
    SEEN,
    UNPROVED,
    add_currency,
    disproved,
    take_on_request,
    text_value,
)
from processing.engine.understanding.places import IDENTITY, Home, Named, Places, Said, Spot
from processing.engine.understanding.rules.shapes import has_value
from processing.engine.understanding.view import PageView

# A product that the rules do not confirm is never surer than this.
_ALONE = 0.9
# From here on what the rules read of a product stands where a model leaves it out.
_TRUSTED = 0.75
# Models and rules that differ on the type of a page are both less believed.
_TYPE_DIFFERS = 0.8


class AnsweredValue(msgspec.Struct, frozen=True):
    """``text`` as printed; ``source``: ids of the blocks (T3) or cells (G1:2:4: table, row, column) where it stands,
    else ``box`` on the page's picture (points). ``read``: what recognising that box anew gave."""

    text: str
    source: str = ""
    box: Box | None = None
    read: str | None = None


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
    """All that models said of one page. ``skus`` None: that it has no product.

    ``aside``: ids of blocks that hold nothing of a product. ``blockers``: why a person is needed, as the calls went.
    ``second``: what another model said of the same page, as an opinion only (GR-2ND).
    """

    analyst: str
    page_type: str = ""
    type_confidence: float = 0.0
    skus: tuple[AnsweredSku, ...] | None = None
    aside: tuple[str, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    asked: tuple[Asked, ...] = ()
    second: "ModelAnswers | None" = None


def boxes_to_read(said: ModelAnswers, page: ParsedPage) -> list[Box]:
    """Those of values that only the picture shows, each once; of a recognised page also those of the blocks and cells
    in which a value is said to stand that was recognised as something else."""
    spots = Named(page)
    return list(dict.fromkeys(box for value in _values(said) if (box := _box_to_read(value, spots, page)) is not None))


def with_readings(said: ModelAnswers, readings: Mapping[Box, str], page: ParsedPage) -> ModelAnswers:
    """``readings``: what stands in each of ``boxes_to_read``."""
    spots = Named(page)

    def read(value: AnsweredValue) -> AnsweredValue:
        box = _box_to_read(value, spots, page)
        if box is None or box not in readings:
            return value
        return msgspec.structs.replace(value, box=box, read=readings[box])

    return _with_values(said, read)


def with_boxes(said: ModelAnswers, moved: Callable[[Box], Box]) -> ModelAnswers:
    """The same of a page that is looked at otherwise: turned."""
    return _with_values(said, lambda value: msgspec.structs.replace(value, box=moved(value.box) if value.box else None))


def _with_values(said: ModelAnswers, change: Callable[[AnsweredValue], AnsweredValue]) -> ModelAnswers:
    skus = tuple(
        msgspec.structs.replace(
            sku,
            attributes={key: change(value) for key, value in sku.attributes.items()},
            custom=tuple(msgspec.structs.replace(custom, value=change(custom.value)) for custom in sku.custom),
        )
        for sku in said.skus or ()
    )
    return msgspec.structs.replace(said, skus=skus if said.skus is not None else None)


def _values(said: ModelAnswers) -> Iterator[AnsweredValue]:
    for sku in said.skus or ():
        yield from sku.attributes.values()
        yield from (custom.value for custom in sku.custom)


def _box_to_read(value: AnsweredValue, spots: Named, page: ParsedPage) -> Box | None:
    if not value.source or page.ocr is None:
        return value.box
    named = spots.of(value.source)
    if not named or any(spot.holds(value.text) for spot in named):
        return None
    return rounded(union(spot.box for spot in named))


def denies_products(said: ModelAnswers, rules: Sequence[Draft]) -> bool:
    """It sees no product where the rules have some whose name is printed: theirs stand, and a person looks."""
    return said.skus is None and any(_is_named(draft) for draft in rules)


def answered_type(said: ModelAnswers, rules: PageType, drafts: Sequence[Draft] = ()) -> PageType:
    """The page's type as the model has it; of two that differ neither is sure, unless a product of the model's whose
    name is printed proves that the page has some."""
    if said.page_type == rules.page_type:
        confidence = max(said.type_confidence, rules.confidence)
    elif said.page_type != "D" and any(_is_named(draft) for draft in drafts):
        confidence = said.type_confidence
    else:
        confidence = said.type_confidence * _TYPE_DIFFERS
    detail = {**rules.detail, "rules_type": rules.page_type, "rules_reason": rules.reason, "model": said.analyst}
    return PageType(said.page_type, round(confidence, 4), rules.layout, "model", detail)


def _is_named(draft: Draft) -> bool:
    named = (draft.attributes[key].evidence for key in IDENTITY if key in draft.attributes)
    return any(proof.match > 0 and proof.method not in UNPROVED for proof in named)


def answered_drafts(said: ModelAnswers, view: PageView, rules: Extraction) -> Extraction:
    """The model's products as drafts, in its order. ``rules``: what the rule analyst found on the same page."""
    keys = {*BASE_KEYS, *(attribute.key for attribute in view.config.attributes)}
    skus = said.skus or ()
    places = Places(view, [_said(sku) for sku in skus], rules.drafts)
    placed = (
        _draft(sku, _Locator(view, places, home), view, keys, rules.drafts)
        for sku, home in zip(skus, places.homes, strict=True)
    )
    drafts = tuple(draft for draft in placed if draft is not None)
    return Extraction(
        drafts=drafts,
        tallies=_tallies(drafts, view.page.tables, rules.tallies),
        blockers=rules.blockers if not drafts else (),
        used=tuple(_accounted(said, view, drafts)),
        merges=rules.merges,
        extractor="model",
    )


class _Locator:
    """Values of one product, each with its evidence; what was found so far tells the nearest of several places."""

    def __init__(self, view: PageView, places: Places, home: Home) -> None:
        self._page, self._places, self._home = view.page, places, home
        self._boxes: list[Box] = []
        self._shared: list[Box] = []  # cells that span other products' rows: no part of this one's place
        self._spots: list[Spot] = []

    @property
    def box(self) -> Box:
        own = self._boxes or self._shared
        return union(own) if own else (0.0, 0.0, self._page.width_pt, self._page.height_pt)

    @property
    def row(self) -> tuple[str, int]:
        """Table and row (column where products stand side by side); ("", -1) where none of its values is in one."""
        own = (spot.cols if self._home.sideways else spot.rows for spot in self._spots)
        return self._home.row if any(self._home.row in spans for spans in own) else ("", -1)

    def value(self, key: str, said: AnsweredValue) -> tuple[Value, str]:
        """The value with its evidence, and what is printed as its label; without a place its quote is empty."""
        number, text = self._page.number, trim(said.text)
        if said.read is not None and said.box is not None:
            self._boxes.append(said.box)
            agrees = second_look.agrees(text, said.read)
            proof = Evidence(trim(said.read), number, said.box, float(agrees), READ_AGAIN if agrees else SEEN)
            return Value(text, proof), ""
        claim = Said(key, text, said.source)
        spot, elsewhere = self._places.find(claim, self._home, self.box if self._boxes else None)
        if spot is not None and (elsewhere or self._places.is_mislabelled(claim, spot, self._home)):
            value = spot.proof_of(text, number)
            proof = disproved(value.evidence, ELSEWHERE if elsewhere else MISLABELLED)
            return msgspec.structs.replace(value, evidence=proof), spot.label_of(text)
        if spot is not None:
            spans = len(spot.cols if self._home.sideways else spot.rows) > 1
            (self._shared if spans else self._boxes).append(spot.box)
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


def _draft(sku: AnsweredSku, locator: _Locator, view: PageView, keys: set[str], rules: Sequence[Draft]) -> Draft | None:
    """None where no value is left."""
    attributes: dict[str, Value] = {}
    custom: list[CustomValue] = []
    contexts: dict[str, str] = {}
    for key, said in sku.attributes.items():
        if not has_value(key, said.text):
            continue
        value, context = locator.value(key, said)
        if key in keys:
            attributes[key] = value
            contexts[key] = context or key
        else:
            custom.append(CustomValue(context or key, value.text, value.evidence))
    for extra in sku.custom:
        if has_value(None, extra.value.text):
            value, _ = locator.value(extra.label, extra.value)
            custom.append(CustomValue(trim(extra.label), value.text, value.evidence))
    on_request = take_on_request(attributes)
    add_currency(attributes)
    if not attributes and not custom:
        return None
    box, (table, row) = locator.box, locator.row
    section = next((other.section for other in rules if table and (other.table, other.row) == (table, row)), None)
    draft = Draft(
        box=box,
        anchor=box,
        attributes=attributes,
        custom=tuple(custom),
        contexts=contexts,
        table=table,
        row=row,
        on_request=on_request,
        section=section,
        told_pictures=sku.pictures,
    )
    alone = min(_ALONE, max(0.0, sku.confidence))
    confirming = max((other for other in rules if _confirms(other, draft)), key=_confidence, default=None)
    if confirming is None:
        return msgspec.structs.replace(draft, confidence=alone)
    sure, alike = max(alone, confirming.confidence), _values_of(confirming) == _values_of(draft)
    whole = _completed(draft, confirming, view.page.number) if confirming.confidence >= _TRUSTED else draft
    return msgspec.structs.replace(whole, confidence=sure, picture=confirming.picture, seen_twice=alike)


def _completed(draft: Draft, rule: Draft, number: int) -> Draft:
    """With what the rules read of the same product and the model did not say: leaving out is no contradiction.
    ``number``: of the page."""
    missing = {key: v for key, v in rule.attributes.items() if key not in draft.attributes}
    if draft.on_request is not None or rule.on_request is not None:
        missing = {key: v for key, v in missing.items() if key not in ("price", "currency")}
    known = {squash(v.text) for v in draft.attributes.values()} | {squash(custom.value) for custom in draft.custom}
    more = tuple(custom for custom in rule.custom if squash(custom.value) not in known)
    contexts = {key: rule.contexts[key] for key in missing if key in rule.contexts}
    proofs = [*(v.evidence for v in missing.values()), *(custom.evidence for custom in more)]
    places = [proof.bbox for proof in proofs if proof.page_number == number]  # one may be inherited from another page
    wider = [rule.box] if rule.table else places  # a row's box has nothing of cells that span others
    return msgspec.structs.replace(
        draft,
        attributes={**draft.attributes, **missing},
        custom=(*draft.custom, *more),
        contexts={**contexts, **draft.contexts},
        box=union((draft.box, *wider)),
    )


def _values_of(draft: Draft) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    attributes = frozenset((key, squash(value.text)) for key, value in draft.attributes.items())
    return attributes, frozenset(squash(custom.value) for custom in draft.custom)


def _confidence(draft: Draft) -> float:
    return draft.confidence


def _confirms(rule: Draft, draft: Draft) -> bool:
    """The same product with the same values, as far as both name them."""
    ours, theirs = ({key: squash(v.text) for key, v in d.attributes.items()} for d in (rule, draft))
    identities = [key for key in ("model", "product_name") if key in ours and key in theirs]
    return bool(identities) and all(ours[key] == theirs[key] for key in ours.keys() & theirs.keys())


def _tallies(drafts: Sequence[Draft], tables: Sequence[Table], rules: Sequence[RowTally]) -> tuple[RowTally, ...]:
    """Every table's rows accounted for: rows without a product are ignored where the rules know why, else open."""
    known = {tally.table: tally for tally in rules}
    tallies = []
    for table in tables:
        skus = sum(draft.table == table.id for draft in drafts)
        rule = known.get(table.id)
        if not skus:
            tallies += [rule] if rule is not None else []
            continue
        head = min(draft.row for draft in drafts if draft.table == table.id)
        ignored = dict(rule.ignored) if rule is not None else {}
        merged = rule.merged if rule is not None else 0
        rows = rule.rows if rule is not None else table.n_rows - head
        unresolved = max(0, rows - skus - merged - sum(ignored.values()))
        tallies.append(
            RowTally(table.id, skus + merged + sum(ignored.values()) + unresolved, skus, merged, ignored, unresolved)
        )
    return tuple(tallies)


def _accounted(said: ModelAnswers, view: PageView, drafts: Sequence[Draft]) -> Iterable[Box]:
    aside = set(said.aside)
    for block in view.page.blocks:
        if block.id in aside:
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
