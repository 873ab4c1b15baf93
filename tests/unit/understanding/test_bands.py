"""Pages cut into bands: each product with the pictures on its own level."""

from processing.engine.page import Picture
from processing.engine.understanding.bands import pictures_in_bands, pictures_in_places, pictures_on_cards
from tests.unit.understanding.pages import picture


def named(anchors: list[tuple[float, float, float, float]], pictures: list[Picture]) -> dict[int, list[str]]:
    bands = pictures_in_bands(dict(enumerate(anchors)), pictures)
    return {n: [one.id for one in held] for n, held in bands.items()}


LEFT, RIGHT = (40, 80, 200, 180), (320, 300, 480, 400)


def test_pictures_left_and_right_in_turn_belong_to_the_text_on_their_level() -> None:
    pictures = [picture("P1", (220, 70, 560, 230)), picture("P2", (40, 290, 300, 450))]
    assert named([LEFT, RIGHT], pictures) == {0: ["P1"], 1: ["P2"]}


def test_columns_hold_the_pictures_over_their_texts() -> None:
    texts = [(40.0, 300.0, 180.0, 380.0), (240.0, 340.0, 380.0, 420.0)]
    pictures = [picture("P1", (40, 60, 180, 280)), picture("P2", (240, 100, 380, 320))]
    assert named(texts, pictures) == {0: ["P1"], 1: ["P2"]}


def test_details_under_each_other_belong_to_the_band_of_the_high_picture_beside_them() -> None:
    pictures = [
        picture("P1", (40, 84, 200, 274)), picture("P2", (447, 84, 547, 174)), picture("P3", (447, 184, 547, 274)),
        picture("P4", (40, 320, 200, 510)),
    ]  # fmt: skip
    texts = [(248.0, 91.0, 358.0, 165.0), (248.0, 327.0, 358.0, 400.0)]
    assert named(texts, pictures) == {0: ["P1", "P2", "P3"], 1: ["P4"]}


def test_no_bands_where_a_picture_is_level_with_two_products() -> None:
    pictures = [picture("P1", (40, 70, 300, 250)), picture("P2", (40, 330, 300, 400))]
    assert named([(320, 80, 480, 160), (320, 190, 480, 270), (320, 330, 480, 400)], pictures) == {}


def test_no_bands_where_a_product_has_none_of_the_pictures() -> None:
    assert named([LEFT, RIGHT], [picture("P1", (300, 70, 560, 230))]) == {}


def test_no_bands_where_both_ways_to_cut_say_otherwise() -> None:
    pictures = [picture("P1", (320, 80, 480, 180)), picture("P2", (40, 300, 200, 400))]
    assert named([LEFT, RIGHT], pictures) == {}


def test_one_product_alone_has_no_band() -> None:
    assert named([LEFT], [picture("P1", (300, 70, 560, 230))]) == {}


CARDS = [(30.0, 60.0, 290.0, 260.0), (300.0, 60.0, 560.0, 260.0)]
ON_CARDS = {0: (40.0, 70.0, 120.0, 120.0), 1: (310.0, 70.0, 390.0, 120.0)}


def test_pictures_on_a_products_own_card_are_its_however_near_another_text_is() -> None:
    pictures = [picture("P1", (200, 160, 285, 250)), picture("P2", (470, 160, 555, 250))]
    found = pictures_on_cards(ON_CARDS, pictures, CARDS)
    assert {n: [one.id for one in held] for n, held in found.items()} == {0: ["P1"], 1: ["P2"]}


def test_cards_tell_nothing_where_two_products_share_one_or_one_shows_nothing() -> None:
    pictures = [picture("P1", (200, 160, 285, 250)), picture("P2", (470, 160, 555, 250))]
    assert pictures_on_cards({**ON_CARDS, 2: (40.0, 200.0, 120.0, 240.0)}, pictures, CARDS) == {}
    assert pictures_on_cards(ON_CARDS, pictures[:1], CARDS) == {}


def placed(texts: list[tuple[float, float, float, float]], boxes: list[tuple[float, float, float, float]]) -> list[str]:
    pictures = [picture(f"P{n}", box) for n, box in enumerate(boxes)]
    found = pictures_in_places(dict(enumerate(texts)), pictures)
    return [",".join(one.id for one in found[n]) for n in sorted(found)]


def test_pictures_at_the_same_places_of_all_products_are_theirs_in_whatever_direction_the_products_stand() -> None:
    texts = [(40.0 + dx, 80.0 + dy, 200.0 + dx, 180.0 + dy) for dx, dy in ((0, 0), (260, 0), (0, 300), (260, 300))]
    boxes = [
        box
        for x0, y0, *_ in texts
        for box in ((x0 + 60, y0 + 40, x0 + 160, y0 + 160), (x0 + 165, y0 + 100, x0 + 205, y0 + 150))
    ]
    assert placed(texts, boxes) == ["P0,P1", "P2,P3", "P4,P5", "P6,P7"]
    # What is white of a photo is not seen on a scan: no side stands where it should.
    trimmed = [(x0 + 3 * (n % 3), y0 + 9 * (n % 2), x1 - 8, y1 - 2 * n) for n, (x0, y0, x1, y1) in enumerate(boxes)]
    assert placed(texts, trimmed) == ["P0,P1", "P2,P3", "P4,P5", "P6,P7"]


def test_no_places_where_a_picture_is_left_over_or_has_two_or_a_product_has_none() -> None:
    texts = [(40.0, 80.0, 200.0, 120.0), (40.0, 300.0, 200.0, 340.0), (40.0, 520.0, 200.0, 560.0)]
    under = [(40.0, y + 50, 200.0, y + 150) for y in (80, 300, 520)]
    assert placed(texts, under) == ["P0", "P1", "P2"]
    assert placed(texts, [*under, (300.0, 80.0, 400.0, 180.0)]) == []
    assert placed(texts, under[:2]) == []
    # One above all of them: whether the pictures stand above or below their texts is not told.
    assert placed(texts, [(40.0, -90.0, 200.0, 10.0), *under]) == []
    assert placed(texts[:2], under[:2]) == []
