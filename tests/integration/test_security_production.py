"""Production as documented: Django's own examination is clean, and what would be unsafe does not start."""

import os
import re
import secrets
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from catalogsku.accounts.demo import disable_demo_accounts
from catalogsku.accounts.models import User
from catalogsku.accounts.services import ensure_demo_accounts
from catalogsku.accounts.tokens import issue_token, user_of
from catalogsku.core.models import KeyUse
from catalogsku.settings.refusals import DEVELOPMENT_KEY, is_public_suffix, is_weak
from tests.support.people import People
from tests.support.strangers import cheap_passwords  # noqa: F401

PROJECT = Path(__file__).resolve().parents[2]
KEY = "Zk3v9Qm-2Lx8Rt6Yb1Nf4Wd7Hs0Jc5Gp-Ua9Ei3Ko6Xz2Vm8Tq1Bn4"  # not-a-secret

COUNTED_THROUGH = string.digits + string.ascii_letters

pytestmark = pytest.mark.req("TA-AUTH")


def documented() -> dict[str, str]:
    """The environment that docs/deployment.md shows, with a key in the place of its dots."""
    (block,) = re.findall(r"```sh\n(PRODUCTION=true\n.*?)```", (PROJECT / "docs/deployment.md").read_text(), re.S)
    found = dict(line.split("#", 1)[0].strip().split("=", 1) for line in block.splitlines() if "=" in line)
    assert found["SECRET_KEY"] == "..."
    return found | {"SECRET_KEY": KEY}


def run(*arguments: str, tmp_path: Path, **changes: str | None) -> subprocess.CompletedProcess[str]:
    given = {**documented(), "VAR_DIR": str(tmp_path), "STORAGE_URL": f"file://{tmp_path}/files", **changes}
    own = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = own | {name: value for name, value in given.items() if value is not None}
    return subprocess.run(
        [sys.executable, *arguments], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120
    )


def check(tmp_path: Path, **changes: str | None) -> subprocess.CompletedProcess[str]:
    return run("manage.py", "check", "--deploy", "--fail-level", "WARNING", tmp_path=tmp_path, **changes)


def test_the_documented_environment_passes_the_deployment_check(tmp_path: Path) -> None:
    done = check(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "catalogsku.I001" in done.stderr and done.stderr.count("catalogsku.") == 1, "there is no such database"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": "ab" * 40}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": "django-insecure-" + KEY}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": DEVELOPMENT_KEY}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": "correct-horse-battery-1" * 3}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": COUNTED_THROUGH}, "SECRET_KEY is weak"),
        ({"SECRET_KEY_FALLBACKS": DEVELOPMENT_KEY}, "SECRET_KEY_FALLBACKS holds a weak key"),
        ({"SECRET_KEY_FALLBACKS": f"{KEY},short"}, "SECRET_KEY_FALLBACKS holds a weak key"),
        ({"DEBUG": "true"}, "DEBUG is true"),
        ({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS must name"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS must name"),
        ({"ALLOWED_HOSTS": "catalog.example.org,.org"}, "ALLOWED_HOSTS holds .org,"),
        ({"ALLOWED_HOSTS": ".co.uk"}, "ALLOWED_HOSTS holds .co.uk,"),
        ({"ALLOWED_HOSTS": ".COM.cn."}, "ALLOWED_HOSTS holds .COM.cn.,"),
        ({"ALLOWED_HOSTS": ".github.io"}, "ALLOWED_HOSTS holds .github.io,"),
        ({"CSRF_TRUSTED_ORIGINS": "http://catalog.example.org"}, "CSRF_TRUSTED_ORIGINS must be"),
        ({"CSRF_TRUSTED_ORIGINS": "https://*.example.org"}, "CSRF_TRUSTED_ORIGINS must be"),
    ],
    ids=str,
)
def test_what_would_be_unsafe_does_not_start(tmp_path: Path, changes: dict[str, str | None], sentence: str) -> None:
    done = run("-c", "import catalogsku.settings", tmp_path=tmp_path, **changes)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1
    assert "PRODUCTION=true cannot start." in last and sentence in last
    assert KEY not in done.stderr, "the key itself is never said"


