"""An SMTP server on loopback that speaks the protocol and keeps what it took; in all the moods that one has.

with SmtpServer() as server:
    server.refuses = 550      # recipients from now on; 451 for a while
    server.mails[0].body
"""

import contextlib
import email
import email.policy
import socket
import socketserver
import threading
from email.message import EmailMessage
from typing import Any, Self, cast


class _Session(socketserver.StreamRequestHandler):
    server: "_Server"

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            self._speak()

    def _speak(self) -> None:
        told = self.server.told
        told.connections += 1
        if told.hangs_up:
            return
        self._say("220 loopback ESMTP")
        while line := self.rfile.readline().decode().strip():
            verb = line.partition(" ")[0].upper()
            if verb == "RCPT" and told.refuses:
                self._say(f"{told.refuses} not taken")
            elif verb == "DATA":
                self._say("354 go on")
                told.keep(self._content())
                self._say("250 taken")
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 loopback")

    def _content(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b"..") else line)
        return b"".join(lines)

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    told: "SmtpServer"


class SmtpServer:
    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.connections = 0
        self.refuses = 0
        self.hangs_up = False
        self._server = _Server(("127.0.0.1", 0), _Session)
        self._server.told = self

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def keep(self, content: bytes) -> None:
        self.mails.append(cast(EmailMessage, email.message_from_bytes(content, policy=email.policy.default)))

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


def free_port() -> int:
    """One on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
