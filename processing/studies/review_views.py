"""Entry points of reviewing studies: the list of those read by one template, and one study beside its pages."""

from typing import Any
from uuid import UUID

import msgspec
from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.core.errors import Conflict, NotFound, ProductError, Refused
from ingestion import models_shown
from ingestion.lifecycle import JobStage, JobStatus
from ingestion.presentation import picture_address
from processing.problems import sentence
from processing.studies import presenters, studies_compared, studies_seen, study_shown
from processing.studies.answers import QUOTE_LENGTH_MAX, TEXT_LENGTH_MAX
from processing.studies.definition import PART_LENGTH_MAX, Field
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Record, Template
from processing.studies.selectors import definition_in
from processing.studies.services import reviewing
from processing.studies.standings import Progress
from processing.studies.studies_seen import Study, get_study
from processing.studies.study_shown import Typed
from processing.studies.values import CHOSEN

STUDIES_A_PAGE = 50
WORDS_MOST = 100


class DecideForm(forms.Form):
    """``do``: a verdict, "withdrawn", or "offer:" and the number of one; ``page``: empty, or from 1."""

    record = forms.UUIDField()
    field = forms.CharField(max_length=60)
    do = forms.RegexField(r"^(confirmed|corrected|not_reported|withdrawn|offer:[1-9])$")
    seen = forms.IntegerField(min_value=0, max_value=2**63 - 1)
    text = forms.CharField(required=False, strip=False)
    quote = forms.CharField(required=False, strip=False)
    page = forms.CharField(required=False)


@require_GET
@allowed(Action.SEE_RESULTS)
def studies(request: SignedInRequest) -> HttpResponse:
    """``template``: key or id of one, alone or with "/version"; ``show``: of SHOWN; ``q``: part of a name."""
    show, q = request.GET.get("show", "all"), request.GET.get("q", "").strip()[:WORDS_MOST]
    templates = studies_seen.templates_in_use(request.user)
    chosen = studies_seen.version_chosen(templates, request.GET.get("template", ""))
    context: dict[str, Any] = {"nav": "studies", "q": q, "filter": show if show in study_shown.SHOWN_WORDS else "all"}
    if chosen is None:
        context["can_upload"] = may(request.user, Action.UPLOAD)
        return render(request, "processing/studies.html", context)
    template, version, is_named = chosen
    definition = definition_in(version)
    groups, columns = study_shown.heads(definition)
    every = studies_seen.listed_studies(request.user, template, version if is_named else None, "all", q)
    rows = studies_seen.listed_studies(request.user, template, version if is_named else None, show, q)
    page: Any = Paginator(rows, STUDIES_A_PAGE).get_page(request.GET.get("page"))
    counts = studies_seen.counts_of(page.object_list, definition.fields)
    page.object_list = [
        study_shown.grid_row(main, columns, counts.get(main.job_id, studies_seen.Counts())) for main in page.object_list
    ]
    keys = [one.key for one in templates]
    context |= {
        "page": page,
        "templates": [
            (
                one.key if keys.count(one.key) == 1 else str(one.uuid),
                presenters.name_of(one),
                one.studies,
                one == template,
            )
            for one in templates
        ],
        "template": f"{template.key}/{version.number}" if is_named else template.key,
        "groups": groups,
        "columns": columns,
        "filters": study_shown.filters(studies_seen.counts_by_standing(every)),
        "legend": [study_shown.dot_of_stand(stand) for stand in study_shown.DOTS],
        "exported": _exported(request.user, template, every),
    }
    return render(request, "processing/studies.html", context)


def _exported(user: User, template: Template, listed: QuerySet[Any]) -> tuple[str, int] | None:
    """What an export of these studies is asked with: one merchant's at a time, the person's own first."""
    if not may(user, Action.EXPORT):
        return None
    own = user.own_merchant()
    merchant_id = own.pk if own else listed.order_by("-pk").values_list("job__merchant", flat=True).first()
    return (urlencode({"template": template.key}), merchant_id) if merchant_id else None


