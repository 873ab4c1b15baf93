"""A definition while a person works on it in forms: parts are put in, moved and taken out; what it lacks is told when
it is saved. Pure. A place is a path as faults have it: groups.0, groups.0.fields.3, checks.1.
"""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

import msgspec

from catalogsku.core.structs import ready
from processing.studies.definition import CHECKS, PARTS, REPEATS, TYPES, Between, Definition, key_from, stored

# Groups, each with fields, and checks: as ``stored`` has them, with both lists always there.
Draft = dict[str, Any]
_PLACE = re.compile(r"(groups\.\d{1,3}\.fields|groups|checks)\.(\d{1,3})")
_BY_TAG = {kind.__struct_config__.tag: kind for kind in CHECKS}
CHOICE_PARTS = 3  # key | English | Chinese


class NotThere(LookupError):
    """The place is none of this draft."""


def draft_of(definition: Definition) -> Draft:
    return {"groups": [], "checks": [], **stored(definition)}


def draft_in(text: str) -> Draft:
    """What a page sent of it. Raises NotThere where that is no draft."""
    try:
        return draft_of(msgspec.json.decode(text, type=ready(Definition)))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise NotThere(str(error)) from error


def part_at(draft: Draft, at: str) -> dict[str, Any]:
    """Raises NotThere."""
    parts, n = _place(draft, at)
    part: dict[str, Any] = parts[n]
    return part


def kind_of(check: Mapping[str, Any]) -> Any:
    return _BY_TAG[check["check"]]


def add(draft: Draft, what: str) -> str:
    """``what``: groups; groups.0.fields; checks.TAG. Gives the place of the new one. Raises NotThere."""
    if what == "groups":
        draft["groups"].append({"key": "", "labels": {}, "fields": []})
        return f"groups.{len(draft['groups']) - 1}"
    if what.startswith("groups."):
        fields = part_at(draft, what.removesuffix(".fields"))["fields"]
        fields.append({"key": "", "labels": {}})
        return f"{what}.{len(fields) - 1}"
    kind = _BY_TAG.get(what.removeprefix("checks."))
    if kind is None:
        raise NotThere(what)
    draft["checks"].append({"check": what.removeprefix("checks."), **dict.fromkeys(PARTS[kind], "")})
    return f"checks.{len(draft['checks']) - 1}"


def remove(draft: Draft, at: str) -> None:
    """Raises NotThere."""
    parts, n = _place(draft, at)
    del parts[n]


def move(draft: Draft, at: str, by: int) -> str:
    """One up (-1) or down (1) among its neighbours; gives where it is then, also where it could not go on."""
    parts, n = _place(draft, at)
    to = n + by
    if not 0 <= to < len(parts):
        return at
    parts[n], parts[to] = parts[to], parts[n]
    return at.rpartition(".")[0] + f".{to}"


def put(draft: Draft, at: str, typed: Mapping[str, str]) -> None:
    """What was typed of one part, as ``typed_of`` names it. A key that is empty comes from the name; one that is
    changed is changed in the checks. Raises NotThere."""
    part = part_at(draft, at)
    if at.startswith("checks."):
        part.update({name: typed.get(name, "") for name in PARTS[kind_of(part)]})
        if kind_of(part) is Between:
            _put_bounds(part, typed)
        return
    part["labels"] = _filled(en=typed.get("label_en", "").strip(), zh=typed.get("label_zh", "").strip())
    before, part["key"] = part["key"], typed.get("key", "").strip()
    if not part["key"]:
        part["key"] = _suggested(draft, at, part["labels"])
    if ".fields." not in at:
        return
    if before and before != part["key"]:
        for check in draft["checks"]:
            check.update({name: part["key"] for name in PARTS[kind_of(check)] if check[name] == before})
    kind = typed.get("type", "")
    values = _filled(
        type=kind if kind in TYPES and kind != TYPES[0] else "",
        unit=typed.get("unit", "").strip(),
        required=bool(typed.get("required")),
        repeat=repeat if (repeat := typed.get("repeat", "")) in REPEATS and repeat != REPEATS[0] else "",
        choices=_choices(typed.get("choices", "")) if kind == "choice" else [],
        instruction=typed.get("instruction", "").replace("\r\n", "\n"),
    )
    for name in ("type", "unit", "required", "repeat", "choices", "instruction"):
        part.pop(name, None)
    part.update(values)


