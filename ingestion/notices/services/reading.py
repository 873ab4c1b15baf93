"""What a person does with their notices: reads them, and chooses what they get by mail."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models.functions import Now

from catalogsku.accounts.models import User
from catalogsku.core import live
from ingestion.notices.kinds import Choice
from ingestion.notices.models import TOPIC, MailChoice, Notice, NoticeQuerySet


def read_one(notice: Notice) -> None:
    """Once more it changes nothing."""
    _read(Notice.objects.filter(pk=notice.pk))


def read_all(user: User) -> int:
    """How many there were."""
    return _read(Notice.objects.visible_to(user))


@transaction.atomic
def _read(rows: NoticeQuerySet) -> int:
    keys = rows.unread().order_by("person", "job", "kind").select_for_update(no_key=True, of=("self",))
    read = Notice.objects.filter(pk__in=list(keys.values_list("pk", flat=True))).update(
        read_at=Now(), **Notice.visible_change()
    )
    if read:
        live.hint_after_commit(TOPIC)
    return read


def choose_mail(user: User, wanted: Mapping[str, bool]) -> None:
    """``wanted``: of each Choice whether mail is sent; what is missing is not."""
    MailChoice.objects.update_or_create(
        person=user, defaults={str(choice): bool(wanted.get(choice)) for choice in Choice}
    )
