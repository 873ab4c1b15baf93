"""`manage.py periodic list|run NAME...`: the periodic tasks, when each ran last and what came of it, and by hand."""

import json
from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.core.facts import last_runs
from catalogsku.core.periodic import cron_tasks, run_by_hand


class Command(BaseCommand):
    help = (
        "Lists the periodic tasks with their newest run, or runs some of them now. Exit code 1 where the newest run"
        " of a task failed, or one that was run now fails."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "run"])
        parser.add_argument("names", nargs="*", metavar="NAME", help="which tasks; list shows all without any")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        names, tasks = options["names"], cron_tasks()
        if unknown := [name for name in names if name not in tasks]:
            raise CommandError(f"There is no periodic task {unknown[0]!r}; there are {', '.join(sorted(tasks))}.")
        if options["action"] == "run":
            if not names:
                raise CommandError("Name the tasks to run; `periodic list` shows them.")
            for name in names:
                run_by_hand(tasks[name])
        rows = [row for row in standing() if not names or row["task"] in names]
        self._print(rows, options["json"])
        if failed := [row["task"] for row in rows if row["state"] == "failed"]:
            raise CommandError(f"Failed: {', '.join(failed)}.", returncode=1)

    def _print(self, rows: list[dict[str, Any]], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        for row in rows:
            said = row["error"] or row["outcome"] or ""
            self.stdout.write(
                f"{row['state']:<8} {row['task']:<16} {row['when']:<16} {row['began_at'] or '-':<26} {said}"
            )


def standing() -> list[dict[str, Any]]:
    """Each declared task: when it runs (cron, UTC) and its newest run: done, failed or running; else never."""
    runs = {run.task: run for run in last_runs()}
    rows = []
    for name, task in sorted(cron_tasks().items()):
        run = runs.get(name)
        began_at = datetime.fromtimestamp(run.started_at_s, UTC).isoformat(timespec="seconds") if run else None
        rows.append(
            {
                "task": name,
                "when": task.cron,
                "state": run.state if run else "never",
                "began_at": began_at,
                "outcome": run.outcome if run else None,
                "error": run.error if run else "",
            }
        )
    return rows
