"""Runs over golden sets, and what one may be asked with, for the page of reports."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.profiles.models import ThresholdProfile
from processing.quality.models import EvalRun
from processing.quality.services.runs import golden_sets

SHOWN, PROFILES_SHOWN = 5, 60
# State to its word, tone and icon.
STATES = {
    "waiting": (pgettext_lazy("run", "Waiting"), "waiting", "queued"),
    "running": (pgettext_lazy("run", "Under way"), "machine", "running"),
    "done": (pgettext_lazy("run", "Done"), "done", "check"),
    "failed": (pgettext_lazy("run", "Failed"), "fault", "flag"),
}


@dataclass(frozen=True)
class RunRow:
    """``report``: its address, once there is one; ``why``: of one that failed."""

    golden: str
    profile: str
    by: str
    state: str
    word: str
    tone: str
    icon: str
    percent: int
    file: str
    why: str
    report: str
    at: datetime


def runs_context(user: User) -> dict[str, Any]:
    """``sets`` and ``profiles`` for who may ask; one run at a time is asked for here."""
    rows = [
        _row(run) for run in EvalRun.objects.select_related("profile", "asked_by", "report").order_by("-pk")[:SHOWN]
    ]
    can_ask = may(user, Action.OPERATE)
    is_busy = any(row.state in ("waiting", "running") for row in rows)
    return {
        "runs": rows,
        "can_ask": can_ask,
        "is_busy": is_busy,
        "sets": sorted(golden_sets()) if can_ask else [],
        "profiles": _profiles() if can_ask else [],
    }


def _profiles() -> list[tuple[str, str]]:
    """(KEY@VERSION, in words); the newest of each key first."""
    rows = ThresholdProfile.objects.order_by("key", "-version")[:PROFILES_SHOWN]
    return [(f"{row.key}@{row.version}", f"{row.words}{' ✓' if row.active else ''}") for row in rows]


def _row(run: EvalRun) -> RunRow:
    word, tone, icon = STATES[run.state]
    error = run.last_error or {}
    return RunRow(
        golden=run.golden,
        profile=run.profile.words if run.profile else "",
        by=str(run.asked_by or ""),
        state=run.state,
        word=str(word),
        tone=tone,
        icon=icon,
        percent=run.percent,
        file=run.file,
        why=str(error.get("detail") or error.get("code") or "")[:300] if run.state == "failed" else "",
        report=reverse("quality_report", args=[run.report.uuid]) if run.report else "",
        at=run.ended_at or run.created_at,
    )
