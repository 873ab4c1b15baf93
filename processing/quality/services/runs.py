"""Runs over golden sets: file by file, as the command does it, or asked for by a program and done by a worker."""

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from catalogsku.accounts.models import User
from catalogsku.core import clock, messages, work
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.core.machine import commit
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import SandboxUnavailable
from catalogsku.profiles.models import ThresholdProfile
from catalogsku.profiles.services import find_profile
from processing.engine.page import READING_VERSION
from processing.engine.quality.report import FileMeasure, Report, make_report
from processing.engine.quality.truth import TruthError
from processing.engine.understanding.pipeline import ANALYST
from processing.quality.models import EvalRun
from processing.quality.services.gallery import Gallery
from processing.quality.services.golden_sets import find_golden
from processing.quality.services.measuring import GoldenFile, Means, measure_golden
from processing.quality.services.reports import store_report
from processing.sandboxed import sandboxes

STAGE = "MEASURE"
MOST_OPEN = 3
ASKING_LOCK = 0x5C2
Progress = Callable[[int, str, int, int], None]


def measure_all(
    golden: Sequence[GoldenFile], means: Means, progress: Progress = lambda file, name, done, of: None
) -> list[FileMeasure]:
    """``progress`` hears the file's number and name, and how many of its steps are done. Raises as measure_golden."""
    return [
        measure_golden(file, lambda done, of, n=n, name=file.name: progress(n, name, done, of), means)  # type: ignore[misc]
        for n, file in enumerate(golden)
    ]


def versions(profile: ThresholdProfile | None) -> dict[str, str]:
    """What decides about the figures."""
    return {
        **({"profile": f"{profile.key}@{profile.version}"} if profile else {}),
        "commit": commit(),
        "reading": str(READING_VERSION),
        "analyst": ANALYST,
        "readers": ", ".join(settings.READER_ORDER),
        "ocr": "on" if settings.SANDBOX_OCR else "off",
    }


# --- runs that programs ask for ---------------------------------------------------------------------------


def golden_sets() -> dict[str, Path]:
    """By name: the folders of GOLDEN_DIRS that are there."""
    return {Path(folder).name: Path(folder) for folder in settings.GOLDEN_DIRS if Path(folder).is_dir()}


@transaction.atomic
def ask_for_run(actor: User, golden: str, profile: str, most: int = MOST_OPEN) -> EvalRun:
    """A worker of the unit `cpu` takes it. ``profile``: KEY or KEY@VERSION; empty: the defaults. ``most``: so many may
    be open with it.

    Raises Refused(unknown_golden, unknown_profile), Conflict(runs_waiting).
    """
    if golden not in golden_sets():
        raise Refused("unknown_golden", known=", ".join(sorted(golden_sets())) or "-")
    try:
        chosen = find_profile(profile) if profile else None
    except ThresholdProfile.DoesNotExist:
        raise Refused("unknown_profile") from None
    with connection.cursor() as cursor:  # who asks at the same moment sees the other's run
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ASKING_LOCK])
    waiting = EvalRun.objects.filter(stage=STAGE).count()
    if waiting >= most:
        raise Conflict("runs_waiting", max=waiting)
    run = EvalRun.objects.create(golden=golden, profile=chosen, asked_by=actor, stage=STAGE)
    messages.send_after_commit("evaluate_golden", run.pk)
    return run


def get_run(uuid: UUID) -> EvalRun:
    run = EvalRun.objects.select_related("profile", "report").filter(uuid=uuid).first()
    if run is None:
        raise NotFound("not_found")
    return run


def do_run(run_id: int) -> None:
    """Measure and keep the report; nothing where somebody else has it, or it was done."""
    claims = work.claim(EvalRun.objects.filter(pk=run_id), STAGE, current_worker())
    with work.holding(claims):
        for held in claims:
            run = EvalRun.objects.select_related("profile").get(pk=held.id)
            try:
                with sandboxes.work_folder() as folder:
                    gallery = Gallery(folder)
                    report = _measured(run, gallery, _Progress(held))
                    _record(held, run, report, gallery)
            except (TruthError, ValueError, SandboxUnavailable, InterruptedError) as error:
                _fail(held, type(error).__name__, str(error))


class _Progress:
    """Tells the row how far its run is, once a per cent; a run that somebody else has meanwhile is not told of."""

    def __init__(self, held: work.Claim) -> None:
        self._held, self.files, self._percent = held, 1, -1

    def __call__(self, file: int, name: str, done: int, of: int) -> None:
        percent = min(99, int(100 * (file + done / max(1, of)) / self.files))
        if percent != self._percent:
            self._percent = percent
            own = EvalRun.objects.filter(pk=self._held.id, claim_token=self._held.token)
            own.update(percent=percent, file=name[:200])


def _measured(run: EvalRun, gallery: Gallery, progress: _Progress) -> Report:
    folder = golden_sets().get(run.golden)
    if folder is None:
        raise ValueError(f"GOLDEN_DIRS of this worker names no set {run.golden}")
    golden, skipped = find_golden([folder], Path(settings.CORPUS_DIR) if settings.CORPUS_DIR else None, [])
    progress.files = max(1, len(golden))
    files = measure_all(golden, Means(run.profile, gallery), progress)
    return make_report(files, skipped, clock.now().isoformat(timespec="seconds"), versions(run.profile))


def _record(held: work.Claim, run: EvalRun, report: Report, gallery: Gallery) -> None:
    with work.recording(EvalRun, held) as row:
        if row is not None:
            stored = store_report(report, run.golden, gallery, run.profile)
            _end(held, report=stored)


def _fail(held: work.Claim, code: str, detail: str) -> None:
    with work.recording(EvalRun, held) as row:
        if row is not None:
            _end(held)
            EvalRun.objects.filter(pk=held.id).update(last_error={"code": code, "detail": detail[:500]})


def _end(held: work.Claim, **outcome: object) -> None:
    changes = {**work.RECORDED, **EvalRun.visible_change(), "stage": "NONE", "ended_at": Now(), "file": "", **outcome}
    EvalRun.objects.filter(pk=held.id).update(**changes)


def send_waiting() -> dict[str, int]:
    """Runs whose message was lost, or whose worker died; the third worker that dies over one ends it."""
    reaped = work.reap(EvalRun)
    given_up = EvalRun.objects.filter(stage=STAGE, worker=None, losses__gte=work.ALONE_AFTER_LOSSES)
    given_up.update(stage="NONE", ended_at=Now(), last_error={"code": "worker_lost", "detail": ""})
    ids = list(work.waiting(EvalRun.objects.filter(stage=STAGE)).values_list("pk", flat=True))
    EvalRun.objects.filter(pk__in=ids).update(dispatched_at=Now())
    for run_id in ids:
        messages.send("evaluate_golden", run_id)
    return {"freed": len(reaped.freed), "sent": len(ids)}
