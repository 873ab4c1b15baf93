"""The upload of a large file through the web, beside copying and hashing the same file on the same disk."""

import base64
import hashlib
import http.client
import os
import re
import tempfile
import time
import urllib.parse
import uuid
from http.cookies import SimpleCookie
from pathlib import Path

MIB = 1 << 20
PART_BYTES = 8 * MIB
BUDGET_RATIO = 0.6  # of the speed of copying the file with hashing
TIMEOUT_S = 120.0
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


def measure_upload(
    address: str, username: str, password: str, folder: Path, *, size_bytes: int = 200 * MIB, turns: int = 2
) -> dict[str, float]:
    """Best of ``turns`` uploads to the web app at ``address`` (``http://host:port``) against the best copy and hash.

    ``folder`` must be on the disk of the storage. The person must be allowed to upload; each turn leaves a job that is
    refused, for the bytes are random behind the signature. Raises OSError, or ValueError for an answer that is none.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="upload-") as place:
        file = Path(place, "upload.pdf")
        copy_s = upload_s = float("inf")
        with Sender(address) as sender:
            sender.sign_in(username, password)
            for _ in range(turns):
                _draw(file, size_bytes)
                copy_s = min(copy_s, _copy_with_hash_s(file, Path(place, "copy.pdf")))
                began_s = time.perf_counter()
                sender.upload(file)
                upload_s = min(upload_s, time.perf_counter() - began_s)
    return {
        "bytes": size_bytes,
        "upload_mb_per_s": round(size_bytes / MIB / upload_s, 1),
        "copy_with_hash_mb_per_s": round(size_bytes / MIB / copy_s, 1),
        "ratio": round(copy_s / upload_s, 3),
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
