"""What machines found is written into a study's records; the caller has asked what people decided."""

from catalogsku.core.moves import audit_rows
from processing.studies import values
from processing.studies.lifecycle import RECORD, RecordStatus
from processing.studies.models import Record
from processing.studies.values import Said, Value

# The values that a record is to hold, and what else was offered.
Filling = tuple[list[Value], list[Said]]


def fill(record: Record, filling: Filling) -> None:
    """Nothing where it holds that already."""
    columns = _columns(filling)
    if any(getattr(record, name) != value for name, value in columns.items()):
        columns["revision"] = record.revision + 1
        Record.objects.filter(pk=record.pk).update(**columns, **Record.visible_change())


def part_of(main: Record, repeat: str, part: str) -> Record:
    """A new record of a part, not saved; ``main``: what the study says once."""
    status = RECORD.check_path(RecordStatus.WAITING, RecordStatus.FOUND, RecordStatus.REVIEW)
    columns = {"template_version": main.template_version, "subject": main.subject, "repeat": repeat, "part": part}
    return Record(job_id=main.job_id, status=status, **columns)


def add(record: Record, filling: Filling, trigger: str, actor: str = "system") -> None:
    for name, value in _columns(filling).items():
        setattr(record, name, value)
    record.save()
    told = {record.pk: {"repeat": record.repeat, "part": record.part}}
    audit_rows("record", record.job_id, told, target=record.status, trigger=trigger, actor=actor)


def drop(record: Record) -> None:
    """Of a part that nobody has touched, and that is none."""
    Record.objects.filter(pk=record.pk).update(superseded=True, **Record.visible_change())


def _columns(filling: Filling) -> dict[str, object]:
    held, offers = filling
    return {"values": values.stored(held), "offers": values.stored(offers), "pages": values.pages_of(held)}
