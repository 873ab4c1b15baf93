"""Batches behind the OpenAI protocol through openai: a file of questions, a batch of the file, files of answers.

https://platform.openai.com/docs/guides/batch; Model Studio's compatible mode in Beijing has the same.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from processing.llm.providers.port import BadOutput, BatchAnswer, ModelError, Permanent, Prompt, RemoteBatch, Transient

if TYPE_CHECKING:
    from openai.types import Batch

    from processing.llm.providers.openai import AnswerContext, OpenAI
    from processing.llm.providers.openai_wire import Kit

ENDPOINT: Literal["/v1/chat/completions"] = "/v1/chat/completions"
# ``ds_name`` is what Model Studio shows and looks for.
NAMES = ("name", "ds_name")
LISTED_AT_ONCE, LISTED_MOST = 100, 5_000
State = Literal["running", "done", "expired", "failed", "cancelled"]
ENDED: dict[str, State] = {"completed": "done", "expired": "expired", "failed": "failed", "cancelled": "cancelled"}


class OpenAIBatches:
    def __init__(self, owner: "OpenAI") -> None:
        self._owner = owner

    @contextmanager
    def _kit(self, api_key: str) -> "Iterator[tuple[Kit, dict[str, str]]]":
        """The kit, and the headers of each request; what goes wrong leaves as ModelError."""
        from processing.llm.providers.openai import failure_in

        key = self._owner.checked_key(api_key)
        kit, context = self._owner.kit(), self._owner.read_with(key)
        try:
            yield kit, {"Authorization": f"Bearer {key}"}
        except ModelError:
            raise
        except Exception as error:
            failure = failure_in(error, context)
            if failure is None:
                raise
            raise failure from None  # not chained: the SDK's error holds the key

    def send(self, model: str, name: str, questions: Mapping[str, Prompt], *, api_key: str, timeout_s: float) -> str:
        lines = [
            {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": self._owner.question(model, prompt)}
            for key, prompt in questions.items()
        ]
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        with self._kit(api_key) as (kit, headers):
            file = (f"{name}.jsonl", data, "application/jsonl")
            stored = kit.files.create(file=file, purpose="batch", extra_headers=headers, timeout=timeout_s)
            made = kit.batches.create(
                completion_window="24h",
                endpoint=ENDPOINT,
                input_file_id=stored.id,
                metadata=dict.fromkeys(NAMES, name),
                extra_headers=headers,
                timeout=timeout_s,
            )
        if not made.id:
            raise BadOutput("unreadable_body", "a batch without an id")
        return made.id

    def find(self, name: str, *, api_key: str, timeout_s: float) -> str | None:
        with self._kit(api_key) as (kit, headers):
            listed = 0
            batches = kit.batches.list(limit=LISTED_AT_ONCE, extra_headers=headers, timeout=timeout_s)
            for batch in islice(batches, LISTED_MOST):
                listed += 1
                if name in [(batch.metadata or {}).get(key) for key in NAMES]:
                    return batch.id
        if listed == LISTED_MOST:  # it may be among the rest
            raise Transient("list_too_long")
        return None

    def look(self, remote_id: str, model: str, *, api_key: str, timeout_s: float) -> RemoteBatch:
        with self._kit(api_key) as (kit, headers):
            batch = kit.batches.retrieve(remote_id, extra_headers=headers, timeout=timeout_s)
            state: State = ENDED.get(batch.status, "running")
            files = _answer_files(batch) if state != "running" else []
            bodies = [kit.files.content(file, extra_headers=headers, timeout=timeout_s).content for file in files]
        lines = [line for body in bodies for line in body.splitlines() if line.strip()]
        context = self._owner.read_with(self._owner.checked_key(api_key))
        answers = tuple(_answer(line, model, context) for line in lines)
        if state == "done" and not answers:
            raise BadOutput("unreadable_body", "a batch without answers")
        return RemoteBatch(remote_id, state, answers, _why(batch))

    def cancel(self, remote_id: str, *, api_key: str, timeout_s: float) -> None:
        with self._kit(api_key) as (kit, headers):
            kit.batches.cancel(remote_id, extra_headers=headers, timeout=timeout_s)

    def forget(self, remote_id: str, *, api_key: str, timeout_s: float) -> None:
        """Its files; the batch itself holds nothing of what was asked."""
        with self._kit(api_key) as (kit, headers):
            batch = kit.batches.retrieve(remote_id, extra_headers=headers, timeout=timeout_s)
            for file in (batch.input_file_id, *_answer_files(batch)):
                kit.files.delete(file, extra_headers=headers, timeout=timeout_s)


def _answer_files(batch: "Batch") -> list[str]:
    return [file for file in (batch.output_file_id, batch.error_file_id) if file]


def _answer(line: bytes, model: str, context: "AnswerContext") -> BatchAnswer:
    """A line that names no question is nobody's."""
    from processing.llm.providers.openai import read_answer, refusal_of

    key = ""
    try:
        entry: dict[str, Any] = json.loads(line)
        key = str(entry["custom_id"])
        if entry.get("response") is None:
            error = entry.get("error") or {}
            code = f"batch_{error.get('code') or 'error'}"[:60]
            return BatchAnswer(key, error=Permanent(code, context.secrets.kept_from(error.get("message"))))
        status, body = int(entry["response"]["status_code"]), entry["response"]["body"]
        if status != 200:
            return BatchAnswer(key, error=refusal_of(status, body.get("error", body), {}, context))
        return BatchAnswer(key, read_answer(body, model, 0, context))
    except ModelError as error:
        return BatchAnswer(key, error=error)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        return BatchAnswer(key, error=BadOutput("unreadable_body", context.secrets.kept_from(repr(error))))


def _why(batch: "Batch") -> str:
    errors = (batch.errors.data if batch.errors else None) or []
    return "; ".join(str(error.message or error.code) for error in errors)
