"""Which SECRET_KEYs this database has seen: the fact, by a fingerprint from which no key follows.

Whoever knows a key can make sessions, tokens and links, and read the secrets that were kept under it. So it must be
possible to say later whether the public development key was ever in use here.
"""

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from catalogsku.core.models import KeyUse


def fingerprint(secret: str) -> str:
    return salted_hmac("catalogsku.core.keys", "fingerprint", secret=secret, algorithm="sha256").hexdigest()[:16]


def honoured_keys() -> list[str]:
    """What is signed or kept under one of them counts; the first is the one for everything new."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def note_keys() -> int:
    """That those of this process are in use; how many. One that was retired and comes back is not retired any more."""
    prints = [fingerprint(secret) for secret in honoured_keys()]
    for key_print in prints:
        KeyUse.objects.update_or_create(fingerprint=key_print, defaults={"last_used_at": Now(), "retired_at": None})
    return len(prints)


def public_keys_used() -> QuerySet[KeyUse]:
    """Uses of a key that stands in public source code, which nobody has dealt with."""
    return KeyUse.objects.filter(fingerprint=fingerprint(settings.DEVELOPMENT_KEY), retired_at=None)


def retire_key(key_print: str) -> bool:
    """What was given under it has been ended; False where it was never used, or is honoured still."""
    if key_print in map(fingerprint, honoured_keys()):
        return False
    return bool(KeyUse.objects.filter(fingerprint=key_print).update(retired_at=Now()))
