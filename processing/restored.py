"""What has to be set right here in a database that was brought back (ingestion/backups)."""

from ingestion.backups.restored import RESTORED
from processing.models import Edition
from processing.webhooks.services.outbox import write_deliveries


def tell_receivers() -> None:
    """What was committed before the point and not yet told, while the ids of its transactions are those of then."""
    write_deliveries(restored=True)


def compare_anew() -> None:
    """Up to which transaction an edition was compared says nothing any more; what people said of changes stays."""
    Edition.objects.exclude(compared=None).update(compared=None)


for _step in (tell_receivers, compare_anew):
    if _step not in RESTORED:
        RESTORED.append(_step)
