"""The samples and the catalogue generator hold what their truth says; tests built on them would prove nothing else."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pdfplumber
import pymupdf
import pytest

from tests.support.catalogues import (
    Entry,
    blank_pdf,
    encrypted_pdf,
    make_catalogue,
    one_table_pdf,
    photo_grid_pdf,
    scanned_pdf,
    tables_pdf,
)

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = ("home-living", "fasteners")
SCANNED = {("home-living", 13)}


def squash(text: str) -> str:
    return re.sub(r"\s+", "", text)


def truth_of(name: str) -> dict:
    return json.loads((SAMPLES / f"{name}.truth.json").read_text(encoding="utf-8"))


def skus_with_text() -> Iterator[tuple[str, int, dict[str, str]]]:
    for name in NAMES:
        for sku in truth_of(name)["skus"]:
            if (name, sku["page_number"]) not in SCANNED:
                yield name, sku["page_number"], sku["attributes"]


@pytest.fixture(scope="module")
def documents() -> Iterator[dict[str, pymupdf.Document]]:
    opened = {name: pymupdf.open(SAMPLES / f"{name}.pdf") for name in NAMES}
    yield opened
    for document in opened.values():
        document.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_stays_small_enough_to_ship(name: str) -> None:
    assert (SAMPLES / f"{name}.pdf").stat().st_size < 1_500_000


@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_a_sample_is_in_its_truth(name: str, documents: dict[str, pymupdf.Document]) -> None:
    truth = truth_of(name)
    assert [page["page_number"] for page in truth["pages"]] == list(range(1, documents[name].page_count + 1))
    counted = Counter(sku["page_number"] for sku in truth["skus"])
    assert {page["page_number"]: page["products"] for page in truth["pages"] if page["products"]} == counted


@pytest.mark.parametrize("name", NAMES)
def test_models_of_a_sample_are_unique(name: str) -> None:
    models = [sku["attributes"]["model"] for sku in truth_of(name)["skus"]]
    assert len(models) == len(set(models))


def test_every_true_value_can_be_read_from_its_page(documents: dict[str, pymupdf.Document]) -> None:
    pages = {(name, page.number + 1): squash(page.get_text()) for name in NAMES for page in documents[name]}
    lost = [
        (name, number, value)
        for name, number, attributes in skus_with_text()
        for value in attributes.values()
        if squash(value) not in pages[name, number]
    ]
    assert lost == []


def test_a_second_reader_sees_the_same_models() -> None:
    lost = []
    for name in NAMES:
        with pdfplumber.open(SAMPLES / f"{name}.pdf") as file:
            texts = {page.page_number: squash(page.extract_text()) for page in file.pages}
        lost += [a["model"] for n, number, a in skus_with_text() if n == name and a["model"] not in texts[number]]
    assert lost == []


def test_tables_of_the_samples_are_ruled_with_the_columns_of_their_header() -> None:
    expected = {("home-living", 4): 7, ("home-living", 5): 7, ("home-living", 6): 8, ("home-living", 12): 9}
    expected |= {("fasteners", number): 10 for number in (1, 2, 3)}
    found = {}
    for name in NAMES:
        with pdfplumber.open(SAMPLES / f"{name}.pdf") as file:
            for page in file.pages:
                for table in page.find_tables():
                    found[name, page.page_number] = max(len(row.cells) for row in table.rows)
    assert found == expected


def test_the_continued_table_repeats_no_header() -> None:
    with pdfplumber.open(SAMPLES / "home-living.pdf") as file:
        first, second = (file.pages[number].extract_tables()[0] for number in (3, 4))
    assert first[0][0].startswith("型号")
    assert second[0][0] == "LM-T310"


def test_each_true_picture_is_a_large_jpeg_at_its_place(documents: dict[str, pymupdf.Document]) -> None:
    document = documents["home-living"]
    for sku in truth_of("home-living")["skus"]:
        if sku["picture_bbox"] is None:
            continue
        wanted = pymupdf.Rect(sku["picture_bbox"])
        placed = [
            i
            for i in document[sku["page_number"] - 1].get_image_info()
            if wanted in pymupdf.Rect(i["bbox"]) + (-1, -1, 1, 1)
        ]
        assert len(placed) == 1, sku["attributes"]["model"]
        assert min(placed[0]["width"], placed[0]["height"]) >= 700


def test_the_sample_has_a_turned_a_blank_and_a_scanned_page(documents: dict[str, pymupdf.Document]) -> None:
    document = documents["home-living"]
    kinds = {page["kind"].split(",")[0]: document[page["page_number"] - 1] for page in truth_of("home-living")["pages"]}
    assert document[11].rotation == 90
    assert kinds["blank"].get_text() == "" and not kinds["blank"].get_contents()
    assert kinds["scanned table"].get_text() == "" and len(kinds["scanned table"].get_images()) == 1


def test_a_made_catalogue_prints_each_sku_once_on_its_page(tmp_path: Path) -> None:
    skus = make_catalogue(tmp_path / "made.pdf", 24, seed=5)
    assert len({sku.model for sku in skus}) == len(skus) > 150
    with pymupdf.open(tmp_path / "made.pdf") as document:
        words = [Counter(page.get_text().replace("型号: ", "").split("\n")) for page in document]
    assert [words[sku.page_number - 1][sku.model] for sku in skus] == [1] * len(skus)
    assert all(squash(v) in squash("".join(words[s.page_number - 1])) for s in skus for v in s.attributes.values())


def test_a_made_catalogue_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    made = {}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        skus = make_catalogue(tmp_path / name, 24, seed=seed)
        made[name] = ((tmp_path / name).read_bytes(), {sku.model for sku in skus})
    assert made["a"] == made["b"]
    assert not made["a"][1] & made["c"][1]


def test_a_made_catalogue_has_the_kinds_of_pages_asked_for(tmp_path: Path) -> None:
    make_catalogue(tmp_path / "kinds.pdf", 5, 3, kinds=("text", "blank", "table"), merchant_brand="某某家居")
    with pymupdf.open(tmp_path / "kinds.pdf") as document:
        texts = [page.get_text() for page in document]
    assert [bool(text) for text in texts] == [True, False, True, True, False]
    assert "某某家居" in texts[0] and "起订量" not in texts[0] and "起订量" in texts[2]


@pytest.mark.parametrize("rotate", [0, 90])
def test_one_table_keeps_its_merged_cells(rotate: int) -> None:
    rows = [["型号", "品名", "价格"], ["A-1", Entry("餐椅", rows=2), "10.00"], ["A-2", None, "12.00"]]
    with pymupdf.open(stream=one_table_pdf(rows, rotate=rotate)) as document:
        assert document[0].rotation == rotate
        [table] = document[0].find_tables().tables
        assert table.extract() == [["型号", "品名", "价格"], ["A-1", "餐椅", "10.00"], ["A-2", None, "12.00"]]
        model, name = table.rows[1].cells[:2]
        assert name[3] - name[1] == pytest.approx(2 * (model[3] - model[1]), abs=1)


def test_tables_over_two_pages_have_a_header_on_the_first_only() -> None:
    with pymupdf.open(stream=tables_pdf([[["型号", "价格"], ["A-1", "1.00"]], [["A-2", "2.00"]]])) as document:
        assert ["型号" in page.get_text() for page in document] == [True, False]


def test_a_photo_grid_has_a_picture_above_each_caption() -> None:
    captions = [[f"K-{n}", f"¥ {n}0.00"] for n in range(1, 6)]
    with pymupdf.open(stream=photo_grid_pdf(captions, columns=2)) as document:
        page = document[0]
        boxes = [pymupdf.Rect(info["bbox"]) for info in page.get_image_info()]
        for (model, _), box in zip(captions, boxes, strict=True):
            [(x0, y0)] = [word[:2] for word in page.get_text("words") if word[4] == model]
            assert box.x0 <= x0 + 0.1 <= box.x1
            assert 0 < y0 - box.y1 < 20


def test_blank_pages_hold_no_ink() -> None:
    with pymupdf.open(stream=blank_pdf(3)) as document:
        assert [(page.get_text(), page.get_images(), page.get_drawings()) for page in document] == [("", [], [])] * 3


@pytest.mark.parametrize("turned", [0, 90, 180])
def test_a_scan_has_a_picture_and_no_text(turned: int) -> None:
    with pymupdf.open(stream=scanned_pdf("型号 A-100\n价格 99.00", turned=turned)) as document:
        page = document[0]
        assert page.get_text() == "" and len(page.get_images()) == 1
        assert (page.rect.width > page.rect.height) == (turned == 90)
        assert min(page.get_pixmap().samples) < 80


def test_encryption_asks_for_the_user_password_only_where_there_is_one() -> None:
    with pymupdf.open(stream=encrypted_pdf("open", "own")) as locked:
        assert locked.needs_pass and not locked.authenticate("wrong") and locked.authenticate("open")
    with pymupdf.open(stream=encrypted_pdf("", "own")) as readable:
        assert not readable.needs_pass and "A-100" in readable[0].get_text()
        assert readable.metadata["encryption"]
