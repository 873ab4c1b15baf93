"""What request bodies of several vendors write alike."""

import base64
import contextlib
import json
import re
from typing import Any


def data_of(uri: str) -> tuple[str, bytes]:
    """Only data URIs: an address would be fetched by the vendor, a path uploaded to its storage."""
    found = re.fullmatch(r"data:([\w/+.-]+);base64,(.*)", uri, re.S)
    if found is None:
        raise ValueError(f"no data URI: {uri[:40]}")
    return found[1], base64.b64decode(found[2])


def schema_in(response_format: dict[str, Any], system: str) -> dict[str, Any] | None:
    """Of the request's own field, or behind the words "JSON Schema" of the system text."""
    if (own := response_format.get("json_schema")) is not None:
        schema: dict[str, Any] = own.get("schema", own)
        return schema
    for behind in re.finditer("JSON Schema", system):
        start = system.find("{", behind.end())
        with contextlib.suppress(ValueError):
            found = json.JSONDecoder().raw_decode(system, start)[0] if start >= 0 else {}
            if found.keys() & {"type", "properties", "$ref", "anyOf"}:
                return dict(found)
    return None
