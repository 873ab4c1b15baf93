"""`manage.py doctor`: looks at everything the product stands on and says what is wrong and what helps."""

import json
import os
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import redis
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from catalogsku import __version__
from catalogsku.core import clock
from catalogsku.core.facts import UNITS, clock_ahead, figures_of, last_runs
from catalogsku.core.messages import load_actors
from catalogsku.core.models import Worker
from catalogsku.core.periodic import cron_tasks
from catalogsku.core.private_files import is_open, make_folder
from catalogsku.core.sandbox import SandboxUnavailable, capabilities
from catalogsku.core.work import live_threads
from catalogsku.profiles.models import ThresholdProfile
from ingestion import selectors
from ingestion.backups.selectors import last_backup
from ingestion.keeping import selectors as keeping
from ingestion.keeping.models import Deletion, DeletionState
from ingestion.notices import mailing
from ingestion.queueing import held_turns, waiting_jobs
from ingestion.services import disk
from ingestion.stages import UNITS as WORK_UNITS
from processing.batches import services as batches
from processing.llm import gate
from processing.llm.keys import SETTINGS as KEY_SETTINGS
from processing.llm.keys import is_ready, key_for
from processing.llm.models import LanguageModel
from processing.sandboxed.frozen import ocr_choice
from processing.sandboxed.sandboxes import new_sandbox

GIB = 1 << 30
FREE_DISK_BYTES = 2 * GIB
# A turn is some seconds, and one page of OCR at its limit a minute and a half.
TURN_LONG_S, WAITED_LONG_S = 120.0, 300.0
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
# Names of font files that draw Chinese: pages whose fonts are not embedded are rendered with one of them.
CHINESE_FONTS = ("notosanscjk", "notoserifcjk", "notosanssc", "sourcehan", "wqy", "droidsansfallback", "uming", "ukai")


@dataclass(frozen=True)
class Finding:
    """``level``: ok, warning or error."""

    name: str
    level: str
    text: str


class Command(BaseCommand):
    help = (
        "Checks services, workers, sandbox, OCR, storage, disk, fonts, keys of models, periodic work, and what waits"
        " for an operator. Exit code 1 where something must be mended."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = [finding for check in CHECKS for finding in self._run(check)]
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
        else:
            for finding in findings:
                self.stdout.write(f"{finding.level:<8} {finding.name:<12} {finding.text}")
        if any(finding.level == "error" for finding in findings):
            raise CommandError("Something must be mended.", returncode=1)

    def _run(self, check: Callable[[], Iterator[Finding]]) -> list[Finding]:
        try:
            return list(check())
        except Exception as error:  # a check that cannot even be made is its finding
            return [
                Finding(
                    check.__name__.removeprefix("check_"), "error", f"{type(error).__name__}: {error}".splitlines()[0]
                )
            ]


def check_product() -> Iterator[Finding]:
    yield Finding("product", "ok", __version__)


def check_python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = (3, 11) <= sys.version_info[:2] <= (3, 12)
    yield Finding("python", "ok" if fits else "warning", f"{version}; 3.11 and 3.12 are supported")


def check_database() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), usesuper FROM pg_user WHERE usename = current_user")
        version, is_super = cursor.fetchone()
    kind = "embedded" if settings.EMBEDDED_DATABASE else "DATABASE_URL"
    yield Finding("database", "ok", f"PostgreSQL {version}, {kind}")
    if is_super:
        yield Finding("database", "warning", "the application's role is a superuser; give it a role of its own")
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    level = "error" if waiting else "ok"
    yield Finding("migrations", level, f"{len(waiting)} waiting; run `manage.py migrate`" if waiting else "all applied")


def check_redis() -> Iterator[Finding]:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    info: Any = client.info("server")
    server = f"Valkey {info['valkey_version']}" if "valkey_version" in info else f"Redis {info['redis_version']}"
    kind = "embedded" if settings.EMBEDDED_REDIS else "REDIS_URL"
    yield Finding("redis", "ok", f"{server}, {kind}")