@pytest.mark.parametrize("host", [".example.org", "org", "catalog.co.uk", ".shop.co.uk", ".localdomain.example.cn"])
def test_a_host_or_a_domain_of_ones_own_may_be_served(host: str) -> None:
    assert not is_public_suffix(host)


def test_random_keys_are_taken(tmp_path: Path) -> None:
    for make in (lambda: secrets.token_urlsafe(50), lambda: secrets.token_hex(32), lambda: secrets.token_urlsafe(38)):
        assert not any(is_weak(make()) for _ in range(2000))


# --- with the database ---------------------------------------------------------------------------


@pytest.fixture
def production(
    committed: None, process_environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """Commands in production, with this session's database; the notes of keys are its own."""
    KeyUse.objects.all().delete()
    places = {name: process_environment[name] for name in ("DATABASE_URL", "REDIS_URL")}
    yield lambda *arguments, **changes: run(*arguments, tmp_path=tmp_path, **places, **changes)
    KeyUse.objects.all().delete()


UNITS = (
    ("-m", "catalogsku.web", "-b", "127.0.0.1", "-p", "0", "catalogsku.asgi:application"),
    ("-m", "catalogsku.worker", "quick"),
    ("manage.py", "scheduler"),
)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit[1].rpartition(".")[2])
def test_no_unit_starts_in_production_while_a_demo_account_is_open(production: Any, unit: tuple[str, ...]) -> None:
    ensure_demo_accounts()
    User.objects.exclude(username="lead").update(is_active=False)
    done = production(*unit)
    assert done.returncode == 1
    assert "PRODUCTION=true cannot start." in done.stderr and ": lead." in done.stderr
    assert "manage.py demo_accounts disable" in done.stderr


def test_a_command_disables_them_and_ends_what_they_had(production: Any) -> None:
    ensure_demo_accounts()
    changed = User.objects.get(username="uploader")
    changed.set_password("quite-another-9")
    changed.save()
    lead = User.objects.get(username="lead")
    token = issue_token(lead).text
    assert "4 open: admin, annotator, lead, other." in production("manage.py", "demo_accounts", "list").stdout
    assert "catalogsku.E003" in production("manage.py", "check", "--deploy").stderr
    done = production("manage.py", "demo_accounts", "disable")
    assert (done.returncode, done.stdout) == (0, "4 disabled: admin, annotator, lead, other.\n")
    assert list(User.objects.filter(is_active=True).values_list("username", flat=True)) == ["uploader"]
    assert user_of(token) is None
    User.objects.update(is_active=True)
    assert production("manage.py", "demo_accounts", "list").stdout == "None is open.\n", "enabled again: still shut"
    assert production("manage.py", "check", "--deploy", "--fail-level", "INFO").returncode == 0


