"""Stored dictionaries of a merchant, and the documents that words are tried on."""

from django.db.models import QuerySet

from catalogsku.accounts.models import User
from catalogsku.profiles.models import CategorySchema, MerchantDictionary
from ingestion import selectors as documents
from ingestion.models import Job

VERSIONS_SHOWN, DOCUMENTS_SHOWN = 10, 50


def categories() -> list[CategorySchema]:
    """By key; all that documents may be of."""
    return list(CategorySchema.objects.filter(active=True).order_by("key"))


def versions_of(actor: User, merchant_id: int, category: str) -> "QuerySet[MerchantDictionary]":
    """The newest first."""
    rows = MerchantDictionary.objects.visible_to(actor).filter(merchant=merchant_id, category=category)
    return rows.select_related("created_by").order_by("-version")


def documents_to_try(actor: User, merchant_id: int) -> "QuerySet[Job]":
    """The merchant's newest documents of which pages are known."""
    rows = documents.list_jobs(actor).filter(merchant=merchant_id, total_pages__gt=0)
    return rows.select_related("profile", "schema")


def dictionaries_seen(actor: User) -> "QuerySet[MerchantDictionary]":
    """Those in force of all merchants that the person works for."""
    return MerchantDictionary.objects.visible_to(actor).filter(active=True).select_related("merchant")