def check_workers() -> Iterator[Finding]:
    for unit in UNITS:
        threads = live_threads(unit)
        level = "ok" if threads else "warning"
        yield Finding("workers", level, f"{unit}: {threads} threads" if threads else f"{unit}: none is running")
    stale = Worker.objects.count()
    yield Finding("workers", "ok", f"{stale} processes known")


def check_clocks() -> Iterator[Finding]:
    """Here, and where workers are; a machine without either is not seen from here."""
    hosts = {("this machine",): clock.ahead_s(), **clock_ahead()}
    for (host,), ahead_s in hosts.items():
        off = f"{abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'} the database's"
        if abs(ahead_s) > clock.TOLERATED_S:
            text = f"{host}: its clock is {off}; sessions end by it, and its logs tell other times. Have NTP set it"
            yield Finding("clocks", "warning", text)
        else:
            yield Finding("clocks", "ok", f"{host}: as the database's")


def check_sandbox() -> Iterator[Finding]:
    offered = capabilities()
    for name, present in (("landlock", offered.landlock), ("seccomp", offered.seccomp)):
        missing = "error" if settings.SANDBOX_REQUIRED else "warning"
        text = f"{name} is there" if present else f"the kernel lacks {name}; documents are confined by limits alone"
        yield Finding("sandbox", "ok" if present else missing, text)
    try:
        with new_sandbox() as sandbox:
            ready = sandbox.start()
    except SandboxUnavailable as error:
        yield Finding("sandbox", "error", str(error))
        return
    if ready.threads != 1:
        yield Finding("sandbox", "error", f"the fork server has {ready.threads} threads instead of one")


def check_ocr() -> Iterator[Finding]:
    """The engines are loaded as for pages: what is missing has its code in what the fork server says."""
    if not settings.SANDBOX_OCR:
        yield Finding("ocr", "warning", "OCR is switched off")
        return
    try:
        with new_sandbox(recognises=True) as sandbox:
            ready = sandbox.start()
    except SandboxUnavailable as error:
        yield Finding("ocr", "error", str(error))
        return
    choice = ocr_choice()
    named = choice.engine + (f", and {choice.second} for a second opinion" if choice.second else "")
    yield Finding("ocr", "ok", f"{named}: loaded")
    if ready.threads != 1:
        yield Finding("ocr", "error", f"the fork server has {ready.threads} threads instead of one")


def check_object_store() -> Iterator[Finding]:
    """Whether a file goes there, comes back and goes away."""
    if not settings.IN_OBJECT_STORE:
        return
    name, told = f"doctor/{uuid4().hex}", uuid4().bytes
    default_storage.save(name, ContentFile(told))
    try:
        with default_storage.open(name) as file:
            whole = file.read() == told
    finally:
        default_storage.delete(name)
    bucket = settings.STORAGE_URL.partition("?")[0]
    said = "a file goes there and comes back" if whole else "it gives back something else than it was given"
    yield Finding("storage", "ok" if whole else "error", f"{bucket}: {said}")


def check_storage() -> Iterator[Finding]:
    folder = Path(settings.MEDIA_ROOT)
    make_folder(folder)
    if is_open(folder):
        yield Finding("storage", "warning", f"{folder} is open to other users of this machine: chmod 700")
    if not os.access(folder, os.W_OK):
        yield Finding("storage", "error", f"{folder} cannot be written")
    usage = shutil.disk_usage(folder)
    ratio = usage.used / usage.total
    scarce = usage.free < FREE_DISK_BYTES or ratio > settings.DISK_WARN_RATIO
    level = "error" if ratio > settings.DISK_REFUSE_RATIO else "warning" if scarce else "ok"
    yield Finding("disk", level, f"{usage.free / GIB:.1f} GiB free of {usage.total / GIB:.0f}, {ratio:.0%} in use")
    if ratio > settings.DISK_CLEAN_RATIO:
        load_actors()  # they are its steps
        steps = ", ".join(step.name for step in disk.in_order())
        said = f"above {settings.DISK_CLEAN_RATIO:.0%} this goes by itself, in this order: {steps}; the rest never does"
        yield Finding("disk", "warning", f"{said}: make room, or give merchants fewer days (docs/keeping.md)")


