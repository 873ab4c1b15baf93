"""The Gemini API's batches with inline requests: creating, listing, looking, cancelling.

https://ai.google.dev/api/batch-api; shapes as google-genai 3.3.0 sends and reads them.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from tests.support.model_server import gemini_wire
from tests.support.model_server.batches import Batch, Routed, State

if TYPE_CHECKING:
    from tests.support.model_server.server import ModelServer

CREATE = re.compile(r"/v1beta/models/(?P<model>[^/:]+):batchGenerateContent")
ONE = re.compile(r"/v1beta/batches/(?P<id>[^/:]+)(?P<verb>:cancel)?")
LIST = "/v1beta/batches"
STATES: dict[State, str] = {
    "pending": "BATCH_STATE_PENDING", "running": "BATCH_STATE_RUNNING", "done": "BATCH_STATE_SUCCEEDED",
    "expired": "BATCH_STATE_EXPIRED", "failed": "BATCH_STATE_FAILED", "cancelled": "BATCH_STATE_CANCELLED",
}  # fmt: skip
LIMIT_BYTES = 20_000_000


def route(
    owner: "ModelServer", method: str, path: str, whole: str, headers: dict[str, str], body: bytes
) -> Routed | None:
    created, one = CREATE.fullmatch(path), ONE.fullmatch(path)
    if created is None and one is None and path != LIST:
        return None
    if not headers.get("x-goog-api-key"):
        return _error(403, "PERMISSION_DENIED", "The caller does not have permission.")
    if created is not None and method == "POST":
        return _create(owner, created["model"], headers, body)
    if path == LIST and method == "GET":
        return _said(200, {"operations": [_operation(batch) for batch in owner.batches.listing("gemini")]})
    batch = owner.batches.named(one["id"]) if one is not None else None
    if one is None or batch is None:
        return _error(404, "NOT_FOUND", "Requested entity was not found.")
    if method == "DELETE":
        owner.batches.sent.remove(batch)
        return _said(200, {})
    if one["verb"]:
        owner.batches.end(batch, "cancelled")
        return _said(200, {})
    owner.batches.look(batch, owner.reply_to)
    return _said(200, _operation(batch))


def _create(owner: "ModelServer", model: str, headers: dict[str, str], body: bytes) -> Routed:
    if owner.batches.refusal is not None:
        status, message = owner.batches.refusal
        return _error(status, "INVALID_ARGUMENT", message)
    if len(body) > LIMIT_BYTES:
        return _error(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.")
    told = json.loads(body)["batch"]
    match = re.fullmatch(gemini_wire.PATH, f"/v1beta/models/{model}:generateContent")
    assert match is not None
    questions = {
        one["metadata"]["key"]: gemini_wire.request_of(match, headers, json.dumps(one["request"]).encode())
        for one in told["inputConfig"]["requests"]["requests"]
    }
    batch = Batch(owner.batches.new_id(), told.get("displayName", ""), "gemini", model, questions, body=told)
    return _said(200, _operation(batch), is_lost=not owner.batches.take(batch))


def _operation(batch: Batch) -> dict[str, Any]:
    name = f"batches/{batch.id}"
    metadata: dict[str, Any] = {
        "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch", "name": name,
        "model": f"models/{batch.model}", "displayName": batch.name, "state": STATES[batch.state],
        "createTime": "2026-11-28T00:00:00Z", "updateTime": "2026-11-28T00:00:00Z",
    }  # fmt: skip
    told: dict[str, Any] = {"name": name, "metadata": metadata}
    if batch.replies and batch.state == "done":
        metadata["output"] = {"inlinedResponses": {"inlinedResponses": _responses(batch)}}
        told |= {"done": True, "response": metadata["output"]}
    return told


def _responses(batch: Batch) -> list[dict[str, Any]]:
    found = []
    for key, reply in batch.replies.items():
        status, body = gemini_wire.response_of(reply)
        said = {"response": body} if status == 200 else {"error": {"code": 3, "message": body["error"]["message"]}}
        found.append({**said, "metadata": {"key": key}})
    return found


def _said(status: int, body: dict[str, Any], *, is_lost: bool = False) -> Routed:
    return Routed(status, json.dumps(body).encode(), is_lost)


def _error(status: int, code: str, message: str) -> Routed:
    return _said(status, {"error": {"code": status, "message": message, "status": code}})
