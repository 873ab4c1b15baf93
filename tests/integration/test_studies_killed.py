"""A worker that finds values in a study, or asks for them, is killed at each of its places: another one goes on."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core import work
from catalogsku.core.models import Worker
from ingestion.models import Job
from ingestion.services.receiving import submit_file
from ingestion.services.settle import settle_job
from processing.models import ModelCall, Record
from processing.studies.kind import STUDY
from tests.support.model_server import ModelServer
from tests.support.paper_model import PaperModel
from tests.support.papers import paper_pdf
from tests.support.people import People

# Loads the project once; each line on its input (a place, or none) is a worker that takes turns until nothing waits.
NURSERY = """
import os, sys
import django; django.setup()
from catalogsku.core.messages import load_actors
load_actors()
from processing.pages.services.taking_turns import take_turn
for line in sys.stdin:
    child = os.fork()
    if not child:
        os.environ["CRASH_AT"] = line.strip()
        while take_turn("cpu") or take_turn("llm"):
            pass
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "ended", flush=True)
"""


def held(job: Job) -> list[dict[str, Any]]:
    columns = ("subject", "repeat", "part", "pages", "status", "values", "offers", "revision", "superseded")
    return list(Record.objects.filter(job=job).order_by("pk").values(*columns))


class Nursery:
    """Workers, each a process of its own that takes turns until nothing waits, or dies at a place."""

    def __init__(self, environment: dict[str, str]) -> None:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen([sys.executable, "-c", NURSERY], env=environment, **pipes)

    def work(self, dies_at: str = "") -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{dies_at}\n")
        self._process.stdin.flush()
        return str(self._process.stdout.readline().strip())

    def end(self) -> None:
        self._process.communicate(timeout=60)


def died(job: Job) -> Job:
    """Its worker, as the sweep finds out."""
    Worker.objects.all().delete()
    work.reap(Job)
    Job.objects.filter(pk=job.pk).update(dispatched_at=None)
    return Job.objects.get(pk=job.pk)


@pytest.mark.slow
@pytest.mark.req("LX-SYS", "LX-GHOST")
def test_a_study_whose_worker_dies_is_found_by_another_one_and_once(
    committed: None, people: People, process_environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(paper_pdf())

    def give(key: str) -> Job:
        return submit_file(None, people.merchant.pk, path, key=f"key-{key}", kind=STUDY, template="rct")

    nursery = Nursery(process_environment)
    undisturbed = give("undisturbed")
    assert nursery.work() == "ended"
    job = give("killed")
    for place, found in (("extract.claimed", False), ("extract.before_record", False), ("extract.recorded", True)):
        assert nursery.work(place) == "killed"
        assert (Job.objects.get(pk=job.pk).stage == "NONE") is found, place
        died(job)
    assert nursery.work() == "ended"
    nursery.end()
    job.refresh_from_db()
    assert (job.stage, job.losses, job.failures) == ("NONE", 0, 0)
    assert held(job) == held(undisturbed) and len(held(job)) == 6
    assert settle_job(job.pk) == "PARTIAL_IMPORTED"


@pytest.mark.slow
@pytest.mark.req("LX-SYS", "LX-GHOST", "LA-BUDGET")
def test_a_study_whose_worker_dies_while_models_are_asked_pays_for_no_answer_twice(
    committed: None, people: People, process_environment: dict[str, str], tmp_path: Path
) -> None:
    path, model = tmp_path / "paper.pdf", PaperModel()
    path.write_bytes(paper_pdf())
    with ModelServer(model) as server:
        nursery = Nursery(
            {
                **process_environment,
                "GEMINI_API_KEY": "k",
                "GEMINI_BASE_URL": server.gemini_url,
                "DASHSCOPE_API_KEY": "",
            }
        )
        job = submit_file(None, people.merchant.pk, path, key="asked", kind=STUDY, template="rct")
        for place, asked in (("ask.claimed", 0), ("ask.before_record", 9), ("ask.recorded", 9)):
            assert nursery.work(place) == "killed", place
            stage = "NONE" if place == "ask.recorded" else "ASK"
            assert (Job.objects.get(pk=job.pk).stage, len(model.questions)) == (stage, asked), place
            died(job)
        assert nursery.work() == "ended"
        nursery.end()
    job.refresh_from_db()
    assert (job.stage, job.losses, job.failures) == ("NONE", 0, 0)
    assert ModelCall.objects.filter(job=job, state="ANSWERED").count() == len(model.questions) == 9
    methods = {value["method"] for row in held(job) if not row["superseded"] for value in row["values"]}
    assert len(methods) == 1 and settle_job(job.pk) == "PARTIAL_IMPORTED"
