"""Short secrets that must wait in the database: encrypted with a key derived from SECRET_KEY, read also with those of
SECRET_KEY_FALLBACKS, and written anew under the newest when keys are exchanged."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
from django.db import models

from catalogsku.core.keys import honoured_keys


class SecretField(models.BinaryField):  # type: ignore[type-arg]
    """A column of encrypted secrets: whatever is declared as one is renewed with all others."""

    def deconstruct(self) -> Any:
        """In the database it is nothing else: no migration tells them apart."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.BinaryField", arguments, options


@dataclass
class Renewed:
    """``unreadable``: under a key that is not among those of this process."""

    renewed: int = 0
    current: int = 0
    unreadable: int = 0


def encrypt(text: str) -> bytes:
    return _fernets().encrypt(text.encode())


def decrypt(token: bytes | memoryview) -> str | None:
    """The text again; None where its key is not honoured any more."""
    try:
        return _fernets().decrypt(bytes(token)).decode()
    except InvalidToken:
        return None


def renew_secrets() -> Renewed:
    """Write every secret under SECRET_KEY. Safe to repeat and beside everything else: what changes meanwhile is new."""
    counts = Renewed()
    newest = _fernet(honoured_keys()[0])
    for rows, column in _columns():
        for pk, stored in rows.exclude(**{column: None}).values_list("pk", column).iterator():
            token = bytes(stored)
            if _opens(newest, token):
                counts.current += 1
            elif decrypt(token) is None:
                counts.unreadable += 1
            else:
                same = rows.filter(pk=pk, **{column: token})
                counts.renewed += same.update(**{column: _fernets().rotate(token)})
    return counts


def _columns() -> Iterator[tuple[models.QuerySet[Any], str]]:
    for model in apps.get_models():
        for field in model._meta.local_concrete_fields:
            if isinstance(field, SecretField):
                yield model._base_manager.all(), field.attname


def _opens(key: Fernet, token: bytes) -> bool:
    try:
        key.decrypt(token)
    except InvalidToken:
        return False
    return True


def _fernets() -> MultiFernet:
    return MultiFernet([_fernet(secret) for secret in honoured_keys()])


def _fernet(secret: str) -> Fernet:
    key = hashlib.sha256(b"catalogsku.secrets:" + secret.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
