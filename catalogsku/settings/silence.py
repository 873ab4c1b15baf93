"""How soon a connection finds out that nobody is at its other end any more: a host that lost its current, a cable that
was pulled. Neither says so, and by itself TCP asks after two hours whether the other side is still there, and sends
what nobody has confirmed for a quarter of an hour, at the end once in two minutes.

Times are those after which claims of a worker that is not seen are free, less one beat: who is cut off gives up before
others do its work. Unix sockets need none of it.
"""

import socket
from typing import Any

ASKED_AFTER_S, ASKED_EVERY_S, ASKED = 10, 5, 3
GONE_AFTER_S = ASKED_AFTER_S + ASKED_EVERY_S * ASKED

# Options of libpq. The server's side of the session asks as well: the places of a machine that died are free again.
POSTGRESQL: dict[str, Any] = {
    "keepalives_idle": ASKED_AFTER_S,
    "keepalives_interval": ASKED_EVERY_S,
    "keepalives_count": ASKED,
    "tcp_user_timeout": GONE_AFTER_S * 1000,
}
SERVERS_SIDE = (
    f"-c tcp_keepalives_idle={ASKED_AFTER_S} -c tcp_keepalives_interval={ASKED_EVERY_S} -c tcp_keepalives_count={ASKED}"
)


def of_redis(url: str) -> dict[str, Any]:
    """Options of redis-py for connections to that address."""
    if url.startswith("unix:"):
        return {}
    options = {
        "TCP_KEEPIDLE": ASKED_AFTER_S,
        "TCP_KEEPINTVL": ASKED_EVERY_S,
        "TCP_KEEPCNT": ASKED,
        "TCP_USER_TIMEOUT": GONE_AFTER_S * 1000,
    }
    known = {getattr(socket, name): value for name, value in options.items() if hasattr(socket, name)}
    return {"socket_keepalive": True, "socket_keepalive_options": known}
