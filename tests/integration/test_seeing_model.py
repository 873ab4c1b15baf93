"""The seeing model on pages drawn for it: it tells what an image shows and nothing else, through the real kits too.

One small page, so that each image is read in a second or two.
"""

import io
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pymupdf
import pytest
from PIL import Image, ImageDraw

from processing.engine.quality.truth import read_truth
from processing.llm.providers.gemini import Gemini
from processing.llm.providers.openai import OpenAI
from processing.llm.providers.port import Image as Sent
from processing.llm.providers.port import Prompt
from processing.llm.providers.qwen import Qwen
from tests.golden.styles.pens.folio import Drawn, Folio
from tests.support.model_server import ModelServer
from tests.support.seeing_model import Eyes, Line, Mistakes, Product, SeeingModel, Sheet, sheets_of
from tests.support.seeing_model.answering import UNSEEN, page_answer, ranges
from tests.support.seeing_model.eyes import Glyph, folded
from tests.support.seeing_model.shown import shown_in

pytestmark = [pytest.mark.req("TA-T85"), pytest.mark.timeout(300)]
SIZE = (360.0, 240.0)
CARDS = [
    ("AX-100", "Floor lamp", "60 x 24 cm", "129.00"),
    ("AX-205", "Desk lamp", "35 x 18 cm", "84.50"),
    ("AX-310", "Wall light", "22 x 12 cm", "47.90"),
    ("AX-415", "Pendant", "48 x 48 cm", "215.00"),
]
SMALL_PRINT = "size"  # the key that is printed in small type
SCHEMA = {"title": "PageAnswer", "type": "object", "properties": {}}
WIDE_PX, NARROW_PX = 1200, 300
EYES = Eyes()


@cache
def drawn() -> Drawn:
    """Four products beneath each other, each a picture with three lines of large type and one of small."""
    folio = Folio("seen", ("sans", "bold"))
    leaf = folio.page("B", "L2", size=SIZE)
    leaf.text(20, 22, "Lamps of the season", face="bold", size=13)
    for n, (model, name, size, price) in enumerate(CARDS):
        x, y = 20 + n % 2 * 170, 34 + n // 2 * 100
        box = (x, y, x + 160, y + 92)
        picture = folio.shows("floor_lamp", (x, y, x + 60, y + 84), "#B4552D", "#EBD9C6")
        leaf.text(x + 68, y + 16, model, face="bold", size=12)
        leaf.text(x + 68, y + 36, name, face="sans", size=11)
        leaf.text(x + 68, y + 58, price, face="sans", size=12)
        leaf.text(x + 68, y + 76, size, face="sans", size=5)
        values = {"model": model, "product_name": name, "size": size, "price": price}
        folio.sku([box], values, images=[picture])
    return folio.finish()


@cache
def sheets() -> tuple[Sheet, ...]:
    return tuple(sheets_of(drawn().pdf, read_truth(json.dumps(drawn().truth).encode(), "seen")))


@cache
def picture(width_px: int = WIDE_PX, top: float = 0.0, foot: float = 1.0) -> bytes:
    """The page, or a part of its height, as it would be sent."""
    with pymupdf.open(stream=drawn().pdf, filetype="pdf") as document:
        zoom = width_px / SIZE[0]
        pixels = document[0].get_pixmap(matrix=pymupdf.Matrix(zoom, zoom))
    whole = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    out = io.BytesIO()
    part = (0, round(whole.height * top), whole.width, round(whole.height * foot))
    whole.crop(part).save(out, "JPEG", quality=85)
    return out.getvalue()


