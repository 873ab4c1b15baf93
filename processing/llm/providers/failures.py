"""What went wrong, in the port's four errors: one table for every provider.

======================================  ============  ==================
what happened                           error         code
======================================  ============  ==================
no connection; nothing was sent         Transient     connection
no answer in time, or not all of it     Transient     timeout
connection closed before the end        Transient     connection_lost
HTTP 408, 499, 5xx but 501              Transient     http_408, http_503
HTTP 429                                RateLimited   http_429
HTTP 429 or 403 for a quota or a bill
that waiting for some minutes does not
mend (``_SPENT``)                       Unusable      quota
no API key, where one is needed         Unusable      no_key
API key that no header can carry        Unusable      bad_key
base URL that is none, or not safe      Unusable      bad_url
HTTP 401, 402, 403, 404, 410            Unusable      http_401, http_404
another 4xx that speaks of the account,
the key or the model                    Unusable      account
other HTTP status (3xx, 4xx, 501)       Permanent     http_400
the content filter                      BadOutput     blocked
no text, though not cut off             BadOutput     empty
a body that is not the API's            BadOutput     unreadable_body
======================================  ============  ==================

What ends in ``connection`` cost nothing; after ``timeout`` and ``connection_lost`` it may have worked and bill.

Every refusal that the providers document is a row of tests/support/refusals, and ends as it says there.
"""

import email.utils
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from catalogsku.core import clock
from catalogsku.core.addresses import url_fault
from processing.llm.providers.port import ModelError, Permanent, Prompt, RateLimited, Transient, Unusable

# Of a vendor's message so much is read, and so much of that kept.
MESSAGE_CHARS, DETAIL_CHARS = 1000, 300
# What a message has in common with the question from this length on is an echo of it.
ECHO_CHARS = 20
REFUSING = frozenset({401, 402, 403, 404, 410})
AGAIN = frozenset({408, 499})  # 499: something between us and the service hung up
NOT_IMPLEMENTED = 501
# Under 400 providers also say that a key is none, an account owes money or is shut, or a model is no more.
_OF_THE_ACCOUNT = re.compile(
    r"api[ _-]?key|arrear|overdue|unpurchased|billing|access ?denied|欠费|停用|下线"
    r"|account[^.]{0,40}(?:disabled|suspended|deactivated|closed)|location is not supported"
    r"|model(?:[^.]|\.(?=\S)){0,60}(?:not exist|not found|no longer|retired|deprecated|discontinued|decommissioned)"
    r"|model(?:[^.]|\.(?=\S)){0,60}disabled|model_not_found|not a valid model",
    re.IGNORECASE,
)
# Under 429 and 403 they also say that credits, a month's cap on spending, a plan's quota of hours or what is given for
# nothing are used up, that a bill is not paid, or that nothing was ordered: no rate, which a minute brings back.
_SPENT = re.compile(
    r"credits? (?:balance )?(?:is|are) depleted|spending cap|free allocated quota exceeded"
    r"|free ?tier ?only|(?:hour|week|month) allocated quota|bill(?: is)? ?overdue|not ?purchased"
    r"|budget ?limit ?exceeded",
    re.IGNORECASE,
)


def check_key(api_key: str) -> None:
    """Raises Unusable for what would fail later, in a transport, with the key in its message."""
    if not api_key:
        raise Unusable("no_key")
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise Unusable("bad_key")


def is_of_vendor(base_url: str, domain: str) -> bool:
    """The vendor's own address, which must be public. Every other one an operator has named, as he may: a proxy of his
    own, a server on this machine."""
    host = _host(base_url)
    return host == domain or host.endswith(f".{domain}")


def check_url(base_url: str, private: bool) -> None:
    """Raises Unusable for an address to which no key goes. ``private``: its host may lie in a private network."""
    if fault := url_fault(base_url, [_host(base_url)] if private else []):
        raise Unusable("bad_url", fault)


def _host(base_url: str) -> str:
    try:
        return (urlsplit(base_url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def of_status(
    status: int, detail: object, retry_after_s: float | None = None, *, quota_spent: bool = False
) -> ModelError:
    """The error for an HTTP status that is not 200. ``quota_spent``: a 429 of the account, not of the last minute."""
    code, text = f"http_{status}", str(detail)
    if status in (403, 429) and (quota_spent or _SPENT.search(text)):
        return Unusable("quota", text)
    if status == 429:
        return RateLimited(code, text, retry_after_s)
    if status in AGAIN or (status >= 500 and status != NOT_IMPLEMENTED):
        return Transient(code, text)
    if status in REFUSING:
        return Unusable(code, text)
    if 400 <= status < 500 and _OF_THE_ACCOUNT.search(text):
        return Unusable("account", text)
    return Permanent(code, text)


class Secrets(msgspec.Struct, frozen=True):
    """What no error may repeat, though some vendors do: the key, and what was asked. A page's own words in a refusal
    would be shown to others, and be read as the vendor's. ``prompt``: None for a request that asks nothing itself."""

    api_key: str
    prompt: Prompt | None = None

    def kept_from(self, message: object) -> str:
        """A vendor's message, short and without them."""
        detail = str(message)[:MESSAGE_CHARS].replace(self.api_key, "***")
        if self.prompt is not None:
            detail = _without_echo(detail, "\n".join((self.prompt.system, self.prompt.task, self.prompt.user)))
        return detail[:DETAIL_CHARS]


def _without_echo(detail: str, question: str) -> str:
    """Each run of ``detail`` that stands in ``question`` becomes one sign."""
    parts, n = [], 0
    while n < len(detail):
        run = ECHO_CHARS
        if n + run > len(detail) or detail[n : n + run] not in question:
            parts.append(detail[n])
            n += 1
            continue
        while n + run < len(detail) and detail[n : n + run + 1] in question:
            run += 1
        parts.append("…")
        n += run
    return "".join(parts)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3: a number or a date); None without a sound one."""
    value = next((text for name, text in headers.items() if name.lower() == "retry-after"), "").strip()
    if (seconds := duration_s(value)) is not None:
        return seconds
    try:
        return max(0.0, (email.utils.parsedate_to_datetime(value) - clock.now()).total_seconds())
    except (TypeError, ValueError):
        return None


def duration_s(value: str) -> float | None:
    """Seconds in "7", "7.5" or protobuf's "7.5s"; None in anything else."""
    digits = value.removesuffix("s")
    return float(digits) if digits.replace(".", "", 1).isdecimal() and digits.isascii() else None
