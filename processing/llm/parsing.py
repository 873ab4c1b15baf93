"""Answer text -> checked data (LA-PARSE): direct, fenced or in prose, repaired, field by field; never an exception.

Whatever does not fit comes back as faults, which a re-ask quotes (GR-CRITIQUE). JSON numbers are kept as their digits,
so that a printed price of 12.50 stays 12.50 in a text field; number fields convert them.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NoReturn, TypeVar, get_origin
from xml.sax.saxutils import escape

from json_repair.json_parser import JSONParser
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Method = Literal["direct", "fenced", "repaired", "cut", "regex", ""]
Data = TypeVar("Data", bound=BaseModel)

STOPPED = "stop"  # the model ended its answer itself
MAX_CHARS = 200_000  # 8192 tokens, the longest answer asked for, are some 35 000
MAX_REPAIRED_CHARS = 40_000
MAX_LOOKS_PER_CHAR = 20  # repairing is quadratic for some texts; a broken answer takes 1 or 2
MAX_DEPTH = 24  # the deepest answer needs 6
MAX_OBJECTS = 20
MAX_FAULTS = 20
SHOWN_CHARS = 80

NOT_JSON = "the answer must be one JSON object and nothing else"
CUT_OFF = "length"  # it had no tokens left
CUT = "the answer was cut before its first entry was whole; answer more briefly"
TOO_LONG = f"the answer must be shorter than {MAX_CHARS} characters"
TOO_DEEP = f"objects and lists must not be nested deeper than {MAX_DEPTH}"
NO_NUMBER = "NaN and Infinity are no JSON; use null where nothing is printed"
TWICE = "an object must not name a key twice"

# What PostgreSQL and UTF-8 cannot hold: NUL and halves of surrogate pairs.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
_BRACE_OR_STRING = re.compile(r'[{}]|"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.S)
_NESTING = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.S)
_KEY = re.compile(r'"[^"\\]*+"\s*+:')


@dataclass(frozen=True)
class Fault:
    """What is wrong where: ``path`` as in products[2].box, the ``value`` (shortened) and the ``rule`` it breaks."""

    path: str
    value: str
    rule: str


@dataclass(frozen=True)
class Parsed(Generic[Data]):
    """``data`` is None where nothing fits; then ``faults`` say why."""

    data: Data | None
    method: Method = ""
    needs_review: bool = False
    faults: tuple[Fault, ...] = ()


class _Unfit(ValueError):
    """There is JSON, but of a kind that must not be used."""

    def __init__(self, rule: str, value: str = "") -> None:
        super().__init__(rule)
        self.fault = Fault("", shortened(value), rule)


def parse(text: str, finish: str, answer: type[Data]) -> Parsed[Data]:
    """The ``answer`` in ``text``, by the first way that finds JSON. ``finish``: "stop" where the model was done.

    A text with two different answers, a repair that lost a key, and what was found field by field need review.
    """
    text = _UNKEEPABLE.sub("", text).lstrip("\ufeff").strip()
    if len(text) > MAX_CHARS:
        return Parsed(None, faults=(Fault("", f"{len(text)} characters", TOO_LONG),))
    methods: tuple[tuple[Method, Callable[[str], Iterator[Any]]], ...] = (
        ("direct", _direct),
        ("fenced", _objects),
        ("repaired", _repaired if finish == STOPPED else _nothing),
        ("cut", _whole_entries if finish == CUT_OFF else _nothing),
        ("regex", lambda text: _by_fields(text, answer)),
    )
    try:
        for method, candidates in methods:
            fitting = _first_fit(method, list(candidates(text)), answer)
            if fitting is not None:
                return fitting if method != "repaired" else _reviewed_if_lossy(fitting, text)
    except _Unfit as unfit:
        return Parsed(None, faults=(unfit.fault,))
    except RecursionError:
        return Parsed(None, faults=(Fault("", shortened(text), TOO_DEEP),))
    return Parsed(None, faults=(Fault("", shortened(text), NOT_JSON if finish == STOPPED else CUT),))


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"


def quoted(faults: Sequence[Fault]) -> str:
    """A line a fault, escaped, for the zone of a re-ask that quotes them (GR-CRITIQUE)."""
    return "\n".join(escape(f"- {fault.path or 'answer'}: {fault.value!r}: {fault.rule}") for fault in faults)


def _first_fit(method: Method, objects: list[dict[str, Any]], answer: type[Data]) -> Parsed[Data] | None:
    """None where there is nothing to check; else the first object that fits, or the faults of the first."""
    checked = [_checked(_clean(each), answer) for each in objects]
    fitting = [each for each in checked if not isinstance(each, tuple)]
    if fitting:
        differ = any(each != fitting[0] for each in fitting)
        return Parsed(fitting[0], method, needs_review=differ or method == "regex")
    return Parsed(None, faults=checked[0]) if checked and isinstance(checked[0], tuple) else None


def _checked(data: Any, answer: type[Data]) -> Data | tuple[Fault, ...]:
    try:
        return answer.model_validate(data)
    except ValidationError as error:
        return tuple(_fault(each) for each in error.errors(include_url=False)[:MAX_FAULTS])


def _fault(error: ErrorDetails) -> Fault:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error["loc"]).removeprefix(".")
    value = "" if error["type"] == "missing" else error["input"]
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Fault(shortened(path), shortened(written), error["msg"])


def _clean(value: Any, depth: int = 0) -> Any:
    """Escapes may bring back what the text was freed of."""
    if depth > MAX_DEPTH:
        raise _Unfit(TOO_DEEP)
    if isinstance(value, str):
        return _UNKEEPABLE.sub("", value)
    if isinstance(value, list):
        return [_clean(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {_UNKEEPABLE.sub("", key): _clean(each, depth + 1) for key, each in value.items()}
    return value


# --- four ways to JSON objects -------------------------------------------------------------------


def _direct(text: str) -> Iterator[Any]:
    yield from _loaded(text)


def _objects(text: str) -> Iterator[Any]:
    """Balanced objects in prose or fences, in order; what stands inside one is not looked at alone."""
    for piece in _balanced(text):
        yield from _loaded(piece)


def _repaired(text: str) -> Iterator[Any]:
    start = text.find("{")
    if start >= 0 and len(text) - start <= MAX_REPAIRED_CHARS:
        value = _Repair(text[start:].removesuffix("```"), None, False).parse()
        if isinstance(value, dict) and value:
            yield value


def _whole_entries(text: str) -> Iterator[Any]:
    """What a cut answer had said whole: its object up to the last entry of its lists that was ended."""
    start = text.find("{")
    open_signs: list[str] = []
    whole = -1
    for sign in _NESTING.finditer(text, max(0, start)):
        if sign[0] in "{[":
            open_signs.append(sign[0])
        elif sign[0] in "}]" and open_signs:
            open_signs.pop()
            if open_signs == ["{", "["]:
                whole = sign.end()
    if start >= 0 and whole > 0:
        yield from _loaded(text[start:whole] + "]}")


def _by_fields(text: str, answer: type[BaseModel]) -> Iterator[Any]:
    """Only answers whose fields are all choices or numbers, and where a choice is made once: a list would be lost."""
    wanted = {name: field.annotation for name, field in answer.model_fields.items()}
    fields: dict[str, str] = {}
    for name, kind in wanted.items():
        is_choice = get_origin(kind) is Literal
        values = re.findall(rf"""(?<!\w){name}["']?\s{{0,9}}[:：=]\s{{0,9}}["']?([\w.]{{1,20}})""", text)
        if not values or (is_choice and len(set(values)) > 1) or not (is_choice or kind in (int, float)):
            return
        fields[name] = values[0]
    if fields:
        yield fields


def _nothing(text: str) -> Iterator[Any]:
    yield from ()


def _loaded(text: str) -> Iterator[dict[str, Any]]:
    try:
        value = json.loads(
            text, strict=False, parse_float=str, parse_int=str, parse_constant=_no_number, object_pairs_hook=_unique
        )
    except json.JSONDecodeError:
        return
    if isinstance(value, dict):
        yield value


def _no_number(name: str) -> NoReturn:
    raise _Unfit(NO_NUMBER, name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if key in unique and unique[key] != value:
            raise _Unfit(TWICE, key)
        unique[key] = value
    return unique


def _balanced(text: str) -> Iterator[str]:
    start = text.find("{")
    for _ in range(MAX_OBJECTS):
        end = _end_of_object(text, start) if start >= 0 else -1
        if end < 0:
            return
        yield text[start:end]
        start = text.find("{", end)


def _end_of_object(text: str, start: int) -> int:
    """Past the brace that closes the one at ``start``; -1 where none does."""
    depth = 0
    for sign in _BRACE_OR_STRING.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth == 0:
            return sign.end()
    return -1


class _Repair(JSONParser):
    """The library's parser, with numbers as written, nothing decoded behind its back, and an end to its work."""

    looks = 0
    depth = 0

    def parse_json(self, *arguments: Any, **options: Any) -> Any:
        if self.depth > MAX_DEPTH:
            raise _Unfit(TOO_DEEP)
        self.depth += 1
        value = super().parse_json(*arguments, **options)
        self.depth -= 1
        return value

    def get_char_at(self, count: int = 0) -> str | None:
        self.looks += 1
        if self.looks > MAX_LOOKS_PER_CHAR * len(self.json_str) + 10_000:
            raise _Unfit(NOT_JSON, str(self.json_str[:SHOWN_CHARS]))
        return super().get_char_at(count)

    def parse_number(self) -> Any:
        start = self.index
        value = super().parse_number()
        return value if isinstance(value, str) else str(self.json_str[start : self.index])

    def _try_parse_missing_opening_object(self, delimiter: str) -> tuple[bool, Any]:
        return False, ""


def _reviewed_if_lossy(parsed: Parsed[Data], text: str) -> Parsed[Data]:
    """Where the text has more keys than the data, the repair dropped or overwrote one."""
    keys_kept = _keys(parsed.data.model_dump(exclude_unset=True)) if parsed.data is not None else 0
    lossy = keys_kept < len(_KEY.findall(text))
    return Parsed(parsed.data, parsed.method, parsed.needs_review or lossy, parsed.faults)


def _keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(_keys(each) for each in value.values())
    return sum(_keys(each) for each in value) if isinstance(value, list) else 0
