"""Price lists whose head says "... name" of what no dictionary knows."""

import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, page, picture, table, texts

PACKS = ["敷料包（大）", "敷料包（中）", "换药包", "缝合包"]
TREATMENTS = ["Hot stone", "Foot bath", "Deep tissue", "Face mask"]


def listed(head: str, names: list[str], price: str) -> PageResult:
    rows = [[str(n + 1), name, str(12 + 3 * n)] for n, name in enumerate(names)]
    whole = table([["序号", head, price], *rows], x=60, y=100)
    return understand_page(page(tables=[whole]), (), DocumentFacts(), BY_RULES)


@pytest.mark.parametrize(
    ("head", "price"), [("供应商名称", "单价（元）"), ("Customer name", "Price"), ("器械包名称", "长度")]
)
def test_names_of_companies_and_lists_without_prices_are_no_products(head: str, price: str) -> None:
    assert not listed(head, PACKS, price).skus


def by_sort(head: str, rows: list[list[str]]) -> list[str | None]:
    return texts(
        understand_page(
            page(tables=[table([["Part no.", head, "Fits", "List"], *rows])]), (), DocumentFacts(), BY_RULES
        ),
        "product_name",
    )


CAMERAS = ["AX-033B", "AX-046C", "AX-145B", "AX-201"]


def listed_models(head: str, first: list[str], second: str = "传感器") -> list[str | None]:
    rows = [[code, f"{n} / 3 CCD", f"{n + 3} fps", f"{n} W"] for n, code in enumerate(first, 1)]
    whole = table([[head, second, "帧率范围", "功率"], *rows], x=60, y=100)
    return texts(understand_page(page(tables=[whole]), (), DocumentFacts(), BY_RULES), "model")


@pytest.mark.parametrize("head", ["相机型号", "Camera model"])
def test_a_first_column_of_codes_headed_as_models_of_a_thing_tells_products(head: str) -> None:
    assert listed_models(head, CAMERAS) == CAMERAS


@pytest.mark.parametrize("head", ["适用型号", "接头型号", "Compatible model", "Printer model"])
def test_models_of_what_it_fits_are_no_products(head: str) -> None:
    assert not listed_models(head, CAMERAS)


def test_models_of_a_thing_that_repeat_or_are_no_codes_are_no_products() -> None:
    assert not listed_models("相机型号", ["AX-033B", "AX-033B", "AX-145B", "AX-201"])
    assert not listed_models("相机型号", ["标准", "加长", "防水", "防尘"])


def test_beside_a_column_of_names_that_holds_pictures_alone_the_description_is_the_name() -> None:
    rows = [
        ["Code", "Item name", "Description", "Price"],
        ["KT-1", "", "Filler, 25 kg", "$3"],
        ["KT-2", "", "Board", "$5"],
    ]
    photos = [picture(f"P{n}", (140, 122 + 20 * n, 170, 138 + 20 * n)) for n in range(2)]
    result = understand_page(page(tables=[table(rows)], pictures=photos), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["Filler, 25 kg", "Board"]
    named = [rows[0], *([row[0], "Wall", *row[2:]] for row in rows[1:])]
    result = understand_page(page(tables=[table(named)]), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["Wall", "Wall"]
