"""Parts of a file over HTTP."""

import pytest

from catalogsku.core.errors import Refused
from processing.exports.ranges import part_of


@pytest.mark.req("TA-STORE")
@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-9", range(10)),
        ("bytes=90-", range(90, 100)),
        ("bytes=-5", range(95, 100)),
        ("bytes=0-999", range(100)),
        ("bytes=-999", range(100)),
        ("", None),
        ("bytes=-", None),
        ("bytes=9-3", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
    ],
)
def test_reads_one_range_and_gives_the_whole_for_what_is_none(header: str, part: range | None) -> None:
    assert part_of(header, 100) == part


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_refuses_what_lies_behind_the_end(header: str) -> None:
    with pytest.raises(Refused):
        part_of(header, 100)
