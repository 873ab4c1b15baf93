"""One thing under a title, with a photo and labels of what it may be had in."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.labels import label_kind
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

TOLD = ("Tape that holds wires together and keeps them dry.", "It stretches well and lasts long.")
LABELS = ("Sizes available: Cut and log rolls", "Regular colours: Black / White /", "Green / Red")
ROWS = (("Length", "40 m to 45 m"), ("Colour", "Brown, White"), ("Width", "96 mm, 102 mm"), ("Feature", "Antistatic"))


def understood(
    *labels: Line, title: str = "Insulation tape", photos: int = 1, told: tuple[str, ...] = TOLD
) -> PageResult:
    lines = [line(title, 180, 60, 26), *(line(text, 50, 120 + 18 * n, 12) for n, text in enumerate(told)), *labels]
    shown = [picture(f"P{n}", (180, 400 + 170 * n, 400, 560 + 170 * n)) for n in range(photos)]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


def under(*labels: str) -> list[Line]:
    return [line(text, 50, 180 + 14 * n, 12) for n, text in enumerate(labels)]


def columns(*rows: tuple[str, str]) -> list[Line]:
    return [
        line(text, x, 180 + 18 * n, 12) for n, row in enumerate(rows) for text, x in zip(row, (50, 150), strict=True)
    ]


@pytest.mark.req("TA-CLS", "PL-METHODS")
def test_it_is_a_product_for_a_person_to_look_at() -> None:
    result = understood(*under(*LABELS))
    assert (texts(result, "product_name"), texts(result, "size")) == (["Insulation tape"], ["Cut and log rolls"])
    assert texts(result, "color") == ["Black / White / Green / Red"]
    assert [b.picture for b in result.skus[0].bindings] == ["P0"]
    assert result.page_type == "B" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_labels_may_stand_in_a_column_beside_their_values() -> None:
    joined = line("Thickness 36 microns", 50, 260, 12)
    words = (joined.words[0], line("36 microns", 150, 260, 12).words[0], line("36 microns", 150, 260, 12).words[1])
    parted = Line(joined.text, (50, 260, words[-1].box[2], 272), words, 12)
    (sku,) = understood(*columns(*ROWS), parted).skus
    assert sku.attributes["color"].text == "Brown, White"
    assert [(c.name, c.value) for c in sku.custom] == [
        ("Length", "40 m to 45 m"), ("Width", "96 mm, 102 mm"), ("Thickness", "36 microns"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        (LABELS[:1], {}),  # one label says little
        (LABELS, {"photos": 0}),
        (LABELS, {"title": "Our advantages"}),
        ((*LABELS, "Regular colours: Blue"), {}),  # of two things
        ((*LABELS, "AB-1204"), {}),
        (LABELS, {"told": TOLD * 20}),  # a text
    ],
)
def test_what_else_has_labels_is_none(labels: tuple[str, ...], options: dict[str, object]) -> None:
    assert understood(*under(*labels), **options).skus == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("label", "kind"),
    [("Sizes Available", "size"), ("Regular Colors", "color"), ("Available materials", "material"),
     ("Colour options", "color"), ("Talles", "size"), ("Regular price", "price"), ("Regular customers", None)],
)  # fmt: skip
def test_labels_of_what_one_may_choose_are_known(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind


HEADS, ONE = ("SPEED", "L.W.H.", "N.W.", "PACKING"), ("900 rpm", "150*90*47(mm)", "3.0kg", "5PCS/CTN")


def under_table(*rows: tuple[str, ...], title: str = "SR120S") -> PageResult:
    cells = [line(text, 55 + 110 * n, 504 + 20 * k, 10) for k, row in enumerate(rows) for n, text in enumerate(row)]
    made = table(rows, y=500, widths=110)
    lines = [line("FEATURES", 330, 80, 13), line("Quiet and light", 330, 110, 13), line(title, 330, 430, 40), *cells]
    one = page(*lines, pictures=[picture("P0", (50, 100, 300, 300))], tables=[made])
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_a_code_over_heads_with_one_row_of_values_is_a_product_for_a_person_to_look_at() -> None:
    result = under_table(HEADS, ONE)
    assert (texts(result, "model"), texts(result, "size")) == (["SR120S"], ["150*90*47(mm)"])
    assert (texts(result, "weight"), texts(result, "packing")) == (["3.0kg"], ["5PCS/CTN"])
    assert [(c.name, c.value) for c in result.skus[0].custom] == [("SPEED", "900 rpm")]
    assert result.page_type == "B" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_over_two_rows_of_values_or_few_known_heads_it_is_none() -> None:
    assert under_table(HEADS[:3], ONE[:3], ONE[:3]).skus == ()
    assert under_table(HEADS[:2], ONE[:2]).skus == ()
    assert under_table(HEADS, ONE, title="ISO9001").skus == ()


FACTS = ("Grain length: 8 mm", "Moisture: at most 14%", "Colour: White", "Crop: Latest", "Sorted: Yes")


def slide(title: str = "Long Grain Rice", head: str = "Specifications:", facts: tuple[str, ...] = FACTS) -> PageResult:
    """All in one print, as slides are: the name, the heading with what is told under it, further words."""
    lines = [line(title, 260, 60, 16), line(head, 60, 90, 16)]
    lines += [line(text, 60, 112 + 22 * n, 16) for n, text in enumerate(facts)]
    lines += [line(text, 60, 300 + 22 * n, 16) for n, text in enumerate(("Features", "Soft after cooking"))]
    shown = [picture("P1", (300, 100, 560, 340))]
    return understand_page(page(*lines, pictures=shown, size=(600, 420)), (), DocumentFacts(), BY_RULES)


def test_under_a_heading_of_specifications_any_labels_tell_the_thing_that_is_named_over_it() -> None:
    result = slide()
    assert (texts(result, "product_name"), texts(result, "color")) == (["Long Grain Rice"], ["White"])
    assert [c.name for c in result.skus[0].custom] == ["Grain length", "Moisture", "Crop", "Sorted"]
    assert [b.picture for b in result.skus[0].bindings] == ["P1"] and result.blockers


@pytest.mark.parametrize(
    "options", [{"facts": FACTS[:3]}, {"head": "Our story"}, {"title": "Our advantages"}, {"facts": (*FACTS, FACTS[0])}]
)
def test_few_facts_another_heading_or_no_name_make_no_product_of_a_slide(options: dict[str, object]) -> None:
    assert slide(**options).skus == ()  # type: ignore[arg-type]


PAIRS = (("Cavities", "1 / 2"), ("Output", "900 BPH"), ("Pressure", "18 – 26 bar"), ("Operation", "Hydraulic"))


def brochure(*, pairs: tuple[tuple[str, str], ...] = PAIRS, head: str = "Technical data", more: str = "") -> PageResult:
    """A machine's page: its code beside the label of one, a name in two lines, a figure in larger print, the photo, and
    labels with values in two columns under a heading."""
    lines = [line("TYPE", 390, 40, 8), line("KP-SB2", 475, 40, 8)]
    lines += [line("Semi-Automatic Sealing", 50, 100, 24), line("Press", 50, 126, 24), line("900 BPH", 50, 200, 32)]
    lines += [line(head, 50, 500, 8), *([line(more, 50, 160, 24)] if more else [])]
    for n, pair in enumerate(pairs):
        x, y = (50, 300)[n % 2], 520 + 20 * (n // 2)
        lines += [line(pair[0], x, y, 8), line(pair[1], x + 120, y, 8)]
    one = page(*lines, pictures=[picture("P1", (300, 200, 540, 400))])
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_pairs_in_columns_under_a_heading_of_specifications_tell_the_thing_in_large_print() -> None:
    result = brochure()
    assert texts(result, "product_name") == ["Semi-Automatic Sealing Press"]
    assert texts(result, "model") == ["KP-SB2"]
    assert [(c.name, c.value) for c in result.skus[0].custom] == list(PAIRS)
    assert [b.picture for b in result.skus[0].bindings] == ["P1"] and result.blockers


@pytest.mark.parametrize("options", [{"pairs": PAIRS[:2]}, {"head": "Our story"}, {"more": "Automatic Filler"}])
def test_few_pairs_another_heading_or_a_second_title_make_no_product(options: dict[str, object]) -> None:
    assert brochure(**options).skus == ()  # type: ignore[arg-type]


def plain_slide(*facts: str, title: str = "Gate Valve Flanged", at: float = 110) -> PageResult:
    lines = [line("04", 60, 80, 20), line(title, at, 80, 20)]
    lines += [line(text, 112, 120 + 40 * n, 20) for n, text in enumerate(facts)]
    one = page(*lines, pictures=[picture("P1", (110, 280, 460, 520))], size=(800, 600))
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_labelled_lines_right_under_a_title_in_their_print_tell_that_thing() -> None:
    result = plain_slide("BODY: Cast iron", "SEAT: PTFE", "END: Flanged")
    assert texts(result, "product_name") == ["Gate Valve Flanged"]
    assert [(c.name, c.value) for c in result.skus[0].custom] == [
        ("BODY", "Cast iron"), ("SEAT", "PTFE"), ("END", "Flanged")
    ]  # fmt: skip
    assert result.blockers


def test_few_lines_what_reaches_a_company_or_no_title_over_them_make_none() -> None:
    facts = ("BODY: Cast iron", "SEAT: PTFE", "END: Flanged")
    assert plain_slide(*facts[:2]).skus == ()
    assert plain_slide(*facts, "Phone: 0113 496 0000").skus == ()
    assert plain_slide(*facts, title="Our advantages").skus == ()
    assert plain_slide(*facts, at=300).skus == ()
