"""A model that reads papers: it takes values and quotes from the zones of the prompt as any model would have to.

It knows the sentences that trials say and the rows of tables, and nothing of the files behind.
"""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from itertools import pairwise
from typing import Any

from tests.support.model_server import ModelRequest, Reply
from tests.support.reading_model import ReadingModel

Values = list[dict[str, Any]]
# What a model makes of the values it has read, before it answers: its name, the question, the values.
Spoil = Callable[[str, str, Values], Values]

_PAPER = re.compile(r"<paper-(\w+)>\n(.*)\n</paper-\1>", re.S)
_PAGE = re.compile(r'<page n="(\d+)">\n(.*?)\n</page>', re.S)
_TABLE = re.compile(r"<table>\n(.*?)\n</table>", re.S)
_FIELD = re.compile(r"^- (\w+): ", re.M)
_PART = re.compile(r"^([AO]\d+) (.+)$", re.M)
# By field: the value (of a choice its key), and how a sentence says it.
SENTENCES: dict[str, tuple[str, str]] = {
    "registration_number": ("", r"\b(NCT\d{8})\b"),
    "n_randomised_total": ("", r"In all, (\d+) adults"),
    "study_design": ("parallel", r"(two-arm)"),
    "setting": ("", r"in (three towns)\."),
    "funding_source": ("", r"funded by (a grant from [^.]+)\."),
    "condition": ("", r"older adults (who have fallen)"),
}
_SIZES = re.compile(r"\(n = (\d+)\)")
_EVENTS = re.compile(r"^(.+?) \| (\d+) \([\d.]+\) \| (\d+) \([\d.]+\)$")
_MEANS = re.compile(r"^(.+?) \| ([\d.]+) ± ([\d.]+) \| ([\d.]+) ± ([\d.]+)$")


class PaperModel(ReadingModel):
    """``spoil``: what it gets wrong."""

    def __init__(self, spoil: Spoil | None = None) -> None:
        super().__init__()
        self.spoil = spoil or (lambda model, question, values: values)
        self.questions: list[tuple[str, str]] = []  # (model, the question in words)

    def __call__(self, request: ModelRequest) -> Reply:
        if request.operation != "StudyAnswer":
            return super().__call__(request)
        question = "\n".join(request.texts)
        self.questions.append((request.model, question))
        values = self.spoil(request.model, question, list(_values(question)))
        text = json.dumps({"values": values}, ensure_ascii=False)
        return Reply(text, tokens_in=len(question) // 3, tokens_out=len(text) // 3)


def _values(question: str) -> Iterator[dict[str, Any]]:
    asked = set(_FIELD.findall(question))
    parts = {name.casefold(): key for key, name in _PART.findall(question)}
    found = _PAPER.search(question)
    for number, text in _PAGE.findall(found[2] if found else ""):
        page, text = int(number), unescape(text)
        for line in _TABLE.sub("", text).splitlines():
            for field, (key, pattern) in SENTENCES.items():
                if field in asked and (said := re.search(pattern, line)):
                    yield {"field": field, "value": key or said[1], "quote": line, "page": page}
        for rows in _TABLE.findall(text):
            for entry in (*_arms(rows.splitlines()), *_outcomes(rows.splitlines())):
                if entry["field"] in asked:
                    yield {**entry, "part": parts.get(entry["part"].casefold(), entry["part"]), "page": page}


def _arms(rows: list[str]) -> Iterator[dict[str, Any]]:
    for names, sizes in pairwise(rows):
        for name, size in zip(names.split(" | "), _SIZES.findall(sizes), strict=False):
            yield {"field": "arm_name", "part": name, "value": name, "quote": names.replace(" | ", " ")}
            yield {"field": "n_randomised", "part": name, "value": size, "quote": f"(n = {size})"}


def _outcomes(rows: list[str]) -> Iterator[dict[str, Any]]:
    for row in rows:
        fields: tuple[str, ...] = ()
        if said := _EVENTS.match(row):
            fields = ("events_treatment", "events_control")
        elif said := _MEANS.match(row):
            fields = ("mean_treatment", "sd_treatment", "mean_control", "sd_control")
        if said:
            yield {"field": "outcome_name", "part": said[1], "value": said[1], "quote": row}
            for n, field in enumerate(fields, 2):
                yield {"field": field, "part": said[1], "value": said[n], "quote": row}
