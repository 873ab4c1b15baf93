"""The proof: every column of every table, every file and the logs are searched for what was deleted."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from catalogsku.core import storage
from ingestion.keeping.models import Deletion, Subject
from ingestion.keeping.policies import Kind, declared, policy_of
from ingestion.models import Job, Page

SEARCHED = (models.CharField, models.TextField, models.JSONField, models.UUIDField, ArrayField)
OF_DOCUMENTS = (Kind.RESULTS, Kind.AUDIT, Kind.TRACES, Kind.EXPORTS, Kind.DRAFTS)
LOGS = "logs"
LOG_BLOCK = 1 << 22


@dataclass
class Needles:
    """``parts`` stand for it wherever they occur; ``words`` do where they are a whole text. ``file``: SHA-256 and bytes
    of a source that nobody else has."""

    parts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    file: tuple[str, int] | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def scan(deletion: Deletion, needles: Needles) -> dict[str, int]:
    """Places to how often it was found there; ``logs`` counts lines, which go by themselves with their days.

    What goes by a rule is asked for by number and place alone: it is many documents a day, and each search reads all.
    """
    if deletion.by_rule:
        return {**_by_number(deletion), **_in_folder(deletion)}
    found = {**_in_tables(deletion, needles), **_by_number(deletion), **_in_storage(deletion, needles)}
    if lines := _in_logs(needles):
        found[LOGS] = lines
    return found


def _in_tables(deletion: Deletion, needles: Needles) -> dict[str, int]:
    """Of a merchant not among what documents say: its own are gone, and its name may be a brand of others'."""
    skipped = OF_DOCUMENTS if deletion.subject == Subject.MERCHANT else ()
    parts = [f"%{_escaped(part)}%" for part in needles.parts]
    quoted = [f'%"{_escaped(word)}"%' for word in needles.words]
    found = {}
    for model in apps.get_models(include_auto_created=True):
        columns = [f for f in model._meta.local_concrete_fields if isinstance(f, SEARCHED)]
        if model is Deletion or not columns or policy_of(model).kind in skipped:
            continue
        terms, values = [], list[Any]()
        for column in columns:
            text = f"{connection.ops.quote_name(str(column.column))}::text"
            is_json = isinstance(column, models.JSONField | ArrayField)
            terms.append(f"{text} LIKE ANY(%s) OR {text} " + ("LIKE ANY(%s)" if is_json else "= ANY(%s)"))
            values += [parts, quoted if is_json else needles.words]
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT count(*) FROM {table} WHERE {' OR '.join(terms)}", values)
            if number := cursor.fetchone()[0]:
                found[model._meta.label_lower] = int(number)
    return found


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _by_number(deletion: Deletion) -> dict[str, int]:
    """Rows that name it by its number, which no search for text finds; sums of what models cost stay."""
    names = {Subject.DOCUMENT: "job_id", Subject.MERCHANT: "merchant_id"}
    found = {}
    for model, policy in declared():
        columns = {field.attname for field in model._meta.concrete_fields}
        name = names.get(Subject(deletion.subject))
        if name not in columns or policy.kind in (Kind.MONEY, Kind.ANSWERS):
            continue
        if number := model._base_manager.filter(**{name: deletion.number}).count():
            found[f"{model._meta.label_lower}.{name}"] = number
    return found


def _in_storage(deletion: Deletion, needles: Needles) -> dict[str, int]:
    """Names of files, and for a document its source's own bytes under whatever name; uploads under way among them."""
    if deletion.merchant_number is None:
        return {}
    names = list(storage.walk(f"m{deletion.merchant_number}"))
    if deletion.subject == Subject.MERCHANT:
        return {"storage": len(names)} if names else {}
    named = sum(any(part in name for part in needles.parts) for name in names)
    same = sum(_is_same(name, needles.file) for name in names) if needles.file else 0
    return {"storage": named + same} if named + same else {}


def _in_folder(deletion: Deletion) -> dict[str, int]:
    """Of a document alone; where its file came again meanwhile, the folder is that one's."""
    sha256 = deletion.hashes["file"]
    if deletion.merchant_number is None or _is_shared(deletion):
        return {}
    names = sum(1 for _ in storage.walk(storage.file_prefix(deletion.merchant_number, sha256)))
    return {"storage": names} if names else {}


def _is_shared(deletion: Deletion) -> bool:
    folder = storage.file_prefix(deletion.merchant_number or 0, deletion.hashes["file"])
    same = Job.objects.filter(merchant=deletion.merchant_number, file_sha256=deletion.hashes["file"])
    carried = Page.objects.filter(thumbnail_key__startswith=f"{folder}/", job__merchant=deletion.merchant_number)
    return same.exists() or carried.exists()


def _is_same(name: str, file: tuple[str, int]) -> bool:
    sha256, size = file
    if storage.size_of(name) != size:
        return False
    with storage.local_copy(name) as path:
        return storage.sha256_of(path) == sha256


def _in_logs(needles: Needles) -> int:
    wanted = [needle.encode() for needle in (*needles.parts, *needles.words)]
    return sum(any(needle in line for needle in wanted) for line in _lines())


def _lines() -> Iterator[bytes]:
    for path in sorted(Path(settings.VAR_DIR, "log").glob("*.log*")):
        try:
            with path.open("rb") as file:
                while line := file.readline(LOG_BLOCK):
                    yield line
        except FileNotFoundError:  # its days were over just now
            continue
