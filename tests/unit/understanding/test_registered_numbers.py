"""Things with a number of a public register each are a list of products; codes over what compares them are looked at by
a person, and a manual's figure names none."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table


def understood(*lines: Line, **more: object) -> PageResult:
    return understand_page(page(*lines, **more), (), DocumentFacts(), BY_RULES)


def substances(numbers: list[str], head: str = "CAS.") -> list[list[str]]:
    names = ("盐酸西那卡塞", "培哚普利叔丁胺", "酒石酸伐伦克林", "富马酸沃诺拉赞")
    return [
        ["序号", "API", "Intermediate", head],
        *([str(n), "A", *row] for n, row in enumerate(zip(names, numbers, strict=True))),
    ]


CAS = ["3886-70-2", "107133-36-8", "375815-87-5", "1260141-27-2"]


@pytest.mark.req("X-NORM", "GR-EVID")
@pytest.mark.parametrize("head", ["CAS.", "CAS No.", "CAS号"])
def test_substances_with_their_registered_numbers_are_products(head: str) -> None:
    result = understood(tables=[table(substances(CAS, head), widths=110)])
    assert result.page_type == "A"
    assert [sku.attributes["product_name"].text for sku in result.skus][:2] == ["盐酸西那卡塞", "培哚普利叔丁胺"]
    assert [one.value for sku in result.skus for one in sku.custom if one.name.startswith("CAS")] == CAS


@pytest.mark.parametrize("numbers", [["3886-70-2"] * 4, ["", "", "", "3886-70-2"]])
def test_numbers_that_some_have_or_several_share_register_nothing(numbers: list[str]) -> None:
    assert not understood(tables=[table(substances(numbers), widths=110)]).skus


@pytest.mark.parametrize(("caption", "named"), [("图 1-1 数据结构示意图", 0), ("餐椅系列", 3)])
def test_what_is_printed_on_a_figure_of_a_manual_names_no_product(caption: str, named: int) -> None:
    photos = [picture(f"P{n}", (60.0 + 150 * n, 120, 160.0 + 150 * n, 220)) for n in range(3)]
    told = [
        line(text, 65 + 150 * n, 225 + 14 * k, 10) for n in range(3) for k, text in enumerate((f"BUF-{n}2R", "Oak"))
    ]
    result = understood(line(caption, 240, 292), *told, pictures=[picture("G", (40, 100, 540, 285)), *photos])
    assert len(result.skus) == named


def compared(heads: list[str], labels: list[str]) -> PageResult:
    rows = [["", *heads], *([label, f"{n} m", f"{n + 1} m"] for n, label in enumerate(labels))]
    return understood(tables=[table(rows, widths=140)])


@pytest.mark.parametrize("heads", [["TB-TD500", "TB-TD1000"], ["TB-FB400 (no handle)", "TB-FB436 (with handle)"]])
def test_codes_alone_over_words_with_values_are_looked_at_by_a_person(heads: list[str]) -> None:
    result = compared(heads, ["Section length", "Ground mat", "Fabric", "Strength"])
    assert result.page_type == "A" and any(one.severity == "review" for one in result.blockers)


@pytest.mark.parametrize(
    ("heads", "labels"),
    [
        (["Standard", "Deluxe"], ["Section length", "Ground mat", "Fabric", "Strength"]),
        (["TB-TD500", "TB-TD500"], ["Section length", "Ground mat", "Fabric", "Strength"]),
        (["TB-TD500", "TB-TD1000"], ["Parameter", "Condition", "Symbol", "Default"]),
    ],
)
def test_other_heads_and_what_describes_one_device_are_not(heads: list[str], labels: list[str]) -> None:
    assert compared(heads, labels).page_type == "D"
