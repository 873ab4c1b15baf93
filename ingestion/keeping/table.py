"""For how long what is below this app and in it is kept. Documents are closed before their rows go."""

from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet

from catalogsku.accounts.models import FailedTries, Merchant, User
from catalogsku.core.models import Transition
from ingestion.keeping.policies import Folder, Kind, Policy, Rows, declare
from ingestion.models import Job, Notice, Upload


def _transitions(job: Job) -> QuerySet[Any]:
    return Transition.objects.filter(job_id=job.pk)


def _uploads(job: Job) -> QuerySet[Any]:
    return Upload.objects.filter(job=job)


def _notices(job: Job) -> QuerySet[Any]:
    return Notice.objects.filter(job=job)


def _sessions(person: User) -> QuerySet[Any]:
    """What a session says is signed, not searched: each is opened."""
    own = [row.pk for row in Session.objects.all() if row.get_decoded().get("_auth_user_id") == str(person.pk)]
    return Session.objects.filter(pk__in=own)


def _tries(person: User) -> QuerySet[Any]:
    return FailedTries.objects.filter(key__endswith=f" {person.pk}")


def _named(model: Any) -> Rows:
    """Tables of django-axes know people by what they typed."""

    def rows(person: User) -> QuerySet[Any]:
        found: QuerySet[Any] = model.objects.filter(username=person.username)
        return found

    return rows


def _entries_about(target: Merchant | User) -> QuerySet[Any]:
    """What the admin's own log says of them and of what is called after them."""
    itself = Q(content_type=ContentType.objects.get_for_model(target), object_id=str(target.pk))
    return LogEntry.objects.filter(itself | Q(object_repr__startswith=str(target)[:200]))


SETTING, STATE, PEOPLE = Policy(Kind.SETTINGS), Policy(Kind.STATE), Policy(Kind.PEOPLE)
LOGS = Policy(Kind.LOGS)
VERSIONED = ("categoryschema", "promptversion", "promptverdict", "promptactivation", "promptexperiment",
             "thresholdprofile", "goldenverdict", "activation", "routingtable", "workrules",
             "merchantdictionary")  # fmt: skip

declare(
    {
        "core.transition": Policy(Kind.AUDIT, document=_transitions, names=("actor",), told=("reason",)),
        "core.worker": STATE,
        "core.keyuse": STATE,
        "core.periodicrun": LOGS,
        "accounts.merchant": PEOPLE,
        "accounts.user": PEOPLE,
        "accounts.user_merchants": PEOPLE,
        "accounts.user_groups": PEOPLE,
        "accounts.user_user_permissions": PEOPLE,
        "accounts.failedtries": Policy(Kind.LOGS, person=_tries),
        "accounts.knownplace": LOGS,
        "accounts.apiwindow": STATE,
        # The database refuses to change or delete it, but for names: catalogsku/profiles/migrations/0004_forgetting.py
        "profiles.configchange": SETTING,
        **dict.fromkeys((f"profiles.{name}" for name in VERSIONED), SETTING),
        "ingestion.filerule": SETTING,
        "ingestion.quota": SETTING,
        "ingestion.keepingrule": SETTING,
        "ingestion.emptied": Policy(Kind.RESULTS),
        "ingestion.deletion": Policy(Kind.PEOPLE),  # for good: it names nobody
        "ingestion.job": Policy(Kind.RESULTS, names=("import_held_by", "models_decided_by")),
        "ingestion.page": Policy(
            Kind.RESULTS, called=("holder",), files=("screenshot_key", "preview_key", "thumbnail_key")
        ),
        "ingestion.prescanpart": Policy(Kind.RESULTS),
        "ingestion.machineuse": STATE,
        "ingestion.upload": Policy(Kind.STATE, document=_uploads),
        "ingestion.notice": Policy(Kind.LOGS, document=_notices),
        "ingestion.mailchoice": PEOPLE,
        "admin.logentry": Policy(Kind.LOGS, merchant=_entries_about, person=_entries_about),
        "auth.permission": STATE,
        "auth.group": SETTING,
        "auth.group_permissions": SETTING,
        "contenttypes.contenttype": STATE,
        "sessions.session": Policy(Kind.LOGS, person=_sessions),
        "django_dramatiq.task": STATE,
        "axes.accessattempt": Policy(Kind.LOGS, person=_named(AccessAttempt)),
        "axes.accessattemptexpiration": LOGS,
        "axes.accesslog": Policy(Kind.LOGS, person=_named(AccessLog)),
        "axes.accessfailurelog": Policy(Kind.LOGS, person=_named(AccessFailureLog)),
    },
    (
        Folder("uploads/*", Kind.STATE, ("ingestion.services.receiving",)),  # UPLOAD_EXPIRES_H
        Folder("m*/??/*/source.pdf", Kind.SOURCES, ("ingestion.services.receiving",)),
        Folder("m*/archive/*", Kind.RESULTS, ("ingestion.keeping.services.archiving",)),
        Folder("log", Kind.LOGS, in_var=True),
        *(
            Folder(name, Kind.STATE, in_var=True)
            for name in (
                "storage",
                "work",
                "metrics",
                "postgres",
                "postgres-*",
                "run",
                "redis",
                "valkey",
                "*.json",
                "test",
            )
        ),
        Folder("results", Kind.RESULTS, in_var=True),  # what `manage.py extract` wrote for whoever called it
    ),
)
