"""The upload of a large file through the web, beside a bare receiver of the same bytes on the same disk."""

import base64
import hashlib
import http.client
import os
import re
import socket
import tempfile
import threading
import time
import urllib.parse
import uuid
from http.cookies import SimpleCookie
from pathlib import Path

MIB = 1 << 20
PART_BYTES = 8 * MIB
BUDGET_RATIO = 0.6  # of the speed of a bare receiver
TIMEOUT_S = 120.0
READ_BYTES = 64 << 10  # at once from a socket, as Twisted does
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


def measure_upload(
    address: str, username: str, password: str, folder: Path, *, size_bytes: int = 200 * MIB, turns: int = 2
) -> dict[str, float]:
    """Best of ``turns`` uploads to the web app at ``address`` (``http://host:port``) against the best of a bare
    receiver, which takes the same parts over loopback TCP, hashes them and has each on the disk before the next; and
    against a copy with hashing, which has neither a network nor a disk to wait for.

    ``folder`` must be on the disk of the storage. The person must be allowed to upload; each turn leaves a job that is
    refused, for the bytes are random behind the signature. Raises OSError, or ValueError for an answer that is none.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="upload-") as place:
        file = Path(place, "upload.pdf")
        copy_s = bare_s = upload_s = float("inf")
        with Sender(address) as sender:
            sender.sign_in(username, password)
            for _ in range(turns):
                _draw(file, size_bytes)
                copy_s = min(copy_s, _copy_with_hash_s(file, Path(place, "copy.pdf")))
                bare_s = min(bare_s, _bare_receiver_s(file, Path(place, "received.pdf")))
                began_s = time.perf_counter()
                sender.upload(file)
                upload_s = min(upload_s, time.perf_counter() - began_s)
    return {
        "bytes": size_bytes,
        "upload_mb_per_s": round(size_bytes / MIB / upload_s, 1),
        "copy_with_hash_mb_per_s": round(size_bytes / MIB / copy_s, 1),
        "bare_receiver_mb_per_s": round(size_bytes / MIB / bare_s, 1),
        "copy_ratio": round(copy_s / upload_s, 3),
        "ratio": round(bare_s / upload_s, 3),
        "budget_ratio": BUDGET_RATIO,
    }


class Sender:
    """One kept connection that signs in and uploads by the tus protocol, as the browser does."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._cookies = SimpleCookie()
        self._connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=TIMEOUT_S)

    def __enter__(self) -> "Sender":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def sign_in(self, username: str, password: str) -> None:
        _, _, form = self.ask("GET", "/login/")
        found = _TOKEN.search(form)
        token = found[1].decode() if found else ""
        fields = {"username": username, "password": password, "csrfmiddlewaretoken": token}
        body = urllib.parse.urlencode(fields).encode()
        self.ask("POST", "/login/", body, {"Content-Type": "application/x-www-form-urlencoded"})
        if "sessionid" not in self._cookies:
            raise ValueError(f"{username} could not sign in")

    def go_on_as(self, cookie: str) -> None:
        """As who has signed in already."""
        self._cookies.load(cookie)

    def upload(self, path: Path) -> str:
        """Sends the file in parts; the address of its job."""
        meta = {"filename": path.name, "key": uuid.uuid4().hex, "again": "1"}
        pairs = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in meta.items())
        told = {"Upload-Length": str(path.stat().st_size), "Upload-Metadata": pairs}
        status, headers, body = self.ask("POST", "/uploads/", b"", told)
        if status != 201:
            raise ValueError(f"{status} {body[:300]!r}")
        place, headers = headers["Location"], {}
        with path.open("rb") as file:
            while part := file.read(PART_BYTES):
                told = {
                    "Upload-Offset": str(file.tell() - len(part)),
                    "Content-Type": "application/offset+octet-stream",
                }
                status, headers, body = self.ask("PATCH", place, part, told)
                if status != 204:
                    raise ValueError(f"{status} {body[:300]!r}")
        return headers.get("Job-Url", "")

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        own = {"Cookie": "; ".join(f"{name}={value.value}" for name, value in self._cookies.items())}
        if method != "GET":
            own |= {"X-CSRFToken": self._cookie("csrftoken"), "Origin": self._address, "Tus-Resumable": "1.0.0"}
        self._connection.request(method, path, body, {**own, **(headers or {})})
        answer = self._connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie", []):
            self._cookies.load(line)
        return answer.status, dict(answer.headers), answer.read()

    def _cookie(self, name: str) -> str:
        return self._cookies[name].value if name in self._cookies else ""


def _draw(path: Path, size_bytes: int) -> None:
    """Bytes that nobody has sent before."""
    with path.open("wb") as file:
        file.write(b"%PDF-1.7\n")
        while left := size_bytes - file.tell():
            file.write(os.urandom(min(left, MIB)))


def _copy_with_hash_s(source: Path, target: Path) -> float:
    target.unlink(missing_ok=True)
    began_s = time.perf_counter()
    running = hashlib.sha256()
    with source.open("rb") as given, target.open("xb") as taken:
        while block := given.read(MIB):
            running.update(block)
            taken.write(block)
    return time.perf_counter() - began_s


def _bare_receiver_s(source: Path, target: Path) -> float:
    """One connection over loopback, and a thread that receives, hashes and stores; an answer of one byte a part."""
    target.unlink(missing_ok=True)
    parts = -(-source.stat().st_size // PART_BYTES)
    with socket.create_server(("127.0.0.1", 0)) as server:
        receiver = threading.Thread(target=_receive, args=(server, target, source.stat().st_size))
        receiver.start()
        began_s = time.perf_counter()
        with source.open("rb") as given, socket.create_connection(server.getsockname()) as sender:
            for _ in range(parts):
                sender.sendall(given.read(PART_BYTES))
                sender.recv(1)
        receiver.join()
        return time.perf_counter() - began_s


def _receive(server: socket.socket, target: Path, size_bytes: int) -> None:
    running, block, done = hashlib.sha256(), memoryview(bytearray(READ_BYTES)), 0
    connection, _ = server.accept()
    with connection, target.open("xb", buffering=0) as file:
        while done < size_bytes:
            wanted = min(PART_BYTES - done % PART_BYTES, size_bytes - done, READ_BYTES)
            got = connection.recv_into(block, wanted)
            running.update(block[:got])
            file.write(block[:got])
            done += got
            if done % PART_BYTES == 0 or done == size_bytes:
                os.fdatasync(file.fileno())
                connection.sendall(b"+")
