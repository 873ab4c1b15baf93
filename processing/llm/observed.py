"""Calls shown in Langfuse, where its keys are set (LA-TRACE): what was asked and answered, redacted, without images.

It may be slow, wrong or away: nothing of that reaches the call. Its kit is imported with the first call.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings

from catalogsku.core.redact import redact_all

if TYPE_CHECKING:
    from langfuse import Langfuse

log = logging.getLogger(__name__)

SECONDS_TO_GIVE_UP = 5

Told = Callable[..., None]


@contextmanager
def generation(name: str, **about: Any) -> Iterator[Told]:
    """A generation around the call; what is yielded takes its output, usage or error."""
    shown = _opened(name, about)
    try:
        yield lambda **fields: _quietly(lambda: shown.update(**redact_all(fields)) if shown else None)
    finally:
        _quietly(lambda: shown.end() if shown else None)


def _opened(name: str, about: Mapping[str, Any]) -> Any:
    made = _quietly(_client)
    if made is None:
        return None
    return _quietly(lambda: made.start_observation(name=name, as_type="generation", **redact_all(dict(about))))


@cache
def _client() -> "Langfuse | None":
    if not (settings.LANGFUSE_PUBLIC_KEY and settings.LANGFUSE_SECRET_KEY):
        return None
    from langfuse import Langfuse

    logging.getLogger("langfuse").setLevel(logging.ERROR)
    return Langfuse(
        public_key=settings.LANGFUSE_PUBLIC_KEY,
        secret_key=settings.LANGFUSE_SECRET_KEY,
        base_url=settings.LANGFUSE_BASE_URL,
        timeout=SECONDS_TO_GIVE_UP,
    )


def _quietly(action: Callable[[], Any]) -> Any:
    try:
        return action()
    except Exception as error:
        log.warning("langfuse failed", extra={"error": type(error).__name__})
        return None
