"""Bearer tokens of programs: signed, valid for 24 h, and at most as long as a session would be (TA-AUTH).

HS256 with a key derived from SECRET_KEY, named in the token; keys derived from SECRET_KEY_FALLBACKS still verify, so
that the secret can be exchanged while tokens are out.
"""

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import jwt
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac
from jwt.types import Options

from catalogsku.accounts.models import User
from catalogsku.accounts.selectors import active_people
from catalogsku.core import clock

VALID_FOR = timedelta(hours=24)
ALGORITHM = "HS256"
_LENGTH_MAX = 2000
# Times are compared here: PyJWT would do so by this machine's clock, and another one has made the token.
_OPTIONS: Options = {"require": ["sub", "ses", "iat", "exp"], "verify_exp": False, "verify_iat": False}


class Token(NamedTuple):
    text: str
    expires_at: datetime


def issue_token(user: User) -> Token:
    now = clock.now()
    claims = {"sub": str(user.pk), "ses": _digest(user.get_session_auth_hash()), "iat": now, "exp": now + VALID_FOR}
    key = _key(settings.SECRET_KEY)
    return Token(jwt.encode(claims, key, ALGORITHM, headers={"kid": _key_id(key)}), now + VALID_FOR)


def user_of(text: str) -> User | None:
    """The active person of a token that still holds: it ends with its time, and by whatever ends their sessions."""
    return users_of({text}).get(text)


def users_of(texts: Collection[str]) -> dict[str, User]:
    """The same for many tokens at once; one that does not hold is missing."""
    claimed = {text: claims for text in texts if (claims := _claims(text)) is not None}
    people = active_people({int(claims["sub"]) for claims in claimed.values()})
    owners = {text: people.get(int(claims["sub"])) for text, claims in claimed.items()}
    return {text: user for text, user in owners.items() if user is not None and _is_of(claimed[text], user)}


def _is_of(claims: dict[str, Any], user: User) -> bool:
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(str(claims["ses"]), _digest(own)) for own in hashes)


def _claims(text: str) -> dict[str, Any] | None:
    try:
        if len(text) > _LENGTH_MAX:
            return None
        named = jwt.get_unverified_header(text).get("kid")
        key = next((key for key in map(_key, _secrets()) if _key_id(key) == named), None)
        claims = None if key is None else jwt.decode(text, key, [ALGORITHM], options=_OPTIONS)
    except (jwt.InvalidTokenError, ValueError):
        return None
    holds = claims is not None and claims["exp"] > clock.now().timestamp() and str(claims["sub"]).isdecimal()
    return claims if holds else None


def _secrets() -> list[str]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _key(secret: str) -> bytes:
    return salted_hmac("catalogsku.accounts.tokens", "key", secret=secret, algorithm="sha256").digest()


def _key_id(key: bytes) -> str:
    return hashlib.sha256(b"id" + key).hexdigest()[:12]


def _digest(session_hash: str) -> str:
    return hashlib.sha256(session_hash.encode()).hexdigest()[:32]
