"""Figures of the import ledger, read at each scrape: what is on its way, and what was refused."""

from django.db.models import Count, Q

from catalogsku.core.facts import Figures, fact
from processing.lifecycle import IN_FLIGHT, Delivery
from processing.models import ImportRecord

OPEN = (Delivery.PENDING, *IN_FLIGHT)


@fact("imports", "Imports that wait, are on their way, have no answer yet, or were refused.", "state")
def imports() -> Figures:
    found: dict[str, int] = {}
    for rows in (Q(state__in=[Delivery.PENDING, *IN_FLIGHT]), Q(state=Delivery.REFUSED)):  # an index for each
        counted = ImportRecord.objects.filter(rows).order_by().values_list("state").annotate(n=Count("pk"))
        found.update(dict(counted))
    return {(str(state),): float(found.get(state, 0)) for state in (*OPEN, Delivery.REFUSED)}
