"""Production as documented: Django's own examination is clean, and what would be unsafe does not start."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from catalogsku.settings.refusals import DEVELOPMENT_KEY

PROJECT = Path(__file__).resolve().parents[2]
KEY = "Zk3v9Qm-2Lx8Rt6Yb1Nf4Wd7Hs0Jc5Gp-Ua9Ei3Ko6Xz2Vm8Tq1Bn4"  # not-a-secret

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
    assert "no issues (0 silenced)" in done.stdout


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": "ab" * 40}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": "django-insecure-" + KEY}, "SECRET_KEY is weak"),
        ({"SECRET_KEY": DEVELOPMENT_KEY}, "SECRET_KEY is weak"),
        ({"DEBUG": "true"}, "DEBUG is true"),
        ({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS must name"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS must name"),
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


def test_the_demo_accounts_do_not_start_in_production(tmp_path: Path) -> None:
    done = run("manage.py", "run", "--no-sample", tmp_path=tmp_path)
    assert done.returncode == 1
    assert "demo accounts" in done.stderr


def test_in_production_cookies_go_over_https_to_this_host_alone(tmp_path: Path) -> None:
    asked = """
import django; django.setup()
from django.conf import settings
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
