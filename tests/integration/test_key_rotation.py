"""Exchanging SECRET_KEY as the runbook says, on the real settings and through the environment alone: what was given
under the former key holds until it is taken out, and no secret is lost."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core.models import KeyUse
from tests.support.hooks import make_endpoint
from tests.support.people import People
from tests.support.rows import make_job

PROJECT = Path(__file__).resolve().parents[2]
OLD = "Zk3v9Qm-2Lx8Rt6Yb1Nf4Wd7Hs0Jc5Gp-Ua9Ei3Ko6Xz2Vm8Tq1Bn4"  # not-a-secret
NEW = "q8Wn2-Rb5Xt9Lc4Vy7Km1Zd6Gf3Hj0Ps-Oe8Ua2Ti5Bq9Cw4Nx7Ml1"  # not-a-secret

pytestmark = pytest.mark.req("TA-AUTH")

# One process takes several steps: each start of Django costs seconds on a busy machine.
STEPS = """
import django, io, json, sys; django.setup()
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from catalogsku.accounts.models import User
from catalogsku.accounts.tokens import issue_token
from catalogsku.core import secrets
from ingestion.models import Job
from processing.models import Export, WebhookEndpoint
from processing.exports.services import signed_links

def give():
    user = User.objects.get(username="uploader")
    client = Client(); client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return {"session": client.session.session_key, "token": issue_token(user).text,
            "link": signed_links.link_to(Export(uuid="00000000-0000-0000-0000-000000000001"), user).url}

def keep():
    Job.objects.update(password=secrets.encrypt("geheim"))
    WebhookEndpoint.objects.update(secret=secrets.encrypt("whsec"))

def take(given):
    client = Client(headers={"host": "localhost"}); client.cookies[settings.SESSION_COOKIE_NAME] = given["session"]
    bearer = {"Authorization": f"Bearer {given['token']}", "host": "localhost"}
    home = client.get("/")
    return {
        "session": home.status_code == 200 and client.cookies[settings.SESSION_COOKIE_NAME].value,
        "token": Client(headers=bearer).get("/api/v1/auth/me").status_code == 200,
        # of an export that is not there: 404 says that the link holds, 403 that it does not
        "link": Client(headers={"host": "localhost"}).get(given["link"]).status_code == 404,
        "secrets": [secrets.decrypt(Job.objects.get().password), secrets.decrypt(WebhookEndpoint.objects.get().secret)],
    }

def keys(*arguments):
    out, err, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("keys", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error)); code = error.returncode
    except SystemExit as ended:
        code = ended.code
    return {"out": out.getvalue(), "err": err.getvalue(), "code": code}

print(json.dumps([globals()[name](*arguments) for name, *arguments in json.loads(sys.argv[1])]))
"""
KEPT = ["geheim", "whsec"]


@pytest.fixture
def steps(committed: None, process_environment: dict[str, str]) -> Callable[..., list[Any]]:
    """Takes steps in a process that has these keys in its environment; what each gives."""
    own = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    places = {name: process_environment[name] for name in ("DATABASE_URL", "REDIS_URL", "VAR_DIR")}

    def run(keys: dict[str, str], *todo: tuple[Any, ...]) -> list[Any]:
        environment = {**own, **places, "DJANGO_SETTINGS_MODULE": "catalogsku.settings", **keys}
        done = subprocess.run(
            [sys.executable, "-c", STEPS, json.dumps(todo)],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        results: list[Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return results

    return run


@pytest.mark.long
def test_the_walk_of_the_runbook_loses_nothing(steps: Any, people: People) -> None:
    KeyUse.objects.all().delete()
    make_job(people.merchant)
    make_endpoint(people.merchant)
    before, both, after = {"SECRET_KEY": OLD}, {"SECRET_KEY": NEW, "SECRET_KEY_FALLBACKS": OLD}, {"SECRET_KEY": NEW}

    def goes_on(given: dict[str, str], taken: dict[str, Any]) -> dict[str, Any]:
        """What still holds; the browser goes on with the session key that it was given last."""
        given["session"] = taken["session"] or ""
        return {**taken, "session": bool(taken["session"])}

    everything = {"session": True, "token": True, "link": True, "secrets": KEPT}
    given, _, _ = steps(before, ("give",), ("keep",), ("keys", "list"))
    (taken,) = steps(before, ("take", given))
    assert goes_on(given, taken) == everything

    taken, renewed, again, meanwhile = steps(
        both, ("take", given), ("keys", "renew", "--json"), ("keys", "renew", "--json"), ("give",)
    )
    assert goes_on(given, taken) == everything, "step 1: the new beside the old"
    assert json.loads(renewed["out"]) == {"renewed": 2, "current": 0, "unreadable": 0}
    assert json.loads(again["out"])["current"] == 2, "safe to repeat"

    later, left, listed = steps(after, ("take", meanwhile), ("take", given), ("keys", "list"))
    assert goes_on(meanwhile, later) == everything, "given after step 1"
    expected = {"session": True, "token": False, "link": False, "secrets": KEPT}
    assert goes_on(given, left) == expected, "a session in use goes on"

    (former,) = re.findall(r"(\w{16})  former", listed["out"])
    assert len(re.findall(r"in use", listed["out"])) == 1
    retired, taken = steps(after, ("keys", "retire", former), ("take", meanwhile))
    assert retired["code"] == 0
    assert not taken["token"], "retired: everybody signs in anew"
    KeyUse.objects.all().delete()


def test_without_the_former_key_secrets_are_told_to_be_lost(steps: Any, people: People) -> None:
    make_job(people.merchant)
    make_endpoint(people.merchant)
    steps({"SECRET_KEY": OLD}, ("keep",))
    (renewed,) = steps({"SECRET_KEY": NEW}, ("keys", "renew"))
    assert renewed["code"] == 1
    assert "2 cannot be read" in renewed["out"] and "SECRET_KEY_FALLBACKS" in renewed["err"]


def test_the_runbook_names_each_step() -> None:
    runbook = (PROJECT / "docs" / "runbook.md").read_text()
    chapter = runbook.partition("## Changing secrets")[2]
    steps = ["SECRET_KEY_FALLBACKS", "restart", "manage.py keys renew", "take the former key", "manage.py keys list"]
    places = [chapter.find(step) for step in steps]
    assert -1 not in places and places == sorted(places)
