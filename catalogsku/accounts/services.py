"""Making accounts: the demo accounts of a fresh machine; and ending what was given to people."""

from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from catalogsku.accounts.models import Merchant, Role, User

DEMO_MERCHANT, OTHER_MERCHANT = "Harbour Home", "Summit Tools"


class DemoAccount(NamedTuple):
    role: str
    username: str
    password: str
    merchant: str


DEMO_ACCOUNTS = (
    DemoAccount(Role.UPLOADER, "uploader", "demo-uploader", DEMO_MERCHANT),
    DemoAccount(Role.UPLOADER, "other", "demo-other", OTHER_MERCHANT),
    DemoAccount(Role.ANNOTATOR, "annotator", "demo-annotator", DEMO_MERCHANT),
    DemoAccount(Role.LEAD, "lead", "demo-lead", DEMO_MERCHANT),
    DemoAccount(Role.ADMIN, "admin", "demo-admin", ""),
)
_DEMO_PASSWORDS = frozenset(account.password for account in DEMO_ACCOUNTS)
_DISPLAY = {"uploader": "Lin Xiao", "other": "Chen Yu", "annotator": "Zhao Ning", "lead": "Wang Lei", "admin": "Admin"}


@transaction.atomic
def ensure_demo_accounts() -> tuple[DemoAccount, ...]:
    """Create the demo accounts where they are missing; a password somebody has changed is left as it is."""
    for account in DEMO_ACCOUNTS:
        user, created = User.objects.get_or_create(
            username=account.username, defaults={"role": account.role, "display_name": _DISPLAY[account.username]}
        )
        if created:
            user.set_password(account.password)
            user.save()
        if account.merchant:
            user.merchants.add(Merchant.objects.get_or_create(name=account.merchant)[0])
    return DEMO_ACCOUNTS


def is_demo_password(password: str) -> bool:
    """One that stands in public source code."""
    return password in _DEMO_PASSWORDS


def end_everything() -> int:
    """Sessions, tokens, streams, sockets and links of everybody; how many people that are."""
    return User.objects.update(sessions_ended=F("sessions_ended") + 1)
