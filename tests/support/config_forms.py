"""What a browser sends of the forms under /admin/ in which JSON has inputs of its own."""

from typing import Any


def fields_of(name: str, value: Any) -> dict[str, Any]:
    """The inputs of one JSON column."""
    if isinstance(value, dict):
        return _inputs(name, value)
    found: dict[str, Any] = {f"{name}-rows": len(value)}
    for n, entry in enumerate(value):
        found |= _inputs(f"{name}-{n}", entry)
    return found


def _inputs(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    typed = {f"{name}-{key}": "\n".join(value) if isinstance(value, list) else value for key, value in entry.items()}
    return {key: "on" if value is True else value for key, value in typed.items() if value is not False}
