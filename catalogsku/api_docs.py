"""/api/v1/docs: the operations of the API as a page, from the OpenAPI document; nothing is loaded from elsewhere."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import signed_in_only
from catalogsku.api import api


@dataclass(frozen=True)
class Field:
    name: str
    place: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    summary: str
    about: str
    fields: tuple[Field, ...]
    answers: tuple[tuple[str, str], ...]

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
    found: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            found.setdefault(one["tags"][0], []).append(_operation(schema, method, path, one))
    return found


def _operation(schema: dict[str, Any], method: str, path: str, one: dict[str, Any]) -> Operation:
    parameters = tuple(
        Field(
            p["name"], p["in"], _kind(schema, p["schema"]), bool(p.get("required")), p["schema"].get("description", "")
        )
        for p in one.get("parameters", [])
    )
    answers = tuple(
        (str(status), ", ".join(answer.get("content", {})) or "–")
        for status, answer in one["responses"].items()
        if int(status) < 400
    )
    return Operation(
        method.upper(), path, one["summary"], one.get("description", ""), parameters + _body(schema, one), answers
    )


def _body(schema: dict[str, Any], one: dict[str, Any]) -> tuple[Field, ...]:
    content = one.get("requestBody", {}).get("content", {})
    return tuple(
        Field(name, media, _kind(schema, prop), name in shape.get("required", []), prop.get("description", ""))
        for media, body in content.items()
        for shape in [_resolved(schema, body["schema"])]
        for name, prop in shape.get("properties", {}).items()
    )


def _kind(schema: dict[str, Any], prop: dict[str, Any]) -> str:
    """A type in a few words."""
    prop = _resolved(schema, prop)
    if "anyOf" in prop:
        return " | ".join(_kind(schema, each) for each in prop["anyOf"])
    if "enum" in prop:
        return " | ".join(map(str, prop["enum"]))
    if prop.get("type") == "array":
        return f"[{_kind(schema, prop.get('items', {}))}]"
    return str(prop.get("format") or prop.get("type") or "any")


def _resolved(schema: dict[str, Any], prop: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in prop:
        prop = schema["components"]["schemas"][prop["$ref"].rsplit("/", 1)[1]]
    return prop
