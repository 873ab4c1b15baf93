"""The frozen configuration of a job, in the form that the engine takes (TA-FREEZE)."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.conf import settings

from catalogsku.core.structs import ready
from catalogsku.profiles import figures
from catalogsku.profiles.dictionaries import LABELS, Word
from catalogsku.profiles.models import RoutingTable, ThresholdProfile
from catalogsku.profiles.routes import usable_points, usable_rows
from catalogsku.profiles.services import words_in
from catalogsku.profiles.wording import rules_before
from ingestion.kinds import KINDS
from ingestion.models import Job
from processing.engine.evaluation.config import EvaluationConfig, PrescanRules, Thresholds
from processing.engine.page import READING_VERSION
from processing.engine.reading.settings import OcrChoice, ReadingSettings
from processing.engine.understanding.config import (
    AnalystConfig,
    BindingLimits,
    Classification,
    Rules,
    SchemaAttribute,
    SchemaRule,
)
from processing.engine.understanding.config import Word as EngineWord
from processing.llm.prompts import Wording, version_of, wordings_of
from processing.llm.routing import Routes

log = logging.getLogger(__name__)


class InForce(NamedTuple):
    """What a profile keeps as JSON, whole."""

    weights: dict[str, float]
    prescan_rules: dict[str, float | bool]
    classification: dict[str, float | bool]
    limits: dict[str, float | bool]


def in_force(profile: ThresholdProfile) -> InForce:
    """The profile's figures, with the default for each that is missing or is none: an older version may have stored it
    so. The log says so once a process, `manage.py doctor` as long as the version is active."""
    faults = profile.faults()
    if faults:
        _tell_once(
            str(profile), " ".join(said for errors in faults.values() for error in errors for said in error.messages)
        )
    return InForce(
        figures.completed_weights(profile.weights),
        figures.completed(profile.prescan_rules, figures.PRESCAN_RULES),
        figures.completed(profile.classification, figures.CLASSIFICATION),
        figures.completed(profile.limits, figures.LIMITS),
    )


@lru_cache(maxsize=256)
def _tell_once(profile: str, faults: str) -> None:
    log.warning("profile completed with defaults", extra={"profile": profile, "faults": faults})


def reading_settings() -> ReadingSettings:
    return ReadingSettings(readers=tuple(settings.READER_ORDER), ocr=settings.SANDBOX_OCR, ocr_by=ocr_choice())


def ocr_choice() -> OcrChoice:
    """Which engines recognise print, with which models."""
    folder = str(settings.OCR_MODELS or "")
    return OcrChoice(settings.OCR_ENGINE, settings.OCR_SECOND, settings.OCR_SECOND_BELOW, folder, _held(folder))


def _held(folder: str) -> str:
    """A mark of the files in it by name and size; of models that are put in its place a process hears when it starts
    again, as its children do."""
    held = _sizes(folder) if folder else ()
    return hashlib.sha256(repr(held).encode()).hexdigest()[:16] if held else ""


@lru_cache(maxsize=8)
def _sizes(folder: str) -> tuple[tuple[str, int], ...]:
    files = (file for file in sorted(Path(folder).rglob("*")) if file.is_file())
    return tuple((str(file.relative_to(folder)), file.stat().st_size) for file in files)


def prescan_settings(job: Job) -> ReadingSettings:
    """As pages are read, with what the job's profile calls a blank page (TA-P1-6)."""
    few = int(in_force(job.profile).prescan_rules["min_text_chars_for_blank"])
    return msgspec.structs.replace(reading_settings(), blank_min_chars=few)


def reading_key() -> str:
    """Names how pages are read: kept pages of another key are read anew (LX-PARSECACHE)."""
    raw = msgspec.json.encode([READING_VERSION, reading_settings()])
    return hashlib.sha256(raw).hexdigest()[:16]


def analyst_config(job: Job, words: Sequence[Word] | None = None) -> AnalystConfig:
    """``words``: in the place of those that the document has kept."""
    attributes, known = with_labels(
        msgspec.convert(job.schema.resolved_attributes, ready(tuple[SchemaAttribute, ...])),
        words_in(job.dictionaries) if words is None else words,
    )
    return msgspec.structs.replace(
        analyst_config_of(job.profile),
        attributes=attributes,
        words=known,
        schema_rules=msgspec.convert(job.schema.resolved_rules, ready(tuple[SchemaRule, ...])),
    )


def own_words(job: Job) -> tuple[EngineWord, ...]:
    """Those of the merchant that the document has kept; for values outside of a page that is understood."""
    return with_labels((), words_in(job.dictionaries))[1] if job.dictionaries else ()


def with_labels(
    attributes: tuple[SchemaAttribute, ...], words: Sequence[Word]
) -> tuple[tuple[SchemaAttribute, ...], tuple[EngineWord, ...]]:
    """The schema's attributes with the labels that a merchant's words add to them, and all words of the engine's own
    kinds; a label of an attribute that this schema has not is none."""
    further: dict[str, list[str]] = {}
    known = []
    for word in words:
        if word.kind == "label" and word.means not in LABELS:
            further.setdefault(word.means, []).append(word.word)
        else:
            known.append(EngineWord(word.kind, word.word, word.means))
    longer = tuple(
        msgspec.structs.replace(entry, synonyms=(*entry.synonyms, *further.get(entry.key, ()))) for entry in attributes
    )
    return longer, tuple(known)


def analyst_config_of(profile: ThresholdProfile) -> AnalystConfig:
    """Without the attributes and rules of a category."""
    held = in_force(profile)
    gaps = {layout: float(held.limits[f"gap_{layout.lower()}"]) for layout in BindingLimits().gap_pt}
    return AnalystConfig(
        classification=msgspec.convert(held.classification, ready(Classification)),
        binding=msgspec.convert({**held.limits, "gap_pt": gaps}, ready(BindingLimits)),
        rules=msgspec.convert(held.limits, ready(Rules)),
        validity_mode=profile.validity_mode,
    )


def evaluation_config(profile: ThresholdProfile) -> EvaluationConfig:
    held = in_force(profile)
    return EvaluationConfig(
        weights=held.weights,
        thresholds=Thresholds(float(profile.threshold_a), float(profile.threshold_pv), float(profile.threshold_b)),
        prescan=msgspec.convert(held.prescan_rules, ready(PrescanRules)),
    )


def routes(job: Job) -> Routes:
    """Which model is asked what."""
    return routes_of(job.routing)


def routes_of(table: RoutingTable) -> Routes:
    columns = {
        "rows": usable_rows(table.rows),
        "points": usable_points(table.points),
        "prefer_always": table.prefer_always,
        "rules_from": table.rules_from,
    }
    return msgspec.convert(columns, ready(Routes))


def wordings(job: Job) -> Mapping[str, Wording]:
    """The prompts of the questions that are asked of its kind, by their key."""
    return wordings_of(job.prompts, KINDS[job.kind].questions)


def prompt_version(job: Job, key: str) -> str:
    """Of a question with this prompt, as its answer will name it."""
    known = wordings(job)
    return version_of(known[key], known[rules_before(key)])


def jsonable(value: Any) -> Any:
    """Engine structures as plain JSON values, for a column or for a child's request."""
    return msgspec.to_builtins(value)
