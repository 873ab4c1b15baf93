"""Drawn catalogues: their truth says what stands on the pages, and nothing else; how well they are read is measured
elsewhere."""

import ast
import io
import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from PIL import Image

from processing.engine.quality.truth import read_truth
from tests.golden import matrix
from tests.golden.styles import HELD_BACK, SEEN, STYLES
from tests.golden.styles.__main__ import main
from tests.golden.styles.pens.folio import NO_VALUES, ON_REQUEST, Drawn
from tests.golden.styles.pens.scan import scanned
from tests.golden.styles.pens.style import Style

pytestmark = pytest.mark.req("TA-T85")
HERE = Path(__file__).parent / "styles"
DITTO = "〃"  # stands for what is printed above it
EACH = 3  # of the styles, one in so many is looked at in `make test`, and all of them in `make test-long`
EVERY_STYLE = pytest.mark.parametrize(
    "style",
    [pytest.param(style, id=style.name, marks=[pytest.mark.long] * bool(n % EACH)) for n, style in enumerate(STYLES)],
)


@cache
def drawn(style: Style) -> Drawn:
    return style.draw()


def opened(catalogue: Drawn) -> pymupdf.Document:
    return pymupdf.open(stream=catalogue.pdf, filetype="pdf")


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def shown(page: pymupdf.Page, box: list[float]) -> pymupdf.Rect:
    """A box of the page as displayed, in the coordinates that the reader uses on a turned page, a little wider."""
    return (pymupdf.Rect(box) + (-1, -2, 1, 2)) * page.derotation_matrix


def pieces(page: pymupdf.Page, box: list[float]) -> list[pymupdf.Rect]:
    """Boxes, as displayed, of the placed pictures that lie inside ``box``."""
    all_boxes = [pymupdf.Rect(info["bbox"]) * page.rotation_matrix for info in page.get_image_info()]
    return [one for one in all_boxes if one in pymupdf.Rect(box) + (-1, -1, 1, 1)]


def values(sku: dict[str, Any]) -> list[str]:
    printed = [*sku["attributes"].values(), *(one["value"] for one in sku["custom_attributes"])]
    return printed + [price for _, price in sku["tiers"] or ()]


def test_there_are_styles_of_every_trade_in_both_languages_and_both_groups() -> None:
    assert len(STYLES) >= 15 and len({style.name for style in STYLES}) == len(STYLES)
    for group, least in ((SEEN, 15), (HELD_BACK, 5)):
        assert len(group) >= least and {"zh", "en"} <= {style.language for style in group}
    assert {style.trade for style in SEEN} >= {
        "furniture",
        "lighting",
        "electronics",
        "apparel",
        "kitchenware",
        "hardware",
    }


@EVERY_STYLE
def test_prints_every_value_inside_the_card_of_its_product(style: Style) -> None:
    catalogue = drawn(style)
    pasted = {page.number for page in catalogue.pages if page.scanned}
    with opened(catalogue) as document:
        for sku in catalogue.truth["skus"]:
            page = document[sku["page_number"] - 1]
            inside = squeezed(page.get_text(clip=shown(page, sku["card_bbox"])))
            missing = [text for text in values(sku) if squeezed(text) not in inside]
            if len(missing) == inside.count(DITTO):
                missing = [text for text in missing if squeezed(text) not in squeezed(page.get_text())]
            if sku["page_number"] in pasted:
                assert not inside and _covered_by_a_picture(page, sku["card_bbox"])
            else:
                assert not missing, f"page {page.number + 1}: {missing} not in {inside!r}"


def _covered_by_a_picture(page: pymupdf.Page, box: list[float]) -> bool:
    return any(pymupdf.Rect(box) in pymupdf.Rect(info["bbox"]) for info in page.get_image_info())


@EVERY_STYLE
def test_holds_a_picture_in_exactly_every_picture_box(style: Style) -> None:
    catalogue = drawn(style)
    facts = {page.number: page for page in catalogue.pages}
    with opened(catalogue) as document:
        for image in catalogue.truth["images"]:
            page, one = document[image["page_number"] - 1], facts[image["page_number"]]
            if one.scanned:
                assert _covered_by_a_picture(page, image["bbox"])
                continue
            found = pieces(page, image["bbox"])
            around = pymupdf.Rect(image["bbox"])
            assert sum(rect.get_area() for rect in found) == pytest.approx(around.get_area(), rel=0.03)
            high = around.height > 50
            assert (len(found) > 1) == (one.fragmented and high), f"page {one.number}: {len(found)} pieces"


@EVERY_STYLE
def test_truth_is_whole_and_names_no_value_that_is_none(style: Style) -> None:
    truth = drawn(style).truth
    read_truth(json.dumps(truth).encode(), style.name)
    pages = {page["page_number"] for page in truth["pages"]}
    assert pages == set(range(1, truth["job"]["total_pages"] + 1)) and 3 <= len(pages) <= 9
    images = {image["image_id"]: image["page_number"] for image in truth["images"]}
    assert len(images) == len(truth["images"])
    for sku in truth["skus"]:
        assert sku["attributes"].get("model") or sku["attributes"]["product_name"]
        assert not {text.strip() for text in values(sku)} & (NO_VALUES | ON_REQUEST)
        assert all(images[one["image_id"]] == sku["page_number"] for one in sku["images"])
    named = Counter(
        (sku["page_number"], sku["attributes"].get("model") or sku["attributes"]["product_name"])
        for sku in truth["skus"]
    )
    assert max(named.values()) == 1


