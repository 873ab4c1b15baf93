"""Demo accounts and production: their passwords stand in public source code, so whoever still has one is a door."""

from django.conf import settings
from django.contrib.auth.hashers import make_password

from catalogsku.accounts.models import User
from catalogsku.accounts.services import DEMO_ACCOUNTS

HOW_TO_DISABLE = "manage.py demo_accounts disable"


def open_demo_accounts() -> list[User]:
    """Those that can sign in with the password they were made with."""
    people = User.objects.filter(username__in=[account.username for account in DEMO_ACCOUNTS], is_active=True)
    passwords = {account.username: account.password for account in DEMO_ACCOUNTS}
    return [user for user in people.order_by("username") if user.check_password(passwords[user.username])]


def disable_demo_accounts() -> list[str]:
    """Their names. Everything given to them ends, and their passwords open nothing any more, enabled again or not.

    The passwords are compared outside of a transaction, which a busy machine would let stand still for longer than
    the database allows; whoever changed theirs meanwhile is left as they are.
    """
    active = User.objects.filter(is_active=True)
    return [
        user.username
        for user in open_demo_accounts()
        if active.filter(pk=user.pk, password=user.password).update(is_active=False, password=make_password(None))
    ]


def refusal() -> str:
    """Why production does not start; nothing where it may."""
    names = [user.username for user in open_demo_accounts()] if settings.PRODUCTION else []
    if not names:
        return ""
    return (
        f"PRODUCTION=true cannot start. Demo accounts can sign in with the passwords that everybody knows:"
        f" {', '.join(names)}. Give them others, or: {HOW_TO_DISABLE}; the first administrator: manage.py"
        " createsuperuser."
    )
