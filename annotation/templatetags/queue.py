"""What the queue shows of a task: the time that it may still wait."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotation.tasks.waiting import Countdown
from catalogsku.core.moments import whole
from catalogsku.core.templatetags.ui import icon, iso

register = template.Library()


@register.simple_tag
def countdown(due: Countdown, limit_s: int) -> SafeString:
    """Tone by word, icon and colour, as countdown.js goes on with it. ``limit_s``: the whole time a task may wait."""
    words = {"risk": pgettext("due", "at risk"), "over": pgettext("due", "overdue")}
    minutes, at = pgettext("due", "{n} min"), iso(due.due_at)
    still = format_html(' data-still title="{}"', _("Stands still while somebody has it")) if due.still else ""
    return format_html(
        '<span class="due" data-behaviour="countdown" data-due="{}" data-limit="{}" data-tone="{}"{}'
        ' data-minutes="{}" data-wordrisk="{}" data-wordover="{}"><span class="due-dial" aria-hidden="true"></span>{}{}'
        '<time datetime="{}" title="{}">{}</time> <span data-word>{}</span></span>',
        at,
        limit_s,
        due.tone,
        still,
        minutes,
        words["risk"],
        words["over"],
        icon("warning", size=14, css="due-risk"),
        icon("flag", size=14, css="due-over"),
        at,
        whole(due.due_at),
        due.text if due.minutes >= 60 else minutes.replace("{n}", due.text),
        words.get(due.tone, ""),
    )
