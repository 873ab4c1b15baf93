"""The coverage ledger: nothing on a page is left without a fate, and a product that got lost is noticed."""

from dataclasses import dataclass

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.page import Block, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding import extractors
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

ROWS = [["型号", "品名", "尺寸", "单价"], *[[f"A-{n}", f"凳{n}", "40×40", f"¥{n}9"] for n in range(1, 9)]]
FACTS = DocumentFacts(running_lines=("acme2026",))


def understood(one: ParsedPage, facts: DocumentFacts = FACTS) -> PageResult:
    return understand_page(one, (), facts, BY_RULES)


def fates(result: PageResult) -> dict[str, tuple[str, str]]:
    return {part: (entry.fate, entry.reason) for entry in result.ledger for part in entry.parts}


def asked(result: PageResult) -> set[str]:
    return {blocker.code for blocker in result.blockers}


def photo_page(*, prices: bool = True) -> ParsedPage:
    lines, pictures = [], []
    for n in range(6):
        x, y = 50 + 180 * (n % 3), 80 + 220 * (n // 3)
        pictures.append(picture(f"P{n + 1}", (x, y, x + 140, y + 140)))
        lines += [line(f"OS-90{n} Kettle", x, y + 145), *([line(f"$1{n}.00", x, y + 158)] if prices else [])]
    return page(*lines, pictures=pictures)


def card_page() -> ParsedPage:
    lines = []
    for n in range(4):
        y = 60 + 180 * n
        lines += [line(f"Model: TV-0{n}", 30, y), line(f"Price: $5.{n}", 30, y + 15), line("Material: ABS", 30, y + 30)]
    return page(*lines)


@dataclass(frozen=True)
class Forgetful:
    """A model that leaves out one of the products it should have found."""

    extractor: extractors.Extractor
    lost: int

    def __call__(self, view: PageView) -> Extraction:
        found = self.extractor(view)
        kept = tuple(draft for n, draft in enumerate(found.drafts) if n != self.lost)
        boxes = tuple(table.box for table in view.page.tables) + tuple(draft.box for draft in kept)
        return msgspec.structs.replace(found, drafts=kept, used=boxes)


@pytest.mark.req("X-COVER")
@pytest.mark.parametrize("lost", [0, 2])
@pytest.mark.parametrize(
    ("page_type", "one"),
    [("A", page(tables=[table(ROWS)])), ("B", card_page()), ("C", photo_page()), ("C", photo_page(prices=False))],
)
def test_removing_one_product_from_an_answer_is_noticed(
    monkeypatch: pytest.MonkeyPatch, page_type: str, one: ParsedPage, lost: int
) -> None:
    whole = understood(one)
    assert whole.page_type == page_type and "coverage_low" not in asked(whole)
    name, extractor = extractors._EXTRACTORS[page_type]
    monkeypatch.setitem(extractors._EXTRACTORS, page_type, (name, Forgetful(extractor, lost)))
    less = understood(one)
    assert len(less.skus) == len(whole.skus) - 1
    assert "coverage_low" in asked(less) and less.coverage < whole.coverage
    assert any(fate == "unresolved" for fate, _ in fates(less).values())


@pytest.mark.req("X-COVER")
@given(
    st.lists(st.sampled_from(["Model: A-1", "A-20", "$5.00", "ACME 2026", "Our workshop", "Size: 20 cm"]), max_size=12),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 600), st.integers(5, 300)), max_size=4),
)
def test_every_block_and_picture_has_exactly_one_fate(texts: list[str], boxes: list[tuple[int, int, int]]) -> None:
    lines = [line(text, 40 + 130 * (n % 4), 20 + 60 * (n // 4)) for n, text in enumerate(texts)]
    pictures = [picture(f"P{n}", (x, y, x + side, y + side)) for n, (x, y, side) in enumerate(boxes)]
    one = page(*lines, pictures=pictures, tables=[table(ROWS, y=400)])
    named = [part for entry in understood(one).ledger for part in entry.parts]
    assert sorted(named) == sorted([*(b.id for b in one.blocks), *(p.id for p in one.pictures)])


@pytest.mark.req("X-COVER")
def test_what_is_ignored_says_why() -> None:
    lines = [line("ACME 2026", 60, 20), line("We made these stools by hand", 60, 400), line("A-3 as above", 60, 430)]
    logo = picture("P1", (20, 20, 60, 40), perceptual_hash="00ff")
    one = page(*lines, tables=[table(ROWS)], pictures=[logo])
    found = fates(understood(one, msgspec.structs.replace(FACTS, repeated_pictures=("00ff",))))
    assert [found[part] for part in ("T1", "T2", "T3", "P1")] == [
        ("ignored", "running_line"),
        ("ignored", "no_product_words"),
        ("ignored", "named_again"),
        ("ignored", "repeated"),
    ]
    assert found["T4"] == ("used", "product")


@pytest.mark.req("X-COVER")
def test_a_page_without_products_gives_everything_the_reason_for_its_type() -> None:
    sure = page(
        line("The company was founded in a small town.", 50, 100), pictures=[picture("P1", (50, 200, 250, 300))]
    )
    assert set(fates(understood(sure)).values()) == {("ignored", "no_product_signs")}
    unsure = page(*[line(f"something ${n}.00 here", 50 + 90 * (n % 3), 100 + 37 * n) for n in range(6)])
    assert set(fates(understood(unsure)).values()) == {("unresolved", "products_not_understood")}


@pytest.mark.req("X-COVER")
def test_a_picture_like_the_others_beside_text_that_no_product_took_goes_to_a_person() -> None:
    whole = photo_page()
    far = picture("P6", (20, 600, 160, 740))
    one = msgspec.structs.replace(whole, pictures=(*whole.pictures[:5], far))
    result = understood(one)
    assert fates(result)["P6"] == ("unresolved", "like_the_products") and "coverage_low" in asked(result)


@pytest.mark.req("X-COVER")
@pytest.mark.parametrize(("name", "lost"), [("Kettle", True), ("Our workshop", False)])
def test_a_picture_like_the_others_over_the_name_of_one_of_them_goes_to_a_person(name: str, lost: bool) -> None:
    lines, pictures = [], []
    for n in range(4):
        x, y = 40.0 + 300 * (n % 2), 80.0 + 300 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + 110, y + 120)))
        code = [line(f"OS-90{n}", x, y + 140), line(f"$1{n}.00", x, y + 153)] if n < 3 else []
        lines += [line("Kettle" if n < 3 else name, x, y + 126), *code]
    result = understood(page(*lines, pictures=pictures))
    assert (fates(result)["P3"] == ("unresolved", "like_the_products")) == lost == ("coverage_low" in asked(result))


