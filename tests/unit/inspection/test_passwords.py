import pytest

from processing.engine.inspection.passwords import passwords


@pytest.mark.parametrize(
    ("typed", "tried"),
    [
        ("", [""]),
        ("abc", ["", "abc"]),
        ("S\u00aaSL\u00adprep", ["", "S\u00aaSL\u00adprep", "SaSLprep"]),
        ("a\u00a0b", ["", "a\u00a0b", "a b"]),
    ],
)
def test_tries_none_then_typed_then_prepared(typed, tried):
    assert passwords(typed) == tried
