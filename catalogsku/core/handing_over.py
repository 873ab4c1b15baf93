"""A connection goes from the web process to the one that holds the websockets, by its descriptor: over a unix socket,
with the head of the request that was read from it already. From then on the web process has nothing to do with it.

Over the same socket it gives a sign of life: pages judge by the beat of their websockets whether the server is there.
"""

import errno
import os
import socket
import time
from pathlib import Path

from django.conf import settings

from catalogsku.core.embedded.places import places

HEAD_BYTES = 64 << 10  # Twisted reads heads of 16 kB at most
WAITING_MOST = 512
SIGN_EVERY_S, GONE_AFTER_S = 1.0, 3.0
_SIGN = b"there"
_seen_at_s = float("inf")  # where nobody hands over, nobody is missed
_BUSY = (errno.EAGAIN, errno.ECONNABORTED, errno.EINTR)


def door() -> Path:
    """Where the process with the websockets is to be found on this machine."""
    return places(settings.VAR_DIR).sockets / "live.sock"


def hand_over(connection: socket.socket, head: bytes) -> bool:
    """Whether it was taken; else it stays with the caller, as where no such process runs. Does not wait."""
    return _send(head, [connection.fileno()])


def give_sign() -> None:
    _send(_SIGN, [])


def is_web_there() -> bool:
    """Asked in the process with the websockets: whether it has had a sign lately."""
    return time.monotonic() - _seen_at_s < GONE_AFTER_S


def _send(message: bytes, descriptors: list[int]) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as there:
        there.setblocking(False)
        try:
            there.connect(str(door()))
            return socket.send_fds(there, [message], descriptors) == len(message)
        except OSError:
            return False


def open_door() -> socket.socket:
    """Takes the place of whoever stood there before, and is open to this user alone."""
    global _seen_at_s
    _seen_at_s = time.monotonic()
    path = door()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o711)
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    before = os.umask(0o177)
    try:
        listening.bind(str(path))
    finally:
        os.umask(before)
    listening.listen(WAITING_MOST)
    listening.setblocking(False)
    return listening


def take(listening: socket.socket) -> tuple[socket.socket, bytes] | None:
    """The next connection and the head that was read of it; None where nobody waits. Signs of life are noted."""
    global _seen_at_s
    while True:
        try:
            there, _ = listening.accept()
        except OSError as error:
            if error.errno in _BUSY:
                return None
            raise
        with there:
            there.settimeout(0.1)  # who connects sends at once
            try:
                head, descriptors, _, _ = socket.recv_fds(there, HEAD_BYTES, 1)
            except OSError:
                continue
        if descriptors and head:
            return socket.socket(fileno=descriptors[0]), head
        for descriptor in descriptors:
            os.close(descriptor)
        if head == _SIGN:
            _seen_at_s = time.monotonic()