@pytest.mark.req("X-COVER")
def test_the_page_before_may_be_named_again() -> None:
    card = [line("Model: FF-204", 30, 120), line("Price: $5.6", 30, 140), line("Material: ABS", 30, 160)]
    one = page(line("FF-203 (continued)", 30, 60), *card, number=2)
    before = page(line("FF-203", 30, 60), number=1)
    alone, after = (understand_page(one, earlier, FACTS, BY_RULES) for earlier in ((), (before,)))
    assert fates(alone)["T1"] == ("unresolved", "family_code") and "coverage_low" in asked(alone)
    assert fates(after)["T1"] == ("ignored", "named_again") and "coverage_low" not in asked(after)


def test_a_block_has_the_gravest_fate_of_its_lines() -> None:
    lines = (line("Model: FF-204", 30, 120), line("Price: $5.6", 30, 140), line("FF-999 Stool", 30, 500))
    one = page(*lines, line("Material: ABS", 30, 160))
    joined = Block("T1", (30, 120, 200, 520), lines)
    result = understood(msgspec.structs.replace(one, blocks=(joined, one.blocks[3])))
    assert fates(result) == {"T1": ("unresolved", "family_code"), "T4": ("used", "product")}


@pytest.mark.req("X-COVER")
@pytest.mark.parametrize(("left", "fate"), [("KB 190", "unresolved"), ("KB 101", "ignored"), ("FX 190", "ignored")])
def test_a_code_of_two_words_beside_found_ones_like_it_is_noticed(left: str, fate: str) -> None:
    whole = photo_page(prices=False)
    named = [line(f"KB 10{n}", 50 + 180 * (n % 3), 225 + 220 * (n // 3)) for n in range(6)]
    sizes = [line("Size: 40 cm", 50 + 180 * (n % 3), 237 + 220 * (n // 3)) for n in range(6)]
    result = understood(page(*named, *sizes, line(left, 50, 780), pictures=whole.pictures))
    assert len(result.skus) == 6 and fates(result)["T13"][0] == fate


@pytest.mark.parametrize(("code", "lost"), [("A-5", True), ("see over", False)])
def test_a_row_that_stands_in_a_hole_of_its_table_goes_to_a_person(code: str, lost: bool) -> None:
    whole = table(ROWS, y=100)
    holed = msgspec.structs.replace(whole, cells=tuple(cell for cell in whole.cells if cell.row != 5))
    row = [line(text, 55 + 80 * n, 203) for n, text in enumerate([code, "凳5", "40×40"] if lost else [code])]
    result = understood(page(*row, tables=[holed]))
    assert len(result.skus) == 7 and ("coverage_low" in asked(result)) is lost
