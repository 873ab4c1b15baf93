"""Cards of one size: all print on a card is the caption of its picture."""

from msgspec.structs import replace

from catalogsku.core.box import Box
from processing.engine.page import Line, Ocr, Picture
from processing.engine.result import DocumentFacts, Sku
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture

CARDS: list[Box] = [(30.0 + 270 * (n % 2), 80.0 + 210 * (n // 2), 280.0 + 270 * (n % 2), 270.0 + 210 * (n // 2))
                    for n in range(4)]  # fmt: skip
TOLD = [("Round bed", "$46.00", "BD-501", "50cm"), ("Low bed", "$68.00", "BD-652", "65cm"),
        ("Tall tree", "$218.00", "TR-135", "135cm"), ("Small tree", "$158.00", "TR-110", "110cm")]  # fmt: skip


def printed(card: Box, name: str, price: str, code: str, size: str) -> list[Line]:
    """The name and the price along the top, and labels over their values at the right of the photo."""
    x, y = card[:2]
    below = [("Item No.", 58, 7), (code, 70, 11), ("Size", 102, 7), (size, 114, 11)]
    return [line(name, x + 20, y + 14, 13), line(price, x + 180, y + 14, 16),
            *(line(text, x + 165, y + at, high) for text, at, high in below)]  # fmt: skip


def shown(card: Box, name: str, *, cut_out: bool) -> Picture:
    """A photo, or what is seen of one on white."""
    x, y = card[:2]
    return picture(name, (x + 30, y + 74, x + 140, y + 130) if cut_out else (x + 20, y + 38, x + 150, y + 175))


def understood(texts: list[tuple[str, str, str, str]]) -> tuple[Sku, ...]:
    lines = [one for card, told in zip(CARDS, texts, strict=True) for one in printed(card, *told)]
    photos = [shown(card, f"P{n}", cut_out=n in (0, 3)) for n, card in enumerate(CARDS)]
    read = replace(page(*lines, pictures=photos), ocr=Ocr("test", "no_text", 0.98, 0, len(lines)), panels=tuple(CARDS))
    return understand_page(read, (), DocumentFacts(), BY_RULES).skus


def test_all_print_on_a_card_is_the_caption_of_its_photo_however_little_of_that_is_seen() -> None:
    skus = understood(TOLD)
    keys = ("product_name", "price", "model", "size")
    assert [tuple(sku.attributes[key].text for key in keys) for sku in skus] == TOLD
    assert [[b.picture for b in sku.bindings] for sku in skus] == [["P0"], ["P1"], ["P2"], ["P3"]]


def test_a_scene_beside_the_cards_is_no_cards_picture_and_a_price_on_request_is_one() -> None:
    cards: list[Box] = [(x, y, x + 202, y + 152) for y in (24.0, 186.0, 348.0) for x in (350.0, 562.0)]
    lines, photos = [], [picture("P0", (0, 0, 330, 518))]
    for n, (x, y, _, _) in enumerate(cards):
        told = (f"型号：GC-{n}5", f"容量：{n + 1}L", "材质：PE")
        lines += [line(f"{'长气园高室电'[n]}水壶", x + 12, y + 10, 18)]
        lines += [line(text, x + 12, y + 38 + 19 * k, 12) for k, text in enumerate(told)]
        lines.append(line("询价" if n == 5 else f"￥{n + 2}.50", x + 12, y + 120, 15))
        wide = (x + 115, y + 42, x + 198, y + 98)
        photos.append(picture(f"P{n + 1}", wide if n not in (1, 5) else (x + 130, y + 34, x + 174, y + 106)))
    one = replace(page(*lines, pictures=photos, size=(780, 540)), panels=tuple(cards))
    skus = understand_page(one, (), DocumentFacts(), BY_RULES).skus
    assert [sku.attributes["price"].text for sku in skus[:5]] == ["￥2.50", "￥3.50", "￥4.50", "￥5.50", "￥6.50"]
    assert [[b.picture for b in sku.bindings] for sku in skus] == [[f"P{n}"] for n in range(1, 7)]
