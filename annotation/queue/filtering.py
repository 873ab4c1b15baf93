"""What the queue is narrowed down to: read from its address, put before its rows, and written back into addresses."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Count, F, Min, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.queue.selectors import open_to
from annotation.tasks.lifecycle import FREE, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.waiting import AT_RISK_S
from catalogsku.accounts.models import User
from catalogsku.core.deferred import all_but
from catalogsku.profiles.models import WorkRules
from ingestion.models import Job, Page

DOCUMENTS_MOST = 100  # to choose from, those due first
# Kinds of reasons to choose from; a single code of ingestion.reasons may stand in the address too.
REASONS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "unsure": (_("Machines are unsure"),
               ("low_confidence", "page_score_low", "sku_doubtful", "page_type_uncertain", "second_opinion_differs",
                "products_denied", "answer_repaired", "answer_short", "answer_odd")),
    "identity": (_("Identity or specification is missing"),
                 ("identity_missing", "specification_missing", "all_skus_invalid", "sku_no_model_but_has_price",
                  "required_field", "table_page_missing_fields")),
    "values": (_("A value is in doubt"),
               ("price_unclear", "price_format_invalid", "multi_currency_detected", "range_check", "regex_match",
                "max_count", "value_not_found", "value_of_another", "value_mislabelled", "value_approximate",
                "value_unproved")),
    "pictures": (_("Pictures are unclear"),
                 ("binding_ambiguous", "sku_without_image", "image_without_sku", "main_image_too_small")),
    "gaps": (_("Something was not read"),
             ("coverage_low", "no_sku_found", "skip_doubtful", "rows_unresolved", "sku_count_abnormal",
              "duplicate_model_in_page", "blocks_left_out")),
    "whole": (_("People do the whole page"), ("route_human_all", "eval_failed", "prescan_reject")),
    "reported": (_("Reported by readers"), ("reported_wrong", "reported_missing", "reported_surplus")),
    "refused": (_("The target refused it"), ("import_refused",)),
    "orders": (_("Orders to machines"), ("injection_suspected",)),
    "again": (_("A second look"), ("second_look", "sent_back", "auto_accepted", "blind_look")),
}  # fmt: skip
NOBODY, ME = "-", "me"
HOLDERS = {ME: pgettext_lazy("holder", "Me"), NOBODY: pgettext_lazy("holder", "Nobody")}
DUE = {
    "over": _("Overdue"),
    "risk": _("In ten minutes at most"),
    "hour": _("In an hour at most"),
    "later": _("Later than in an hour"),
}
_OF_JOB = all_but(Job, "job", "uuid", "source_name")
_OF_PAGE = all_but(Page, "page", "number", "thumbnail_key")
_PLACE = re.compile(r"(?P<clock>[0-9T:.+-]{19,40})~(?P<id>\d{1,18})")
_WITHIN_S = {"over": 0, "risk": AT_RISK_S, "hour": 3600, "later": 3600}


@dataclass(frozen=True)
class Wanted:
    """``show``: a type of task; ``holder``: a username, or one of HOLDERS. Nothing: all of them."""

    show: str = "all"
    document: UUID | None = None
    reason: str = ""
    category: str = ""
    holder: str = ""
    due: str = ""

    @property
    def is_narrowed(self) -> bool:
        return self != Wanted(self.show)

    def address(self, **changed: str) -> str:
        """The query string that says it, without the question mark."""
        query, parameters = QueryDict(mutable=True), {**vars(self), **changed}
        query.update({name: str(value) for name, value in parameters.items() if value and value != "all"})
        return query.urlencode()


class _Form(forms.Form):
    show = forms.CharField(max_length=20, required=False)
    document = forms.UUIDField(required=False)
    reason = forms.CharField(max_length=40, required=False)
    category = forms.CharField(max_length=60, required=False)
    holder = forms.CharField(max_length=150, required=False)
    due = forms.ChoiceField(choices=list(DUE.items()), required=False)


def read(query: QueryDict) -> Wanted:
    """What cannot be read narrows nothing down."""
    form = _Form(query)
    form.is_valid()
    filled = {name: value for name, value in form.cleaned_data.items() if value}
    return Wanted(**filled)


def narrow(rows: "QuerySet[HumanTask]", wanted: Wanted, actor: User, rules: WorkRules) -> "QuerySet[HumanTask]":
    """All but the type of task, by which its callers count."""
    if wanted.document:
        rows = rows.filter(job__uuid=wanted.document)
    if wanted.reason:
        codes = REASONS[wanted.reason][1] if wanted.reason in REASONS else (wanted.reason,)
        condition = Q()
        for code in codes:
            condition |= Q(reasons__contains=[{"code": code}])
        rows = rows.filter(condition)
    if wanted.category:
        rows = rows.filter(job__schema__key=wanted.category)
    if wanted.holder:
        rows = rows.filter(_held(actor.username if wanted.holder == ME else wanted.holder))
    if wanted.due:
        left = timedelta(minutes=rules.skip_after_min) - timedelta(seconds=_WITHIN_S[wanted.due])
        due = Q(clock_from__lt=Coalesce(F("locked_at"), Now()) - left)
        rows = rows.filter(~due if wanted.due == "later" else due)
    return rows


def _held(name: str) -> Q:
    """In somebody's hands, or kept for them."""
    if name == NOBODY:
        return Q(status__in=FREE) & (Q(assigned_until=None) | Q(assigned_until__lt=Now()))
    held = Q(status=TaskStatus.PROCESSING, locked_by__username=name)
    return held | Q(assigned_to__username=name, assigned_until__gte=Now())


