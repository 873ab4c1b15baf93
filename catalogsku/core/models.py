"""Tables and column sets that every app stands on: audit rows, live workers, periodic runs, versions, claims."""

from typing import ClassVar

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import moments


class Xid8Field(models.Field):  # type: ignore[type-arg]
    """PostgreSQL's 64-bit transaction id; written by the database, read as an integer."""

    def db_type(self, connection: object) -> str:
        return "xid8"

    def from_db_value(self, value: object, expression: object, connection: object) -> int | None:
        return None if value is None else int(str(value))


class CurrentTransaction(models.Func):
    """``pg_current_xact_id()``: the id of the transaction that makes the change."""

    template = "pg_current_xact_id()"
    output_field: ClassVar[models.Field] = Xid8Field()  # type: ignore[type-arg]


class LiveRow(models.Model):
    """A row shown live: version counts its visible changes, changed names the transaction of the last one."""

    version = models.BigIntegerField(db_default=1, default=1)
    changed = Xid8Field(db_default=CurrentTransaction(), editable=False)

    class Meta:
        abstract = True

    @staticmethod
    def visible_change() -> dict[str, models.Expression | models.F]:
        """Assignments that every visible UPDATE outside core.moves adds."""
        return {"version": models.F("version") + 1, "changed": CurrentTransaction()}

    @staticmethod
    def visible_sql() -> dict[str, RawSQL]:
        """The same for core.bulk."""
        return {"version": RawSQL("t.version + 1", ()), "changed": RawSQL("pg_current_xact_id()", ())}


class WorkRow(LiveRow):
    """What a machine must do next with a row, and who has it in hand; written by core.work alone."""

    stage = models.CharField(max_length=20, default="NONE")
    worker = models.BigIntegerField(null=True, blank=True, editable=False)
    claim_token = models.BigIntegerField(null=True, blank=True, editable=False)
    claimed_at = models.DateTimeField(null=True, blank=True, editable=False)
    dispatched_at = models.DateTimeField(null=True, blank=True, editable=False)
    not_before = models.DateTimeField(null=True, blank=True, editable=False)
    failures = models.SmallIntegerField(default=0)
    losses = models.SmallIntegerField(default=0)
    last_error = models.JSONField(null=True, blank=True)
    handled_by = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        abstract = True


class Transition(models.Model):
    """One status move: who moved what from where to where, why and when; what listens goes by ``changed``."""

    entity = models.CharField(max_length=20)
    entity_id = models.BigIntegerField()
    job_id = models.BigIntegerField()
    source = models.CharField(max_length=24, blank=True)
    target = models.CharField(max_length=24)
    trigger = models.CharField(max_length=40)
    actor = models.CharField(max_length=80)
    reason = models.JSONField(null=True)
    at = models.DateTimeField(db_default=Now())
    changed = Xid8Field(db_default=CurrentTransaction(), editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["entity", "entity_id", "id"], name="transition_of_row"),
            models.Index(fields=["job_id", "id"], name="transition_of_job"),
            models.Index(fields=["changed"], name="transitions_since"),
            # Rows come in the order of their times: a few bytes a block find those of a day.
            BrinIndex(fields=["at"], name="transitions_by_time", pages_per_range=32, autosummarize=True),
        ]

    def __str__(self) -> str:
        return f"{self.entity} {self.entity_id}: {self.source} -> {self.target} ({self.trigger})"


class Worker(models.Model):
    """A live worker process: inserted at boot, seen every 5 s, deleted at shutdown (TA-BEAT).

    ``host`` is for people; ``machine``, of `presence.this_machine`, says among which processes ``pid`` names this one.
    ``clock_ahead_s``: of `clock.ahead_s`, when it was last seen.
    """

    unit = models.CharField(max_length=20)
    host = models.CharField(max_length=120)
    machine = models.CharField(max_length=80, db_default="")
    pid = models.IntegerField()
    threads = models.SmallIntegerField()
    clock_ahead_s = models.FloatField(db_default=0)
    started_at = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.unit}@{self.host}:{self.pid}"


class KeyUse(models.Model):
    """That a SECRET_KEY was in use with this database; written by catalogsku.core.keys alone."""

    fingerprint = models.CharField(max_length=16, unique=True)
    first_used_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(db_default=Now())
    retired_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.fingerprint


class PeriodicRun(models.Model):
    """That a periodic task ran for a period: the unique row is the claim, on any number of instances.

    ``seen_at``: whoever runs it says so every five seconds; ``losses``: how often they died with it.
    """

    name = models.CharField(max_length=60)
    period = models.DateTimeField()
    started_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    outcome = models.JSONField(null=True)
    error = models.TextField(blank=True, default="")
    seen_at = models.DateTimeField(db_default=Now())
    losses = models.SmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "period"], name="one_run_a_period")]
        indexes = [models.Index(fields=["name", "-period"], name="last_runs")]

    def __str__(self) -> str:
        return f"{self.name} {moments.full(self.period)}"
