"""Photos with a name or a code alone at each, for a person to look at."""

import msgspec
import pytest

from processing.engine.page import Line, Ocr
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import line, page, picture, texts

NAMES = ("Engine hoist", "Chain sling", "Beam trolley")
PLACES = ((60, 130), (320, 130), (60, 360))


def shown(*names: str, head: str = "LIFTING", more: tuple[Line, ...] = (), on: bool = False) -> PageResult:
    """``on``: the words stand on white ground that is part of the photo."""
    lines = [line(head, 50, 50, 16), *more]
    pictures = []
    for n, (name, (x, y)) in enumerate(zip(names, PLACES, strict=True)):
        lines.append(line(name, x + 20, y + 148, 11))
        pictures.append(picture(f"P{n}", (x, y, x + 140, y + (175 if on else 140))))
    return understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), AnalystConfig())


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
    result = understand_page(made, (), DocumentFacts(), AnalystConfig())
    return sorted(texts(result, "product_name"))
