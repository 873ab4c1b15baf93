"""The result file of a study: its template's fields, what was found and decided for each part, and which checks do not
hold (TA-JSON)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.db.models import Sum

from ingestion.models import Job
from processing.llm.models import ModelCall
from processing.products.selectors import result_etag
from processing.studies.consistency import Part, breaches, checked_fields
from processing.studies.definition import Definition
from processing.studies.models import TemplateVersion
from processing.studies.records import active, checked_part, etag_part, in_steps, record_part, version_of
from processing.studies.selectors import definition_in

SCHEMA_VERSION = "study-1.0"
SCHEMA_FILE = Path(__file__).with_name("result.schema.json")


def stream(job: Job) -> Iterator[str]:
    """Record by record; of all of them only what checks read is kept."""
    version = version_of(job)
    definition = definition_in(version)
    head = {
        "schema_version": SCHEMA_VERSION,
        "job": job_part(job, version),
        "template": template_part(version, definition),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "records": ['
    read, checked, between = checked_fields(definition), list[Part](), "\n"
    for record, known in in_steps(active(job)):
        if (part := checked_part(record, read)) is not None:
            checked.append(part)
        yield between + json.dumps(record_part(record, known), ensure_ascii=False)
        between = ",\n"
    failed = msgspec.to_builtins(breaches(definition, checked))
    yield f'], "checks": {json.dumps(failed, ensure_ascii=False)}}}\n'


def etag(job: Job) -> str:
    return f'{result_etag(job)[:-1]}-{etag_part(job)}"'


def job_part(job: Job, version: TemplateVersion) -> dict[str, Any]:
    return {
        "job_id": str(job.uuid),
        "kind": job.kind,
        "template": version.template.key,
        "template_version": version.number,
        "source_file": job.source_name,
        "file_hash": job.file_sha256,
        "merchant_id": str(job.merchant_id),
        "status": job.status,
        "total_pages": job.total_pages or 0,
        "cost_micro": ModelCall.objects.filter(job=job).aggregate(micro=Sum("settled_micro"))["micro"] or 0,
    }


def template_part(version: TemplateVersion, definition: Definition) -> dict[str, Any]:
    """What was asked, without how it is to be found."""
    return {
        "key": version.template.key,
        "version": version.number,
        "name": version.template.name,
        "fields": [
            {
                "key": field.key,
                "group": group.key,
                "labels": {"en": field.labels.en, "zh": field.labels.zh},
                "type": field.type,
                "unit": field.unit or None,
                "required": field.required,
                "repeat": field.repeat,
                "choices": [choice.key for choice in field.choices],
            }
            for group in definition.groups
            for field in group.fields
        ],
    }