@EVERY_STYLE
def test_pages_are_what_the_matrix_is_told_they_are(style: Style) -> None:
    catalogue = drawn(style)
    count = Counter(sku["page_number"] for sku in catalogue.truth["skus"])
    bounds = {
        ("A", "L1"): (1, 1), ("A", "L3"): (2, 20), ("A", "L4"): (21, 999), ("B", "L1"): (1, 1), ("B", "L2"): (2, 16),
        ("B", "L3"): (2, 30), ("C", "L1"): (1, 1), ("C", "L2"): (2, 16), ("C", "L4"): (17, 99),
    }  # fmt: skip
    for page in catalogue.pages:
        least, most = bounds.get((page.page_type, page.layout), (0, 0))
        assert least <= count[page.number] <= most, f"page {page.number}: {count[page.number]} products"
    for before, page in pairwise(catalogue.pages):
        assert not page.continues or before.page_type == page.page_type


@EVERY_STYLE
def test_is_drawn_alike_every_time(style: Style) -> None:
    again = style.draw()
    assert again.pdf == drawn(style).pdf and again.truth == drawn(style).truth


def test_every_valid_combination_of_the_matrix_has_a_page() -> None:
    found = matrix.covered(drawn(style) for style in STYLES)
    combinations = list(matrix.combinations())
    assert len(combinations) == len(set(combinations)) > 50
    assert not [one for one in combinations if one not in found]
    assert not [one for one in found if not one.is_valid()]


def test_both_groups_have_pages_of_every_type_and_every_kind_of_trouble() -> None:
    for group in (SEEN, HELD_BACK):
        pages = [page for style in group for page in drawn(style).pages]
        assert {page.page_type for page in pages} == set("ABCD")
        assert any(page.scanned for page in pages)
        for kind in "AB":
            assert any(page.continues and page.fragmented for page in pages if page.page_type == kind)


def _modules(group: str) -> list[Path]:
    return sorted(path for path in (HERE / group).glob("*.py") if path.name != "__init__.py")


def test_held_back_styles_share_only_the_pens_with_the_others() -> None:
    for group in ("seen", "held_back"):
        assert len(_modules(group)) == len({"seen": SEEN, "held_back": HELD_BACK}[group])
        for path in _modules(group):
            imported = {
                node.module or "" for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
            }
            ours = {name for name in imported if name.startswith("tests")}
            assert all(name.startswith(("tests.golden.styles.pens.", "tests.support.catalogues.")) for name in ours)


def test_no_drawing_function_stands_in_both_groups() -> None:
    def bodies(group: str) -> set[str]:
        functions = [
            node
            for path in _modules(group)
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.FunctionDef) and len(node.body) > 1
        ]
        return {"".join(ast.dump(line) for line in node.body) for node in functions}

    seen, held_back = bodies("seen"), bodies("held_back")
    assert len(seen) > 20 and len(held_back) > 20 and not seen & held_back


@pytest.mark.parametrize("name", ["zh_apparel_merged", "en_lighting_quantity"])
def test_a_scan_shows_the_same_page_without_its_text(name: str) -> None:
    (style,) = [style for style in STYLES if style.name == name]
    original, scan = drawn(style), scanned(drawn(style))
    assert scan.truth["skus"] == original.truth["skus"] and scan.truth["images"] == original.truth["images"]
    assert scan.truth["job"]["source_file"] == f"{name}_scan.pdf" and scan.pdf == scanned(original).pdf
    with opened(original) as before, opened(scan) as after:
        for page, copy, facts in zip(before, after, scan.pages, strict=True):
            assert not copy.get_text().strip() and copy.rect == page.rect and facts.scanned
            placed = copy.get_image_info()
            assert (len(placed) > 1) == facts.fragmented
            assert sum(info["height"] for info in placed) / page.rect.height * 72 == pytest.approx(200, abs=1)
            assert _likeness(page, copy) > 0.9


def _likeness(page: pymupdf.Page, copy: pymupdf.Page) -> float:
    """Correlation of the two pages, coarse enough to forgive a few points."""
    grey = []
    for one in (page, copy):
        pixels = one.get_pixmap(dpi=36, colorspace=pymupdf.csGRAY)
        image = Image.open(io.BytesIO(pixels.tobytes("png"))).resize((48, 64), Image.Resampling.BOX)
        grey.append(np.asarray(image, dtype=np.float64).ravel())
    return float(np.corrcoef(grey[0], grey[1])[0, 1])


def test_writes_a_style_and_its_truth_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["styles", str(tmp_path), "--style", "en_furniture_borderless"])
    main()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"en_furniture_borderless.pdf", "en_furniture_borderless.truth.json"}
