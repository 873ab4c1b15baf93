"""One judged page: its truth beside its result gives counts, which sum up, and the slips that people look at."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from catalogsku.core.acceptance import CHECKED_FIRST, DOUBTFUL_BELOW, SKIP_DOUBTFUL, Claims, checks_due
from catalogsku.core.box import Box
from processing.engine.page import ParsedPage
from processing.engine.quality.lenient import judge_counted, match_counted
from processing.engine.quality.match import Pair, match_page
from processing.engine.quality.offered import judge_alternatives
from processing.engine.quality.pictures import Bound, judge_bindings, picture_boxes
from processing.engine.quality.routes import taken, wanted
from processing.engine.quality.structure import reading_order, table_rows
from processing.engine.quality.truth import Truth, TruthPage, TruthSku
from processing.engine.quality.values import Pages, Printed, Slip, Verdict, given_values, judge_values, unprinted
from processing.engine.result import Blocker, PageResult, Sku

# The page type of a page that could not be read or understood.
NO_TYPE = "none"


class Counts(msgspec.Struct, frozen=True):
    """What the figures are made of; the counts of several pages add up."""

    pages: int = 0
    human_pages: int = 0
    ocr_pages: int = 0
    matched: int = 0
    missed: int = 0
    false: int = 0
    asked: int = 0
    right: int = 0
    extra: int = 0
    values: int = 0
    hallucinated: int = 0
    pictures: int = 0
    recovered: int = 0
    pictures_of_matched: int = 0
    bindings: int = 0
    wrong_bindings: int = 0
    skus_with_pictures: int = 0
    ambiguous: int = 0
    continued: int = 0
    continued_matched: int = 0
    text_lines: int = 0
    text_lines_read: int = 0
    misnamed: int = 0
    with_pictures: int = 0
    pictured: int = 0
    unseen_pages: int = 0
    unseen_wrong: int = 0
    right_pages: int = 0
    needless: int = 0
    asked_pages: int = 0
    neighbours: int = 0
    neighbours_kept: int = 0
    cells: int = 0
    cells_kept: int = 0
    missed_with_people: int = 0
    offer_pages: int = 0
    offered: int = 0
    offered_right: int = 0


class BoxOnPage(msgspec.Struct, frozen=True):
    """``kind``: sku or picture. ``label``: identity of the SKU, id of the picture.

    ``whose``: truth, found (a SKU, a picture bound to one) or unbound (a picture that no SKU was given).
    """

    kind: str
    whose: str
    label: str
    bbox: Box


class PageMeasure(msgspec.Struct, frozen=True):
    """``confidences``: of each found SKU, and whether it was right: matched, every asked value right, none invented.

    ``loss``: what a person would have to mend here, for the order of the worst pages (docs/quality.md).
    ``confidence``: the page's own, and ``right`` whether it deserves all of it: nothing missed, false or misnamed, and
    every SKU right. ``route``: the way that it took, and ``right_route``: the one that was right (quality/routes.py).
    """

    page_number: int
    truth_type: str
    found_type: str
    counts: Counts
    loss: float
    seconds: float = 0.0
    failure: str = ""
    blockers: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    false: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()
    lost_pictures: tuple[str, ...] = ()
    wrong_pictures: tuple[str, ...] = ()
    confidences: tuple[tuple[float, bool], ...] = ()
    boxes: tuple[BoxOnPage, ...] = ()
    confidence: float = 0.0
    right: bool = False
    route: str = ""
    right_route: str = ""

    @property
    def has_products(self) -> bool:
        return self.counts.matched + self.counts.missed > 0


class UnderstoodPage(msgspec.Struct, frozen=True):
    """What the product made of a page. ``failure``: why it has no result; a page that failed goes to a person.

    ``rules``: the rules' own result, where models were asked.
    """

    parsed: ParsedPage | None = None
    result: PageResult | None = None
    failure: str = ""
    seconds: float = 0.0
    rules: PageResult | None = None

    @property
    def is_answered(self) -> bool:
        """By a model, whose answer the result was made of."""
        return self.result is not None and any(question.model for question in self.result.asked)

    @property
    def needs_person(self) -> bool:
        return self.result is None or bool(self.result.blockers)

    @property
    def confidence(self) -> float:
        return self.result.confidence if self.result else 0.0

    def with_blocker(self, code: str) -> "UnderstoodPage":
        """It goes to a person for this reason too."""
        blockers = (*(self.result.blockers if self.result else ()), Blocker(code))
        result = msgspec.structs.replace(self.result, blockers=blockers) if self.result else None
        return msgspec.structs.replace(self, result=result)


def measure_file(truth: Truth, pages: Mapping[int, UnderstoodPage]) -> tuple[PageMeasure, ...]:
    """Every page that the truth names, in their order. ``pages`` may hold more: those before, to look values up."""
    pages = {**pages, **_checked(truth, pages)}
    texts = {page.page_number: page.text for page in truth.pages}
    printed = Pages({n: Printed(page.parsed, texts.get(n)) for n, page in pages.items() if page.parsed})
    missing = UnderstoodPage(failure="not_read")
    return tuple(
        _measure_page(truth, page, pages.get(page.page_number, missing), printed)
        for page in sorted(truth.pages, key=lambda page: page.page_number)
    )


def _checked(truth: Truth, pages: Mapping[int, UnderstoodPage]) -> dict[int, UnderstoodPage]:
    """Pages passed over that people look at all the same, as `catalogsku.core.acceptance` says, with the reason; the
    truth answers in their place. Of a document of which the truth names a few pages, as if it had no others."""
    empty = {
        page.page_number: found
        for page in truth.pages
        if (found := pages.get(page.page_number)) and found.result and found.result.page_type == "D"
    }
    waiting = {n for n, found in empty.items() if found.needs_person}
    doubtful = [n for n in empty if n not in waiting and empty[n].confidence < DOUBTFUL_BELOW]
    doubtful.sort(key=lambda n: (empty[n].confidence, n))
    looked_at, checked = waiting, set[int]()
    while True:
        refuted = sum(bool(truth.skus_of(n)) for n in looked_at)
        due = checks_due(Claims(len(looked_at) - refuted, refuted, 0, len(doubtful)), CHECKED_FIRST)
        if not due:
            break
        checked.update(doubtful[:due])
        looked_at, doubtful = looked_at | checked, doubtful[due:]
    return {n: empty[n].with_blocker(SKIP_DOUBTFUL) for n in checked}


def sum_counts(parts: Iterable[Counts]) -> Counts:
    total = dict.fromkeys(Counts.__struct_fields__, 0)
    for part in parts:
        for name in total:
            total[name] += getattr(part, name)
    return Counts(**total)


def _measure_page(truth: Truth, page: TruthPage, understood: UnderstoodPage, printed: Pages) -> PageMeasure:
    """As ``_judge_page``, with the way that it took."""
    measure = _judge_page(truth, page, understood, printed)
    by_rules: bool | None = None
    if understood.is_answered and understood.rules is not None:
        by_rules = _judge_page(truth, page, msgspec.structs.replace(understood, result=understood.rules), printed).right
    result = understood.result
    products = result is not None and (bool(result.skus) or result.page_type != "D")
    return msgspec.structs.replace(
        measure,
        route=taken(person=understood.needs_person, asked=understood.is_answered, products=products),
        right_route=wanted(products=measure.has_products, right=measure.right, rules_right=by_rules),
    )


def _judge_page(truth: Truth, page: TruthPage, understood: UnderstoodPage, printed: Pages) -> PageMeasure:
    expected = truth.skus_of(page.page_number)
    skus = understood.result.skus if understood.result else ()
    match, judge = (match_counted, judge_counted) if truth.counted else (match_page, judge_values)
    pairs = match(expected, skus)
    matched_truths = {pair.truth for pair in pairs}
    missed = [sku for n, sku in enumerate(expected) if n not in matched_truths]
    alternatives = understood.result.alternatives if understood.result and understood.needs_person else ()
    offered, offered_right = judge_alternatives(missed, alternatives, match)
    judged = {pair.sku: judge(expected[pair.truth], skus[pair.sku]) for pair in pairs}
    invented = {n: unprinted(sku, printed, page.page_number) for n, sku in enumerate(skus)}
    bound = _bindings(truth, expected, skus, pairs, understood.parsed)
    counts = sum_counts(
        (
            _page_counts(page, understood),
            _sku_counts(page, expected, skus, pairs),
            _value_counts(skus, judged.values(), invented.values()),
            _picture_counts(bound, {pair.truth for pair in pairs}),
            _pictured_counts(expected, skus, pairs),
            _structure_counts(truth, page, expected, understood.parsed),
            Counts(
                missed_with_people=len(missed) if understood.needs_person else 0,
                offer_pages=bool(alternatives),
                offered=offered,
                offered_right=offered_right,
            ),
        )
    )
    right = understood.result is not None and _is_faultless(counts)
    found_type = _found_type(understood, truth.counted)
    return PageMeasure(
        page_number=page.page_number,
        truth_type=page.page_type,
        found_type=found_type,
        counts=sum_counts((counts, _trust_counts(counts, understood, right))),
        loss=_loss(counts, found_type == page.page_type),
        seconds=understood.seconds,
        failure=understood.failure,
        blockers=tuple(dict.fromkeys(blocker.code for blocker in understood.result.blockers))
        if understood.result
        else (),
        missed=tuple(sku.identity for sku in missed),
        false=tuple(sku.identity or "" for n, sku in enumerate(skus) if n not in judged),
        slips=_slips(judged, invented),
        lost_pictures=tuple(name for bindings in bound for name in bindings.lost),
        wrong_pictures=tuple(name for bindings in bound for name in bindings.wrong),
        confidences=tuple((sku.confidence, _is_right(judged.get(n), invented[n])) for n, sku in enumerate(skus)),
        boxes=(*_truth_boxes(truth, page.page_number), *_found_boxes(skus, understood.parsed)),
        confidence=understood.confidence,
        right=right,
    )


def _found_type(understood: UnderstoodPage, counted: bool) -> str:
    """Where the truth tells only pages with products from those without, so does this."""
    if understood.result is None:
        return NO_TYPE
    kind = understood.result.page_type
    return "P" if counted and kind != "D" else kind


def _bindings(
    truth: Truth, wanted: Sequence[TruthSku], skus: Sequence[Sku], pairs: Sequence[Pair], parsed: ParsedPage | None
) -> list[Bound]:
    images = {image.image_id: image for image in truth.images}
    boxes = picture_boxes(parsed)
    matched = {pair.truth: skus[pair.sku] for pair in pairs}
    return [judge_bindings(sku, images, matched.get(n), boxes) for n, sku in enumerate(wanted)]


def _page_counts(page: TruthPage, understood: UnderstoodPage) -> Counts:
    lines = [line for line in (page.text or "").splitlines() if line.strip()]
    read = Printed(understood.parsed)
    return Counts(
        pages=1,
        human_pages=int(understood.needs_person),
        ocr_pages=int(understood.parsed is not None and understood.parsed.ocr is not None),
        asked_pages=int(understood.is_answered),
        text_lines=len(lines),
        text_lines_read=sum(read.holds(line) for line in lines),
    )


def _sku_counts(page: TruthPage, wanted: Sequence[TruthSku], skus: Sequence[Sku], pairs: Sequence[Pair]) -> Counts:
    continues = page.continues is not None
    return Counts(
        matched=len(pairs),
        missed=len(wanted) - len(pairs),
        false=len(skus) - len(pairs),
        continued=len(wanted) if continues else 0,
        continued_matched=len(pairs) if continues else 0,
    )


def _value_counts(skus: Sequence[Sku], judged: Iterable[Verdict], invented: Iterable[tuple[Slip, ...]]) -> Counts:
    verdicts = tuple(judged)
    return Counts(
        asked=sum(verdict.asked for verdict in verdicts),
        right=sum(verdict.right for verdict in verdicts),
        extra=sum(slip.kind == "extra" for verdict in verdicts for slip in verdict.slips),
        values=sum(1 for sku in skus for _ in given_values(sku)),
        hallucinated=sum(map(len, invented)),
        misnamed=sum(verdict.misnamed for verdict in verdicts),
    )


def _picture_counts(bound: Sequence[Bound], matched: set[int]) -> Counts:
    return Counts(
        pictures=sum(bindings.required for bindings in bound),
        recovered=sum(bindings.required - len(bindings.lost) for bindings in bound),
        pictures_of_matched=sum(bindings.required for n, bindings in enumerate(bound) if n in matched),
        bindings=sum(bindings.judged for bindings in bound),
        wrong_bindings=sum(len(bindings.wrong) for bindings in bound),
        skus_with_pictures=sum(bindings.required > 0 for n, bindings in enumerate(bound) if n in matched),
        ambiguous=sum(bindings.ambiguous for bindings in bound),
    )


def _pictured_counts(wanted: Sequence[TruthSku], skus: Sequence[Sku], pairs: Sequence[Pair]) -> Counts:
    """Of matched SKUs that have a picture: how many were given any."""
    bound = [bool(skus[pair.sku].bindings) for pair in pairs if wanted[pair.truth].has_picture]
    return Counts(with_pictures=len(bound), pictured=sum(bound))


def _structure_counts(truth: Truth, page: TruthPage, skus: Sequence[TruthSku], parsed: ParsedPage | None) -> Counts:
    """Whoever counts products by eye gives no order to hold them to."""
    order = (0, 0) if truth.counted and not page.text else reading_order(page, skus, parsed)
    rows = table_rows(page, skus, parsed)
    return Counts(neighbours_kept=order[0], neighbours=order[1], cells_kept=rows[0], cells=rows[1])


def _trust_counts(counts: Counts, understood: UnderstoodPage, right: bool) -> Counts:
    """What went past people though it is wrong, and to them though it is right, on pages with products."""
    if not counts.matched + counts.missed:
        return Counts()
    unseen = not understood.needs_person
    return Counts(
        unseen_pages=unseen, unseen_wrong=unseen and not right, right_pages=right, needless=right and not unseen
    )


def _slips(judged: Mapping[int, Verdict], invented: Mapping[int, tuple[Slip, ...]]) -> tuple[Slip, ...]:
    """A value that is both extra and invented is told once, as invented."""
    slips: list[Slip] = []
    for n, made_up in invented.items():
        keys = {slip.key for slip in made_up}
        verdict = judged.get(n)
        slips += [s for s in (verdict.slips if verdict else ()) if s.kind != "extra" or s.key not in keys]
        slips += made_up
    return tuple(slips)


def _is_right(verdict: Verdict | None, invented: tuple[Slip, ...]) -> bool:
    return verdict is not None and verdict.right == verdict.asked and not verdict.misnamed and not invented


def _is_faultless(counts: Counts) -> bool:
    """What a page may be trusted with: values beyond those asked for do not count against it, as in ``_is_right``."""
    faults = counts.missed + counts.false + counts.misnamed + counts.hallucinated
    return faults == 0 and counts.right == counts.asked


def _loss(counts: Counts, type_right: bool) -> float:
    """SKUs missed and invented, wrong bindings and invented values count one each; wrong values by their share."""
    judged = counts.asked + counts.extra
    wrong_share = 1 - counts.right / judged if judged else 0.0
    lost_pictures = (counts.pictures - counts.recovered) / counts.pictures if counts.pictures else 0.0
    whole = counts.missed + counts.false + counts.wrong_bindings + counts.hallucinated
    return round(whole + counts.matched * (wrong_share + lost_pictures) + (0.0 if type_right else 1.0), 4)


def _truth_boxes(truth: Truth, page_number: int) -> tuple[BoxOnPage, ...]:
    cards = ((sku.identity, sku.card_bbox) for sku in truth.skus_of(page_number))
    return (
        *(BoxOnPage("sku", "truth", identity, box) for identity, box in cards if box),
        *(BoxOnPage("picture", "truth", i.image_id, i.bbox) for i in truth.images if i.page_number == page_number),
    )


def _found_boxes(skus: Sequence[Sku], parsed: ParsedPage | None) -> tuple[BoxOnPage, ...]:
    bound = {binding.picture for sku in skus for binding in sku.bindings}
    return (
        *(BoxOnPage("sku", "found", sku.identity or "", sku.box) for sku in skus),
        *(
            BoxOnPage("picture", "found" if name in bound else "unbound", name, box)
            for name, box in picture_boxes(parsed).items()
        ),
    )
