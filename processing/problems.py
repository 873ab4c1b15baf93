"""Codes of refused requests about webhooks and evaluations: their HTTP status and their sentence (TA-ERRMAP)."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from ingestion import problems as documents

PROBLEMS: dict[str, tuple[int, Any]] = {
    "webhook_url": (422, _("Nothing can be sent to this address: %(why)s")),
    "webhook_events": (422, _("Choose at least one event, of those that there are.")),
    "webhook_known": (409, _("This merchant has a receiver with this address already.")),
    "webhooks_full": (409, _("A merchant may have %(max)s receivers. Remove one first.")),
    "unknown_golden": (422, _("There is no golden set of this name. There are: %(known)s")),
    "runs_waiting": (409, _("%(max)s runs are waiting or under way already.")),
    "webhook_off": (409, _("This receiver is switched off. Switch it on first.")),
}


def sentence(code: str, params: dict[str, object] | None = None) -> str:
    """The code's sentence in the active language."""
    if code not in PROBLEMS:
        return documents.sentence(code, params)
    text = str(PROBLEMS[code][1])
    return text % params if params else text
