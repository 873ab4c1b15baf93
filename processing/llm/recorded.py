"""Answers of models kept in a folder by whoever has a key, so that everyone can measure with them without a network.

The folder holds ``models.json`` and an answer a file, named by its question. Neither knows whose key it was, which
merchant or which file was asked about; of prompts there is the hash alone. Both stand around the ledger and not below
it (``model_chain``): what was answered before is recorded too, and a replay asks neither gate, budget nor ledger, so
that answers outlive their model.
"""

import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from catalogsku.core.errors import Refused
from catalogsku.core.redact import redact
from catalogsku.core.structs import ready
from processing.llm.call import Call, Calling, Raw
from processing.llm.models import LanguageModel, ModelCall
from processing.llm.plan import CallPlan
from processing.llm.port import NotAnswered

MODELS = "models.json"
NOT_RECORDED = "not_recorded"
# Refusals of our own, which say nothing of the model.
_OURS = ("call_limit", "over_budget_")
Kept = TypeVar("Kept")


class RecordedModel(msgspec.Struct, frozen=True):
    """What questions and routes take of a model's row."""

    name: str
    provider: str
    price_in_micro: int
    price_out_micro: int
    max_images: int
    max_tokens: int
    temperature: float | None = None
    thinking_level: str = ""
    media_resolution: str = ""
    max_image_px: int | None = None


class RecordedAnswer(msgspec.Struct, frozen=True):
    """``prompt``: SHA-256 of what was asked in words. ``failed``: why there was no answer, then ``text`` is empty."""

    operation: str
    model: str
    prompt: str
    text: str = ""
    finish: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    image_tokens: int = 0
    failed: str = ""


class AnswerFolder(Protocol):
    """What stands around the calls of a golden run."""

    def models(self, available: Sequence[LanguageModel]) -> list[LanguageModel]:
        """Those to ask."""
        ...

    def around(self, inner: Calling, plan: CallPlan) -> Calling: ...


class Recording:
    """Asks, and writes each answer down. What was refused stays until an answer takes its place."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def models(self, available: Sequence[LanguageModel]) -> list[LanguageModel]:
        fields = RecordedModel.__struct_fields__
        rows = [RecordedModel(**{name: getattr(model, name) for name in fields}) for model in available]
        _write(self._folder / MODELS, rows)
        return list(available)

    def around(self, inner: Calling, plan: CallPlan) -> Calling:
        def call_it(call: Call) -> Raw:
            try:
                raw = inner(call)
            except NotAnswered as error:
                if error.retry_after_s is None and not error.code.startswith(_OURS):
                    self._keep(call, msgspec.structs.replace(_asked(call), failed=error.code))
                raise
            row = ModelCall.objects.filter(pk=raw.call_id).values("tokens_in", "tokens_out", "image_tokens").first()
            used = {name: count for name, count in (row or {}).items() if count is not None}
            recorded = msgspec.structs.replace(_asked(call), text=redact(raw.text), finish=raw.finish, **used)
            self._keep(call, recorded)
            return raw

        return call_it

    def _keep(self, call: Call, answer: RecordedAnswer) -> None:
        path = self._folder / f"{question_key(call)}.json"
        if not answer.failed or not path.exists():
            _write(path, answer)


class Replay:
    """Answers from the folder alone. ``missing``: questions that have no answer there; ``answered``: those with one."""

    def __init__(self, folder: Path) -> None:
        """Raises Refused(no_recording)."""
        if not (folder / MODELS).is_file():
            raise Refused("no_recording")
        self._folder, self._lock = folder, threading.Lock()
        self.missing, self.answered = set[str](), set[str]()

    def models(self, available: Sequence[LanguageModel]) -> list[LanguageModel]:
        """As they were recorded, whether or not there are such rows here. Raises Refused(recording_unreadable)."""
        rows = _read(self._folder / MODELS, list[RecordedModel])
        return [LanguageModel(**msgspec.structs.asdict(row)) for row in rows]

    def around(self, inner: Calling, plan: CallPlan) -> Calling:
        """In place of ``inner``. Raises Refused(recording_unreadable)."""

        def call_it(call: Call) -> Raw:
            key = question_key(call)
            path = self._folder / f"{key}.json"
            if not path.is_file():
                if not plan.take(call.request.keep):  # as it was when it was recorded
                    raise NotAnswered("call_limit")
                with self._lock:
                    self.missing.add(key)
                raise NotAnswered(NOT_RECORDED)
            plan.take_kept()
            answer = _read(path, RecordedAnswer)
            with self._lock:
                self.answered.add(key)
            if answer.failed:
                raise NotAnswered(answer.failed)
            return Raw(answer.text, answer.finish, call_id=0, kept=True)

        return call_it


def question_key(call: Call) -> str:
    """SHA-256 of the question itself: operation, model, words and images. Nothing of it is a row's id, and how the
    model was set (thinking, tokens) is no part of it: that is one recording or another."""
    request = call.request
    images = [[image.label, hashlib.sha256(image.data).hexdigest()] for image in request.images]
    parts = [request.operation, call.asked_model.name, call.system, call.user, images]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _asked(call: Call) -> RecordedAnswer:
    words = hashlib.sha256("\0".join((call.system, call.user)).encode()).hexdigest()
    return RecordedAnswer(str(call.request.operation), call.asked_model.name, words)


def _write(path: Path, what: object) -> None:
    """Whole or not at all: threads record side by side."""
    half = path.with_name(f".{path.name}.{threading.get_ident()}")
    half.write_bytes(msgspec.json.format(msgspec.json.encode(what)) + b"\n")
    os.replace(half, path)


def _read(path: Path, kind: type[Kept]) -> Kept:
    try:
        return msgspec.json.decode(path.read_bytes(), type=ready(kind))
    except (OSError, msgspec.DecodeError) as error:
        raise Refused("recording_unreadable", file=path.name) from error
