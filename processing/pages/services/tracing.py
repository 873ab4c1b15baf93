"""Traces: everything that a page's result came from, so that the same is found again, anywhere and without a network.

Kept where a page failed, needs a person or hit a rule, and of every tenth other page (TA-T30, TA-REPLAY).
"""

import hashlib
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from catalogsku.core import bulk, storage
from catalogsku.core.personal_data import Masks, counted
from catalogsku.core.structs import ready
from ingestion.keeping.policies import Kind
from ingestion.keeping.selectors import is_over
from ingestion.models import Job, Page
from processing.engine.page import pack_page, unpack_page
from processing.engine.personal_data import found_on, masked_page, masked_result, masked_values, masks_for
from processing.engine.result import PageResult
from processing.pages.models import TraceBundle, TraceReason
from processing.pages.selectors import evaluation_of
from processing.pages.services import analyst
from processing.pages.services.reading import kept_pages
from processing.sandboxed import sandboxes

SAMPLED_OF = 10
SAMPLE_DAYS = 30  # TA-CLEAN
DELETED_AT_ONCE = 1000


class Bundle(msgspec.Struct, frozen=True):
    """``pages``: the packed page ``number`` and those before it. ``result``: what was found, as JSON, empty where the
    page failed with ``error``. ``answers``: what models said of it, where they were asked. ``masked``: how much
    personal data is masked in it, by kind (``processing.engine.personal_data``); None: nobody has looked."""

    number: int
    pages: dict[int, bytes]
    facts: dict[str, Any]
    config: dict[str, Any]
    result: bytes = b""
    error: dict[str, Any] | None = None
    version: int = 1
    answers: dict[str, Any] | None = None
    masked: dict[str, int] | None = None


@dataclass(frozen=True)
class Replayed:
    """``differences``: field to (stored, understood now), of page and SKUs; empty where both are the same."""

    stored: PageResult | None
    now: PageResult | None
    ended: str
    differences: dict[str, tuple[Any, Any]]


def reason_to_keep(job: Job, number: int, result: PageResult) -> TraceReason | None:
    if result.blockers:
        return TraceReason.REVIEW
    if any(finding.severity != "info" for finding in result.findings):
        return TraceReason.RULE
    chosen = hashlib.sha256(f"{job.file_sha256}/{number}".encode()).digest()[0] % SAMPLED_OF == 0
    return TraceReason.SAMPLE if chosen else None


def keep_file(job: Job, bundle: Bundle, folder: Path) -> str:
    """The name under which the bundle is stored; ``folder`` is on this machine and goes away by itself."""
    packed = pack(bundle)
    name = hashlib.sha256(packed).hexdigest()[:32]
    key = f"{storage.file_prefix(job.merchant_id, job.file_sha256)}/traces/{name}.trace"
    path = folder / f"{name}.trace"
    path.write_bytes(packed)
    storage.link_file(key, path)
    return key


def masked(bundle: Bundle, personal: Collection[int]) -> Bundle:
    """The bundle without personal data; ``personal``: numbers of the pages that may show some. Pages without are left
    as they are, byte for byte."""
    parsed = {number: unpack_page(bundle.pages[number]) for number in personal}
    every = [one for page in parsed.values() for one in found_on(page)]
    masks = Masks(every)
    pages = {number: pack_page(masked_page(page, masks)) for number, page in parsed.items()} if every else {}
    result = bundle.result
    if result and every:
        result = msgspec.json.encode(masked_result(msgspec.json.decode(result), masks))
    return msgspec.structs.replace(
        bundle,
        pages={**bundle.pages, **pages},
        facts=masked_values(bundle.facts, masks),
        result=result,
        error=masked_values(bundle.error, masks),
        answers=masked_values(bundle.answers, masks) if every else bundle.answers,
        masked=counted(every),
    )


def record_traces(job: Job, entries: Sequence[tuple[int, TraceReason, str]]) -> None:
    """(page id, reason, name of the file) in the caller's transaction; what these pages had before goes after it."""
    if not entries:
        return
    earlier = TraceBundle.objects.filter(page__in=[page_id for page_id, _, _ in entries])
    old = set(earlier.values_list("storage_key", flat=True)) - {key for _, _, key in entries}
    rows = [
        {"page_id": page_id, "job_id": job.pk, "reason": str(reason), "storage_key": key}
        for page_id, reason, key in entries
    ]
    earlier.update(created_at=Now())
    bulk.insert_rows(TraceBundle, rows, unique=("page_id",))
    transaction.on_commit(lambda: _delete_files(old))


