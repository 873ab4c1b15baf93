"""`python -m tests.year.passing`: the year itself, in a process that takes the time from the installation's clock.

Each day is lived at its end: its documents come, people do what waited, and at eleven in the evening everything that
comes with time is run as the scheduler runs it: each periodic task once, the sweep of deletions until nothing is due.
What only looks (the audit, which reads every row) is run once a month. PostgreSQL's own tidying goes by minutes that
have really passed and would come once in a month here, so each week begins with it. Prints what it saw as JSON.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from pathlib import Path
from random import Random
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
django.setup()

from axes.models import AccessLog  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.recorder import MigrationRecorder  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.calibration.selectors import newest_run  # noqa: E402
from catalogsku.accounts.models import Merchant, Role, User  # noqa: E402
from catalogsku.accounts.services import ensure_demo_accounts  # noqa: E402
from catalogsku.core import periodic  # noqa: E402
from catalogsku.core.tidying import clear_log_parts  # noqa: E402
from catalogsku.profiles.asking import changing  # noqa: E402
from catalogsku.profiles.models import ThresholdProfile  # noqa: E402
from catalogsku.profiles.services import work_rules  # noqa: E402
from ingestion.keeping.models import Deletion  # noqa: E402
from ingestion.keeping.services import deleting  # noqa: E402
from ingestion.keeping.services.rules import set_rule  # noqa: E402
from tests.year import documents, truth, work  # noqa: E402
from tests.year.documents import World  # noqa: E402
from tests.year.ground import Clock  # noqa: E402
from tests.year.kept import look, of_figures  # noqa: E402
from tests.year.truth import Ledger  # noqa: E402

EVENING, MORNING = clock_time(23), clock_time(8)
WEEK, MONTH, RARELY = 7, 30, ("audit", "audit_further")
SOME = 200


class Year:
    """``nights``: of each profile and day, what was found to have become worse. ``decided``: thresholds that moved."""

    def __init__(self, seed: int, days: int, documents: int) -> None:
        self.days, self.documents = days, documents
        self.clock = Clock.of_this_process()
        self.first = timezone.localdate() - timedelta(days=days)
        self.clock.set_to(self.moment(0, MORNING).timestamp())
        self.admin, self.world = self._found(seed)
        self.months: list[dict[str, Any]] = []
        self.nights: list[dict[str, Any]] = []
        self.decided: list[dict[str, Any]] = []
        self.thresholds: list[dict[str, Any]] = []
        self.failed: list[str] = []
        self.seen_run = ""
        self.rare = [periodic.cron_tasks().pop(name) for name in RARELY]

    def moment(self, day: int, hour: clock_time) -> datetime:
        return datetime.combine(self.first + timedelta(days=day), hour, tzinfo=timezone.get_default_timezone())

    def _found(self, seed: int) -> tuple[User, World]:
        """The installation as it is on its first day."""
        MigrationRecorder.Migration.objects.update(applied=timezone.now())
        ensure_demo_accounts()
        admin = User.objects.get(username="admin")
        merchants = {house.name: Merchant.objects.get_or_create(name=house.name)[0] for house in truth.HOUSES}
        people = [User.objects.create(username=f"person{n}", role=Role.ANNOTATOR) for n in range(6)]
        for who in people:
            who.merchants.set(merchants.values())
        User.objects.get(username="lead").merchants.set(merchants.values())
        set_rule(None, {"audit": truth.AUDIT_DAYS}, admin)
        for house in truth.HOUSES:
            if house.forgets:
                set_rule(merchants[house.name], {"results": truth.RESULTS_DAYS}, admin)
        self._believe(admin)
        chance, ledger = Random(seed), Ledger()
        return admin, World(chance, self.days, ledger, merchants, people)

    def _believe(self, admin: User) -> None:
        """A profile a category, and how many of the pages that went out alone a person looks at."""
        for kind in truth.CATEGORIES:
            profile = ThresholdProfile.get_active("default")
            profile.key = profile.category = kind.name
            profile.threshold_pv, profile.threshold_a = kind.believed, truth.THRESHOLD_A
            with changing(admin):
                profile.add_version()
        rules = work_rules()
        rules.blind_ratio = truth.BLIND
        with changing(admin):
            rules.add_version()

    # --- time --------------------------------------------------------------------------------------

    def pass_by(self) -> None:
        for day in range(self.days):
            self.clock.set_to(self.moment(day, EVENING).timestamp())
            if day % WEEK == 0:
                _tidy_up()
            self.live(day)
            self.come_with_time(day)
            if (day + 1) % MONTH == 0 or day + 1 == self.days:
                for task in self.rare:
                    periodic.run_by_hand(task)
                self.months.append(look(self.world, day + 1, self.failed))
                _say(f"day {day + 1}: {json.dumps(self.months[-1]['total'])}")
        self.clock.set_offset(0)

    def live(self, day: int) -> None:
        chance, morning = self.world.chance, self.moment(day, MORNING)
        work.do(self.world, morning)
        documents.come(self.world, day, morning, truth.documents_on(day, self.days, self.documents))
        work.measure(self.world, morning + timedelta(hours=3))
        documents.export(self.world, day, morning + timedelta(hours=9))
        part = Path(settings.VAR_DIR, "log", f"web.log.{day}")
        part.write_bytes(work.look_aside(chance))
        os.utime(part, (time.time(), time.time()))
        AccessLog.objects.bulk_create(
            AccessLog(username=f"person{n}", ip_address="192.0.2.1", path_info="/login/", attempt_time=morning)
            for n in range(6)
        )

    def come_with_time(self, day: int) -> None:
        periodic.run_cron_tasks(timezone.now())
        clear_log_parts()
        while deleting.expire_documents(SOME):
            for pk in Deletion.objects.filter(ended_at=None).values_list("pk", flat=True):
                deleting.carry_out(pk)
        self._calibrated(day)

    def _calibrated(self, day: int) -> None:
        """What last night's records say, and what somebody does about it."""
        records = newest_run()
        if not records or str(records[0].run) == self.seen_run:
            return
        self.seen_run = str(records[0].run)
        for record in records:
            drifted = [list(one) for one in record.drifted]
            self.nights.append({"day": day, "category": record.profile.key, "drifted": drifted})
        for one in work.decide(self.world, self.admin):
            self.decided.append({"day": day, **one})

    def told(self) -> dict[str, Any]:
        return {
            "first": self.first.isoformat(),
            "days": self.days,
            "documents": self.documents,
            "months": self.months,
            "nights": self.nights,
            "decided": self.decided,
            "thresholds": {row.key: float(row.threshold_pv) for row in ThresholdProfile.objects.filter(active=True)},
            "figures": of_figures(self.world.ledger),
            "failed": self.failed,
        }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.year.passing", description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--days", type=int, required=True)
    parser.add_argument("--documents", type=int, required=True)
    options = parser.parse_args(arguments)
    year = Year(options.seed, options.days, options.documents)
    year.pass_by()
    print(json.dumps(year.told()))
    connection.close()


def _tidy_up() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")


def _say(line: str) -> None:
    print(f"{date.today()} {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
