"""Numbers of pages put into words."""

import pytest
from django.utils import translation

from ingestion.personal_data import ranges

pytestmark = pytest.mark.req("TA-PII")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([], ""),
        ([1], "1"),
        ([1, 12], "1, 12"),
        ([1, 2, 3, 7, 9, 10], "1–3, 7, 9–10"),
        (list(range(1, 40, 2)), "1, 3, 5, 7, 9, 11 and others"),
    ],
)
def test_ranges_of_pages(numbers: list[int], words: str) -> None:
    with translation.override("en"):
        assert ranges(numbers) == words
