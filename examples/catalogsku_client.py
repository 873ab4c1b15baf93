#!/usr/bin/env python3
"""A small client of the REST API, with nothing but the standard library: give a PDF, wait, print what was found.

Usage: catalogsku_client.py http://localhost:8000 USER PASSWORD FILE.pdf [TEMPLATE]

Without a template the file is a catalogue, and its SKUs are printed. With one, such as rct, it is a study: its values
are printed with what proves them. What a program does with them then is below: decide, approve, result, export.
"""

from __future__ import annotations

import base64
import http.client
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
# Between two questions: at first, by how much longer each time, at most.
WAIT_S, LONGER, WAIT_MAX_S = 0.5, 1.5, 15.0
# With which a stream of events ends.
LAST_EVENTS = ("job_completed", "job_failed", "machines_done")
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


class Value(TypedDict):
    """``grade``: how far the quote proves it; ``verdict``: null while nobody has decided; ``decision``: what whoever
    decides next has to have seen."""

    field: str
    text: str
    quote: str
    page: int | None
    grade: str | None
    verdict: str | None
    decision: int


class Record(TypedDict):
    """``repeat``: none (what the study says once), per_arm or per_outcome; ``part``: which arm or outcome."""

    record_id: str
    repeat: str
    part: str
    status: str
    values: list[Value]


class Refused(Exception):
    """The answer was a problem; ``code`` is stable, the text is for people; ``after_s``: when to come again."""

    def __init__(self, problem: dict[str, Any], after_s: float = 0.0) -> None:
        super().__init__(f"{problem['status']} {problem['code']}: {problem['title']}")
        self.code: str = problem["code"]
        self.after_s = after_s


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

    def give_study(self, file: Path, template: str, key: str) -> str:
        """A paper of up to 8 MB with the template that it is read by; the id of its job. The same key again gives the
        same job, also where the first answer was lost; it has 8 to 100 signs."""
        mark = uuid.uuid4().hex
        said = {"kind": "study", "template": template}
        parts = [f'--{mark}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in said.items()]
        parts.append(
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{_quoted(file.name)}"\r\n'
            "Content-Type: application/pdf\r\n\r\n"
        )
        body = "".join(parts).encode() + file.read_bytes() + f"\r\n--{mark}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={mark}", "Idempotency-Key": key}
        with self._send("POST", "/jobs", body, headers) as answer:
            job_id: str = json.loads(answer.read())["job_id"]
        return job_id

    def wait(self, job_id: str) -> Job:
        """Ask again and again, at longer and longer intervals, until nothing more happens by itself."""
        for pause_s in _pauses():
            try:
                job: Job = self.call("GET", f"/jobs/{job_id}")
                if job["user_status"] in ENDED:
                    return job
            except Refused as problem:  # too many requests a minute, or no place just now
                if not problem.after_s:
                    raise
                pause_s = problem.after_s
            time.sleep(pause_s)
        raise AssertionError("pauses have no end")

    def events(self, job_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """What happens to a document, as it happens: (name, data). It begins with what has happened already, and ends
        when machines have nothing left to do. A line that breaks is opened again; what was told is not told twice."""
        told: set[tuple[str, str]] = set()
        for pause_s in _pauses():
            name, before = "", set(told)
            try:
                with self._send("GET", f"/jobs/{job_id}/events", None, {"Accept": "text/event-stream"}) as lines:
                    for line in lines:
                        what, _, text = line.decode().rstrip("\n").partition(": ")
                        if what == "event":
                            name = text
                        elif what == "data" and (name, text) not in before:
                            told.add((name, text))
                            yield name, json.loads(text)
                if name in LAST_EVENTS:
                    return
            except Refused as problem:  # too_many_streams
                if not problem.after_s:
                    raise
                pause_s = problem.after_s
            except (OSError, http.client.HTTPException):  # the line broke
                pass
            time.sleep(pause_s)

    def skus(self, job_id: str) -> Iterator[Sku]:
        return self._each(f"/jobs/{job_id}/skus", "items")

    def records(self, job_id: str) -> Iterator[Record]:
        """Of a study: what it says once, then its arms and outcomes, each value with its proof."""
        return self._each(f"/studies/{job_id}", "records")

    def decide(self, job_id: str, record: Record, field: str, verdict: str, **said: Any) -> Record:
        """``verdict``: confirmed, corrected (with ``text``, ``quote`` and ``page``) or not_reported; the record as it
        is then. Refused with value_moved_on where somebody has decided since ``record`` was read: look again."""
        seen = next((value["decision"] for value in record["values"] if value["field"] == field), 0)
        path = f"/studies/{job_id}/records/{record['record_id']}/fields/{field}"
        told: Record = self.call("POST", path, {"verdict": verdict, "seen": seen, **said})
        return told

    def approve(self, job_id: str, *, drop_rest: bool = False) -> int:
        """The study is right; how many records that are. ``drop_rest`` leaves out what nobody has decided on."""
        records: int = self.call("POST", f"/studies/{job_id}/approve", {"drop_rest": drop_rest})["records"]
        return records

    def result(self, job_id: str, into: Path) -> None:
        """The result file of a document."""
        with self._send("GET", f"/jobs/{job_id}/result", None, {}) as answer:
            into.write_bytes(answer.read())

    def export(self, job_id: str, kind: str, into: Path) -> None:
        """A document as xlsx, csv or json, made and fetched."""
        export = self.call("POST", "/exports", {"kind": kind, "job_id": job_id})
        for pause_s in _pauses():
            if export["status"] == "DONE":
                break
            if export["status"] == "FAILED":
                raise RuntimeError(f"the export failed: {export['code']}")
            time.sleep(pause_s)
            export = self.call("GET", f"/exports/{export['id']}")
        with urllib.request.urlopen(self.base + export["url"], timeout=60) as file:
            into.write_bytes(file.read())

    def _each(self, path: str, key: str) -> Iterator[Any]:
        """Of a list that comes in steps."""
        cursor = ""
        while cursor is not None:
            step = self.call("GET", f"{path}?limit=200&cursor={cursor}")
            yield from step[key]
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
            raise Refused(json.loads(error.read()), float(error.headers.get("Retry-After", 0))) from None


def _pauses() -> Iterator[float]:
    pause_s = WAIT_S
    while True:
        yield pause_s
        pause_s = min(pause_s * LONGER, WAIT_MAX_S)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "").replace("\n", "")


def main(base: str, username: str, password: str, file: str, template: str = "") -> None:
    client, path = CatalogSKU(base, username, password), Path(file)
    if template:
        print_study(client, client.give_study(path, template, key=uuid.uuid4().hex))
        return
    job = client.wait(client.give(path))
    print(f"{job['user_status']}: {job['message']} ({job['action_hint']})")
    for sku in client.skus(job["job_id"]):
        values = {key: value for key, value in sku["attributes"].items() if value}
        print(sku["sku_id"], json.dumps(values, ensure_ascii=False))


def print_study(client: CatalogSKU, job_id: str) -> None:
    for name, data in client.events(job_id):
        print(name, json.dumps(data, ensure_ascii=False), file=sys.stderr)
    job = client.wait(job_id)
    print(f"{job['user_status']}: {job['message']} ({job['action_hint']})")
    for record in client.records(job_id):
        for value in record["values"]:
            proof = f"{value['verdict'] or value['grade'] or '-'}, page {value['page'] or '-'}: {value['quote']}"
            print(record["part"] or "-", value["field"], value["text"], proof, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
