"""What a confirmed name would be as an attribute: its key, its type, its labels."""

import pytest

from annotation.proposals.promoting import entry_of, key_for, kind_of

pytestmark = pytest.mark.req("TA-BR21")


@pytest.mark.parametrize(
    ("name", "taken", "key"),
    [
        ("Seat height", (), "seat_height"),
        ("Seat height", ("seat_height",), "seat_height_2"),
        ("座高", (), "attr_68948fe0"),
        ("80 Plus", (), "attr_d2df8c31"),
        ("IP等级", (), "attr_99b7d0e8"),
    ],
)
def test_a_key_is_of_small_letters_and_free(name: str, taken: tuple[str, ...], key: str) -> None:
    assert key_for(name, taken) == key


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["45 cm", "46cm", "1.5 cm"], ("measure", "cm")),
        (["12", "1,200", "7"], ("number", "")),
        (["45 cm", "46 cm", "47 cm", "48 cm", "on request"], ("measure", "cm")),
        (["45 cm", "46 mm"], ("text", "")),
        (["E27", "G9", "oak"], ("text", "")),
        (["40x50", "30x60"], ("text", "")),
        ([], ("text", "")),
    ],
)
def test_values_tell_the_type(values: list[str], kind: tuple[str, str]) -> None:
    assert kind_of(values) == kind


def test_the_commonest_name_of_each_language_is_the_label_and_the_rest_are_synonyms() -> None:
    entry = entry_of("seat_height", "measure", "cm", {"Seat height": 9, "座高": 4, "SH": 12, "坐高": 3})
    assert entry == {
        "key": "seat_height",
        "label_zh": "座高",
        "label_en": "SH",
        "synonyms": ["Seat height", "坐高"],
        "type": "measure",
        "unit": "cm",
    }
    assert entry_of("glaze", "text", "", {"Glaze": 1}) == {"key": "glaze", "label_en": "Glaze"}
