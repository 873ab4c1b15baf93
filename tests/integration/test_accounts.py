"""The first administrator of an installation comes from the command line."""

import pytest
from django.core.management import call_command

from catalogsku.accounts.models import Role, User
from catalogsku.accounts.permissions import Action, may

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
