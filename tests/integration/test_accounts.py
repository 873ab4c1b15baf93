"""The first administrator of an installation comes from the command line."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogsku.accounts.models import Role, User
from catalogsku.accounts.permissions import Action, may
from tests.support.people import People

pytestmark = pytest.mark.django_db


def test_createsuperuser_makes_an_administrator(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a-long-enough-password")
    call_command("createsuperuser", username="first", email="first@example.org", interactive=False, verbosity=0)
    first = User.objects.get(username="first")
    assert first.role == Role.ADMIN and first.is_staff and first.is_superuser
    assert may(first, Action.OPERATE)


def test_an_administrator_who_becomes_an_uploader_loses_the_rights():
    person = User.objects.create_superuser("second", "second@example.org", "a-long-enough-password")
    person.role = Role.UPLOADER
    person.save()
    person.refresh_from_db()
    assert not person.is_superuser and not person.is_staff and not may(person, Action.OPERATE)


def test_the_merchants_an_administrator_sees_tell_their_own_too(people: People) -> None:
    """By age, and what the page's shell asks for next is known: one statement for both."""
    admin = people.admin
    assert admin is not None
    admin.merchants.set([people.other])
    known = User.objects.get(pk=admin.pk)
    with CaptureQueriesContext(connection) as asked:
        seen, own = known.merchants_seen(50), known.own_merchant()
    assert seen == sorted(seen, key=lambda merchant: merchant.pk)
    assert own == people.other and {people.merchant, people.other} <= set(seen)
    assert len(asked) == 1


def test_who_is_no_administrator_sees_their_own_merchants_alone(people: People) -> None:
    assert people.uploader.merchants_seen(50) == [people.merchant]
