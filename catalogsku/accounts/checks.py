"""What `manage.py check --deploy` says beyond Django's own: each finding is an error that says what to do."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, register
from django.db import DatabaseError

from catalogsku.accounts import demo
from catalogsku.core.keys import public_keys_used


@register(Tags.security, deploy=True)
def check_deployment(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Also where PRODUCTION is not set yet; with it the settings refuse the first kind themselves."""
    messages: list[CheckMessage] = [Error(said, id="catalogsku.E001") for said in settings.UNSAFE_IN_PRODUCTION]
    try:
        return [*messages, *_in_the_database()]
    except DatabaseError:
        said = "The database did not answer: demo accounts and keys that were once in use were not looked at."
        return [*messages, Info(said, id="catalogsku.I001")]


def _in_the_database() -> Iterator[CheckMessage]:
    for use in public_keys_used():
        yield Error(
            f"The public development key was in use with this database, last on {use.last_used_at:%Y-%m-%d}: whoever"
            " has read the source could make sessions and tokens and read what was kept under it.",
            hint="Begin with an empty database; or set another SECRET_KEY, give people new passwords and webhooks new"
            f" secrets, then: manage.py keys retire {use.fingerprint}",
            id="catalogsku.E002",
        )
    if names := [user.username for user in demo.open_demo_accounts()]:
        yield Error(
            f"Demo accounts can sign in with the passwords that everybody knows: {', '.join(names)}.",
            hint=demo.HOW_TO_DISABLE,
            id="catalogsku.E003",
        )
