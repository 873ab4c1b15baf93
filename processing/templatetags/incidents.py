"""What pages tell of trouble outside: targets that do not take our secret, webhooks that were switched off."""

from typing import Any

from django import template

from processing.imports.presenters import hold_rows
from processing.webhooks import presenters

register = template.Library()


@register.inclusion_tag("processing/_held_targets.html", takes_context=True)
def held_targets(context: Any) -> dict[str, Any]:
    return {"holds": hold_rows(context["request"].user)}


@register.inclusion_tag("processing/_webhooks_off.html", takes_context=True)
def webhooks_off(context: Any) -> dict[str, Any]:
    return {"endpoints": presenters.switched_off(context["request"].user), "shell": context["shell"]}