def zones(garbled: bool = False) -> str:
    """As a prompt has them; ``garbled``: a text layer that says something else."""
    blocks, pictures = [], []
    for n, card in enumerate(CARDS):
        x, y = (20 + n % 2 * 170) / SIZE[0] * 1000, (34 + n // 2 * 100) / SIZE[1] * 1000
        text = "\n".join("#%*" * 3 for _ in card) if garbled else "\n".join(card)
        box = f"{round(x + 185)} {round(y)} {round(x + 440)} {round(y + 380)}"
        blocks.append(f'<block id="T{n + 2}" box="{box}">{text}</block>')
        pictures.append(f'<picture id="P{n + 1}" box="{round(x)} {round(y)} {round(x + 167)} {round(y + 350)}"/>')
    head = '<block id="T1" box="55 40 500 100">Lamps of the season</block>'
    return "\n".join(["<text-abcdefgh>", head, *blocks, "</text-abcdefgh>"]) + "\n".join(
        ["", "<pictures-abcdefgh>", *pictures, "</pictures-abcdefgh>"]
    )


def answered(*images: tuple[str, bytes], told: str = "", mistakes: Mistakes = Mistakes()) -> dict[str, Any]:  # noqa: B008
    return page_answer(EYES.see(images), shown_in([told or zones()]), sheets(), mistakes)


def values(answer: dict[str, Any]) -> dict[int, dict[str, str]]:
    found = answer.get("products", [])
    return {one["number"]: {key: value["value"] for key, value in one["attributes"].items()} for one in found}


def printed(keys: tuple[str, ...] = ("model", "product_name", "size", "price")) -> dict[int, dict[str, str]]:
    names = ("model", "product_name", "size", "price")
    return {
        n: {key: text for key, text in zip(names, card, strict=True) if key in keys} for n, card in enumerate(CARDS, 1)
    }


def test_tells_every_product_that_the_image_shows_with_its_place_and_pictures() -> None:
    answer = answered(("page", picture()))
    assert (answer["page_type"], answer["count"]) == ("B", 4) and values(answer) == printed()
    assert [one["pictures"] for one in answer["products"]] == [["P1"], ["P2"], ["P3"], ["P4"]]
    assert {value["at"] for value in answer["products"][1]["attributes"].values()} == {"T3"}
    assert answer["aside"] == ["T1"] and "tables" not in answer


def test_without_an_image_there_is_no_answer_whatever_the_text_says() -> None:
    out = io.BytesIO()
    Image.new("RGB", (600, 400), "white").save(out, "JPEG")
    assert answered() == answered(("page", out.getvalue())) == UNSEEN


def test_a_page_that_nobody_drew_is_not_known_again() -> None:
    other, out = Image.new("RGB", (600, 120), "white"), io.BytesIO()
    ImageDraw.Draw(other).text((20, 40), "Report of the third quarter", fill="black", font_size=32)
    other.save(out, "JPEG")
    assert EYES.see([("page", out.getvalue())])[0].text.startswith("report")
    assert answered(("page", out.getvalue())) == UNSEEN


def test_an_image_of_low_resolution_loses_the_small_print_alone() -> None:
    answer = answered(("page", picture(NARROW_PX)))
    found = values(answer)
    assert {product["model"] for product in found.values()} == {card[0] for card in CARDS}
    assert not [product for product in found.values() if SMALL_PRINT in product]
    assert all(SMALL_PRINT in product for product in values(answered(("page", picture()))).values())


def test_halves_are_joined_by_what_both_of_them_show() -> None:
    """The upper one ends within the third and fourth card, whose first line both have."""
    halves = ("page, upper half", picture(top=0.0, foot=0.66)), ("page, lower half", picture(top=0.52, foot=1.0))
    whole = answered(("page", picture()), told=zones(garbled=True))
    for images in (halves, halves[::-1]):
        answer = answered(*images, told=zones(garbled=True))
        assert values(answer) == printed() and answer["count"] == 4
        for one, other in zip(answer["products"], whole["products"], strict=True):
            for key, value in one["attributes"].items():
                assert value["box"] == pytest.approx(other["attributes"][key]["box"], abs=8), key
    assert set(values(answered(halves[0]))) == {1, 2, 3, 4} and SMALL_PRINT not in values(answered(halves[0]))[3]


def test_where_the_text_layer_is_garbage_the_image_tells_and_says_where() -> None:
    answer = answered(("page", picture()), told=zones(garbled=True))
    assert values(answer) == printed()
    for one, (x, y) in zip(answer["products"], ((88, 50), (258, 50), (88, 150), (258, 150)), strict=True):
        box = one["attributes"]["model"]["box"]
        assert box[0] == pytest.approx(x / SIZE[0] * 1000, abs=12) and box[0] < box[2]
        assert box[1] < y / SIZE[1] * 1000 < box[3] + 12 and set(one["attributes"]["model"]) == {"value", "box"}


def test_mistakes_are_those_of_the_seed() -> None:
    image = ("page", picture())
    wrong = answered(image, mistakes=Mistakes(seed=3, invent=0.4))
    assert wrong == answered(image, mistakes=Mistakes(seed=3, invent=0.4))
    assert wrong != answered(image, mistakes=Mistakes(seed=4, invent=0.4))
    texts = "\n".join(text for product in printed().values() for text in product.values())
    made_up = [text for product in values(wrong).values() for text in product.values() if text not in texts]
    assert 3 <= len(made_up) <= 11 and all(" 7Q" in text for text in made_up)
    dropped = answered(image, mistakes=Mistakes(seed=1, drop=0.5))
    assert 0 < len(dropped["products"]) < dropped["count"] == 4
    swapped = answered(image, mistakes=Mistakes(swap=1.0))
    assert [one["pictures"] for one in swapped["products"]] == [["P2"], ["P3"], ["P4"], ["P1"]]
    moved = values(answered(image, mistakes=Mistakes(move=1.0)))
    assert moved[1]["price"] == CARDS[1][3] and moved[4]["price"] == CARDS[0][3]
    assert answered(image, mistakes=Mistakes(miscount=1.0))["count"] != 4


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(SeeingModel(sheets(), eyes=EYES)) as made:
        yield made


@pytest.mark.parametrize(
    "make", [lambda s: Gemini(s.gemini_url), lambda s: Qwen(s.qwen_url), lambda s: OpenAI(s.openai_url)]
)
def test_sees_what_each_kit_sends(make: Any, server: ModelServer) -> None:
    images = tuple(
        Sent("image/jpeg", picture(top=top, foot=foot), f"page, {name} half")
        for name, top, foot in (("upper", 0.0, 0.66), ("lower", 0.52, 1.0))
    )
    provider = make(server)
    told = provider.ask("m-1", Prompt("Be exact.", zones(), images, SCHEMA), api_key="k", timeout_s=120)
    blind = provider.ask("m-1", Prompt("Be exact.", zones(), (), SCHEMA), api_key="k", timeout_s=120)
    provider.close()
    assert values(json.loads(told.text)) == printed() and told.finish == "stop" and told.tokens_in > blind.tokens_in
    assert json.loads(blind.text) == UNSEEN


def test_a_cut_answer_ends_with_length_and_goes_on_where_it_is_told_to(server: ModelServer) -> None:
    model = SeeingModel(sheets(), Mistakes(cut_at=700), EYES)
    image = Sent("image/jpeg", picture(), "page")
    told = '{"count": 4, "tables": [], "products": ["AX-100", "AX-205"], "go_on_with": 3}'
    provider = OpenAI(server.openai_url)
    server.answer = model
    cut = provider.ask("m-1", Prompt("", zones(), (image,), SCHEMA), api_key="k", timeout_s=120)
    server.answer = SeeingModel(sheets(), eyes=EYES)
    rest = provider.ask("m-1", Prompt("", f"{zones()}\n{told}", (image,), SCHEMA), api_key="k", timeout_s=120)
    small = provider.ask("m-1", Prompt("", zones(), (image,), SCHEMA, max_tokens=50), api_key="k", timeout_s=120)
    provider.close()
    assert cut.finish == "length" and 690 <= len(cut.text) <= 700
    assert json.loads(rest.text)["count"] == 4 and list(values(json.loads(rest.text))) == [3, 4]
    assert small.finish == "length" and len(small.text) <= 150


def seen(text: str, x: float, y: float) -> Line:
    """A line as if read there, each sign 8 by 14."""
    signs = [(sign, n, n == 0 or text[n - 1] == " ") for n, sign in enumerate(text) if sign != " "]
    return Line(tuple(Glyph(folded(s), (x + 8 * n, y, x + 8 * n + 8, y + 14), begins) for s, n, begins in signs))


TABLE = [("Model", "Power", "Price"), ("B-1", "10 W", "5.00"), ("B-2", "20 W", "6.00"), ("B-3", "20 W", "7.50")]


def table_answer(rows: list[tuple[str, ...]], sideways: bool = False, unseen: str = "") -> dict[str, Any]:
    """``rows``: what the zones print of TABLE, of which the image shows all but ``unseen``."""
    cells = [
        f'<cell id="G1:{r}:{c}" col="{c}">{text}</cell>'
        for r, row in enumerate(zip(*rows, strict=True) if sideways else rows)
        for c, text in enumerate(row)
    ]
    zone = f'<tables-ab>\n<table id="G1" box="90 90 900 400"><row>{"".join(cells)}</row></table>\n</tables-ab>'
    lines = [
        seen(text, *((100 + 200 * r, 100 + 60 * c) if sideways else (100 + 200 * c, 100 + 60 * r)))
        for r, row in enumerate(TABLE)
        for c, text in enumerate(row)
        if text != unseen
    ]
    products = tuple(Product({"model": (row[0],), "price": (row[2],)}, {"Power": row[1]}) for row in TABLE[1:])
    sheet = Sheet("A", products, tuple(text for row in TABLE for text in row))
    return page_answer(lines, shown_in([zone]), [*sheets(), sheet])


@pytest.mark.parametrize("sideways", [False, True])
def test_a_table_is_told_by_its_lines_and_columns_without_its_values(sideways: bool) -> None:
    answer = table_answer(TABLE, sideways)
    assert (answer["page_type"], answer["count"]) == ("A", 3) and "products" not in answer
    columns = {"0": "model", "1": "Power", "2": "price"}
    assert answer["tables"] == [{"table": "G1", "sideways": sideways, "lines": ["1-3"], "columns": columns}]


def test_a_line_that_the_image_does_not_show_is_not_told() -> None:
    answer = table_answer(TABLE, unseen="B-2")
    assert (answer["tables"][0]["lines"], answer["count"]) == (["1", "3"], 2)


def test_what_a_cell_prints_wrongly_is_told_of_its_line_with_a_box() -> None:
    answer = table_answer([*TABLE[:2], ("B-2", "20 W", "9.99"), TABLE[3]])
    assert answer["tables"][0]["lines"] == ["1-3"]
    (told,) = answer["products"]
    assert told["line"] == "G1:2" and told["attributes"] == {"price": {"value": "6.00", "box": [500, 220, 532, 234]}}


def test_a_value_is_no_part_of_a_longer_code_and_may_go_on_below() -> None:
    lines = [
        seen("AX-100-B", 100, 100), seen("AX-100", 100, 140), seen("Steel frame,", 300, 100), seen("black", 300, 116),
        seen("1,250.00", 500, 100),
    ]  # fmt: skip
    values = {"model": ("AX-100",), "material": ("Steel frame, black",), "price": ("250.00",)}
    sheet = Sheet("B", (Product(values),), ("AX-100-B", "Steel frame,", "black"))
    (told,) = page_answer(lines, shown_in([""]), [sheet])["products"]
    assert told["attributes"]["model"]["box"] == [100, 140, 148, 154]
    assert told["attributes"]["material"]["box"] == [300, 100, 396, 130] and "price" not in told["attributes"]


def test_lines_of_a_table_are_told_as_ranges() -> None:
    assert ranges([9, 2, 3, 4, 7]) == ["2-4", "7", "9"] and ranges([]) == []
