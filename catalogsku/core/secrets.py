"""Short secrets that must wait in the database: encrypted with a key derived from SECRET_KEY."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def _fernet() -> Fernet:
    key = hashlib.sha256(b"catalogsku.secrets:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


def encrypt(text: str) -> bytes:
    return _fernet().encrypt(text.encode())


def decrypt(token: bytes | memoryview) -> str | None:
    """The text again; None where the key has changed since."""
    try:
        return _fernet().decrypt(bytes(token)).decode()
    except InvalidToken:
        return None
