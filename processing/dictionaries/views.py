"""Entry points of merchants' dictionaries: words are put together, tried on a document, and saved as a version."""

from dataclasses import dataclass, field
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.models import Merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound, ProductError
from catalogsku.core.structs import ready
from catalogsku.profiles.dictionaries import WORD_LENGTH_MAX, WORDS_MOST
from catalogsku.profiles.gate import PROBLEMS as OF_PROFILES
from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.services import categories_above, dictionaries_for, draft_of, set_dictionary, words_in
from ingestion.models import Job
from processing.dictionaries import files, presenters, selectors
from processing.dictionaries.services import discovering, trying
from processing.problems import sentence

NEW_ROWS = 3
Entries = list[dict[str, str]]


class DeskForm(forms.Form):
    """``draft``: the words as they stand on the page, as JSON; ``seen``: the version they came from, 0 for none."""

    do = forms.ChoiceField(choices=[(name, name) for name in ("change", "try", "save", "again")], required=False)
    draft = forms.CharField(max_length=files.BYTES_MOST, required=False)
    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    version = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False)
    reason = forms.CharField(max_length=200, required=False)
    file = forms.FileField(required=False, max_length=200)
    job = forms.ModelChoiceField(Job.objects.none(), required=False)
    pages = forms.RegexField(r"^[0-9 ,]{0,60}$", required=False)

    def __init__(self, request: SignedInRequest, merchant: Merchant) -> None:
        super().__init__(request.POST, request.FILES)
        rows = selectors.documents_to_try(request.user, merchant.pk)
        self.fields["job"] = forms.ModelChoiceField(rows, required=False, to_field_name="uuid")


@dataclass
class Desk:
    """What one page shows. ``entries``: the draft; ``error``: why it was refused."""

    merchant: Merchant
    category: str
    schema: CategorySchema | None
    entries: Entries
    seen: int
    error: str = ""
    tried: trying.Tried | None = None
    typed: dict[str, Any] = field(default_factory=dict)
    is_changed: bool = False


@require_http_methods(["GET", "POST"])
@allowed(Action.SUPERVISE)
def dictionary(request: SignedInRequest) -> HttpResponse:
    """``merchant``: id of one of the person's; ``category``: key, empty for all documents of the merchant."""
    merchant, category, schema = _of(request)
    if merchant is None:
        return render(request, "processing/dictionary.html", {"nav": "documents", "merchant": None})
    stored = selectors.versions_of(request.user, merchant.pk, category).filter(active=True).first()
    desk = Desk(merchant, category, schema, list(stored.entries) if stored else [], stored.version if stored else 0)
    if request.method == "POST":
        form = DeskForm(request, merchant)
        if not form.is_valid():
            desk.error = _("What was sent cannot be read.")
        elif (answer := _work(request, desk, form)) is not None:
            return answer
    return _page(request, desk)


def _of(request: SignedInRequest) -> tuple[Merchant | None, str, CategorySchema | None]:
    given = request.POST if request.method == "POST" else request.GET
    merchant = chosen_merchant(merchants_of(request.user), given.get("merchant", ""), request.user)
    category = given.get("category", "")
    schema = next((row for row in selectors.categories() if row.key == (category or "general")), None)
    if category and schema is None:
        raise NotFound("not_found")
    return merchant, category, schema


def _work(request: SignedInRequest, desk: Desk, form: DeskForm) -> HttpResponse | None:
    """An answer where something was saved."""
    given = desk.typed = form.cleaned_data
    if given["seen"] is not None:
        desk.seen = given["seen"]
    try:
        desk.entries = _drafted(request, desk, given)
        draft = draft_of(desk.merchant, desk.category, desk.entries)
        if given["do"] == "try" and given["job"] is None:
            desk.error = _("Choose a document to try the words on.")
        elif given["do"] == "try":
            numbers = [int(part) for part in given["pages"].replace(",", " ").split() if len(part) < 7]
            wanted = trying.numbers_to_try(given["job"], numbers)
            desk.tried = trying.try_words(draft, given["job"], wanted)
        elif given["do"] == "save":
            merchant, category = desk.merchant, desk.category
            set_dictionary(merchant, category, desk.entries, request.user, given["reason"], desk.seen)
            messages.success(request, _("Saved: it holds for documents from now on"))
            return redirect(f"{reverse('dictionary')}?merchant={merchant.pk}&category={category}")
    except ProductError as refused:
        desk.error = _refusal(refused)
    desk.is_changed = True
    return None


