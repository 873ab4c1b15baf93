"""The sign-in under attack: guessing, locking others out, forged addresses, weak passwords, planted sessions."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as project
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from catalogsku.accounts.access import client_network
from catalogsku.accounts.models import User
from tests.support.people import People
from tests.support.strangers import browser, cheap_passwords  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords"), pytest.mark.req("TA-AUTH")]

RIGHT, WRONG = "a-right-password", "a-wrong-password"


@pytest.fixture
def uploader(people: People) -> User:
    people.uploader.set_password(RIGHT)
    people.uploader.save()
    return people.uploader


def sign_in(
    password: str = RIGHT, name: str = "uploader", *, at: str = "10.0.0.1", path: str = "", **headers: str
) -> Any:
    data = {"username": name, "password": password}
    return Client(REMOTE_ADDR=at).post(path or reverse("login"), data, headers=headers)


def lock(**where: Any) -> None:
    assert [sign_in(WRONG, **where).status_code for _ in range(5)] == [200] * 4 + [429]


def test_five_wrong_passwords_lock_the_door_also_for_the_right_one(uploader: User) -> None:
    assert sign_in().status_code == 302
    lock()
    refused = sign_in()
    assert refused.status_code == 429
    assert "lockout" in " ".join(template.name or "" for template in refused.templates)
    assert "sessionid" not in refused.cookies


def test_the_door_of_the_admin_is_the_same_door(people: People) -> None:
    people.admin.set_password(RIGHT)
    people.admin.save()
    for _ in range(5):
        sign_in(WRONG, "admin", path="/admin/login/")
    assert sign_in(RIGHT, "admin", path="/admin/login/").status_code == 429
    assert sign_in(RIGHT, "admin").status_code == 429


def test_a_stranger_elsewhere_locks_nobody_else_out(uploader: User) -> None:
    lock(at="203.0.113.7")
    assert sign_in(at="203.0.113.7").status_code == 429
    assert sign_in(at="10.0.0.1").status_code == 302, "the person himself"
    assert sign_in(name="lead", at="203.0.113.7").status_code == 200, "somebody else there may still try"


@pytest.mark.parametrize("name", ["uploader", "no-such-person"])
def test_a_locked_door_says_the_same_whether_the_name_exists(uploader: User, name: str) -> None:
    first = sign_in(WRONG, name)
    assert first.status_code == 200
    assert "uploader" not in first.content.decode().replace(f'value="{name}"', "")
    lock_answers = [sign_in(WRONG, name).status_code for _ in range(5)]
    assert lock_answers == [200, 200, 200, 429, 429]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Client-IP", "True-Client-IP"])
def test_a_forged_address_gives_no_new_tries(uploader: User, header: str) -> None:
    statuses = [sign_in(WRONG, **{header: f"198.51.100.{n}"}).status_code for n in range(6)]
    assert statuses[-1] == 429


def test_another_browser_gives_no_new_tries(uploader: User) -> None:
    statuses = [sign_in(WRONG, **{"User-Agent": f"browser {n}"}).status_code for n in range(6)]
    assert statuses[-1] == 429


@pytest.mark.parametrize(
    ("proxies", "forwarded", "told"),
    [
        (0, "198.51.100.9", "10.0.0.1"),
        (1, "198.51.100.9", "198.51.100.9"),
        (1, "6.6.6.6, 198.51.100.9", "198.51.100.9"),
        (2, "6.6.6.6, 198.51.100.9, 192.0.2.1", "198.51.100.9"),
        (2, "198.51.100.9", "10.0.0.1"),
        (1, "", "10.0.0.1"),
        (1, "unknown", "0.0.0.0"),
        (1, "2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::"),
        (1, "::ffff:198.51.100.9", "198.51.100.9"),
    ],
)
def test_only_our_own_proxies_are_believed(settings: Any, proxies: int, forwarded: str, told: str) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": forwarded})
    assert client_network(request) == told


def test_behind_a_proxy_strangers_are_told_apart(uploader: User, settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    for n in range(6):
        last = sign_in(WRONG, **{"X-Forwarded-For": f"6.6.6.{n}, 198.51.100.9"})
    assert last.status_code == 429, "what a client writes in front changes nothing"
    assert sign_in(**{"X-Forwarded-For": "192.0.2.44"}).status_code == 302


def test_an_operator_opens_the_door_again(uploader: User) -> None:
    lock()
    call_command("axes_reset_username", "uploader", verbosity=0)
    assert sign_in().status_code == 302


def test_the_door_opens_by_itself_after_a_quarter_of_an_hour(uploader: User) -> None:
    from axes.models import AccessAttempt

    lock()
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert sign_in().status_code == 302


def test_failed_sign_ins_keep_no_password(uploader: User) -> None:
    from axes.models import AccessAttempt

    sign_in(WRONG)
    assert WRONG not in str(list(AccessAttempt.objects.values()))


def test_a_disabled_person_cannot_sign_in_and_is_not_told_why(uploader: User) -> None:
    User.objects.filter(pk=uploader.pk).update(is_active=False)
    found, unknown = sign_in(), sign_in(name="nobody")
    assert found.status_code == unknown.status_code == 200
    assert "sessionid" not in found.cookies


# --- passwords -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "password", ["Ab3-x", "password123", "2837465019283", "uploader-2024", "ninechars", "Uploader"]
)
def test_a_weak_password_is_refused(uploader: User, password: str) -> None:
    client = browser(uploader)
    data = {"old_password": RIGHT, "new_password1": password, "new_password2": password}
    assert client.post(reverse("password_change"), data).status_code == 200
    uploader.refresh_from_db()
    assert uploader.check_password(RIGHT)


def test_an_admin_cannot_give_a_weak_password_either(people: People) -> None:
    data = {"username": "new", "password1": "password123", "password2": "password123", "role": "uploader"}
    browser(people.admin).post("/admin/accounts/user/add/", data)
    assert not User.objects.filter(username="new").exists()


def test_changing_the_password_needs_the_old_one_and_ends_the_other_sessions(uploader: User) -> None:
    here, elsewhere = browser(uploader), browser(uploader)
    new = {"new_password1": "quite-another-9", "new_password2": "quite-another-9"}
    assert here.post(reverse("password_change"), {"old_password": WRONG, **new}).status_code == 200
    assert elsewhere.get("/").status_code == 200
    assert here.post(reverse("password_change"), {"old_password": RIGHT, **new}).status_code == 302
    assert here.get("/").status_code == 200
    assert elsewhere.get("/").status_code == 302


def test_a_long_password_costs_no_more_than_a_form_may(uploader: User) -> None:
    assert sign_in("x" * 3_000_000).status_code == 400


# --- sessions --------------------------------------------------------------------------------------------


def test_a_planted_session_is_not_the_one_that_is_signed_in(uploader: User) -> None:
    """Session fixation: whoever knew the key before the sign-in knows nothing after it."""
    client = Client()
    planted = client.session
    planted["x"] = 1
    planted.save()
    client.cookies[project.SESSION_COOKIE_NAME] = known = planted.session_key
    client.post(reverse("login"), {"username": "uploader", "password": RIGHT})
    assert client.cookies[project.SESSION_COOKIE_NAME].value != known
    attacker = Client()
    attacker.cookies[project.SESSION_COOKIE_NAME] = known
    assert attacker.get("/").status_code == 302
    attacker.cookies[project.SESSION_COOKIE_NAME] = "chosen-by-the-attacker-00000000"
    attacker.post(reverse("login"), {"username": "uploader", "password": RIGHT})
    assert attacker.cookies[project.SESSION_COOKIE_NAME].value != "chosen-by-the-attacker-00000000"


def test_a_session_lasts_twelve_hours_from_the_sign_in(uploader: User) -> None:
    client = browser(uploader)
    expires = Session.objects.get().expire_date
    assert abs((expires - timezone.now()).total_seconds() - 12 * 3600) < 60
    Session.objects.update(expire_date=expires - timedelta(hours=6))
    client.get("/")
    assert Session.objects.get().expire_date == expires - timedelta(hours=6), "use does not lengthen it"


def test_signing_out_is_a_button_and_ends_the_session(uploader: User) -> None:
    client = browser(uploader)
    for method in ("get", "head", "put", "delete"):
        assert getattr(client, method)(reverse("logout")).status_code == 405
    assert client.get("/").status_code == 200
    copied = client.cookies[project.SESSION_COOKIE_NAME].value
    client.post(reverse("logout"))
    thief = Client()
    thief.cookies[project.SESSION_COOKIE_NAME] = copied
    assert thief.get("/").status_code == 302
    assert not Session.objects.exists()