def check_keeping() -> Iterator[Finding]:
    """Nothing is kept without a rule."""
    for name in keeping.without_rule():
        yield Finding("keeping", "warning", f"{name} is kept, and no rule says how long (docs/keeping.md)")
    left = Deletion.objects.filter(state=DeletionState.LEFT).count()
    if left:
        yield Finding("keeping", "warning", f"{left} deletions have left something behind; see /keeping/")
    yield Finding("keeping", "ok", f"{Deletion.objects.count()} deletions on record")


def check_backups() -> Iterator[Finding]:
    last = last_backup()
    if last.age is None:
        level = "warning" if settings.PRODUCTION else "ok"
        yield Finding("backup", level, "none is on record; `manage.py backup TO` (docs/runbook.md)")
    else:
        level = "warning" if last.is_overdue else "ok"
        yield Finding("backup", level, f"last backup {last.age.total_seconds() / 3600:.1f} h ago")
    if last.error:
        yield Finding("backup", "warning", f"the last try failed: {last.error}")


def check_fonts() -> Iterator[Finding]:
    folders = [Path(os.path.expanduser(folder)) for folder in FONT_FOLDERS]  # a user without a home has two of them
    names = {file.name.lower() for folder in folders if folder.is_dir() for file in folder.rglob("*.[to]t[fc]")}
    fonts = sorted(name for name in names if name.replace("-", "").replace("_", "").startswith(CHINESE_FONTS))
    if fonts:
        yield Finding("fonts", "ok", f"{fonts[0]} draws Chinese that a document does not embed")
    else:
        yield Finding("fonts", "warning", "no Chinese font is installed: pages that embed none show boxes in pictures")


def check_periodic() -> Iterator[Finding]:
    runs = last_runs()
    for run in runs:
        if run.failed:
            yield Finding("periodic", "warning", f"{run.task} failed: {run.error or 'did not end'}")
    never = sorted(set(cron_tasks()) - {run.task for run in runs})
    if never:
        yield Finding("periodic", "warning", f"never run: {', '.join(never)}; is the scheduler running?")
    yield Finding("periodic", "ok", f"{len(runs)} of {len(cron_tasks())} tasks have run")


def check_models() -> Iterator[Finding]:
    ready = [model for model in LanguageModel.objects.filter(enabled=True).order_by("name") if is_ready(model.provider)]
    states = {model_gate.model: model_gate for model_gate in gate.states()}
    for model in ready:
        state = states[model.name]
        if state.is_retired:
            yield Finding(
                "models", "warning", f"{model.name} is no more: its provider took it offline on {_ended(state)}"
            )
        elif state.unusable:
            yield Finding("models", "error", _refused_words(state))
        else:
            yield Finding("models", "ok", f"{model.name} is asked; {len(key_for(model.provider)) or 'no'} key")
        if state.ends_soon:
            text = f"{model.name} has {state.days_left} days left: its provider takes it offline on {_ended(state)}"
            yield Finding("models", "warning", text)
    for provider, name in KEY_SETTINGS.items():
        path = getattr(settings, f"{name}_FILE")
        if path and not key_for(provider):
            yield Finding("models", "error", f"{name}_FILE holds no key: {path}")
    if not ready:
        yield Finding("models", "ok", "no model can be asked: everything is understood by rules")


def check_batches() -> Iterator[Finding]:
    for batch in batches.overdue().order_by("pk"):
        why = (batch.last_error or {}).get("code", "")
        text = f"{batch.name} to {batch.model} was closed at {timezone.localtime(batch.closed_at):%Y-%m-%d %H:%M}"
        text += f" and is {batch.state}{f' ({why})' if why else ''}; `manage.py batches cancel {batch.name}`"
        yield Finding("batches", "warning", text)
    yield Finding("batches", "ok", f"batches of questions under way: {batches.open_batches().count()}")


