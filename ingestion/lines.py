"""Lines that stay open to programs (event streams) and to browsers (sockets): each kind has places of its own, in one
process."""

from catalogsku.accounts.models import User
from catalogsku.core.errors import ProductError
from catalogsku.core.metrics import LINES_REFUSED
from catalogsku.core.places import IDLE_S, Bounds, NoPlace, Place, Places
from ingestion.models import Job

STREAMS = Places(Bounds(a_person=8, a_merchant=32, in_all=128))
SOCKETS = Places(Bounds(a_person=32, a_merchant=256, in_all=4096))
AGAIN_AFTER_S = int(IDLE_S)


class NoLine(ProductError):
    """``retry_after_s``: until the oldest line of the same person may give way."""

    http_status = 429

    def __init__(self) -> None:
        super().__init__("too_many_streams")
        self.retry_after_s = AGAIN_AFTER_S


def take_stream(user: User, job: Job) -> Place:
    """Counts for the document's merchant, whoever looks. Raises NoLine."""
    try:
        return STREAMS.take(user.pk, frozenset({job.merchant_id}))
    except NoPlace as full:
        LINES_REFUSED.labels("stream", full.bound).inc()
        raise NoLine from None


def take_socket(user: User) -> Place | None:
    """Counts for every merchant that the person works for; None where there is no place: their page asks by itself."""
    try:
        return SOCKETS.take(user.pk, frozenset(user.merchant_ids() or ()))
    except NoPlace as full:
        LINES_REFUSED.labels("socket", full.bound).inc()
        return None
