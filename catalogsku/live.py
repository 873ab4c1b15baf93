"""The live process: holds the websockets, so that a crowd that watches takes nothing from requests.

The web process reads the request for a websocket and hands the connection over (catalogsku.core.handing_over); where
this process is away, it serves that socket itself. Everything behind the handshake is the same in both.
"""

import os
import resource
import sys
from importlib import import_module
from typing import Any

os.environ.setdefault("CATALOGSKU_UNIT", "live")

import daphne.server  # noqa: F401 -- installs the reactor that it needs
from daphne.access import AccessLogGenerator
from twisted.internet import reactor

from catalogsku.core import handing_over
from catalogsku.web import BoundedServer

FILES_OPEN = 16_384  # each socket is one


class Door:
    """Reads for the reactor: whoever was handed over becomes a websocket."""

    def __init__(self, server: "LiveServer") -> None:
        self._server, self._listening = server, handing_over.open_door()

    def fileno(self) -> int:
        return self._listening.fileno()

    def logPrefix(self) -> str:
        return "live"

    def connectionLost(self, reason: Any) -> None:
        self._listening.close()

    def doRead(self) -> None:
        while (taken := handing_over.take(self._listening)) is not None:
            connection, head = taken
            with connection:
                connection.setblocking(False)
                made = _Made(self._server.ws_factory, head)
                # It keeps a descriptor of its own.
                reactor.adoptStreamConnection(connection.fileno(), connection.family, made)
                made.begin()


class _Made:
    """Makes the protocol of one connection, and lets it read what the web process has read already."""

    def __init__(self, factory: Any, head: bytes) -> None:
        self._factory, self._head = factory, head
        self._protocol: Any = None

    def doStart(self) -> None:
        pass

    doStop = doStart

    def buildProtocol(self, address: Any) -> Any:
        self._protocol = self._factory.buildProtocol(address)
        self._protocol._raw_query_string = self._head.split(b" ", 2)[1].partition(b"?")[2]  # as Daphne tells it
        return self._protocol

    def begin(self) -> None:
        if self._protocol is not None:
            self._protocol.dataReceived(self._head)


class LiveServer(BoundedServer):
    """Has no port of its own."""

    hands_over = False

    def __init__(self, application: Any) -> None:
        super().__init__(
            application,
            endpoints=["none"],
            action_logger=AccessLogGenerator(sys.stdout),
            server_name="",
            ready_callable=self._open,
        )
        self.endpoints: list[str] = []

    def _open(self) -> None:
        reactor.addReader(Door(self))  # type: ignore[call-arg, misc]


def main() -> None:
    application = import_module("catalogsku.asgi").application
    from catalogsku.accounts.start import begin_unit

    begin_unit()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, FILES_OPEN), most))
    LiveServer(application).run()


if __name__ == "__main__":
    main()
