"""Targets that do not take our secret (401, 403): their imports wait together, and go on once the secret is mended."""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import F, QuerySet
from django.db.models.functions import Now
from structlog import get_logger

from catalogsku.core import messages
from ingestion.notices.kinds import Kind
from ingestion.notices.services.telling import end_about, tell_about
from processing.imports.lifecycle import Delivery
from processing.imports.models import ImportRecord, TargetHold

log = get_logger(__name__)

TRY_S, MOST_TRY_S = 30, 600
MERCHANTS_TOLD_MOST = 100


def hold(target: str, response: str) -> None:
    """Call in the transaction that puts its imports back."""
    _, is_new = TargetHold.objects.get_or_create(
        target=target, defaults={"response": response, "try_at": Now() + timedelta(seconds=TRY_S)}
    )
    if is_new:
        _tell(target)
        log.warning("import target held", target=target, response=response)
    else:
        TargetHold.objects.filter(target=target).update(response=response)


def _tell(target: str) -> None:
    """The leads of whose imports wait with it."""
    waiting = ImportRecord.objects.filter(target=target, state=Delivery.PENDING).order_by("merchant")
    for merchant_id in waiting.values_list("merchant", flat=True).distinct()[:MERCHANTS_TOLD_MOST]:
        tell_about(Kind.TARGET, target, merchant_id)


def let_go(targets: Collection[str]) -> None:
    """They have taken something, or refused it for what it is: the secret holds."""
    ended = TargetHold.objects.filter(target__in=targets)
    if ended and ended.delete()[0]:
        end_about(Kind.TARGET, targets)
        log.info("import target goes on", target=", ".join(sorted(targets)))


def held_names() -> list[str]:
    return list(TargetHold.objects.values_list("target", flat=True))


def may_try(target: str) -> bool:
    """Takes the trial that is due; nobody else does until the next one, 30 s later, doubling up to 10 min."""
    due = TargetHold.objects.filter(target=target, try_at__lte=Now())
    for trials in due.values_list("trials", flat=True):
        later = Now() + timedelta(seconds=min(TRY_S * 2 ** min(trials + 1, 10), MOST_TRY_S))
        return bool(due.filter(trials=trials).update(trials=F("trials") + 1, try_at=later))
    return False


def due_trials() -> list[str]:
    return list(TargetHold.objects.filter(try_at__lte=Now()).values_list("target", flat=True))


def try_now(targets: "QuerySet[TargetHold]") -> int:
    """A person has mended the secret; the number of targets that are tried at once."""
    names = list(targets.values_list("target", flat=True))
    TargetHold.objects.filter(target__in=names).update(try_at=Now(), trials=0)
    waiting = ImportRecord.objects.filter(target__in=names, state=Delivery.PENDING)
    first = waiting.order_by("target", "pk").distinct("target").values_list("page_id", flat=True)
    for page_id in first:
        messages.send_after_commit("deliver_pages", [page_id])
    return len(names)
