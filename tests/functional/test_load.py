"""`manage.py load` and `capacity` against the real product: documents go through, are told of, and go in one go."""

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.support.stack import Stack, stack

__all__ = ["stack"]
ROOT = Path(__file__).parents[2]
OF_LOAD = "SELECT count(*) FROM ingestion_job WHERE category = 'load-test'"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.req("TA-API")]


def token_of(stack: Stack, who: str) -> str:
    body = json.dumps({"username": who, "password": f"demo-{who}"}).encode()  # not-a-secret
    request = urllib.request.Request(f"{stack.address}/api/v1/auth/login", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.load(answer)["access_token"])


def load(stack: Stack, *options: str, token: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "manage.py", "load", "--json", *options]
    environment = {**stack.process_environment(), "CATALOGSKU_TOKEN": token}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200, check=False)


def test_documents_go_through_are_counted_and_go_in_one_go(stack: Stack) -> None:
    options = ("--url", stack.address, "--documents", "3", "--rate", "120", "--minutes", "3", "--pages", "2")
    done = load(stack, *options, token=token_of(stack, "uploader"))
    told: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, told["accepted"], told["done"], told["errors"]) == (0, 3, 3, {}), done.stderr
    assert 0 < told["times_s"]["accepted"]["p50"] < told["times_s"]["done"]["most"] < 200
    assert stack.sql(OF_LOAD) == [(3,)]
    assert (
        stack.sql(
            "SELECT count(*) FROM processing_sku k JOIN ingestion_job j ON j.id = k.job_id"
            " WHERE j.category = 'load-test'"
        )[0][0]
        > 0
    )

    measured = stack.manage("capacity", "--pages-per-day", "1000", "--json")
    assert measured.returncode == 0 and json.loads(measured.stdout)["needs"][1]["value"] == 2

    for _ in range(30):  # tasks of what was cancelled close by a message
        gone = load(stack, "--clean")
        if not gone.returncode:
            break
        time.sleep(1)
    assert gone.returncode == 0 and stack.sql(OF_LOAD) == [(0,)], gone.stdout


@pytest.mark.parametrize(
    ("options", "token", "says"),
    [
        (("--url", "http://shop.example.org"), "t", "not_own_host"),
        (("--documents", "5000"), "t", "bad_load"),
        ((), "", "no_token"),
    ],
)
def test_what_is_beyond_its_bounds_is_not_begun(stack: Stack, options: tuple[str, ...], token: str, says: str) -> None:
    done = load(stack, *options, token=token)
    assert done.returncode == 2 and says in done.stderr and not done.stdout


def test_a_token_that_may_not_upload_is_told_as_an_error(stack: Stack) -> None:
    done = load(stack, "--url", stack.address, "--documents", "1", "--minutes", "1", token="nobody's")
    assert done.returncode == 1 and json.loads(done.stdout)["errors"] == {"not_signed_in": 1}