def _drafted(request: SignedInRequest, desk: Desk, given: dict[str, Any]) -> Entries:
    """The draft without what was marked, with what was typed; a file or an earlier version takes its place."""
    if given["file"] is not None:
        read = files.read(given["file"].read(files.BYTES_MOST + 1))
        draft_of(desk.merchant, desk.category, read)  # what cannot be shown is refused before it is
        return list(read)
    if given["do"] == "again":
        rows = selectors.versions_of(request.user, desk.merchant.pk, desk.category).filter(version=given["version"])
        return list(rows[0].entries) if rows else desk.entries
    entries = _parsed(given["draft"]) if given["draft"] else desk.entries
    gone = set(request.POST.getlist("remove"))
    kept = [entry for n, entry in enumerate(entries) if str(n) not in gone]
    typed = zip(request.POST.getlist("word"), request.POST.getlist("means"), strict=False)
    for word, means in list(typed)[:NEW_ROWS]:
        kind, _colon, meant = means[:120].partition(":")
        if word.strip() and kind in presenters.KINDS:
            word = word.strip()[: 2 * WORD_LENGTH_MAX + 10]
            kept = [entry for entry in kept if (entry["kind"], entry["word"]) != (kind, word)]
            kept.append({"kind": kind, "word": word, "means": meant})
    return kept


def _parsed(text: str) -> Entries:
    try:
        entries: Entries = msgspec.json.decode(text, type=ready(list[dict[str, str]]))
    except (msgspec.DecodeError, RecursionError):
        entries = []
    known = [e for e in entries[: 2 * WORDS_MOST] if set(e) == set(files.COLUMNS) and e["kind"] in presenters.KINDS]
    return known


def _page(request: SignedInRequest, desk: Desk) -> HttpResponse:
    versions = selectors.versions_of(request.user, desk.merchant.pk, desk.category)
    above = [pk for pk in dictionaries_for(desk.merchant.pk, desk.category) if pk not in {row.pk for row in versions}]
    inherited = [msgspec.to_builtins(word) for word in words_in(above)]
    context = {
        "nav": "documents",
        "desk": desk,
        "merchant": desk.merchant,
        "merchants": merchants_of(request.user),
        "categories": selectors.categories(),
        "rows": presenters.word_rows(desk.entries, desk.schema),
        "inherited": presenters.word_rows(inherited, desk.schema),
        "above": categories_above(desk.category)[:-1],
        "draft": msgspec.json.encode(desk.entries).decode(),
        "new_rows": [(request.GET.get("word", "")[:WORD_LENGTH_MAX], "label:")] + [("", "")] * (NEW_ROWS - 1),
        "meanings": presenters.meanings(desk.schema),
        "changed": presenters.changed_rows(desk.tried) if desk.tried else [],
        "documents": selectors.documents_to_try(request.user, desk.merchant.pk)[: selectors.DOCUMENTS_SHOWN],
        "discovery": discovering.discover(desk.merchant, desk.category) if request.GET.get("find") else None,
        "versions": versions[: selectors.VERSIONS_SHOWN],
    }
    return render(request, "processing/dictionary.html", context, status=400 if desk.error else 200)


@require_GET
@allowed(Action.SUPERVISE)
def dictionary_file(request: SignedInRequest) -> HttpResponse:
    """The version in force, without words where there is none; ``format``: csv or json."""
    merchant, category, _schema = _of(request)
    kind = "json" if request.GET.get("format") == "json" else "csv"
    rows = selectors.versions_of(request.user, merchant.pk, category).filter(active=True) if merchant else ()
    stored = next(iter(rows), None)
    text = files.written(list(stored.entries) if stored else [], kind)
    types = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
    name = f"words-{category or 'all'}.{kind}"
    disposition = content_disposition_header(as_attachment=True, filename=name)
    bom = "\ufeff" if kind == "csv" else ""  # by which spreadsheets know the encoding
    return HttpResponse(bom + text, content_type=types[kind], headers={"Content-Disposition": disposition or ""})


def _refusal(refused: ProductError) -> str:
    if refused.code in OF_PROFILES:
        return str(OF_PROFILES[refused.code][1]) % refused.params
    return sentence(refused.code, refused.params)
