"""Names in a column of a recognised page, of which only some have a photo that was found."""

import msgspec
import pytest

from processing.engine.page import Ocr
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("BALL GUARD", "GATE GUARD", "PLUG GUARD", "CABLE GUARD")
TEXT = ("Made of steel, for doors of every kind", "Length 80 mm, width at the end 45 mm")


def understood(
    names: tuple[str, ...] = NAMES,
    text: tuple[str, ...] = TEXT,
    photos: int = 2,
    step: float = 0,
    read: bool = True,
    bare: int = 0,
) -> PageResult:
    lines = []
    for n, name in enumerate(names):
        x, y = 250 + step * n, 60 + 160 * n
        told = text if n >= bare else ()
        lines += [line(name, x, y, 16), *(line(one, x, y + 30 + 14 * k, 10) for k, one in enumerate(told))]
    shown = [picture("P0", (0, 0, 595, 842))] if read else []
    shown += [msgspec.structs.replace(picture(f"P{n + 1}", (60, 50 + 160 * n, 200, 140 + 160 * n)), drawn=True)
              for n in range(photos)]  # fmt: skip
    ocr = Ocr("test", "no_text", 0.97) if read else None
    whole = msgspec.structs.replace(page(*lines, pictures=shown), ocr=ocr)
    return understand_page(whole, (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS", "PL-METHODS")
def test_each_is_a_product_for_a_person_to_look_at() -> None:
    result = understood()
    assert (result.page_type, texts(result, "product_name")) == ("B", list(NAMES))
    assert "page_type_uncertain" in [one.code for one in result.blockers]


@pytest.mark.parametrize(
    "options",
    [
        {"photos": 1},
        {"names": NAMES[:3]},
        {"text": (TEXT[0], "Safe in rain")},  # nothing that products have
        {"bare": 1, "photos": 3},
        {"read": False},
        {"step": 20},  # no column
        {"names": ("Our advantages", *NAMES[1:])},
        {"names": ("Test report", *NAMES[1:])},
        {"names": (*NAMES, NAMES[0])},  # the same name
    ],
)
def test_what_else_is_printed_so_is_no_product(options: dict[str, tuple[str, ...] | int | float]) -> None:
    assert understood(**options).skus == ()  # type: ignore[arg-type]