def queue_of(actor: User, wanted: Wanted, rules: WorkRules) -> "QuerySet[HumanTask]":
    """Open tasks of the merchants this person works for, with what a row shows, the one that is due first on top."""
    rows = narrow(open_to(HumanTask.objects.visible_to(actor), actor.pk), wanted, actor, rules)
    rows = rows.filter(type=wanted.show) if wanted.show != "all" else rows
    rows = rows.select_related("job", "page", "locked_by").order_by("clock_from", "pk")
    return rows.defer("result", *_OF_JOB, *_OF_PAGE)


def step(rows: "QuerySet[HumanTask]", after: str, limit: int) -> tuple[list[HumanTask], str]:
    """(tasks, what names the last of them, or nothing where no others follow), in the order in which they are due.

    What comes or goes meanwhile shifts nothing. A place that cannot be read is the beginning.
    """
    if (place := _PLACE.fullmatch(after)) and (last := parse_datetime(place["clock"])) is not None:
        rows = rows.filter(Q(clock_from__gt=last) | Q(clock_from=last, pk__gt=int(place["id"])))
    page = list(rows.order_by("clock_from", "pk")[: limit + 1])
    is_last = len(page) <= limit
    page = page[:limit]
    return page, "" if is_last else f"{page[-1].clock_from.isoformat()}~{page[-1].pk}"


def choices(actor: User) -> dict[str, Any]:
    """What the form offers: documents that wait (id, name, pages), and what else there is, as (value, word)."""
    label = "job__schema__label_zh" if (get_language() or "").startswith("zh") else "job__schema__label_en"
    rows = open_to(HumanTask.objects.visible_to(actor), actor.pk).order_by()
    waiting = rows.values_list("job__uuid", "job__source_name", "job__schema__key", label)
    documents = list(waiting.annotate(n=Count("pk"), first=Min("clock_from")).order_by("first")[:DOCUMENTS_MOST])
    return {
        "documents": [(str(uuid), name, n) for uuid, name, _key, _word, n, _first in documents],
        "categories": sorted({(key, word) for _uuid, _name, key, word, _n, _first in documents}),
        "kinds": [(key, word) for key, (word, _codes) in REASONS.items()],
        "deadlines": list(DUE.items()),
        "holders": list(HOLDERS.items()),
    }
