"""What the screen of operations shows of the figures of days."""

from typing import Any

from django import template

from annotation.figures.presenters import today_chart

register = template.Library()


@register.inclusion_tag("annotation/_today_chart.html", takes_context=True)
def done_today(context: Any) -> dict[str, Any]:
    return {"chart": today_chart(context["request"].user)}