@require_GET
@allowed(Action.SEE_RESULTS)
def study(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``group`` or ``part``: what is open; ``field``: what is looked at."""
    return _page(request, get_study(request.user, job_id))


def _page(request: SignedInRequest, shown: Study, **more: Any) -> HttpResponse:
    is_ended = shown.job.status in studies_seen.ENDED
    may_decide = may(request.user, Action.REVIEW) and not is_ended
    sections = study_shown.sections(shown, may=may_decide)
    group, part = request.GET.get("group", ""), request.GET.get("part", "")
    wanted = urlencode({"part": part}) if part else urlencode({"group": group})
    opened = next((one for one in sections if one.address == wanted), sections[0] if sections else None)
    rows = () if opened is None else _rows(shown, opened, may_decide)
    progress = sum((one.progress for one in sections if one.status != RecordStatus.REJECTED), Progress())
    parts = {repeat: [one for one in sections if one.repeat == repeat] for repeat in study_shown.REPEATS}
    context = {
        "nav": "studies",
        "job": shown.job,
        "study": shown,
        "template_name": presenters.name_of(shown.main.template_version.template),
        "status": study_shown.status_of(shown.main),
        "is_open": shown.main.status == RecordStatus.REVIEW,
        "is_approved": any(record.status == RecordStatus.APPROVED for record in shown.records),
        "is_read": is_ended or shown.main.status not in (RecordStatus.WAITING, RecordStatus.FOUND),
        "is_ended": is_ended,
        "next_study": studies_seen.next_study(request.user, shown),
        "asked": presenters.who_was_asked(shown.main.asked),
        "asks": models_shown.question(shown.job) if shown.job.status == JobStatus.AWAITING_GO else "",
        "is_asked": shown.job.stage == JobStage.ASK,
        "may_decide": may_decide,
        "can_export": may(request.user, Action.EXPORT),
        "is_comparable": studies_compared.is_comparable(shown),
        "progress": progress,
        "groups": [one for one in sections if not one.is_part],
        "parts": [
            (repeat, words, parts[repeat])
            for repeat, words in study_shown.REPEATS.items()
            if parts[repeat] or shown.fields(repeat)
        ],
        "opened": opened,
        "rows": rows,
        "field": request.GET.get("field", ""),
        "sheet": _sheet(shown, next((row.page for row in rows if row.page), 1)),
        "quote_most": QUOTE_LENGTH_MAX,
        "text_most": TEXT_LENGTH_MAX,
        "part_most": PART_LENGTH_MAX,
        **more,
    }
    return render(request, "processing/study.html", context, status=400 if "refused_part" in more else 200)


def _rows(shown: Study, section: study_shown.Section, may_decide: bool) -> tuple[study_shown.FieldRow, ...]:
    group = "" if section.is_part else section.id.removeprefix("group-")
    return study_shown.rows_of(shown, group, section.record if section.is_part else "", may=may_decide)


def _sheet(shown: Study, number: int) -> dict[str, Any]:
    try:
        page = studies_seen.get_page(shown, number)
    except NotFound:
        return {"number": number, "url": "", "last": 0}
    size = {"width_pt": page.width_pt, "height_pt": page.height_pt}
    return {"number": number, "url": picture_address(shown.job.uuid, page), "last": shown.job.total_pages or 0, **size}


@require_GET
@allowed(Action.SEE_RESULTS)
def study_page(request: SignedInRequest, job_id: UUID, number: int) -> HttpResponse:
    """A page's picture without marks."""
    shown = get_study(request.user, job_id)
    studies_seen.get_page(shown, number)
    return render(request, "processing/_study_sheet.html", {"sheet": _sheet(shown, number)})


@require_GET
@allowed(Action.SEE_RESULTS)
def study_fields(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``group`` or ``part``: whose rows; of the first group where neither is said."""
    shown = get_study(request.user, job_id)
    group, part = request.GET.get("group", ""), request.GET.get("part", "")
    if not group and not part:
        group = shown.definition.groups[0].key
    rows = study_shown.rows_of(shown, group, part, may=may(request.user, Action.REVIEW))
    return render(request, "processing/_study_fields.html", {"job": shown.job, "rows": rows, **_lengths()})


@require_GET
@allowed(Action.SEE_RESULTS)
def study_sync(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """What the socket's `sync` says, for a page whose socket is down."""
    shown = get_study(request.user, job_id)
    message = {"type": "sync", "records": studies_seen.revisions(shown.job.pk), "seq": 0, "at": clock.now().isoformat()}
    return HttpResponse(
        msgspec.json.encode(message), content_type="application/json", headers={"Cache-Control": "no-store"}
    )


@require_POST
@allowed(Action.REVIEW)
def study_decide(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """Answered by the field's row as it stands then; what was refused is in it, with what was typed. ``compared``:
    parameters of the comparison that it was sent from, which is answered instead."""
    shown, form = get_study(request.user, job_id), DecideForm(request.POST)
    if not form.is_valid():
        messages.warning(request, sentence("bad_request", {"what": ", ".join(form.errors)}))
        return redirect("study", job_id)
    said = form.cleaned_data
    record = shown.record(str(said["record"]))
    asked = next((one for one in shown.fields(record.repeat) if one.key == said["field"]), None)
    if asked is None:
        raise NotFound("not_found")
    typed = None
    try:
        said = _said(record, asked, said)
        if said["do"] == "withdrawn":
            reviewing.withdraw(request.user, record, asked.key, said["seen"])
        else:
            answer = reviewing.Answer(said["do"], said["text"], said["quote"], _number(said["page"]), said["seen"])
            reviewing.decide(request.user, record, asked.key, answer)
    except (Conflict, Refused) as refused:
        words = sentence(refused.code, _in_words(refused, asked.type))
        is_open = said["do"] == "corrected" and refused.code != "record_closed"
        typed = Typed(words, said["text"], said["quote"], said["page"], is_open=is_open)
    if "HX-Request" not in request.headers:
        if typed:
            messages.warning(request, typed.words)
        if "compared" in request.POST:
            beside = f"{request.POST['compared']}#pair-{record.uuid}-{asked.key}"
            return redirect(f"{reverse('study_compare', args=[job_id])}?{beside}")
        where = {"group": _group_of(shown, asked.key)} if record.repeat == "none" else {"part": str(record.uuid)}
        return redirect(f"{reverse('study', args=[job_id])}?{urlencode({**where, 'field': asked.key})}")
    record = get_study(request.user, job_id).record(str(record.uuid))
    rows = study_shown.field_rows(record, [asked], may=True, typed=typed)
    return render(request, "processing/_study_field.html", {"job": shown.job, "row": rows[0], **_lengths()})


def _said(record: Record, asked: Field, said: dict[str, Any]) -> dict[str, Any]:
    """What is offered is taken as a correction; of a list a person has to choose. Raises Conflict(value_moved_on)."""
    if not said["do"].startswith("offer:"):
        return said
    offer = study_shown.offer_taken(record, asked, int(said["do"][-1]))
    if offer is None:
        raise Conflict("value_moved_on")
    text = "" if asked.type in CHOSEN else offer.text
    return {**said, "do": "corrected", "text": text, "quote": offer.quote, "page": str(offer.page or "")}


def _in_words(refused: ProductError, type_: str) -> dict[str, object]:
    """Kinds of fields by their names for people."""
    params = dict(refused.params)
    if refused.code == "value_form":
        params["type"] = presenters.TYPE_WORDS[type_]
    return params


def _number(page: str) -> int:
    return int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 0


def _group_of(shown: Study, key: str) -> str:
    return next(group.key for group in shown.definition.groups if key in [one.key for one in group.fields])


def _lengths() -> dict[str, int]:
    return {"quote_most": QUOTE_LENGTH_MAX, "text_most": TEXT_LENGTH_MAX}


@require_POST
@allowed(Action.REVIEW)
def study_part(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``do``: add, with ``repeat`` and ``part`` (its name); leave or take, with ``record``."""
    shown, do = get_study(request.user, job_id), request.POST.get("do", "")
    repeat, name = request.POST.get("repeat", ""), request.POST.get("part", "")
    if do not in ("add", "leave", "take"):
        messages.warning(request, sentence("bad_request", {"what": "do"}))
        return redirect("study", job_id)
    try:
        if do == "add":
            record = reviewing.add_part(request.user, shown.job, repeat, name)
        else:
            record = shown.record(request.POST.get("record", ""))
            reviewing.set_rejected(request.user, record, rejected=do == "leave")
    except (Conflict, Refused) as refused:
        words = sentence(refused.code, refused.params)
        if do == "add":
            return _page(request, shown, refused_part={"repeat": repeat, "words": words, "typed": name})
        messages.warning(request, words)
    return redirect(f"{reverse('study', args=[job_id])}?{urlencode({'part': str(record.uuid)})}")


@require_POST
@allowed(Action.REVIEW)
def study_approve(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``do``: approve, with ``rest`` = drop where what nobody has decided on is left out; or reopen. What is in its way
    is answered as what a dialog shows; who has approved is led to the next study that waits."""
    shown, onward = get_study(request.user, job_id), request.POST.get("do") != "reopen"
    drops = request.POST.get("rest") == "drop"
    try:
        if not onward:
            reviewing.reopen(request.user, shown.job)
        else:
            reviewing.approve(request.user, shown.job, drop_rest=drops)
    except Conflict as refused:
        params, fields = dict(refused.params), []
        if refused.code == "required_missing":
            fields = study_shown.named_fields(reviewing.lacking(shown.job, drop_rest=drops))
            params["fields"] = ", ".join(fields)
        words, onward = sentence(refused.code, params), False
        if "HX-Request" in request.headers:
            context = {"job": shown.job, "code": refused.code, "words": words, "fields": fields}
            return render(request, "processing/_study_ask.html", context)
        messages.warning(request, words)
    following = studies_seen.next_study(request.user, shown) if onward else None
    if following:
        messages.success(request, _("Approved: %(study)s") % {"study": shown.main.subject})
    if "HX-Request" not in request.headers:
        return redirect("study", following.job.uuid if following else job_id)
    there = reverse("study", args=[following.job.uuid]) if following else ""
    return HttpResponse(headers={"HX-Redirect": there} if following else {"HX-Refresh": "true"})
