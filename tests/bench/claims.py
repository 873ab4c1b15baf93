"""How soon a claim is seen by 200 annotators, for `manage.py bench`: from the press of the key to their sockets."""

import json
import random
import time
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import CommandError

from annotation.tasks.lifecycle import Purpose, TaskType
from annotation.tasks.models import HumanTask
from catalogsku.accounts.models import Role
from ingestion.models import Page
from tests.bench.live import PAUSES_S, SEEN_WITHIN_S, SOCKETS, Commit, Watcher, cpu_s, delays, sessions
from tests.bench.product import WARM_UP, Product
from tests.bench.uploading import Sender

CLAIMS = 60


def measure_claims(product: Product) -> dict[str, Any]:
    """A task is claimed and handed back by POST, again and again, while 200 people have the list of tasks open."""
    task = _task(product)
    cookies = sessions(product.merchant_id, SOCKETS + 1, Role.ANNOTATOR)
    host, port = product.address.removeprefix("http://").split(":")
    crowd = Watcher("tests.bench.sockets", {
        "host": host, "port": int(port), "path": f"/ws/work/?session={uuid4()}", "cookies": cookies[1:],
        "hello": '{"type": "show"}',
    })  # fmt: skip
    try:
        if not crowd.is_ready():
            raise CommandError("The annotators did not get ready.")
        with Sender(product.address) as sender:
            sender.go_on_as(cookies[0])
            sender.ask("GET", "/tasks/")  # gives the token that a command needs
            pids = [product.supervisor.pids()[name] for name in ("web", "live")]
            worked_s = sum(map(cpu_s, pids))
            commits = [_claim(product, sender, task) for _ in range(CLAIMS)]
        _pause(product, SEEN_WITHIN_S)
        # Of the claim, its release, and what else these did meanwhile for all who watch.
        cpu_ms = round((sum(map(cpu_s, pids)) - worked_s) / CLAIMS * 1000, 1)
        seen = delays("socket", commits, crowd.ask())
        return {"sockets": SOCKETS, "claims": CLAIMS, "cpu_ms_a_claim": cpu_ms, **seen}
    finally:
        crowd.end()


def _task(product: Product) -> HumanTask:
    """An audit, which moves no page."""
    job = product.submit(settings.BASE_DIR / WARM_UP)
    product.follow(job, 60)
    page = Page.objects.filter(job=job).order_by("number")[0]
    return HumanTask.objects.create(job=job, page=page, type=TaskType.PAGE_REVIEW, purpose=Purpose.AUDIT)


def _claim(product: Product, sender: Sender, task: HumanTask) -> Commit:
    """From before it is sent; handed back a little later."""
    began_at = time.time()
    token = _command(sender, "claim", task)["token"]
    task.refresh_from_db(fields=["version"])
    _pause(product, random.uniform(*PAUSES_S) + PAUSES_S[1])
    _command(sender, "release", task, token)
    _pause(product, random.uniform(*PAUSES_S))
    return Commit(str(task.uuid), task.version, began_at)


def _command(sender: Sender, name: str, task: HumanTask, token: int = 0) -> dict[str, Any]:
    told = {"id": str(uuid4()), "name": name, "task": str(task.uuid), "token": token, "session": str(task.uuid)}
    status, _, body = sender.ask("POST", "/work/", json.dumps(told).encode(), {"Content-Type": "application/json"})
    if status != 200:
        raise CommandError(f"A command was refused: {status} {body[:300]!r}")
    answer: dict[str, Any] = json.loads(body)
    return answer


def _pause(product: Product, seconds: float) -> None:
    until_s = time.monotonic() + seconds
    product.wait(lambda: time.monotonic() > until_s, seconds + 5, "", 0.005)
