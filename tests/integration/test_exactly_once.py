"""A worker that imports is killed again and again, at named places and at any other moment, while the downstream loses
answers and keeps whatever it is sent. IMPORT_KILLS says how often; a few times in the ordinary run.
"""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from catalogsku.core.models import Worker
from processing.imports.services import delivering, reconciling
from processing.models import ImportRecord, ImportTarget
from tests.support.downstream import Downstream, Mood
from tests.support.imports import corrected, importable, time_passes
from tests.support.people import People

KILLS = int(os.environ.get("IMPORT_KILLS", "5"))
SKUS = 5
PLACES = ("import.before_claim", "import.before_call", "import.after_call", "import.before_commit", "")
MOODS = [Mood.OK, Mood.OK, Mood.LOSSY, Mood.LOSSY, Mood.UNHEARD, Mood.BROKEN]

# Loads the project once; each line on its input (page, place, milliseconds) is one worker that is born and killed.
NURSERY = """
import os, sys, signal, time
import django; django.setup()
from processing.imports.services import delivering
for line in sys.stdin:
    page, place, lives_ms = line.split(",")
    child = os.fork()
    if not child:
        os.environ["CRASH_AT"] = place
        delivering.deliver_pages([int(page)])
        os._exit(0)
    if not place:
        time.sleep(int(lives_ms) / 1000)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "lived", flush=True)
"""


@contextmanager
def nursery(environment: dict[str, str]) -> Iterator[Any]:
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:

        def one(page: int, place: str, lives_ms: int) -> str:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{page},{place},{lives_ms}\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield one
        assert process.stdin is not None
        process.stdin.close()


def settle(page: Any) -> None:
    """The dead are found, and whatever was on its way has arrived or not."""
    Worker.objects.all().delete()
    reconciling.lose_answers()
    time_passes(page)
    reconciling.settle_unknown()
    ImportRecord.objects.update(not_before=None)


@pytest.mark.slow
@pytest.mark.timeout(120 + 20 * KILLS)
@pytest.mark.req("PL-C3", "TA-T52", "TA-IMPKEY")
def test_no_sku_is_imported_twice_however_often_its_worker_is_killed(
    committed: None, people: People, process_environment: dict[str, str], settings: Any
) -> None:
    chance = random.Random(KILLS)
    fates: Counter[str] = Counter()
    with Downstream(inserts=True) as downstream:
        settings.IMPORT_URL = downstream.url
        ImportTarget.objects.create(name="shop", writes="insert")
        _, page, skus = importable(people, skus=SKUS)
        active = {sku.sku_id: sku for sku in skus}
        with nursery({**process_environment, "IMPORT_URL": downstream.url}) as one:
            while fates["killed"] < KILLS:
                downstream.moods.clear()
                downstream.moods.extend(chance.choices(MOODS, k=SKUS))
                fates[one(page.pk, chance.choice(PLACES), chance.randint(1, 60))] += 1
                settle(page)
                if not ImportRecord.objects.filter(state="PENDING").exists():
                    for key in chance.sample(sorted(active), 3):
                        active[key] = corrected(active[key], f"M-{fates.total()}-{key[-3:]}")
        downstream.moods.clear()
        for _ in range(4):
            settle(page)
            delivering.deliver_pages([page.pk])
    print(f"{dict(fates)}, {len(downstream.posts())} requests, {len(downstream.taken)} products taken")
    assert set(Counter((one.sku, one.generation) for one in downstream.taken).values()) == {1}
    for sku in active.values():
        newest = [one for one in downstream.taken if one.sku == sku.sku_id][-1]
        assert newest.body["product"]["attributes"]["model"] == sku.attributes["model"]
    assert set(ImportRecord.objects.values_list("state", flat=True)) <= {"CONFIRMED", "SUPERSEDED"}
