"""Prompts of the operations: the shipped texts (v1/), and the text that goes out with a question's zones in it.

A text is a version of its key in profiles.PromptVersion; the files here are version 1. Rules go before every task as
the system message.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from catalogsku.profiles.services import texts_of
from catalogsku.profiles.wording import KEYS, LANGUAGES, NEEDED, fill, rules_before

_FIRST = Path(__file__).parent / "v1"
# Zones that a question may come without.
_OPTIONAL = (
    *("examples", "faults", "page_tables", "page_text", "page_pictures", "draft", "context", "continued"),
    *("parts", "own_words"),
)


@dataclass(frozen=True)
class Wording:
    """A version of one prompt; ``texts`` by language."""

    version: int
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Rendered:
    """``version``: the task's and the rules' versions, as in "3.1"."""

    system: str
    user: str
    version: str


@cache
def shipped(key: str) -> Wording:
    """Raises KeyError for a key that there is not."""
    if key not in NEEDED:
        raise KeyError(key)
    return Wording(1, {each: (_FIRST / f"{key}.{each}.txt").read_text(encoding="utf-8") for each in LANGUAGES})


def all_shipped() -> dict[str, Wording]:
    return {key: shipped(key) for key in KEYS}


def render(key: str, language: str, frozen: Mapping[str, int], zones: Mapping[str, str]) -> Rendered:
    """What goes out for one question. ``frozen``: key to id of a prompt version, as a job keeps it; the shipped text
    where it has none. Raises KeyError (also UnknownZone), PromptVersion.DoesNotExist."""
    return compose(_wording(key, frozen), _wording(rules_before(key), frozen), language, zones)


def _wording(key: str, frozen: Mapping[str, int]) -> Wording:
    return Wording(*texts_of(frozen[key])) if key in frozen else shipped(key)


def wordings_of(frozen: Mapping[str, int], questions: Collection[str]) -> dict[str, Wording]:
    """The prompts of these questions, and the rules before them, in the versions that a job keeps; the shipped text
    where it has none."""
    return {key: _wording(key, frozen) for key in {*questions, *map(rules_before, questions)}}


def compose(task: Wording, rules: Wording, language: str, zones: Mapping[str, str]) -> Rendered:
    """``language``: zh or en. ``zones`` are put in as they are: escaped and fenced already. Raises UnknownZone."""
    filled = {**dict.fromkeys(_OPTIONAL, ""), **zones}
    return Rendered(
        system=fill(rules.texts[language], {}),
        user=fill(task.texts[language], filled),
        version=version_of(task, rules),
    )


def version_of(task: Wording, rules: Wording) -> str:
    """As it stands with a call, its answer and what came of it."""
    return f"{task.version}.{rules.version}"
