"""What the product asks of studies, entered as the app is ready: the services of their stages, how they begin and are
settled; and a database that has come up to this release gets the templates that the release ships."""

from collections.abc import Collection, Mapping
from typing import Any

from django.apps import apps as newest


def bring_shipped_templates(apps: Any = newest, **_said: Any) -> None:
    """After ``migrate``, unless that went back to a state without templates."""
    try:
        apps.get_model("processing", "TemplateVersion")
    except LookupError:
        return
    from processing.studies.services.shipped import load_shipped

    load_shipped()


def enter_kind() -> None:
    """As the app is ready. Each entry takes the place of one that is there: it may be called again."""
    from ingestion.kinds import KINDS
    from ingestion.services.opening import OPENING, Opening
    from ingestion.services.settle import SETTLING, Settling
    from processing.studies import presenters
    from processing.studies.kind import STUDY
    from processing.studies.services import opening, settling
    from processing.webhooks.events import TELLERS

    TELLERS["record"] = tell_of_studies
    KINDS[STUDY.key] = STUDY
    OPENING[STUDY.key] = Opening(opening.template_of, opening.begin, presenters.templates_offered)
    SETTLING[STUDY.key] = Settling(
        settling.census, settling.status, settling.completion, settling.unsettled, settling.looks_again
    )


def enter_stages() -> None:
    """Where actors are: what reads and finds loads the engine."""
    from ingestion.lifecycle import JobStage, PageStage
    from processing.pages.services.taking_turns import DO, READING
    from processing.studies.kind import STUDY
    from processing.studies.services import asking, extracting

    DO[STUDY.key] = {
        **READING,
        PageStage.UNDERSTAND_RULES: extracting.note_pages,
        JobStage.EXTRACT: extracting.extract_job,
        JobStage.ASK: asking.ask_job,
    }


def enter_files() -> None:
    """Where actors and addresses are, and in commands that write files: what writes them loads much."""
    from processing.exports.result_file import ETAGS, STREAMS
    from processing.exports.services.exporting import CONTENTS
    from processing.studies import exports, result_file
    from processing.studies.kind import STUDY

    CONTENTS[STUDY.key] = exports.CONTENTS
    STREAMS[STUDY.key], ETAGS[STUDY.key] = result_file.stream, result_file.etag


def enter_trials() -> None:
    """Where addresses are: what a prompt's trial shows loads the engine."""
    from processing.pages.services.trying import ZONES
    from processing.studies.services.asking import zones_to_try

    ZONES["read_study"] = zones_to_try


def tell_of_studies(ids: Collection[int]) -> dict[int, Mapping[str, Any]]:
    """For webhooks, by id; of a study's parts nothing is told: they go with what it says once."""
    from processing.studies.models import Record

    rows = Record.objects.filter(pk__in=ids, repeat="none").select_related("template_version__template", "job")
    return {
        row.pk: {
            "template": row.template_version.template.key,
            "template_version": row.template_version.number,
            "total_pages": row.job.total_pages,
        }
        for row in rows.defer("values", "offers")
    }