def pack(bundle: Bundle) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(bundle), 1)  # the pages in it are compressed already


def unpack(data: bytes) -> Bundle:
    """Raises ValueError for anything that is no bundle."""
    try:
        return msgspec.msgpack.decode(zlib.decompress(data), type=ready(Bundle))
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"not a trace: {error}") from error


def bundle_of(page: Page) -> Bundle:
    """Without personal data, also where it was kept before any was masked. Raises TraceBundle.DoesNotExist for a page
    whose trace was not kept, ValueError for a file that is none."""
    return surely_masked(_stored(page))


def surely_masked(bundle: Bundle) -> Bundle:
    return bundle if bundle.masked is not None else masked(bundle, bundle.pages)


def bundle_in_clear(page: Page) -> Bundle:
    """As ``bundle_of``, with the pages as they were read: its result stays masked, and what models said. Raises as it
    does, and ValueError where what was read is kept no more."""
    bundle, job = surely_masked(_stored(page)), page.job
    contents, evaluation = kept_pages(job, list(bundle.pages)), evaluation_of(job)
    if contents.keys() != bundle.pages.keys():
        raise ValueError("what was read of its pages is kept no more")
    pages = {number: bytes(contents[number].data) for number in bundle.pages}
    return msgspec.structs.replace(bundle, pages=pages, facts=evaluation.facts if evaluation else {})


def _stored(page: Page) -> Bundle:
    with storage.open_file(TraceBundle.objects.get(page=page).storage_key) as file:
        return unpack(file.read())


def replay(bundle: Bundle) -> Replayed:
    """Understand the page once more, in the sandbox, from what the bundle holds alone; no model is asked again. What is
    masked in the stored result is compared masked."""
    answers = {bundle.number: bundle.answers} if bundle.answers is not None else None
    results, outcome = analyst.understand([bundle.number], bundle.pages, bundle.facts, bundle.config, answers)
    stored = msgspec.json.decode(bundle.result, type=ready(PageResult)) if bundle.result else None
    now = msgspec.json.decode(results[bundle.number], type=ready(PageResult)) if bundle.number in results else None
    compared = _as_masked(now, stored, bundle) if stored and now and bundle.masked else now
    ended = "ok" if outcome.ok else str(sandboxes.error_of(outcome)["code"])
    return Replayed(stored, now, ended, _differences(stored, compared))


def _as_masked(now: PageResult, stored: PageResult, bundle: Bundle) -> PageResult:
    """As the stored one was masked: without what was left out there."""
    shown = masked_result(msgspec.to_builtins(now), masks_for(map(unpack_page, bundle.pages.values())))
    for kept, after in zip(stored.skus, shown["skus"], strict=False):
        after["normalized"] |= {key: None for key, value in kept.normalized.items() if value is None}
    return msgspec.convert(shown, type=ready(PageResult))


def _differences(before_result: PageResult | None, after_result: PageResult | None) -> dict[str, tuple[Any, Any]]:
    if before_result is None or after_result is None:
        return (
            {}
            if before_result is after_result
            else {"result": (before_result and before_result.page_type, after_result and after_result.page_type)}
        )
    before, after = msgspec.to_builtins(before_result), msgspec.to_builtins(after_result)
    skus = zip(before.pop("skus"), after.pop("skus"), strict=False)
    differences = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
    if len(before_result.skus) != len(after_result.skus):
        differences["skus"] = (len(before_result.skus), len(after_result.skus))
    for index, (old_sku, other) in enumerate(skus):
        differences |= {
            f"skus[{index}].{name}": (old_sku[name], other[name]) for name in old_sku if old_sku[name] != other[name]
        }
    return differences


def clean_traces() -> dict[str, int]:
    """Forget samples after 30 days and the others when their merchant's days are over, 90 without a rule."""
    sampled = Q(reason=TraceReason.SAMPLE, created_at__lt=Now() - timedelta(days=SAMPLE_DAYS))
    old = TraceBundle.objects.filter(sampled | is_over(Kind.TRACES, "created_at", "job__merchant"))
    rows = dict(old.order_by("pk").values_list("pk", "storage_key")[:DELETED_AT_ONCE])
    TraceBundle.objects.filter(pk__in=rows).delete()
    _delete_files(set(rows.values()))
    return {"traces": len(rows)}


def _delete_files(keys: set[str]) -> None:
    """Two pages' bundles are never the same, but two jobs on one file may share one."""
    used = set(TraceBundle.objects.filter(storage_key__in=keys).values_list("storage_key", flat=True))
    for key in keys - used:
        storage.delete_file(key)
