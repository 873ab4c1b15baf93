"""A database that has come up to this release gets the templates that the release ships."""

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
