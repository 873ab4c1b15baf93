"""Posters and sheets: pages about one product that no label names."""

import msgspec
import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

PHOTO, WHOLE_WIDTH = (60, 80, 535, 660), (0, 0, 595, 700)
TEXT = [line(f"Supports mode {n} of the bus", 50, 200 + 20 * n) for n in range(12)]


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def found(result: PageResult) -> dict[str, str]:
    assert len(result.skus) == 1
    return {key: value.text for key, value in result.skus[0].attributes.items()}


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize("box", [PHOTO, WHOLE_WIDTH])
@pytest.mark.parametrize(
    ("lines", "values"),
    [
        ([line("OS-901 Farmhouse Kettle", 185, 720, 13)], {"model": "OS-901", "product_name": "Farmhouse Kettle"}),
        (
            [line("New", 60, 20, 22), line("Maren Evening Dress", 60, 705, 24), line("$96.00", 504, 735)],
            {"product_name": "Maren Evening Dress", "price": "$96.00"},
        ),
    ],
)
def test_a_poster_is_one_product_with_its_picture(
    box: tuple[float, float, float, float], lines: list[Line], values: dict[str, str]
) -> None:
    result = understood(page(*lines, pictures=[picture("P1", box)], number=3))
    assert result.page_type == "C" and values.items() <= found(result).items()
    assert [bound.picture for bound in result.skus[0].bindings] == ["P1"]


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize(
    "lines",
    [
        [line("Autumn Catalogue", 60, 720, 30), line("Harvest Home", 60, 760)],
        [line("FF-201 elevation and plan, not to scale", 60, 720)],
        [line("A-10 Kettle", 60, 720), line("A-20 Pan", 300, 30)],
        [line("A-10 Kettle in a kitchen, where families meet, cook, and eat.", 60, 720)],
        [line("K200 Series", 60, 720, 20)],
        [line("B2B Solutions", 60, 720, 20)],
        [line("Price list 2026", 60, 30), line("KX-26 Kitchen", 60, 720, 20)],
    ],
)
def test_a_cover_a_drawing_or_several_codes_make_no_poster(lines: list[Line]) -> None:
    result = understood(page(*lines, pictures=[picture("P1", PHOTO)], number=3))
    assert (result.page_type, result.skus) == ("D", ())


@pytest.mark.req("TA-CLS", "X-BLOCKER")
def test_a_first_page_with_code_and_name_alone_may_be_a_cover_and_goes_to_a_person() -> None:
    result = understood(page(line("AW26 Women in the city", 60, 720, 20), pictures=[picture("P1", PHOTO)]))
    assert (result.page_type, result.skus) == ("D", ())
    assert [blocker.params["reason"] for blocker in result.blockers] == ["poster_with_code"]


@pytest.mark.req("TA-CLS", "X-BLOCKER")
def test_a_device_is_named_by_the_title_over_its_features_and_goes_to_a_person() -> None:
    result = understood(page(line("AD242A Features", 200, 60, 22), line("Weight: 1 kg", 50, 160), *TEXT))
    assert (result.page_type, found(result)) == ("B", {"model": "AD242A", "weight": "1 kg"})
    assert {blocker.code for blocker in result.blockers} >= {"specification_missing"}


@pytest.mark.parametrize("title", ["AD242A Pin definition", "ISO9001", "V2.1", "2026 Features"])
def test_other_titles_name_no_device(title: str) -> None:
    assert understood(page(line(title, 200, 60, 22), *TEXT)).skus == ()


def test_a_short_page_under_a_code_is_a_cover() -> None:
    assert understood(page(line("AD242A", 200, 60, 36), *TEXT[:3])).skus == ()


@pytest.mark.req("TA-CLS", "TA-FEAT")
@pytest.mark.parametrize(("share", "page_type"), [(0.6, "A"), (0.05, "B")])
def test_a_sheet_of_specifications_takes_the_code_of_its_header(share: float, page_type: str) -> None:
    rows = [["项目", "说明"], ["打印方法", "热敏"], ["重量(克)", "40.5"], ["外形尺寸(长x宽x高)", "70*33*15.3"]]
    one = page(line("JX-2R-01 系列机芯规格书", 384, 40, 9), tables=[table(rows, widths=200)])
    one = msgspec.structs.replace(one, features=msgspec.structs.replace(one.features, table_ratio=share))
    result = understood(one)
    assert (result.page_type, found(result)) == (
        page_type,
        {"model": "JX-2R-01", "weight": "40.5", "size": "70*33*15.3"},
    )


def test_a_value_that_goes_on_in_the_next_line_is_left_out() -> None:
    lines = [line("PAC750", 50, 40, 9), line("\uf06c Weight: 1 kg", 50, 200), line("Size: 196 mm x 86 mm x", 50, 220)]
    assert found(understood(page(*lines))) == {"model": "PAC750", "weight": "1 kg"}


def test_a_title_that_the_page_before_has_too_names_no_second_product() -> None:
    lines = (line("AD242A Features", 200, 60, 22), line("Weight: 1 kg", 50, 160), *TEXT)
    first, second = page(*lines, number=3), page(*lines, number=4)
    assert len(understood(first).skus) == 1
    assert understood(second, first).skus == ()