def _ended(state: gate.Gate) -> str:
    return f"{state.retires_on}; set up the model that follows it, switch this one off"


def _refused_words(state: gate.Gate) -> str:
    since = timezone.localtime(state.unusable_since).isoformat(" ", "minutes") if state.unusable_since else "now"
    again = f"tried again in {state.probe_in_s / 60:.0f} min; at once after a change of its key or row"
    said = f"its provider says {state.unusable}: {state.unusable_detail}"
    return f"{state.model} cannot be used since {since}: {said} It is {again}, or `models close {state.model}`"


def check_mail() -> Iterator[Finding]:
    health = mailing.health()
    yield Finding("mail", health.level, health.text)


def check_profiles() -> Iterator[Finding]:
    """Figures that an older version stored wrong count as their defaults; a new version of the profile mends it."""
    active = ThresholdProfile.objects.filter(active=True).order_by("key")
    for profile, faults in ((profile, profile.faults()) for profile in active):
        for column, errors in faults.items():
            said = " ".join(message for error in errors for message in error.messages)
            yield Finding("profile", "warning", f"{profile}, {column}: {said} The default is used; save a new version")


def check_calibration() -> Iterator[Finding]:
    """What people correct says whether machines have become worse (docs/quality.md)."""
    figures = figures_of("calibration_drifted")
    for (profile, rate), drifted in sorted(figures.items()):
        if drifted:
            yield Finding("calibration", "warning", f"{profile}: {rate} is worse than before; `manage.py calibrate`")
    waiting = int(figures_of("calibration_proposals_open").get((), 0))
    known = f"{waiting} proposed thresholds wait for a decision" if figures else "nothing has been calibrated yet"
    yield Finding("calibration", "ok", known)


def check_turns() -> Iterator[Finding]:
    """Who waits for machines, and who has them."""
    waited_s = max((waiting.waited_s for unit in WORK_UNITS for waiting in waiting_jobs(unit)), default=0.0)
    turns = held_turns()
    long = [turn for turn in turns if turn.seconds > TURN_LONG_S]
    for turn in long[:5]:
        text = (
            f"{turn.merchant} has had a thread for {turn.seconds:.0f} s: {turn.stage} of {turn.document} ({turn.job})"
        )
        yield Finding("turns", "warning", text)
    level = "warning" if waited_s > WAITED_LONG_S else "ok"
    yield Finding("turns", level, f"{len(turns)} threads at work; the longest wait for one is {waited_s:.0f} s")


def check_operator() -> Iterator[Finding]:
    held, stopped = selectors.held_jobs().count(), selectors.stopped_pages().count()
    if held:
        yield Finding("held", "warning", f"{held} documents wait for an operator; `manage.py jobs list --held`")
    if stopped:
        yield Finding("stopped", "warning", f"{stopped} pages were given up; `manage.py pages stopped`")
    if not held and not stopped:
        yield Finding("operator", "ok", "nothing waits for one")


def check_keys() -> Iterator[Finding]:
    if settings.SECRET_KEY.startswith("insecure-"):
        level = "error" if settings.PRODUCTION else "ok"
        yield Finding("secret key", level, "the development key is used; set SECRET_KEY in production")
    if settings.SECRET_KEY_FALLBACKS:
        said = f"{len(settings.SECRET_KEY_FALLBACKS)} former honoured still; `manage.py keys list`"
        yield Finding("secret key", "warning", said)
    if settings.DEBUG:
        yield Finding("debug", "warning", "DEBUG is on: errors show their insides")


CHECKS = (
    *(check_product, check_python, check_database, check_redis, check_workers, check_clocks),
    *(check_sandbox, check_ocr, check_object_store, check_storage, check_keeping, check_backups, check_fonts),
    check_mail,
    *(check_models, check_batches, check_profiles, check_calibration, check_periodic, check_turns),
    *(check_operator, check_keys),
)
