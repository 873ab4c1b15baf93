"""What a person's bell shows, and what it tells their screens live."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, Q

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion.lifecycle import PAGES_WITH_PEOPLE
from ingestion.models import Page
from ingestion.notices.models import TOPIC, MailChoice, Notice, NoticeQuerySet

COUNTED_MOST = 100
A_PAGE, IN_THE_PANEL = 30, 12
SILENT = b'{"type":"notices","unread":""}'  # as sockets are told of a bell without a number
_PLACE = re.compile(r"(\d{1,17})-(\d{1,18})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def first_unread(user: User) -> NoticeQuerySet:
    """At most COUNTED_MOST: the badge says no more."""
    return Notice.objects.visible_to(user).unread()[:COUNTED_MOST]


def count_unread(user: User) -> int:
    return first_unread(user).count()


def count_word(unread: int) -> str:
    """What the badge says: nothing where there is none."""
    return f"{COUNTED_MOST - 1}+" if unread >= COUNTED_MOST else str(unread or "")


def newest(user: User, most: int, before: str = "") -> tuple[list[Notice], str]:
    """(notices, newest first; place of the next ones or ""). ``before``: such a place; what is none begins anew."""
    rows = Notice.objects.visible_to(user).select_related("job", "merchant").order_by("-told_at", "-pk")
    if (place := _PLACE.fullmatch(before)) is not None:
        at, key = _EPOCH + timedelta(microseconds=int(place[1])), int(place[2])
        rows = rows.filter(Q(told_at__lt=at) | Q(told_at=at, pk__lt=key))
    notices = list(rows[: most + 1])
    return notices[:most], _place(notices[most - 1]) if len(notices) > most else ""


def _place(notice: Notice) -> str:
    return f"{(notice.told_at - _EPOCH) // timedelta(microseconds=1)}-{notice.pk}"


def get_notice(user: User, notice_id: int) -> Notice:
    """Raises NotFound where it is missing or somebody else's."""
    notice = Notice.objects.visible_to(user).select_related("job").filter(pk=notice_id).first()
    if notice is None:
        raise NotFound("not_found")
    return notice


def pages_waiting(job_ids: Collection[int]) -> Counter[int]:
    """Pages of these documents that wait for a person now."""
    rows = Page.objects.filter(job__in=job_ids, status__in=PAGES_WITH_PEOPLE)
    return Counter(dict(rows.order_by().values_list("job").annotate(n=Count("pk"))))


def mail_choice(user: User) -> MailChoice:
    return MailChoice.objects.filter(person=user.pk).first() or MailChoice(person=user)


@dataclass(frozen=True)
class NoticeEvents:
    """All notices. ``about``: None for whose have changed, or the key of one of these for what their bell says."""

    topic = TOPIC

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        """Begun anew it tells nothing: pages bring their count along."""
        with connection.cursor() as db:
            db.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")
            following = int(db.fetchone()[0])
            if not cursor:
                return following, []
            db.execute("SELECT id, version FROM ingestion_notice WHERE changed >= %s::text::xid8", [str(cursor)])
            return following, list(db.fetchall())

    def changes(self, ids: Collection[int], about: int | None) -> dict[str, Any]:
        if about is None:
            whose = Notice.objects.filter(pk__in=ids).order_by("person").values_list("person", flat=True).distinct()
            return {"type": "notices", "people": list(whose)}
        person = User.objects.get(pk=about)
        return {"type": "notices", "unread": count_word(count_unread(person))}

    def whole(self, about: int | None) -> dict[str, Any]:
        return self.changes((), about)
