"""What each table and folder is kept for: of which kind it is, and how it hangs on documents, merchants and people.

Declared in tables of code: ``ingestion/keeping/table.py``, ``processing/kept.py``, ``annotation/kept.py``.
From them come the check that nothing is without a rule, the deletions and the scan.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Kind(models.TextChoices):
    """The first nine have a number of days; the others go with what they belong to, or by the rule beside them."""

    SOURCES = "sources", pgettext_lazy("kept", "Source files and their copies")
    PICTURES = "pictures", pgettext_lazy("kept", "Pictures of pages")
    TRACES = "traces", pgettext_lazy("kept", "Traces")
    ANSWERS = "answers", pgettext_lazy("kept", "Answers of models")
    DRAFTS = "drafts", pgettext_lazy("kept", "Drafts of closed tasks")
    EXPORTS = "exports", pgettext_lazy("kept", "Files of exports")
    AUDIT = "audit", pgettext_lazy("kept", "Log of what became of documents")
    RESULTS = "results", pgettext_lazy("kept", "Documents with their results")
    LOGS = "logs", pgettext_lazy("kept", "Logs and sign-ins")  # LOGS_KEPT_DAYS, of the installation
    SETTINGS = "settings", _("Settings")  # until somebody deletes them, with their merchant at the latest
    PEOPLE = "people", _("People and merchants")  # until they are deleted
    MONEY = "money", _("What models cost")  # for good, without a word of what was asked
    QUALITY = "quality", _("Measurements of quality")  # for good: of golden sets and of how people work
    STATE = "state", _("State of machines")  # what is true now and replaces itself


# Days after a document's end, or after the row's own time; None: until somebody deletes it (TA-CLEAN, TA-KEEP).
DEFAULT_DAYS: dict[str, int | None] = {
    Kind.SOURCES: 30, Kind.PICTURES: 30, Kind.TRACES: 90, Kind.ANSWERS: 30, Kind.DRAFTS: 30, Kind.EXPORTS: 7,
    Kind.AUDIT: None, Kind.RESULTS: None,
}  # fmt: skip

Rows = Callable[[Any], "models.QuerySet[Any]"]


@dataclass(frozen=True)
class Policy:
    """How rows of a table go. What a cascading foreign key takes along need not be said.

    ``document``, ``merchant``, ``person``: the rows that go with one of these besides. ``emptied``: they stay, for what
    they count, and these columns get these values. ``names``: columns that may hold a person's user name, ``called``:
    what people are called; ``told``: JSON in which either may stand. ``files``: columns that name files in storage.
    """

    kind: Kind
    document: Rows | None = None
    merchant: Rows | None = None
    person: Rows | None = None
    emptied: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folder:
    """``pattern``: of names in storage, or (``in_var``) just below VAR_DIR. ``made_by``: modules that store there."""

    pattern: str
    kind: Kind
    made_by: tuple[str, ...] = ()
    in_var: bool = False


POLICIES: dict[str, Policy] = {}
FOLDERS: dict[str, Folder] = {}
# Why a document that has ended is not at rest yet, by name: each a condition over its row.
BUSY: dict[str, models.Exists] = {}
PERSON_BUSY: list[Callable[[Any], bool]] = []
# What becomes of the readings that name these pictures of pages, once the pictures are gone.
Forget = Callable[[Any, set[str]], None]
FORGET_PICTURES: list[Forget] = []
# What rows that stay say of a document that goes; each gives how many rows of which table it changed.
FORGET_DOCUMENT: list[Callable[[Any], Mapping[str, int]]] = []


def declare(policies: Mapping[str, Policy], folders: tuple[Folder, ...] = ()) -> None:
    """By label as in "ingestion.job"; said twice it is the same."""
    POLICIES.update(policies)
    FOLDERS.update({folder.pattern: folder for folder in folders})


def policy_of(model: type[models.Model]) -> Policy:
    return POLICIES[model._meta.label_lower]


def declared() -> "list[tuple[type[models.Model], Policy]]":
    return [(apps.get_model(label), policy) for label, policy in POLICIES.items()]


def folder_of(name: str, *, in_var: bool = False) -> Folder | None:
    """Of a file in storage, or of an entry of VAR_DIR; None where nobody has said how long it is kept."""
    fitting = (f for f in FOLDERS.values() if f.in_var == in_var and fnmatchcase(name, f.pattern))
    return next(fitting, None)


def check_policies(app_configs: Any = None, **options: Any) -> list[CheckMessage]:
    """For `manage.py check`: nothing is kept without a rule, and no rule is of something that is not there."""
    known = {model._meta.label_lower: model for model in apps.get_models(include_auto_created=True)}
    where = "Declare it in the table of its app: ingestion/keeping/table.py, processing/kept.py, annotation/kept.py."
    without = [
        Error(f"{label} has no rule for how long it is kept.", hint=where, id="keeping.E001")
        for label in sorted(known.keys() - POLICIES.keys())
    ]
    unknown = [
        Error(f"There is a rule for {label}, which is no model.", id="keeping.E002")
        for label in sorted(POLICIES.keys() - known.keys())
    ]
    wrong = [
        Error(f"{label} has no column {name}, of which its rule speaks.", id="keeping.E003")
        for label in sorted(known.keys() & POLICIES.keys())
        for name in sorted(_columns(POLICIES[label]) - {field.name for field in known[label]._meta.concrete_fields})
    ]
    return [*without, *unknown, *wrong]


def _columns(policy: Policy) -> set[str]:
    return {*policy.emptied, *policy.names, *policy.called, *policy.told, *policy.files}
