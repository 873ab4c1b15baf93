"""People decide on values: each field of a record by itself, against what they have seen of it; then on the study.

Each service raises Conflict(job_ended) for a study that was refused or cancelled.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from msgspec.structs import replace

from catalogsku.accounts.models import User
from catalogsku.core import live
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.core.moves import move
from ingestion.lifecycle import JobStatus
from ingestion.models import Job
from processing.engine.kinds.printed import PrintedText
from processing.engine.kinds.proving import prove
from processing.engine.page import unpack_page
from processing.pages.services.reading import kept_pages
from processing.studies import values
from processing.studies.answers import QUOTE_LENGTH_MAX, is_of_its_form
from processing.studies.definition import PART_LENGTH_MAX, Field
from processing.studies.lifecycle import RECORD, RECORD_ENDED, RecordStatus
from processing.studies.models import Decision, Record
from processing.studies.selectors import definition_in
from processing.studies.services import filling
from processing.studies.values import PERSON, WITHDRAWN, Value, Verdict

# A quote that a person gives is looked for on the page that they name and those beside it.
PAGES_BESIDE = 1
PARTS_MOST = 400  # of a study


@dataclass(frozen=True)
class Answer:
    """What a person says of a field. ``text``, ``quote`` and ``page`` (from 1) count where it is corrected. ``seen``:
    id of the decision on the field that they saw, 0 for none."""

    verdict: Verdict
    text: str = ""
    quote: str = ""
    page: int = 0
    seen: int = 0


@transaction.atomic
def decide(actor: User, record: Record, field_key: str, answer: Answer) -> Record:
    """Raises NotFound(not_found) for a field that the record is not asked for, Conflict(record_closed),
    Conflict(value_moved_on) where somebody has decided since, Refused(nothing_to_confirm, value_form, quote_long)."""
    record, field = _open(record), _field(record, field_key)
    before = _current(record, field_key)
    _refuse_unseen(before, answer.seen)
    value = _said(record, field, answer, before)
    decision = _note(actor, record, field_key, answer.verdict, value, before)
    _replace(record, field_key, replace(value, decision=decision.pk))
    return record


@transaction.atomic
def withdraw(actor: User, record: Record, field_key: str, seen: int) -> Record:
    """What was there before the last decision on the field counts again. Raises as ``decide``; Conflict(not_decided)
    where there is none."""
    record = _open(record)
    _field(record, field_key)
    current = _current(record, field_key)
    _refuse_unseen(current, seen)
    if current is None or not current.decision:
        raise Conflict("not_decided")
    last = Decision.objects.get(pk=current.decision)
    back = values.values_in([last.before])[0] if last.before else None
    _note(actor, record, field_key, WITHDRAWN, back or Value(field_key), current)
    _replace(record, field_key, back)
    return record


@transaction.atomic
def add_part(actor: User, job: Job, repeat: str, part: str) -> Record:
    """An arm or outcome that was not found. Raises Refused(part_name), Conflict(part_known), Conflict(parts_full),
    NotFound(not_found) where the template asks nothing of such parts."""
    part = " ".join(part.split())
    if not part or len(part) > PART_LENGTH_MAX or not part.isprintable():
        raise Refused("part_name", max=PART_LENGTH_MAX)
    main = _main(job)
    if repeat not in {field.repeat for field in definition_in(main.template_version).fields} - {"none"}:
        raise NotFound("not_found")
    parts = Record.objects.filter(job=job, superseded=False).exclude(repeat="none")
    if parts.count() >= PARTS_MOST:
        raise Conflict("parts_full", max=PARTS_MOST)
    if parts.filter(repeat=repeat, part=part).exists():
        raise Conflict("part_known", part=part)
    row = filling.part_of(main, repeat, part)
    filling.add(row, ([], []), "added", actor.get_username())
    live.hint_after_commit(job.pk)
    return row


@transaction.atomic
def set_rejected(actor: User, record: Record, *, rejected: bool) -> Record:
    """A part that is left out, or taken in again. Raises Conflict(record_closed) where the study is approved, which has
    to be opened first, or the part is what it says once."""
    to, trigger = (RecordStatus.REJECTED, "rejected") if rejected else (RecordStatus.REVIEW, "reopened")
    _main(record.job)
    allowed = (RecordStatus.REVIEW,) if rejected else (RecordStatus.REJECTED,)
    rows = Record.objects.filter(pk=record.pk, superseded=False, status__in=allowed).exclude(repeat="none")
    if not move(RECORD, rows, to=to, trigger=trigger, actor=actor.get_username()):
        raise Conflict("record_closed")
    return Record.objects.get(pk=record.pk)


@transaction.atomic
def approve(actor: User, job: Job, *, drop_rest: bool = False) -> int:
    """The study is right as it stands; how many records were approved.

    ``drop_rest``: values on which nobody has decided are left out, and parts that nobody has touched are rejected;
    else, while there are any, Conflict(study_undecided). Raises Conflict(required_missing) where a required field has
    neither a value nor "not reported", Conflict(record_closed) where nothing is open.
    """
    records = list(_locked(job).filter(status=RecordStatus.REVIEW))
    if not records:
        raise Conflict("record_closed")
    undecided = sum(_undecided(record) for record in records)
    if undecided and not drop_rest:
        raise Conflict("study_undecided", n=undecided)
    dropped = [record for record in records if drop_rest and _is_untouched(record)]
    kept = [record for record in records if record not in dropped]
    missing = [(record.part, field.key) for record in kept for field in _missing(record)]
    if missing:
        named = [f"{part}: {key}" if part else key for part, key in missing[:10]]
        raise Conflict("required_missing", fields=", ".join(named))
    by = actor.get_username()
    for record in kept:
        _drop_undecided(record)
    _move(dropped, RecordStatus.REJECTED, "rejected", by)
    return _move(kept, RecordStatus.APPROVED, "approved", by)


def lacking(job: Job, *, drop_rest: bool) -> list[tuple[Record, Field]]:
    """Required fields for which ``approve`` would refuse just now, each with its record."""
    rows = Record.objects.filter(job=job, superseded=False, status=RecordStatus.REVIEW).order_by("pk")
    kept = [row for row in rows.select_related("template_version") if not (drop_rest and _is_untouched(row))]
    return [(record, field) for record in kept for field in _missing(record)]


@transaction.atomic
def reopen(actor: User, job: Job) -> int:
    """Approved records are open again, those left out stay so. Raises Conflict(record_closed) where none was."""
    approved = list(_locked(job).filter(status=RecordStatus.APPROVED))
    if not approved:
        raise Conflict("record_closed")
    return _move(approved, RecordStatus.REVIEW, "reopened", actor.get_username())


def _refuse_ended(job_id: int) -> None:
    if Job.objects.filter(pk=job_id, status__in=(JobStatus.REJECTED, JobStatus.CANCELLED)).exists():
        raise Conflict("job_ended")


def _locked(job: Job) -> Any:
    _refuse_ended(job.pk)
    rows = Record.objects.filter(job=job, superseded=False).order_by("pk").select_related("template_version")
    return rows.select_for_update(of=("self",), no_key=True)


def _move(records: Sequence[Record], to: RecordStatus, trigger: str, by: str) -> int:
    rows = Record.objects.filter(pk__in=[record.pk for record in records])
    return len(move(RECORD, rows, to=to, trigger=trigger, actor=by)) if records else 0


def _open(record: Record) -> Record:
    _refuse_ended(record.job_id)
    rows = Record.objects.filter(pk=record.pk, superseded=False).select_related("template_version", "job")
    row = rows.select_for_update(of=("self",), no_key=True).first()
    if row is None or row.status in RECORD_ENDED or row.status == RecordStatus.WAITING:
        raise Conflict("record_closed")
    return row


def _main(job: Job) -> Record:
    _refuse_ended(job.pk)
    rows = Record.objects.filter(job=job, repeat="none", superseded=False).select_related("template_version")
    main = rows.select_for_update(of=("self",), no_key=True).first()
    if main is None or main.status != RecordStatus.REVIEW:
        raise Conflict("record_closed")
    return main


def _field(record: Record, key: str) -> Field:
    fields = definition_in(record.template_version).fields
    field = next((field for field in fields if field.key == key and field.repeat == record.repeat), None)
    if field is None:
        raise NotFound("not_found")
    return field


def _current(record: Record, key: str) -> Value | None:
    return next((value for value in values.values_in(record.values) if value.field == key), None)


def _refuse_unseen(current: Value | None, seen: int) -> None:
    if (current.decision if current else 0) != seen:
        raise Conflict("value_moved_on")


def _said(record: Record, field: Field, answer: Answer, before: Value | None) -> Value:
    if answer.verdict == "not_reported":
        return Value(field.key, method=PERSON, verdict="not_reported")
    if answer.verdict == "confirmed":
        if before is None or not before.text:
            raise Refused("nothing_to_confirm")
        return replace(before, verdict="confirmed")
    if answer.verdict != "corrected":
        raise Refused("bad_request", what="verdict")
    text, quote = answer.text.strip(), answer.quote.strip()
    if not is_of_its_form(field, text) and not _was_confirmed(record, field, text):
        raise Refused("value_form", what=text[:40] or "-", type=field.type)
    if len(quote) > QUOTE_LENGTH_MAX or "\x00" in quote:
        raise Refused("quote_long", max=QUOTE_LENGTH_MAX)
    value = Value(field.key, text, method=PERSON, reason="no_quote", verdict="corrected")
    return _proved(record.job, value, quote, answer.page, is_chosen=field.type in values.CHOSEN) if quote else value


def _was_confirmed(record: Record, field: Field, text: str) -> bool:
    """Somebody has: what is printed need not have the form that is asked of what people type. It is compared here, for
    what people type may be what no database takes."""
    confirmed = Decision.objects.filter(record=record, field=field.key, verdict="confirmed")
    return text in confirmed.values_list("value__text", flat=True)


def _proved(job: Job, value: Value, quote: str, page: int, *, is_chosen: bool) -> Value:
    """With what the quote proves of it; of a value that is chosen from a list the quote alone is looked for."""
    numbers = range(max(1, page - PAGES_BESIDE), page + PAGES_BESIDE + 1)
    contents = kept_pages(job, numbers)
    printed = PrintedText([unpack_page(bytes(contents[number].data)) for number in sorted(contents)])
    proof = prove(printed, None if is_chosen else value.text, quote, page)
    places = values.spots(proof.places[0]) if proof.places else ()
    at = places[0].page if places else page
    return replace(value, quote=quote, page=at, places=places, reason=proof.reason, grade=proof.grade)


def _note(actor: User, record: Record, field: str, verdict: str, value: Value, before: Value | None) -> Decision:
    said, was = values.stored([value])[0], values.stored([before])[0] if before else None
    decision: Decision = Decision.objects.create(
        record=record, field=field, by=actor, verdict=verdict, value=said, before=was
    )
    return decision


def _replace(record: Record, field: str, value: Value | None) -> None:
    """In its place, so that values stay in the template's order as far as they have one."""
    held = values.values_in(record.values)
    at = next((n for n, entry in enumerate(held) if entry.field == field), len(held))
    held[at : at + 1] = [value] if value is not None else []
    _keep(record, held)


def _keep(record: Record, held: Iterable[Value]) -> None:
    entries = list(held)
    record.values, record.pages = values.stored(entries), values.pages_of(entries)
    record.revision += 1
    Record.objects.filter(pk=record.pk).update(
        values=record.values, pages=record.pages, revision=F("revision") + 1, **Record.visible_change()
    )
    live.hint_after_commit(record.job_id)


def _undecided(record: Record) -> int:
    return sum(not value.verdict for value in values.values_in(record.values))


def _is_untouched(record: Record) -> bool:
    return record.repeat != "none" and not any(value.verdict for value in values.values_in(record.values))


def _missing(record: Record) -> list[Field]:
    decided = {value.field for value in values.values_in(record.values) if value.verdict}
    fields = definition_in(record.template_version).fields
    return [field for field in fields if field.required and field.repeat == record.repeat and field.key not in decided]


def _drop_undecided(record: Record) -> None:
    held = values.values_in(record.values)
    decided = [value for value in held if value.verdict]
    if len(decided) < len(held):
        _keep(record, decided)
