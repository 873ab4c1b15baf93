"""Structured logs: one JSON object a line (or a readable form for a terminal), ids bound by context."""

from collections.abc import MutableMapping
from typing import Any

import structlog

from catalogsku.core.redact import redact_all

# Of one field: a long traceback fits.
MOST_CHARS = 10_000


def _redacted(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """No key, card, telephone or identity number in any field, exceptions included (LA-REDACT)."""
    return redact_all(event, most_chars=MOST_CHARS)  # type: ignore[no-any-return]


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(level: str, json_lines: bool) -> dict[str, Any]:
    """Django's LOGGING setting."""
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False) if json_lines else structlog.dev.ConsoleRenderer()
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    _redacted,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.server": {"level": "WARNING"},
            "daphne": {"level": "WARNING"},
            "dramatiq": {"level": "WARNING"},
            "pdfminer": {"level": "ERROR"},
        },
    }


def configure_structlog() -> None:
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
