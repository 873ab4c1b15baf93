"""Amounts of Japanese print that stand sign by sign over the width of their cell, and the yen sign that old fonts keep
under a backslash."""

import re
from collections.abc import Sequence

from catalogsku.core.box import union
from processing.engine.reading.port import RIGHT, Glyphs

_PIECE = re.compile(r"[\\¥￥円]|[0-9０-９,，]{1,2}円?")
_DIGIT = "[0-9０-９]"
_GROUPS = rf"{_DIGIT}{{1,3}}(?:[,，]{_DIGIT}{{3}})"
# The last group may go on in the next line of the cell.
_AMOUNT = re.compile(rf"[\\¥￥](?:{_GROUPS}*(?:[,，]{_DIGIT}{{1,2}})?|{_DIGIT}+)円?|(?:{_GROUPS}+|{_DIGIT}{{2,}})円")
_YEN = re.compile(rf"\\(?={_DIGIT})")
_KANA = re.compile("[\u3041-\u30ff]")
# Of the print's size: how far signs of one amount stand apart, and off its baseline.
_APART, _OFF = 0.6, 0.2
_LEAST = 3


def closed_amounts(words: Sequence[Glyphs]) -> list[Glyphs]:
    """The words with such amounts in one word each; on pages in Japanese a backslash before a figure is a yen sign."""
    joined: list[Glyphs] = []
    for run in _runs(words):
        text = "".join(word.text for word in run)
        if len(run) >= _LEAST and _AMOUNT.fullmatch(text):
            joined.append(run[0]._replace(text=text, box=union(word.box for word in run)))
        else:
            joined += run
    if not any(_KANA.search(word.text) for word in words):
        return joined
    return [word._replace(text=_YEN.sub("¥", word.text)) for word in joined]


def _runs(words: Sequence[Glyphs]) -> list[list[Glyphs]]:
    runs: list[list[Glyphs]] = []
    for word in words:
        if runs and _goes_on(runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _goes_on(last: Glyphs, word: Glyphs) -> bool:
    if last.turn != RIGHT or word.turn != RIGHT or word.text in ("\\", "¥", "￥"):
        return False
    if not (_PIECE.fullmatch(last.text) and _PIECE.fullmatch(word.text)):
        return False
    level = abs(last.box[3] - word.box[3]) <= _OFF * last.size
    return level and 0.0 <= word.box[0] - last.box[2] <= _APART * last.size
