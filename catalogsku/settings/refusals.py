"""What production does not start with: each refusal is one sentence that says what to change."""

import itertools
import re
from collections.abc import Iterator, Sequence

from django.core.exceptions import ImproperlyConfigured

SECRET_KEY_LENGTH_MIN = 50
SECRET_KEY_LETTERS_MIN = 10  # different characters: a repeated word is no key
# Of its groups of three characters so many are different ones, and of its steps from one to the next so few are of one
# width. Of 100 000 random keys in hexadecimal none was below .90 and above .22, of 200 000 made as below .95 and .14.
SECRET_KEY_GROUPS_MIN, SECRET_KEY_STEPS_MAX = 0.8, 0.3
DEVELOPMENT_KEY = "insecure-development-key-of-no-use-anywhere-else-0123456789"
HOW_TO_MAKE_A_KEY = "python -c 'import secrets; print(secrets.token_urlsafe(50))'"
# What registries sell names under beside the country itself (.co.uk, .com.cn), and hosts that give names to anybody.
SOLD_UNDER = r"(?:ac|co|com|edu|gob|gouv|gov|go|gr|id|info|ltd|me|mil|ne|net|nom|or|org|plc|sch)"
GIVEN_TO_ANYBODY = (
    "amazonaws.com", "appspot.com", "azurewebsites.net", "cloudfront.net", "fly.dev", "github.io", "gitlab.io",
    "herokuapp.com", "netlify.app", "ngrok.io", "onrender.com", "pages.dev", "vercel.app", "web.app", "workers.dev",
)  # fmt: skip
_PUBLIC_SUFFIX = re.compile(
    rf"\.(?:[^.]+|{SOLD_UNDER}\.[a-z]{{2}}|(?:.*\.)?(?:{'|'.join(map(re.escape, GIVEN_TO_ANYBODY))}))"
)


def refuse_unsafe_production(reasons: Sequence[str]) -> None:
    """Raises ImproperlyConfigured with every reason at once."""
    if reasons:
        raise ImproperlyConfigured(f"PRODUCTION=true cannot start. {' '.join(reasons)}")


def unsafe_in_production(
    *,
    secret_key: str,
    secret_key_fallbacks: Sequence[str],
    debug: bool,
    allowed_hosts: Sequence[str],
    trusted_origins: Sequence[str],
) -> Iterator[str]:
    if not secret_key:
        yield f"SECRET_KEY is not set; make one with: {HOW_TO_MAKE_A_KEY}."
    elif is_weak(secret_key):
        yield (
            f"SECRET_KEY is weak: it needs at least {SECRET_KEY_LENGTH_MIN} random characters;"
            f" make one with: {HOW_TO_MAKE_A_KEY}."
        )
    if any(map(is_weak, secret_key_fallbacks)):
        yield "SECRET_KEY_FALLBACKS holds a weak key, and what is signed with it would be believed: take it out."
    if debug:
        yield "DEBUG is true: error pages would show settings and data to everybody."
    if not allowed_hosts or any(host.strip() in ("*", ".") for host in allowed_hosts):
        yield "ALLOWED_HOSTS must name the hosts that are served, without *."
    for host in filter(is_public_suffix, allowed_hosts):
        yield f"ALLOWED_HOSTS holds {host}, and everybody can have a name under that: name the hosts that are served."
    if any(not origin.startswith("https://") or "*" in origin for origin in trusted_origins):
        yield "CSRF_TRUSTED_ORIGINS must be whole https:// origins, without *."


def is_weak(secret_key: str) -> bool:
    """Too short, too uniform, repeated, counted through, or a key that stands in public source code."""
    return (
        len(secret_key) < SECRET_KEY_LENGTH_MIN
        or len(set(secret_key)) < SECRET_KEY_LETTERS_MIN
        or _is_regular(secret_key)
        or secret_key == DEVELOPMENT_KEY
        or secret_key.startswith("django-insecure-")
    )


def _is_regular(text: str) -> bool:
    groups = [text[n : n + 3] for n in range(len(text) - 2)]
    steps = [ord(after) - ord(before) for before, after in itertools.pairwise(text)]
    most_of_one_width = max(steps.count(width) for width in set(steps))
    return len(set(groups)) < SECRET_KEY_GROUPS_MIN * len(groups) or most_of_one_width > SECRET_KEY_STEPS_MAX * len(
        steps
    )


def is_public_suffix(host: str) -> bool:
    """Whether it lets in all names of a suffix under which anybody can have one: .org, .co.uk, .github.io."""
    return _PUBLIC_SUFFIX.fullmatch(host.strip().lower().rstrip(".")) is not None
