"""Colours and sizes that only names tell."""

import pytest

from catalogsku.core.box import Box
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.told_by_names import with_values_of_names

BOX: Box = (0.0, 0.0, 100.0, 10.0)


def told(*names: str, key: str, **more: str) -> list[str | None]:
    """What ``with_values_of_names`` says of products with these names; ``more``: what each of them has beside it."""
    values = {k: text_value(v, BOX, 1, "cell") for k, v in more.items()}
    drafts = [Draft(BOX, BOX, {"product_name": text_value(name, BOX, 1, "cell"), **values}) for name in names]
    return [draft.attributes[key].text if key in draft.attributes else None for draft in with_values_of_names(drafts)]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Napkins white 2 ply (38X38cm) 50 sheet", "38X38cm"),
        ("Stock pot 24 cm", "24 cm"),
        ("Rolle Sichtschutz alpha à 35 mtr, schwarz", "35 mtr"),
        ("TAPA 12 / 14 / 16 OZ", "12 / 14 / 16 OZ"),
        ("Коврик 0,5 м", "0,5 м"),
        ("陶瓷碗 120 x 80 mm", "120 x 80 mm"),
        # What follows is another thing's.
        ("Konsole für Steher 32 x 66 mm", None),
        ("Diffuser with 15 ml lavender", None),
        # Another designation may be the size.
        ("Rod 1 m, zinc plated, M6", None),
        # Two measures: which of them?
        ("Hose 20 m 15 mm", None),
        ("Panel 100W", None),
        ("24 cm", None),
        ("M5 x 16 screw", None),
    ],
)
def test_the_only_measure_in_a_name_is_the_size(name: str, size: str | None) -> None:
    assert told(name, key="size") == [size]


def test_a_code_in_the_name_is_no_designation_of_its_size() -> None:
    assert told("Hair clipper NG9002 15 cm", key="size", model="NG9002") == ["15 cm"]
    assert told("Hair clipper NG9002 15 cm", key="size") == [None]


@pytest.mark.parametrize("key", ["size", "weight"])
def test_what_is_printed_for_itself_stays(key: str) -> None:
    assert told("Stock pot 24 cm", key="size", **{key: "3 kg"}) == ["3 kg" if key == "size" else None]


@pytest.mark.parametrize(
    ("names", "colours"),
    [
        (["Napkins white 2 ply", "Napkins black 2 ply"], ["white", "black"]),
        (["Rolle alpha à 35 mtr, anthrazitgrau", "Rolle alpha à 35 mtr, moosgrün"], ["anthrazitgrau", "moosgrün"]),
        (["Стул белый", "Стул чёрный"], ["белый", "чёрный"]),
        (["Кресло Тренто, серый"], ["серый"]),
        (["圆桌深灰色", "圆桌白色"], ["深灰色", "白色"]),
        (["Keychain - Grey"], ["Grey"]),
        (["Watch Fit 3 (Negro)"], ["Negro"]),
        (["Air freshener White / Black dispenser", "Air freshener grey dispenser"], ["White / Black", "grey"]),
        # One colour alone may be a scent, a brand or a kind.
        (["Deodorant Orange", "Baby diaper cream"], [None, None]),
        (["4' Gold Lakshmi", "4' Lakshmi"], [None, None]),
        (["Wild orange", "Sweet orange"], [None, None]),
        (["White wine glass", "Wine glass red"], [None, None]),
        (["Blackboard", "Whiteboard"], [None, None]),
        (["White"], [None]),
    ],
)
def test_a_colour_stands_behind_a_comma_or_differs_among_names_that_are_alike(
    names: list[str], colours: list[str | None]
) -> None:
    assert told(*names, key="color") == colours


def test_a_value_of_a_name_is_proved_by_the_name_s_place() -> None:
    name = text_value("Stock pot 24 cm", BOX, 3, "cell")
    (draft,) = with_values_of_names([Draft(BOX, BOX, {"product_name": name})])
    size = draft.attributes["size"]
    assert (size.evidence.quote, size.evidence.page_number, size.evidence.bbox) == ("24 cm", 3, BOX)
