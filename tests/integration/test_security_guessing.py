"""Guessing passwords from one address, and the old password where a session is open: slowed, told when to come again,
and nobody is shut out for it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from catalogsku.accounts import guessing
from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.models import FailedTries, User
from tests.support.people import People
from tests.support.program import Program
from tests.support.strangers import browser, cheap_passwords  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords"), pytest.mark.req("TA-AUTH")]

RIGHT, WRONG, OFFICE = "a-right-password", "a-wrong-password", "203.0.113.7"
ROOM = guessing.ADDRESS.room


@pytest.fixture(autouse=True)
def drains_by_pass_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty tries take a busy machine longer than one of them takes to be forgotten."""
    monkeypatch.setattr(guessing, "ADDRESS", replace(guessing.ADDRESS, drains_s=3600))


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    found: list[float] = []
    monkeypatch.setattr(guessing, "time", SimpleNamespace(sleep=found.append))
    return found


@pytest.fixture
def uploader(people: People) -> User:
    for user in (people.uploader, people.colleague):
        user.set_password(RIGHT)
        user.save()
    return people.uploader


def sign_in(name: str, password: str = WRONG, at: str = OFFICE) -> Any:
    return Client(REMOTE_ADDR=at).post(reverse("login"), {"username": name, "password": password})


def by_program(name: str, password: str = WRONG, at: str = OFFICE) -> Any:
    body = {"username": name, "password": password}
    return Client(REMOTE_ADDR=at).post("/api/v1/auth/login", body, content_type="application/json")


def pass_time(seconds: int) -> None:
    FailedTries.objects.update(at=F("at") - timedelta(seconds=seconds))


def test_one_address_guesses_at_many_names_first_slowly_and_then_no_more(uploader: User, slept: list[float]) -> None:
    answers = [sign_in(f"name-{n}") for n in range(ROOM + 3)]
    assert [answer.status_code for answer in answers] == [200] * ROOM + [429] * 3
    assert slept == sorted(slept) and len(slept) == ROOM - guessing.SLOW_FROM and 0 < max(slept) <= guessing.SLOWEST_S
    refused = answers[-1]
    assert 1 <= int(refused["Retry-After"]) <= guessing.ADDRESS.drains_s
    assert refused["Retry-After"] in refused.content.decode()
    assert sign_in("name-1", at="198.51.100.1").status_code == 200, "somebody elsewhere"


def test_programs_are_told_the_same_as_a_problem(uploader: User, slept: list[float]) -> None:
    answers = [by_program(f"name-{n}") for n in range(ROOM + 1)]
    assert [answer.status_code for answer in answers] == [401] * ROOM + [429]
    assert (
        answers[-1].json()["code"] == "slow_down" and 1 <= int(answers[-1]["Retry-After"]) <= guessing.ADDRESS.drains_s
    )


def test_the_door_of_the_admin_counts_too(uploader: User, slept: list[float]) -> None:
    statuses = [
        Client(REMOTE_ADDR=OFFICE).post("/admin/login/", {"username": f"n{n}", "password": WRONG}).status_code
        for n in range(ROOM + 1)
    ]
    assert statuses[-1] == 429


def test_an_office_is_not_shut_for_who_has_signed_in_there(uploader: User, slept: list[float]) -> None:
    assert sign_in("uploader", RIGHT).status_code == 302
    for n in range(ROOM + 5):
        sign_in(f"name-{n}")
    slept.clear()
    assert sign_in("uploader", RIGHT).status_code == 302 and not slept, "known here"
    assert sign_in("colleague", RIGHT).status_code == 429, "new here: at the next drop"
    pass_time(guessing.ADDRESS.drains_s)
    assert sign_in("colleague", RIGHT).status_code == 302
    assert sign_in("colleague", RIGHT).status_code == 302, "and from now on known"


def test_who_goes_on_trying_does_not_lengthen_the_wait(uploader: User, slept: list[float]) -> None:
    for n in range(ROOM + 50):
        sign_in(f"name-{n}")
    pass_time(guessing.ADDRESS.drains_s)
    assert sign_in("another").status_code == 200


def test_a_known_person_is_still_guessed_at_five_times_only(uploader: User, slept: list[float]) -> None:
    assert sign_in("uploader", RIGHT).status_code == 302
    assert [sign_in("uploader").status_code for _ in range(6)] == [200] * 4 + [429] * 2


def test_right_passwords_fill_nothing(uploader: User, slept: list[float]) -> None:
    for _ in range(2 * ROOM):
        assert sign_in("uploader", RIGHT).status_code == 302
    assert not slept and FailedTries.objects.get().level < 1


def test_a_try_that_was_not_looked_at_fills_nothing(uploader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> bool:
        raise Hurried("sign_ins_busy", 5)

    monkeypatch.setattr(User, "check_password", busy)
    for answer in (sign_in("uploader"), by_program("uploader")):
        assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    assert FailedTries.objects.get().level < 0.1


@pytest.mark.parametrize("path", ["/password/", "/admin/password_change/"])
def test_the_old_password_is_not_to_be_guessed_in_an_open_session(people: People, uploader: User, path: str) -> None:
    person = people.admin if path.startswith("/admin") else uploader
    person.set_password(RIGHT)
    person.save()
    found = browser(person)
    new = {"new_password1": "quite-another-9", "new_password2": "quite-another-9"}
    statuses = [found.post(path, {"old_password": f"guess-{n}", **new}).status_code for n in range(30)]
    assert statuses == [200] * 5 + [429] * 25
    refused = found.post(path, {"old_password": RIGHT, **new})
    assert refused.status_code == 429 and 0 < int(refused["Retry-After"]) <= guessing.OWN_PASSWORD.drains_s
    pass_time(guessing.OWN_PASSWORD.drains_s)
    assert found.post(path, {"old_password": RIGHT, **new}).status_code == 302
    assert not FailedTries.objects.exists()


def test_nor_by_a_program_and_both_ways_count_together(uploader: User) -> None:
    token, found = Program(uploader), browser(uploader)
    new = {"new_password1": "quite-another-9", "new_password2": "quite-another-9"}
    for n in range(3):
        assert found.post("/password/", {"old_password": f"guess-{n}", **new}).status_code == 200
    change = {"old_password": WRONG, "new_password": "quite-another-9"}
    answers = [token("POST", "/auth/change-password", change) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [400, 400, 429, 429]
    assert answers[-1].json()["code"] == "password_tries" and int(answers[-1]["Retry-After"]) > 0
    colleague = User.objects.get(username="colleague")
    assert Program(colleague)("POST", "/auth/change-password", change).status_code == 400, "counted for each person"


def test_the_lock_of_a_name_says_when_to_come_again(uploader: User) -> None:
    for _ in range(5):
        last = sign_in("uploader")
    assert last.status_code == 429 and int(last["Retry-After"]) == 15 * 60
    assert int(by_program("uploader")["Retry-After"]) == 15 * 60