def typed_of(draft: Draft, at: str) -> dict[str, Any]:
    """The part as its inputs hold it. Raises NotThere."""
    part = part_at(draft, at)
    if at.startswith("checks."):
        return {name: value if isinstance(value, str) else _number(value) for name, value in part.items()}
    labels = part["labels"]
    lines = (
        " | ".join((one["key"], one["labels"].get("en", ""), one["labels"].get("zh", ""))).rstrip(" |")
        for one in part.get("choices", [])
    )
    return {
        **part,
        "label_en": labels.get("en", ""),
        "label_zh": labels.get("zh", ""),
        "type": part.get("type", TYPES[0]),
        "repeat": part.get("repeat", REPEATS[0]),
        "choices": "\n".join(lines),
    }


def input_of(at: str, path: str) -> tuple[str, int]:
    """Name of the part's input that a fault belongs to, empty for the part itself; and the line in it, from 1, or 0."""
    name, _, rest = path.removeprefix(at).lstrip(".").partition(".")
    if name == "labels":
        return f"label_{rest}", 0
    line = rest.partition(".")[0]
    return name, int(line) + 1 if name == "choices" and line else 0


def owner_of(path: str) -> str:
    """The part that a fault's path is about; empty for the whole."""
    whole = re.match(r"groups\.\d+\.fields\.\d+|groups\.\d+|checks\.\d+", path)
    return whole.group() if whole else ""


def _place(draft: Draft, at: str) -> tuple[list[dict[str, Any]], int]:
    match = _PLACE.fullmatch(at)
    if match is None:
        raise NotThere(at)
    above, n = match.group(1), int(match.group(2))
    parts = draft["checks"] if above == "checks" else draft["groups"]
    if above.endswith(".fields"):
        group = int(above.split(".")[1])
        if group >= len(parts):
            raise NotThere(at)
        parts = parts[group]["fields"]
    if n >= len(parts):
        raise NotThere(at)
    return parts, n


def _suggested(draft: Draft, at: str, labels: Mapping[str, str]) -> str:
    """A key that no other part of its kind has; empty where nothing was typed that it could come from."""
    if not labels:
        return ""
    is_field = ".fields." in at
    taken = {part["key"] for part in (_fields(draft) if is_field else draft["groups"])}
    stem = key_from(labels.get("en", ""))[:50].rstrip("_") or ("field" if is_field else "group")
    names = (stem if n == 1 else f"{stem}_{n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _fields(draft: Draft) -> Iterator[dict[str, Any]]:
    for group in draft["groups"]:
        yield from group["fields"]


def _choices(text: str) -> list[dict[str, Any]]:
    """A line a choice: key | English | Chinese; what has no key gets one from its English name."""
    choices = []
    for line in filter(None, map(str.strip, text.splitlines())):
        told = [part.strip() for part in line.split("|", CHOICE_PARTS - 1)]
        if len(told) == 1:
            told = [key_from(told[0]), told[0]]
        key, en, zh = (*told, "", "")[:CHOICE_PARTS]
        choices.append({"key": key, "labels": _filled(en=en or ("" if zh else key), zh=zh)})
    return choices


def _put_bounds(part: dict[str, Any], typed: Mapping[str, str]) -> None:
    for name in ("least", "most"):
        part.pop(name, None)
        try:
            bound = float(typed.get(name, "").strip().replace("−", "-"))
        except ValueError:
            continue
        if isfinite(bound):
            part[name] = bound


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _filled(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}
