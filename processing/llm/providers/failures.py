"""What went wrong, in the port's four errors: one table for every provider.

======================================  ============  ==================
what happened                           error         code
======================================  ============  ==================
no connection; nothing was sent         Transient     connection
no answer in time, or not all of it     Transient     timeout
connection closed before the end        Transient     connection_lost
HTTP 408, 5xx                           Transient     http_408, http_503
HTTP 429                                RateLimited   http_429
no API key                              Permanent     no_key
API key that no header can carry        Permanent     bad_key
base URL that is none                   Permanent     bad_url
other HTTP status (3xx, 4xx)            Permanent     http_400, http_401
the content filter                      BadOutput     blocked
no text, though not cut off             BadOutput     empty
a body that is not the API's            BadOutput     unreadable_body
======================================  ============  ==================

What ends in ``connection`` cost nothing; after ``timeout`` and ``connection_lost`` it may have worked and bill.
"""

import email.utils
import time
from collections.abc import Mapping

from processing.llm.providers.port import ModelError, Permanent, RateLimited, Transient

DETAIL_CHARS = 300


def check_key(api_key: str) -> None:
    """Raises Permanent for what would fail later, in a transport, with the key in its message."""
    if not api_key:
        raise Permanent("no_key")
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise Permanent("bad_key")


def of_status(status: int, detail: object, retry_after_s: float | None = None) -> ModelError:
    """The error for an HTTP status that is not 200."""
    code, text = f"http_{status}", str(detail)
    if status == 429:
        return RateLimited(code, text, retry_after_s)
    return Transient(code, text) if status == 408 or status >= 500 else Permanent(code, text)


def detail(message: object, api_key: str) -> str:
    """A vendor's message, short and without the key, which some repeat."""
    return str(message).replace(api_key, "***")[:DETAIL_CHARS]


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3: a number or a date); None without a sound one."""
    value = next((text for name, text in headers.items() if name.lower() == "retry-after"), "").strip()
    if (seconds := duration_s(value)) is not None:
        return seconds
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def duration_s(value: str) -> float | None:
    """Seconds in "7", "7.5" or protobuf's "7.5s"; None in anything else."""
    digits = value.removesuffix("s")
    return float(digits) if digits.replace(".", "", 1).isdecimal() and digits.isascii() else None