@pytest.mark.usefixtures("cheap_passwords")
def test_no_transaction_waits_for_the_sums_behind_passwords(committed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database ends one that stands still for ten seconds, and a busy machine needs as long for four of them."""
    ensure_demo_accounts()
    waiting, compare = [], User.check_password

    def compared(user: User, password: str) -> bool:
        waiting.append(connection.in_atomic_block)
        if user.username == "lead":
            User.objects.filter(pk=user.pk).update(password="changed meanwhile")  # not-a-secret
        return compare(user, password)

    monkeypatch.setattr(User, "check_password", compared)
    assert set(disable_demo_accounts()) == {"admin", "annotator", "other", "uploader"}
    assert len(waiting) == 5 and not any(waiting)
    assert User.objects.get(username="lead").is_active


@pytest.mark.usefixtures("cheap_passwords")
def test_no_demo_password_opens_the_door_in_production_whoevers_it_is(committed: None, settings: Any) -> None:
    ensure_demo_accounts()
    User.objects.create_user("renamed", password="demo-lead")
    User.objects.create_user("somebody", password="quite-another-9")

    def token(name: str, password: str) -> int:
        body = {"username": name, "password": password}
        return Client().post("/api/v1/auth/login", body, content_type="application/json").status_code

    assert token("uploader", "demo-uploader") == 200
    settings.PRODUCTION = True
    assert token("uploader", "demo-uploader") == token("renamed", "demo-lead") == 401
    assert token("somebody", "quite-another-9") == 200


def test_that_the_public_key_was_ever_in_use_is_found_until_it_is_dealt_with(
    production: Any, process_environment: dict[str, str], people: People, tmp_path: Path
) -> None:
    token = issue_token(people.uploader).text
    one_round = ("-c", "import django; django.setup(); from catalogsku.accounts.start import begin_unit; begin_unit()")
    development = {**process_environment, "VAR_DIR": str(tmp_path)}
    for name in ("SECRET_KEY", "PRODUCTION"):
        development.pop(name, None)
    done = subprocess.run([sys.executable, *one_round], cwd=PROJECT, env=development, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    asked = production("manage.py", "check", "--deploy", "--fail-level", "INFO")
    assert asked.returncode == 1 and "catalogsku.E002" in asked.stderr
    (hint,) = re.findall(r"manage.py keys retire (\w+)", asked.stderr)
    assert re.search(rf"{hint}  former, public", production("manage.py", "keys", "list").stdout)
    assert KeyUse.objects.count() == 2 and KEY not in str(list(KeyUse.objects.values()))
    assert production("manage.py", "keys", "retire", hint).returncode == 0
    assert user_of(token) is None, "what could have been made with it is worth nothing"
    assert production("manage.py", "check", "--deploy", "--fail-level", "INFO").returncode == 0

    subprocess.run([sys.executable, *one_round], cwd=PROJECT, env=development, check=True)
    assert "catalogsku.E002" in production("manage.py", "check", "--deploy").stderr, "used again"


def test_a_key_that_is_in_use_is_not_retired(production: Any) -> None:
    production("manage.py", "keys", "list")
    one = KeyUse.objects.get().fingerprint
    assert production("manage.py", "keys", "retire", one).returncode == 1
    assert KeyUse.objects.get().retired_at is None


def test_the_check_speaks_before_production_is_set_too(tmp_path: Path) -> None:
    done = check(tmp_path, PRODUCTION="false", SECRET_KEY=None, ALLOWED_HOSTS=".org")
    assert done.returncode == 1
    assert "SECRET_KEY is weak" in done.stderr and "ALLOWED_HOSTS holds .org," in done.stderr


def test_the_demo_accounts_do_not_start_in_production(tmp_path: Path) -> None:
    done = run("manage.py", "run", "--no-sample", tmp_path=tmp_path)
    assert done.returncode == 1
    assert "demo accounts" in done.stderr


def test_in_production_cookies_go_over_https_to_this_host_alone(tmp_path: Path) -> None:
    asked = """
import django; django.setup()
from django.conf import settings
from django.db import connection
from django.test import Client
for secure in (False, True):
    proto = {"X-Forwarded-Proto": "https"} if secure else {}
    found = Client().get("/language/", headers={"Host": "catalog.example.org", **proto})
    print(found.status_code, found.headers.get("Location"), found.headers.get("Strict-Transport-Security"))
for name in ("SESSION", "CSRF", "LANGUAGE"):
    print(*(getattr(settings, f"{name}_COOKIE_{part}") for part in ("NAME", "SECURE", "HTTPONLY", "SAMESITE", "PATH")))
"""
    done = run("-c", asked, tmp_path=tmp_path, DJANGO_SETTINGS_MODULE="catalogsku.settings")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if not line.startswith("{")] == [
        "301 https://catalog.example.org/language/ None",
        "405 None max-age=31536000; includeSubDomains; preload",
        "__Host-sessionid True True Lax /",
        "__Host-csrftoken True True Lax /",
        "django_language True True Lax /",
    ]
