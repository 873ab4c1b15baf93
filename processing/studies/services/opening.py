"""How a study begins: with the template that it is read by, in a version, and a row that waits for its values."""

from pathlib import PurePath

from catalogsku.core.errors import Refused
from ingestion.models import Job
from processing.studies.definition import SUBJECT_LENGTH_MAX
from processing.studies.models import Record, TemplateVersion
from processing.studies.selectors import templates_to_begin_with, version_named


def template_of(merchant_id: int, named: str) -> str:
    """ "key/version" of what somebody names by "key" (its newest version) or "key/version"; the merchant's own before a
    shipped one. Raises Refused(template_missing), Refused(unknown_template), Refused(template_archived)."""
    if not named:
        raise Refused("template_missing", known=", ".join(_keys(merchant_id)))
    version = version_named(merchant_id, named)
    if version is None:
        raise Refused("unknown_template", what=named[:60], known=", ".join(_keys(merchant_id)))
    if version.template.archived:
        raise Refused("template_archived", template=version.template.key)
    return f"{version.template.key}/{version.number}"


def _keys(merchant_id: int) -> list[str]:
    return [template.key for template in templates_to_begin_with(merchant_id)]


def begin(job: Job) -> None:
    """Call in the transaction that makes the document."""
    version: TemplateVersion | None = version_named(job.merchant_id, job.template)
    if version is None:
        raise Refused("unknown_template", what=job.template, known="")
    subject = PurePath(job.source_name).stem[:SUBJECT_LENGTH_MAX]
    Record.objects.create(job=job, template_version=version, subject=subject)
