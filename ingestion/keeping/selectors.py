"""Whose days are over: by the merchant's own rule, that of all merchants, or what holds without any."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from catalogsku.accounts.models import Merchant, User
from catalogsku.core import storage
from ingestion.keeping.models import FOR_GOOD, Deletion, Emptied, KeepingRule, Subject
from ingestion.keeping.policies import BUSY, DEFAULT_DAYS, Kind, folder_of
from ingestion.lifecycle import CLOSED, PageStage
from ingestion.models.job import Job
from ingestion.models.page import Page

Target = Job | Merchant | User
RECORDS_SHOWN, LOOKED_AT = 50, 100_000
ADDRESS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
KEPT_FOR_GOOD_BEFORE = (Kind.SOURCES, Kind.PICTURES)
FIRST = {"app": "ingestion", "name": "0005_keeping"}
_TOLD = ("id", "subject", "number", "merchant_number", "state", "by_rule", "hashes", "rows", "files", "bytes", "found")
ENDED = Coalesce("finished_at", "progressed_at", "created_at")


def days(merchant_id: int | None = None) -> dict[str, int | None]:
    """By kind; None: until somebody deletes it. Without a merchant: what holds where none has a rule of its own."""
    told = dict(DEFAULT_DAYS)
    for rule in _rules(merchant_id):
        told |= {kind: own or None for kind in DEFAULT_DAYS if (own := _own(rule, kind)) is not None}
    return told


def _rules(merchant_id: int | None) -> QuerySet[KeepingRule]:
    """That of all first."""
    either = Q(merchant=None) | Q(merchant=merchant_id) if merchant_id else Q(merchant=None)
    return KeepingRule.objects.filter(either).order_by(F("merchant").asc(nulls_first=True))


def _own(rule: KeepingRule, kind: str) -> int | None:
    own: int | None = getattr(rule, f"{kind}_days")
    return own


def is_over(kind: Kind, column: str, merchant: str) -> Q:
    """Of rows whose time stands in ``column`` and whose merchant is reached by ``merchant``."""
    own = dict(KeepingRule.objects.exclude(merchant=None).values_list("merchant", f"{kind}_days"))
    own = {pk: said for pk, said in own.items() if said is not None}
    over = _past(column, _of_others(kind)) & ~Q(**{f"{merchant}__in": list(own)})
    for pk, said in own.items():
        over |= Q(**{merchant: pk}) & _past(column, None if said == FOR_GOOD else said)
    return over


def _of_others(kind: Kind) -> int | None:
    """Days of merchants without a rule of their own.

    What was kept for good before there were rules is kept so many days from the update on, unless somebody says less:
    nobody loses files by updating.
    """
    after_days = days()[kind]
    said = KeepingRule.objects.filter(merchant=None).exclude(**{f"{kind}_days": None})
    if kind not in KEPT_FOR_GOOD_BEFORE or after_days is None or said.exists():
        return after_days
    lately = MigrationRecorder.Migration.objects.filter(**FIRST, applied__gte=Now() - timedelta(days=after_days))
    return None if lately.exists() else after_days


def _past(column: str, after_days: int | None) -> Q:
    if after_days is None:
        return Q(pk__in=[])
    return Q(**{f"{column}__lt": Now() - timedelta(days=after_days)})


def at_rest() -> QuerySet[Job]:
    """Documents that have ended and that nobody and nothing is at: no task, edition or import of theirs is open."""
    in_hand = Page.objects.filter(Q(worker__isnull=False) | ~Q(stage=PageStage.NONE), job=OuterRef("pk"))
    ended = Job.objects.filter(status__in=CLOSED, worker__isnull=True).annotate(ended=ENDED).exclude(Exists(in_hand))
    for why in BUSY.values():
        ended = ended.exclude(why)
    return ended


def over(kind: Kind) -> QuerySet[Job]:
    """Documents whose days of this kind are over and of which it is still kept."""
    done = Emptied.objects.filter(job=OuterRef("pk"), kind=kind)
    return at_rest().filter(is_over(kind, "ended", "merchant")).exclude(Exists(done))


def alone(jobs: QuerySet[Job], kind: Kind) -> QuerySet[Job]:
    """Those of ``jobs`` whose file no other document of the merchant still needs."""
    others = Job.objects.filter(merchant=OuterRef("merchant"), file_sha256=OuterRef("file_sha256"))
    done: Any = Emptied.objects.filter(job=OuterRef("pk"), kind=kind)
    return jobs.exclude(Exists(others.exclude(pk__in=jobs.values("pk")).exclude(Exists(done))))


def pictures_went(job: Job) -> bool:
    """Whether those of this file have gone by their rule, of this document or of another one of the merchant."""
    same = Emptied.objects.filter(job__merchant=job.merchant_id, job__file_sha256=job.file_sha256)
    return same.filter(kind=Kind.PICTURES).exists()


def source_went(job: Job) -> bool:
    """By its rule, and it has not come again with another document since."""
    return not storage.has_file(job.source_key) and Emptied.objects.filter(job=job, kind=Kind.SOURCES).exists()


def find_target(subject: str, which: str) -> Target | None:
    """A document by its number or an address that holds its id, a merchant by number or name, a person by user name."""
    which = which.strip()
    number = int(which) if which.isdecimal() and len(which) < 19 else 0
    if subject == Subject.PERSON:
        return User.objects.filter(username=which).first()
    if subject == Subject.MERCHANT:
        named = Merchant.objects.filter(name=which).first()
        return named or Merchant.objects.filter(pk=number).first()
    address = ADDRESS.search(which.lower())
    if address is not None:
        return Job.objects.filter(uuid=address.group()).first()
    return Job.objects.filter(pk=number).first()


def last_deletions() -> list[Deletion]:
    return list(Deletion.objects.select_related("asked_by").order_by("-pk")[:RECORDS_SHOWN])


def told_deletions(limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The newest first, by number and hash, as `manage.py deletions --json` prints them."""
    for deletion in Deletion.objects.order_by("-pk")[:limit].iterator(500):
        yield {**{name: getattr(deletion, name) for name in _TOLD}, "asked_at": deletion.asked_at.isoformat()}


def without_rule(most: int = 20) -> list[str]:
    """What lies in VAR_DIR and in storage of which no table of code says how long it is kept; some of it."""
    beside = (path.name for path in Path(settings.VAR_DIR).glob("[!.]*"))
    unknown = (f"VAR_DIR/{name}" for name in beside if folder_of(name, in_var=True) is None)
    stored = (f"storage/{name}" for name in islice(storage.walk(""), LOOKED_AT) if folder_of(name) is None)
    return list(islice(chain(unknown, stored), most))
