"""A text that many sockets get: its bytes are made once, and each socket writes what is its own in front of them.

A server that can do so puts a ``Line`` into the scope of a socket, under LINE; elsewhere texts go out by ASGI.
"""

from typing import Protocol

from catalogsku.core import clock

LINE = "catalogsku.line"
_WHOLE_TEXT = 0x81  # the last frame of a message, which is its first, of text (RFC 6455 5.2)


class SharedText:
    """``text``: a JSON object; ``tail``: the same with the time ``at`` which it was made, after its opening brace."""

    __slots__ = ("tail", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.tail = b'"at":"%b",%b' % (clock.now().isoformat().encode(), text[1:])


class Line(Protocol):
    """One socket, as its server writes to it. To be called from the server's thread alone."""

    @property
    def is_behind(self) -> bool:
        """Whether much of what was written has not been taken by the other side."""

    def write(self, own: bytes, shared: bytes) -> None:
        """Both together are one text. Nothing happens where the socket is not open."""


def opening(size: int) -> bytes:
    """What stands before a text of so many bytes where a server sends it as one frame, unmasked."""
    if size <= 125:
        return bytes((_WHOLE_TEXT, size))
    if size <= 0xFFFF:
        return bytes((_WHOLE_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((_WHOLE_TEXT, 127)) + size.to_bytes(8, "big")
