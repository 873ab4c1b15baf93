"""/api/v1/docs: the operations of the API as a page, from the OpenAPI document; nothing is loaded from elsewhere."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import signed_in_only
from catalogsku.api import api

MOST_DEPTH = 1  # of an answer's fields shown below its own


@dataclass(frozen=True)
class Field:
    name: str
    place: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True)
class Answer:
    status: str
    media: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    summary: str
    about: str
    fields: tuple[Field, ...]
    answers: tuple[Answer, ...]

    @property
    def anchor(self) -> str:
        return f"{self.method}{self.path}".replace("/", "-").replace("{", "").replace("}", "").strip("-")


@require_GET
@signed_in_only
def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html", {"nav": "", "groups": groups()})


@lru_cache(maxsize=1)
def groups() -> dict[str, list[Operation]]:
    """Operations by their tag, in the order in which they are declared."""
    schema = api.get_openapi_schema()
    by_tag: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(schema, method, path, operation))
    return by_tag


def _operation(schema: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Operation:
    parameters = tuple(
        Field(
            p["name"], p["in"], _kind(schema, p["schema"]), bool(p.get("required")), p["schema"].get("description", "")
        )
        for p in operation.get("parameters", [])
    )
    body = operation.get("requestBody", {}).get("content", {})
    fields = parameters + tuple(field for media, said in body.items() for field in _fields(schema, media, said))
    answers = tuple(
        _answer(schema, str(status), answer) for status, answer in operation["responses"].items() if int(status) < 400
    )
    return Operation(method.upper(), path, operation["summary"], operation.get("description", ""), fields, answers)


def _answer(schema: dict[str, Any], status: str, answer: dict[str, Any]) -> Answer:
    content = answer.get("content", {})
    fields = tuple(field for media, said in content.items() for field in _fields(schema, media, said, depth=MOST_DEPTH))
    return Answer(status, ", ".join(content) or "–", fields)


def _fields(
    schema: dict[str, Any], media: str, said: dict[str, Any], before: str = "", depth: int = 0
) -> tuple[Field, ...]:
    """What a body holds, by name; ``depth`` levels of what its fields hold in turn, as ``outer.inner``."""
    shape, listed = _one_of(schema, said.get("schema", said))
    fields: list[Field] = []
    for name, prop in shape.get("properties", {}).items():
        full = before + ("[]." if listed and not before else "") + name
        required = name in shape.get("required", [])
        fields.append(Field(full, media, _kind(schema, prop), required, prop.get("description", "")))
        if depth:
            mark = "[]." if _one_of(schema, prop)[1] else "."
            fields += _fields(schema, media, prop, full + mark, depth - 1)
    return tuple(fields)


def _one_of(schema: dict[str, Any], prop: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The object that is meant, where one is, and whether there is a list of them."""
    prop = _resolved(schema, prop)
    for each in prop.get("anyOf", ()):
        if (shape := _one_of(schema, each))[0].get("properties"):
            return shape
    if prop.get("type") == "array":
        return _one_of(schema, prop.get("items", {}))[0], True
    return prop, False


def _kind(schema: dict[str, Any], prop: dict[str, Any]) -> str:
    """A type in a few words."""
    prop = _resolved(schema, prop)
    if "anyOf" in prop:
        return " | ".join(_kind(schema, each) for each in prop["anyOf"])
    if "enum" in prop:
        return " | ".join(map(str, prop["enum"]))
    if prop.get("properties"):
        return "object"
    if prop.get("type") == "array":
        return f"[{_kind(schema, prop.get('items', {}))}]"
    return str(prop.get("format") or prop.get("type") or "any")


def _resolved(schema: dict[str, Any], prop: dict[str, Any]) -> dict[str, Any]:
    while prop.get("$ref", "").startswith("#/components/"):  # else it means something in the schema of result.json
        prop = schema["components"]["schemas"][prop["$ref"].rsplit("/", 1)[1]]
    return prop
