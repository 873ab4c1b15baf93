"""A truth of a small trial, and results of it, made by hand."""

import json
from typing import Any

from processing.engine.quality.study_measure import StudyMeasure, StudyResult, decode_result, measure_study
from processing.engine.quality.study_report import PaperMeasure
from processing.engine.quality.study_truth import StudyTruth, read_study_truth

NAME = "set/falls.truth.json"
FIELDS = [
    {"key": "country", "type": "text", "repeat": "none", "required": False, "choices": []},
    {"key": "total", "type": "integer", "repeat": "none", "required": True, "choices": []},
    {"key": "design", "type": "choice", "repeat": "none", "required": True, "choices": ["parallel", "cluster"]},
    {"key": "conflicts", "type": "boolean", "repeat": "none", "required": False, "choices": []},
    {"key": "arm_name", "type": "text", "repeat": "per_arm", "required": True, "choices": []},
    {"key": "size", "type": "integer", "repeat": "per_arm", "required": True, "choices": []},
    {"key": "outcome_name", "type": "text", "repeat": "per_outcome", "required": True, "choices": []},
    {"key": "mean", "type": "number", "repeat": "per_outcome", "required": False, "choices": []},
]


def value(text: str, quote: str = "", page: int = 1, **more: Any) -> dict[str, Any]:
    return {"value": text, "quote": quote or f"it is {text}", "page": page, **more}


def body(*records: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "schema_version": "study-1.0",
        "kind": "study",
        "file": {"name": "falls.pdf", "sha256": "0" * 64},
        "template": "rct/1",
        "maker": "lumo",
        "records": records or [once(country=value("Norway"))],
        **changes,
    }


def once(**fields: Any) -> dict[str, Any]:
    return {"repeat": "none", "fields": fields}


def part(name: str, *also: str, repeat: str = "per_arm", **fields: Any) -> dict[str, Any]:
    return {"repeat": repeat, "part": name, "also": also, "fields": fields}


def truth(*records: dict[str, Any], **changes: Any) -> StudyTruth:
    return read_study_truth(json.dumps(body(*records, **changes)).encode(), NAME)


def found(repeat: str = "none", name: str = "", status: str = "REVIEW", **values: Any) -> dict[str, Any]:
    """``values``: by field a text, (text, grade), or a list of which the others are offered."""
    told, offers = [], []
    for field, entry in values.items():
        said, *others = entry if isinstance(entry, list) else [entry]
        text, grade = said if isinstance(said, tuple) else (said, "yellow")
        if text is not None:
            told.append({"field": field, "text": text, "grade": grade, "method": "rules-1"})
        offers += [{"field": field, "text": other} for other in others]
    return {"repeat": repeat, "part": name, "status": status, "values": told, "offers": offers}


def result(*records: dict[str, Any]) -> StudyResult:
    told = {
        "schema_version": "study-1.0",
        "job": {"file_hash": "0" * 64, "status": "PARTIAL_IMPORTED"},
        "template": {"key": "rct", "version": 1, "fields": FIELDS},
        "records": records,
    }
    return decode_result(json.dumps(told).encode())


def measured(of: StudyTruth, *records: dict[str, Any]) -> StudyMeasure:
    return measure_study(of, result(*records), NAME)


def paper(of: StudyTruth, *records: dict[str, Any], name: str = "set/falls", maker: str = "lumo") -> PaperMeasure:
    told = measured(of, *records)
    return PaperMeasure(
        name,
        "falls.pdf",
        maker,
        "rct/1",
        "PARTIAL_IMPORTED",
        0,
        told.by_field,
        told.by_repeat,
        told.slips,
        told.methods,
    )
