"""The answerer of a ModelServer: images in, an answer out."""

import html
import json
import re
from collections.abc import Sequence
from typing import Any

from tests.support.model_server import ModelRequest, Reply
from tests.support.seeing_model.answering import FROM_ITS_BEGINNING, Log, Start, page_answer
from tests.support.seeing_model.documents import document_answer
from tests.support.seeing_model.eyes import Eyes
from tests.support.seeing_model.mistakes import NONE, Mistakes
from tests.support.seeing_model.sheets import Sheet
from tests.support.seeing_model.shown import shown_in

CHARS_A_TOKEN, TOKENS_AN_IMAGE = 3, 1500
_LABEL = re.compile(r"Image (.+):")
_CONTINUED = re.compile(r'^\{.*"go_on_with": ?\d+.*\}$', re.M)


class SeeingModel:
    """``sheets``: every page that it may be shown. ``log``: the mistakes that it made. Safe in threads."""

    def __init__(self, sheets: Sequence[Sheet], mistakes: Mistakes = NONE, eyes: Eyes | None = None) -> None:
        self._sheets, self._mistakes, self._eyes = list(sheets), mistakes, eyes or Eyes()
        self.log = Log()

    def __call__(self, request: ModelRequest) -> Reply:
        answer = self._answers[request.operation](self, request)
        text = json.dumps(answer, ensure_ascii=False)
        images = TOKENS_AN_IMAGE * len(request.images)
        most = min(self._mistakes.cut_at or len(text), (request.max_tokens or len(text)) * CHARS_A_TOKEN)
        said = text[:most]
        return Reply(
            said,
            finish="stop" if said == text else "length",
            tokens_out=len(said) // CHARS_A_TOKEN,
            tokens_in=sum(map(len, request.texts)) // CHARS_A_TOKEN + images,
            image_tokens=images,
        )

    def _page(self, request: ModelRequest) -> dict[str, Any]:
        lines = self._eyes.see(labelled(request))
        shown, start = shown_in(request.texts), start_in(request.texts)
        return page_answer(lines, shown, self._sheets, self._mistakes, start, self.log)

    def _document(self, request: ModelRequest) -> dict[str, Any]:
        return document_answer(request)

    _answers = {"PageAnswer": _page, "DocumentAnswer": _document}


def labelled(request: ModelRequest) -> list[tuple[str, bytes]]:
    """Each image with the label that was stated before it."""
    labels = [match[1] for text in request.texts if (match := _LABEL.fullmatch(text))]
    labels += [""] * (len(request.images) - len(labels))
    return [(label, data) for label, (_, data) in zip(labels, request.images, strict=False)]


def start_in(texts: Sequence[str]) -> Start:
    """Where an answer is to go on: one object that names what was told and ``go_on_with``."""
    for told in _CONTINUED.findall(html.unescape("\n".join(texts))):
        said = json.loads(told)
        tables = said.get("tables", ())
        lines = {f"{table['table']}:{n}" for table in tables for part in table["lines"] for n in _numbers(part)}
        return Start(frozenset(lines), said["go_on_with"])
    return FROM_ITS_BEGINNING


def _numbers(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)
