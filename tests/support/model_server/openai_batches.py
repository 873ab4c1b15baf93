"""The OpenAI protocol's files and batches.

https://platform.openai.com/docs/api-reference/batch; shapes as openai 3.57.0 sends and reads them.
"""

import json
import re
from email.parser import BytesParser
from email.policy import HTTP
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from tests.support.model_server import openai_wire
from tests.support.model_server.batches import Batch, Routed, State

if TYPE_CHECKING:
    from tests.support.model_server.server import ModelServer

FILES, BATCHES = "/v1/files", "/v1/batches"
CONTENT = re.compile(r"/v1/files/(?P<id>[^/]+)/content")
FILE = re.compile(r"/v1/files/(?P<id>[^/]+)")
ONE = re.compile(r"/v1/batches/(?P<id>[^/]+?)(?P<verb>/cancel)?")
STATES: dict[State, str] = {
    "pending": "validating", "running": "in_progress", "done": "completed", "expired": "expired", "failed": "failed",
    "cancelled": "cancelled",
}  # fmt: skip
LISTED = 20


def route(
    owner: "ModelServer", method: str, path: str, whole: str, headers: dict[str, str], body: bytes
) -> Routed | None:
    if not path.startswith((FILES, BATCHES)):
        return None
    if not headers.get("authorization", "").removeprefix("Bearer").strip():
        return _error(401, "invalid_api_key", "Incorrect API key provided.")
    if path == FILES and method == "POST":
        return _upload(owner, headers, body)
    if path == BATCHES and method == "POST":
        return _create(owner, headers, body)
    if path == BATCHES:
        return _list(owner, parse_qs(urlsplit(whole).query))
    if (content := CONTENT.fullmatch(path)) and content["id"] in owner.batches.files:
        return Routed(200, owner.batches.files[content["id"]])
    if (file := FILE.fullmatch(path)) and method == "DELETE":
        return _said(200, {"id": file["id"], "object": "file", "deleted": bool(owner.batches.files.pop(file["id"], 0))})
    one = ONE.fullmatch(path)
    batch = owner.batches.named(one["id"]) if one is not None else None
    if one is None or batch is None:
        return _error(404, "not_found", f"No such object: {path}")
    if one["verb"]:
        owner.batches.end(batch, "cancelled")
    else:
        owner.batches.look(batch, owner.reply_to)
    return _said(200, _batch(owner, batch))


def _upload(owner: "ModelServer", headers: dict[str, str], body: bytes) -> Routed:
    head = b"Content-Type: " + headers["content-type"].encode() + b"\r\n\r\n"
    form: Any = BytesParser(policy=HTTP).parsebytes(head + body)
    parts = {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}
    if parts["purpose"].get_payload(decode=True) != b"batch":
        return _error(400, "invalid_request_error", "Invalid value: 'purpose'.")
    file_id, data = f"file-{owner.batches.new_id()}", parts["file"].get_payload(decode=True)
    owner.batches.files[file_id] = data
    told = {"id": file_id, "object": "file", "bytes": len(data), "created_at": 1, "filename": "x.jsonl"}
    return _said(200, {**told, "purpose": "batch", "status": "processed"})


def _create(owner: "ModelServer", headers: dict[str, str], body: bytes) -> Routed:
    if owner.batches.refusal is not None:
        return _error(owner.batches.refusal[0], "invalid_request_error", owner.batches.refusal[1])
    told = json.loads(body)
    if (told["endpoint"], told["completion_window"]) != ("/v1/chat/completions", "24h"):
        return _error(400, "invalid_request_error", "Invalid endpoint or completion_window")
    lines = [json.loads(line) for line in owner.batches.files[told["input_file_id"]].splitlines() if line.strip()]
    match = re.fullmatch(openai_wire.PATH, "/v1/chat/completions")
    assert match is not None and all((one["method"], one["url"]) == ("POST", told["endpoint"]) for one in lines)
    questions = {
        one["custom_id"]: openai_wire.request_of(match, headers, json.dumps(one["body"]).encode()) for one in lines
    }
    name = (told.get("metadata") or {}).get("name", "")
    batch = Batch(f"batch_{owner.batches.new_id()}", name, "openai", lines[0]["body"]["model"], questions, body=told)
    return _said(200, _batch(owner, batch), is_lost=not owner.batches.take(batch))


def _list(owner: "ModelServer", asked: dict[str, list[str]]) -> Routed:
    found = owner.batches.listing("openai")
    if after := asked.get("after"):
        found = found[[batch.id for batch in found].index(after[0]) + 1 :]
    limit = int(asked.get("limit", [str(LISTED)])[0])
    data = [_batch(owner, batch) for batch in found[:limit]]
    ends = {"first_id": data[0]["id"], "last_id": data[-1]["id"]} if data else {}
    return _said(200, {"object": "list", "data": data, **ends, "has_more": len(found) > limit})


def _batch(owner: "ModelServer", batch: Batch) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": batch.id, "object": "batch", "endpoint": "/v1/chat/completions", "completion_window": "24h",
        "input_file_id": batch.body["input_file_id"], "status": STATES[batch.state], "created_at": 1,
        "metadata": batch.body.get("metadata"),
    }  # fmt: skip
    for kind, good in (("output", True), ("error", False)):
        lines = [line for line, is_good in _lines(batch) if is_good == good]
        if lines and batch.state in ("done", "expired", "cancelled"):
            file_id = f"file-{kind}-{batch.id}"
            owner.batches.files[file_id] = "\n".join(map(json.dumps, lines)).encode() + b"\n"
            told[f"{kind}_file_id"] = file_id
    return told


def _lines(batch: Batch) -> list[tuple[dict[str, Any], bool]]:
    found = []
    for n, (key, reply) in enumerate(batch.replies.items()):
        status, body = openai_wire.response_of(reply)
        response = {"status_code": status, "request_id": f"r{n}", "body": body}
        line = {"id": f"q{n}", "custom_id": key, "response": response, "error": None}
        found.append((line, status == 200))
    return found


def _said(status: int, body: dict[str, Any], *, is_lost: bool = False) -> Routed:
    return Routed(status, json.dumps(body).encode(), is_lost)


def _error(status: int, code: str, message: str) -> Routed:
    return _said(status, {"error": {"message": message, "type": code, "param": None, "code": code}})
