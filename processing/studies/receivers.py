"""What the product asks of studies, entered as the app is ready: the services of their stages, how they begin and are
settled; and a database that has come up to this release gets the templates that the release ships."""

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
    from processing.studies.kind import STUDY
    from processing.studies.services import opening, settling

    KINDS[STUDY.key] = STUDY
    OPENING[STUDY.key] = Opening(opening.template_of, opening.begin)
    SETTLING[STUDY.key] = Settling(
        settling.census, settling.status, settling.completion, settling.unsettled, settling.looks_again
    )


def enter_stages() -> None:
    """Where actors are: what reads and finds loads the engine."""
    from ingestion.lifecycle import JobStage, PageStage
    from processing.pages.services.taking_turns import DO, READING
    from processing.studies.kind import STUDY
    from processing.studies.services import extracting

    DO[STUDY.key] = {
        **READING,
        PageStage.UNDERSTAND_RULES: extracting.note_pages,
        JobStage.EXTRACT: extracting.extract_job,
    }
