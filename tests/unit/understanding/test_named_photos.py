"""Photos with a name or a code alone at each, for a person to look at."""

import msgspec
import pytest

from processing.engine.page import Line, Ocr
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("Engine hoist", "Chain sling", "Beam trolley")
PLACES = ((60, 130), (320, 130), (60, 360))


def shown(*names: str, head: str = "LIFTING", more: tuple[Line, ...] = (), on: bool = False) -> PageResult:
    """``on``: the words stand on white ground that is part of the photo."""
    lines = [line(head, 50, 50, 16), *more]
    pictures = []
    for n, (name, (x, y)) in enumerate(zip(names, PLACES, strict=True)):
        lines.append(line(name, x + 20, y + 148, 11))
        pictures.append(picture(f"P{n}", (x, y, x + 140, y + (175 if on else 140))))
    return understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)


@pytest.mark.parametrize("on", [False, True])
def test_each_photo_is_a_product_that_a_person_looks_at(on: bool) -> None:
    result = shown(*NAMES, on=on)
    assert sorted(filter(None, texts(result, "product_name"))) == sorted(NAMES)
    assert sorted(b.picture for sku in result.skus for b in sku.bindings) == ["P0", "P1", "P2"]
    assert result.page_type == "C" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_short_codes_and_codes_with_a_colour_are_models() -> None:
    result = shown("2A", "K 17 Black", "Fold door")
    assert sorted(filter(None, texts(result, "model"))) == ["2A", "K 17 Black"]


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (NAMES, {"head": "Our advantages"}),
        (NAMES, {"head": "Production Equipment"}),
        (("Engine hoist", "Engine hoist", "Chain sling"), {}),
        (("Red", "Blue", "Green"), {}),
        (("Quality system", "Green product", "Energy label"), {}),
        (NAMES, {"more": (line("We have made hoists, slings, and beams.", 50, 600),)}),
        (NAMES, {"more": tuple(line("We have made hoists for many years", 50, 600 + 20 * n) for n in range(9))}),
    ],
)
def test_other_headings_words_or_samples_make_no_products(names: tuple[str, ...], options: dict[str, object]) -> None:
    assert shown(*names, **options).skus == ()  # type: ignore[arg-type]


def test_a_recognised_page_is_told_of_as_any_other() -> None:
    """The scan itself is a picture over the whole page."""
    assert texts_of(scanned=True) == texts_of(scanned=False) == sorted(NAMES)


def texts_of(*, scanned: bool) -> list[str | None]:
    lines = [line("LIFTING", 50, 50, 16)]
    pictures = [picture("P", (0, 0, 595, 842))] if scanned else []
    for n, (name, (x, y)) in enumerate(zip(NAMES, PLACES, strict=True)):
        lines.append(line(name, x + 20, y + 148, 11))
        pictures.append(msgspec.structs.replace(picture(f"P{n}", (x, y, x + 140, y + 140)), drawn=True))
    made = page(*lines, pictures=pictures)
    if scanned:
        features = msgspec.structs.replace(made.features, picture_ratio=1.0)
        made = msgspec.structs.replace(
            made, ocr=Ocr("engine", "few_chars", 0.98, 0, 4, "en", "model"), features=features
        )
    result = understand_page(made, (), DocumentFacts(), BY_RULES)
    return sorted(texts(result, "product_name"))


@pytest.mark.parametrize(("many", "found"), [(8, True), (6, False)])
def test_names_beside_many_photos_are_products_and_beside_few_they_are_remarks(many: int, found: bool) -> None:
    """Names stand left of the photos in the left half of the page and right of the others, around a machine, and
    details lie on some of the photos."""
    names = ("Cups", "Bags", "Pens", "Caps", "Mugs", "Trays", "Boards", "Flags")[:many]
    lines, pictures = [line("PRINTING", 50, 40, 16)], [picture("machine", (240, 300, 350, 420))]
    for n, name in enumerate(names):
        x, y = (120.0, 420.0)[n % 2], 90.0 + 150 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + 80, y + 80)))
        lines.append(line(name, x - 50 if n % 2 == 0 else x + 90, y + 35, 11))
        pictures += [picture(f"detail {n}", (x + 2, y + 2, x + 32, y + 30))] if n % 2 else []
    made = page(*lines, pictures=pictures)
    features = msgspec.structs.replace(made.features, picture_ratio=1.0)
    made = msgspec.structs.replace(made, ocr=Ocr("engine", "few_chars", 0.98, 0, 9, "en", "model"), features=features)
    result = understand_page(made, (), DocumentFacts(), BY_RULES)
    assert sorted(filter(None, texts(result, "product_name"))) == (sorted(names) if found else [])
