"""A worker that finds values in a study is killed at each of its places: another one finds the same, once."""

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
from processing.models import Record
from processing.studies.kind import STUDY
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
        while take_turn("cpu"):
            pass
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "ended", flush=True)
"""


def held(job: Job) -> list[dict[str, Any]]:
    columns = ("subject", "repeat", "part", "pages", "status", "values", "offers", "revision", "superseded")
    return list(Record.objects.filter(job=job).order_by("pk").values(*columns))


@pytest.mark.slow
@pytest.mark.req("LX-SYS", "LX-GHOST")
def test_a_study_whose_worker_dies_is_found_by_another_one_and_once(
    committed: None, people: People, process_environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(paper_pdf())

    def give(key: str) -> Job:
        return submit_file(None, people.merchant.pk, path, key=f"key-{key}", kind=STUDY, template="rct")

    with subprocess.Popen(
        [sys.executable, "-c", NURSERY],
        env=process_environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as nursery:

        def worker(dies_at: str = "") -> str:
            assert nursery.stdin is not None and nursery.stdout is not None
            nursery.stdin.write(f"{dies_at}\n")
            nursery.stdin.flush()
            return nursery.stdout.readline().strip()

        undisturbed = give("undisturbed")
        assert worker() == "ended"
        job = give("killed")
        for place, found in (("extract.claimed", False), ("extract.before_record", False), ("extract.recorded", True)):
            assert worker(place) == "killed"
            job.refresh_from_db()
            assert (job.stage == "NONE") is found, place
            Worker.objects.all().delete()
            work.reap(Job)
            Job.objects.filter(pk=job.pk).update(dispatched_at=None)
        assert worker() == "ended"
        assert nursery.stdin is not None
        nursery.stdin.close()
    job.refresh_from_db()
    assert (job.stage, job.losses, job.failures) == ("NONE", 0, 0)
    assert held(job) == held(undisturbed) and len(held(job)) == 6
    assert settle_job(job.pk) == "PARTIAL_IMPORTED"
