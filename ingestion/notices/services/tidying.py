"""Old notices go at night: read ones sooner than those that nobody has looked at."""

from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from catalogsku.core.tidying import delete_rows
from ingestion.notices.models import Notice

READ_KEPT, UNREAD_KEPT = timedelta(days=30), timedelta(days=180)


def clear_old_notices() -> dict[str, int]:
    old = Q(read_at__lt=Now() - READ_KEPT) | Q(told_at__lt=Now() - UNREAD_KEPT)
    return {"notices": delete_rows(Notice.objects.filter(old))}
