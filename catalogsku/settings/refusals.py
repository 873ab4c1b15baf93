"""What production does not start with: each refusal is one sentence that says what to change."""

from collections.abc import Iterator, Sequence

from django.core.exceptions import ImproperlyConfigured

SECRET_KEY_LENGTH_MIN = 50
SECRET_KEY_LETTERS_MIN = 10  # different characters: a repeated word is no key
DEVELOPMENT_KEY = "insecure-development-key-of-no-use-anywhere-else-0123456789"
HOW_TO_MAKE_A_KEY = "python -c 'import secrets; print(secrets.token_urlsafe(50))'"


def refuse_unsafe_production(
    *, secret_key: str, debug: bool, allowed_hosts: Sequence[str], trusted_origins: Sequence[str]
) -> None:
    """Raises ImproperlyConfigured with every reason at once."""
    if reasons := list(_reasons(secret_key, debug, allowed_hosts, trusted_origins)):
        raise ImproperlyConfigured(f"PRODUCTION=true cannot start. {' '.join(reasons)}")


def _reasons(
    secret_key: str, debug: bool, allowed_hosts: Sequence[str], trusted_origins: Sequence[str]
) -> Iterator[str]:
    if not secret_key:
        yield f"SECRET_KEY is not set; make one with: {HOW_TO_MAKE_A_KEY}."
    elif is_weak(secret_key):
        yield (
            f"SECRET_KEY is weak: it needs at least {SECRET_KEY_LENGTH_MIN} random characters;"
            f" make one with: {HOW_TO_MAKE_A_KEY}."
        )
    if debug:
        yield "DEBUG is true: error pages would show settings and data to everybody."
    if not allowed_hosts or any(host.strip() in ("*", ".") for host in allowed_hosts):
        yield "ALLOWED_HOSTS must name the hosts that are served, without *."
    if any(not origin.startswith("https://") or "*" in origin for origin in trusted_origins):
        yield "CSRF_TRUSTED_ORIGINS must be whole https:// origins, without *."


def is_weak(secret_key: str) -> bool:
    """Too short, too uniform, or a key that stands in public source code."""
    return (
        len(secret_key) < SECRET_KEY_LENGTH_MIN
        or len(set(secret_key)) < SECRET_KEY_LETTERS_MIN
        or secret_key == DEVELOPMENT_KEY
        or secret_key.startswith("django-insecure-")
    )
