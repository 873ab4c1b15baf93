#!/usr/bin/env python3
"""A small client of the REST API, with nothing but the standard library: give a PDF, wait, print its SKUs.

Usage: catalogsku_client.py http://localhost:8000 USER PASSWORD FILE.pdf
"""

from __future__ import annotations

import base64
import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

PART_BYTES = 8 << 20
ENDED = ("completed", "partial_success", "needs_manual", "failed")


class Job(TypedDict):
    job_id: str
    user_status: str
    message: str
    action_hint: str
    completed_skus: int
    progress_percent: int


class Sku(TypedDict):
    sku_id: str
    page_number: int
    attributes: dict[str, str | None]


class Refused(Exception):
    """The answer was a problem; ``code`` is stable, the text is for people."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem['status']} {problem['code']}: {problem['title']}")
        self.code: str = problem["code"]


class CatalogSKU:
    def __init__(self, base: str, username: str, password: str) -> None:
        self.base = base.rstrip("/")
        self.token = ""
        self.token = self.call("POST", "/auth/login", {"username": username, "password": password})["access_token"]

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with self._send(method, path, data, {"Content-Type": "application/json"}) as answer:
            return json.loads(answer.read() or b"null")

    def give(self, file: Path) -> str:
        """Upload a PDF of any size in parts; the id of its job. The same file again gives duplicate_file."""
        size, key = file.stat().st_size, uuid.uuid4().hex
        named = ",".join(f"{name} {_base64(value)}" for name, value in (("filename", file.name), ("key", key)))
        with self._send("POST", "/uploads/", b"", {"Upload-Length": str(size), "Upload-Metadata": named}) as begun:
            place = begun.headers["Location"]
        path, sent = place.removeprefix("/api/v1"), 0
        with file.open("rb") as parts:
            while part := parts.read(PART_BYTES):
                headers = {"Upload-Offset": str(sent), "Content-Type": "application/offset+octet-stream"}
                with self._send("PATCH", path, part, headers) as answer:
                    sent, url = int(answer.headers["Upload-Offset"]), answer.headers.get("Job-Url", "")
        return str(url.strip("/").split("/")[-1])

    def wait(self, job_id: str, *, every_s: float = 1.0) -> Job:
        """Until nothing more happens by itself."""
        while True:
            job: Job = self.call("GET", f"/jobs/{job_id}")
            if job["user_status"] in ENDED:
                return job
            time.sleep(every_s)

    def skus(self, job_id: str) -> Iterator[Sku]:
        cursor = ""
        while True:
            step = self.call("GET", f"/jobs/{job_id}/skus?limit=200&cursor={cursor}")
            yield from step["items"]
            if step["next"] is None:
                return
            cursor = step["next"]

    def _send(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Any:
        request = urllib.request.Request(f"{self.base}/api/v1{path}", data, headers, method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            if error.headers.get_content_type() != "application/problem+json":
                raise
            raise Refused(json.loads(error.read())) from None


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def main(base: str, username: str, password: str, file: str) -> None:
    client = CatalogSKU(base, username, password)
    job = client.wait(client.give(Path(file)))
    print(f"{job['user_status']}: {job['message']} ({job['action_hint']})")
    for sku in client.skus(job["job_id"]):
        values = {key: value for key, value in sku["attributes"].items() if value}
        print(sku["sku_id"], json.dumps(values, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
