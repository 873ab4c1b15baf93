"""Who is behind a session or a token, for many at once: streams and sockets outlive the request that opened them."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils.crypto import constant_time_compare

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.core import clock


def signed_in(session_keys: Collection[str]) -> dict[str, User]:
    """The active person of each session that still holds, by session key; three queries for all of them.

    Says what django.contrib.auth.get_user says for one request: a session ends by sign-out, by its age, and by what
    User.get_session_auth_hash covers.
    """
    rows = Session.objects.filter(session_key__in=session_keys, expire_date__gt=clock.now())
    sessions = {row.session_key: row.get_decoded() for row in rows}
    people = active_people({int(data[SESSION_KEY]) for data in sessions.values() if SESSION_KEY in data})
    of_sessions = {key: people.get(int(data.get(SESSION_KEY, 0))) for key, data in sessions.items()}
    return {key: user for key, user in of_sessions.items() if user is not None and _holds(sessions[key], user)}


def mark_of(session_keys: Collection[str], people: Collection[int], now: datetime) -> tuple[Any, ...]:
    """Two equal marks: of these sessions and people ``signed_in`` would say the same. One query that hands no row over,
    for what is asked each second about thousands."""
    user, merchant, link = (model._meta.db_table for model in (User, Merchant, User.merchants.through))
    with connection.cursor() as db:
        db.execute(
            "SELECT (SELECT sum(hashtextextended(session_key || session_data, 0)) FROM django_session"
            " WHERE session_key = ANY(%(sessions)s) AND expire_date > %(now)s),"
            f" (SELECT sum(hashtextextended(u::text, 0)) FROM {user} u WHERE id = ANY(%(people)s)),"
            " (SELECT sum(hashtextextended(format('%%s %%s %%s', l.user_id, m.id, m.is_active), 0))"
            f" FROM {link} l JOIN {merchant} m ON m.id = l.merchant_id WHERE l.user_id = ANY(%(people)s))",
            {"sessions": list(session_keys), "people": list(people), "now": now},
        )
        return tuple(db.fetchone())


def active_people(ids: Collection[int]) -> dict[int, User]:
    """By key, with their merchants; two queries."""
    people = User.objects.filter(is_active=True).in_bulk(ids)
    merchants: dict[int, list[Merchant]] = {pk: [] for pk, user in people.items() if user.role != Role.ADMIN}
    links = User.merchants.through.objects.filter(user__in=merchants, merchant__is_active=True).order_by("merchant")
    for link in links.select_related("merchant"):
        merchants[link.user_id].append(link.merchant)
    for pk, own in merchants.items():
        people[pk].know_merchants(own)
    return people


def _holds(session: dict[str, Any], user: User) -> bool:
    session_hash = session.get(HASH_SESSION_KEY, "")
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    backend = session.get(BACKEND_SESSION_KEY)
    return backend in settings.AUTHENTICATION_BACKENDS and any(
        constant_time_compare(session_hash, own) for own in hashes
    )
