"""What many sockets are told: one text, and in front of it what is each one's own."""

import json

import pytest

from catalogsku.core.shared_text import SharedText, opening


def test_its_tail_completes_what_a_socket_begins() -> None:
    text = SharedText('{"type":"rows","rows":[{"word":"价"}]}'.encode())
    told = json.loads(b'{"seq":7,' + text.tail)
    assert (told.pop("seq"), told.pop("at")[:2]) == (7, "20")
    assert told == json.loads(text.text)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 3_000_000])
def test_a_frame_says_the_length_of_its_text(size: int) -> None:
    """As RFC 6455 5.2 has it: one whole text, unmasked, its length in the shortest form."""
    first, second, *more = opening(size)
    assert first == 0x81
    assert len(more) == (0 if size < 126 else 2 if size < 65_536 else 8)
    assert (int.from_bytes(more, "big") if more else second) == size
    assert second == (size if size < 126 else 126 if size < 65_536 else 127)
