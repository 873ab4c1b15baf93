"""Words of merchants for programs: what is in force, the next version, and what words would change."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.merchants import named_merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound
from catalogsku.core.paging import step
from catalogsku.profiles.models import MerchantDictionary
from catalogsku.profiles.services import draft_of, set_dictionary
from ingestion import selectors as documents
from processing.dictionaries import selectors
from processing.dictionaries.services import trying

router = Router(tags=["configuration"])

MerchantId = Annotated[int | None, Field(ge=1, lt=2**63)]
Text = Annotated[str, Field(max_length=120, pattern=r"^[^\x00]*$")]
Entry = dict[Annotated[str, Field(max_length=10)], Text]
Category = Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")]


class Words(Schema):
    """``entries``: objects with kind (label, keyword, unit, pattern), word and means; docs/dictionaries.md has what a
    word may mean. ``category``: empty for all documents of the merchant."""

    model_config = ConfigDict(extra="forbid")
    merchant_id: MerchantId = None
    category: Category = ""
    entries: Annotated[list[Entry], Field(max_length=400)]


class NextWords(Words):
    """``expected_version``: the newest that its author has seen, 0 for none."""

    expected_version: Annotated[int, Field(ge=0, lt=2**31)]
    reason: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]


class TriedWords(Words):
    job_id: UUID
    pages: Annotated[list[Annotated[int, Field(ge=1, lt=2**31)]], Field(max_length=trying.PAGES_AT_ONCE)] = []


class DictionaryOut(Schema):
    id: int
    merchant_id: int
    category: str
    version: int
    active: bool
    entries: list[dict[str, str]]
    reason: str
    created_at: datetime


class Dictionaries(Schema):
    items: list[DictionaryOut]
    next: str | None


class Effect(Schema):
    """``holds``: whether they would hold for a document of this category; ``unread``: pages that are not stored.
    ``pages_changed``: products before and after of each page that would change."""

    pages: int
    changed_pages: int
    products_before: int
    products_after: int
    gained: int
    lost: int
    changed: int
    holds: bool
    unread: list[int]
    pages_changed: list[dict[str, Any]]


@router.get("", response={200: Dictionaries, **PROBLEMS}, summary="Merchants' own words that are in force")
def list_dictionaries(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    rows = selectors.dictionaries_seen(require(request, Action.SUPERVISE))
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@router.get("/{int:dictionary_id}", response={200: DictionaryOut, **PROBLEMS}, summary="One version")
def show_dictionary(request: HttpRequest, dictionary_id: int) -> Any:
    rows = MerchantDictionary.objects.visible_to(require(request, Action.SUPERVISE))
    row = rows.filter(pk=dictionary_id).first()
    if row is None:
        raise NotFound("not_found")
    return row


@router.put("", response={201: DictionaryOut, **PROBLEMS}, summary="Append a version")
def set_words(request: HttpRequest, given: NextWords) -> Any:
    """In force at once, for documents that are made from then on. 409 where somebody else has appended one meanwhile,
    422 with the entry at fault."""
    actor = require(request, Action.SUPERVISE)
    merchant = named_merchant(actor, given.merchant_id)
    row = set_dictionary(merchant, given.category, given.entries, actor, given.reason, given.expected_version)
    return Status(201, row)


@router.post("/try", response={200: Effect, **PROBLEMS}, summary="What words would change on stored pages")
def try_words(request: HttpRequest, given: TriedWords) -> Any:
    """By the rules alone; nothing is kept. ``pages``: left out: the first ten."""
    actor = require(request, Action.SUPERVISE)
    merchant = named_merchant(actor, given.merchant_id)
    job = documents.get_job(actor, given.job_id)
    if job.merchant_id != merchant.pk:
        raise NotFound("not_found")
    draft = draft_of(merchant, given.category, given.entries)
    return trying.told(trying.try_words(draft, job, trying.numbers_to_try(job, given.pages)))
