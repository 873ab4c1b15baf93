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

GIVE = """
import django, json; django.setup()
from django.conf import settings
from django.test import Client
from catalogsku.accounts.models import User
from catalogsku.accounts.tokens import issue_token
from processing.models import Export
from processing.exports.services import signed_links
user = User.objects.get(username="uploader")
client = Client(); client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
print(json.dumps({"session": client.session.session_key, "token": issue_token(user).text,
                  "link": signed_links.link_to(Export(uuid="00000000-0000-0000-0000-000000000001"), user).url}))
"""
KEEP = """
import django; django.setup()
from catalogsku.core import secrets
from ingestion.models import Job
from processing.models import WebhookEndpoint
Job.objects.update(password=secrets.encrypt("geheim"))
WebhookEndpoint.objects.update(secret=secrets.encrypt("whsec"))
print("{}")
"""
TAKE = """
import django, json, sys; django.setup()
from django.conf import settings
from django.test import Client
from catalogsku.core import secrets
from ingestion.models import Job
from processing.models import WebhookEndpoint
given = json.loads(sys.argv[1])
client = Client(headers={"host": "localhost"}); client.cookies[settings.SESSION_COOKIE_NAME] = given["session"]
bearer = {"Authorization": f"Bearer {given['token']}", "host": "localhost"}
home = client.get("/")
print(json.dumps({
    "session": home.status_code == 200 and client.cookies[settings.SESSION_COOKIE_NAME].value,
    "token": Client(headers=bearer).get("/api/v1/auth/me").status_code == 200,
    # of an export that is not there: 404 says that the link holds, 403 that it does not
    "link": Client(headers={"host": "localhost"}).get(given["link"]).status_code == 404,
    "secrets": [secrets.decrypt(Job.objects.get().password), secrets.decrypt(WebhookEndpoint.objects.get().secret)]}))
"""
KEPT = ["geheim", "whsec"]


@pytest.fixture
def program(committed: None, process_environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    own = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    places = {name: process_environment[name] for name in ("DATABASE_URL", "REDIS_URL", "VAR_DIR")}

    def run(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        environment = {**own, **places, "DJANGO_SETTINGS_MODULE": "catalogsku.settings", **changes}
        return subprocess.run(
            [sys.executable, *arguments], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60
        )

    return run


def said(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_the_walk_of_the_runbook_loses_nothing(program: Any, people: People) -> None:
    KeyUse.objects.all().delete()
    make_job(people.merchant)
    make_endpoint(people.merchant)
    before, both, after = {"SECRET_KEY": OLD}, {"SECRET_KEY": NEW, "SECRET_KEY_FALLBACKS": OLD}, {"SECRET_KEY": NEW}
    given = said(program("-c", GIVE, **before))
    said(program("-c", KEEP, **before))
    program("manage.py", "keys", "list", **before)

    def taken(given: dict[str, str], environment: dict[str, str]) -> Any:
        """What still holds; the browser goes on with the session key that it was given last."""
        found = said(program("-c", TAKE, json.dumps(given), **environment))
        given["session"], found["session"] = found["session"] or "", bool(found["session"])
        return found

    everything = {"session": True, "token": True, "link": True, "secrets": KEPT}
    assert taken(given, before) == everything
    assert taken(given, both) == everything, "step 1: the new beside the old"
    assert said(program("manage.py", "keys", "renew", "--json", **both)) == {
        "renewed": 2,
        "current": 0,
        "unreadable": 0,
    }
    assert said(program("manage.py", "keys", "renew", "--json", **both))["current"] == 2, "safe to repeat"

    meanwhile = said(program("-c", GIVE, **both))
    assert taken(meanwhile, after) == everything, "given after step 1"
    left = taken(given, after)
    assert left == {"session": True, "token": False, "link": False, "secrets": KEPT}, "a session in use goes on"

    listed = program("manage.py", "keys", "list", **after).stdout
    (former,) = re.findall(r"(\w{16})  former", listed)
    assert len(re.findall(r"in use", listed)) == 1
    assert program("manage.py", "keys", "retire", former, **after).returncode == 0
    assert not taken(meanwhile, after)["token"], "retired: everybody signs in anew"
    KeyUse.objects.all().delete()


def test_without_the_former_key_secrets_are_told_to_be_lost(program: Any, people: People) -> None:
    make_job(people.merchant)
    make_endpoint(people.merchant)
    said(program("-c", KEEP, SECRET_KEY=OLD))
    done = program("manage.py", "keys", "renew", SECRET_KEY=NEW)
    assert done.returncode == 1
    assert "2 cannot be read" in done.stdout and "SECRET_KEY_FALLBACKS" in done.stderr


def test_the_runbook_names_each_step(program: Any) -> None:
    runbook = (PROJECT / "docs" / "runbook.md").read_text()
    chapter = runbook.partition("## Changing secrets")[2]
    steps = ["SECRET_KEY_FALLBACKS", "restart", "manage.py keys renew", "take the former key", "manage.py keys list"]
    places = [chapter.find(step) for step in steps]
    assert -1 not in places and places == sorted(places)
