"""Notices by mail, where SMTP is set: those that a person has not read after some minutes, together in one mail.

Mail never touches the work: it is sent by a message of its own, tried again for some hours, and then given up. A
process that dies between sending and writing it down sends that mail once more.
"""

import logging
import smtplib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogsku.accounts.models import User
from catalogsku.core import messages, metrics, moments
from catalogsku.core.secret_files import secrets_in
from ingestion.notices import presenters
from ingestion.notices.kinds import LOOKS
from ingestion.notices.models import MailChoice, Notice, NoticeQuerySet
from ingestion.notices.selectors import mail_choice

log = logging.getLogger(__name__)

# What is told of meanwhile goes into the same mail, and what is read meanwhile into none.
WAITS_S = 300
MAILED_WITHIN = timedelta(days=1)
# From one attempt to the next, in seconds; after so many the notice stays in the bell alone.
DELAYS_S = (60, 300, 900, 3600, 3 * 3600)
TRIES_MOST = len(DELAYS_S)
PEOPLE_AT_ONCE, LISTED_MOST = 500, 30
NAME_LENGTH_MAX = 120


def can_send() -> bool:
    return bool(settings.EMAIL_HOST and settings.DEFAULT_FROM_EMAIL and settings.PUBLIC_URL)


def connection() -> BaseEmailBackend:
    password = settings.EMAIL_HOST_PASSWORD
    if settings.EMAIL_HOST_PASSWORD_FILE:
        password = next(iter(secrets_in(settings.EMAIL_HOST_PASSWORD_FILE)), "")
    return get_connection(password=password)


def send_due() -> int:
    """Have mail sent to those for whom something waits; how many they are."""
    people = due_people() if can_send() else []
    for person in people:
        messages.send("mail_notices", person)
    return len(people)


def due_people() -> list[int]:
    """Whose oldest notice has waited WAITS_S; those who want no mail of it are among them."""
    waiting = _unmailed(Notice.objects.all()).filter(told_at__lt=Now() - timedelta(seconds=WAITS_S))
    people = waiting.filter(person__is_active=True).exclude(person__email="")
    return list(people.order_by("person").values_list("person", flat=True).distinct()[:PEOPLE_AT_ONCE])


def _unmailed(rows: NoticeQuerySet) -> NoticeQuerySet:
    fresh = rows.unread().filter(mailed_at=None, mail_tries__lt=TRIES_MOST, told_at__gt=Now() - MAILED_WITHIN)
    return fresh.filter(Q(mail_not_before=None) | Q(mail_not_before__lte=Now()))


def mail_notices(person_id: int) -> str:
    """What came of it: nothing (there was nothing to send), sent, failed (it is tried again), refused (it is not)."""
    person = User.objects.filter(pk=person_id, is_active=True).exclude(email="").first()
    if person is None or not can_send():
        return "nothing"
    notices = _claim(person)
    if not notices:
        return "nothing"
    outcome = _send(person, notices)
    _note([notice.pk for notice in notices], outcome)
    metrics.NOTICE_MAILS.labels(outcome).inc()
    return outcome


@transaction.atomic
def _claim(person: User) -> list[Notice]:
    """Those that the person wants by mail, newest first, each for one attempt: who comes meanwhile finds none."""
    wanted = _wanted(mail_choice(person))
    rows = _unmailed(Notice.objects.visible_to(person)).filter(kind__in=wanted)
    notices = list(
        rows.select_related("job", "merchant").order_by("-told_at", "-pk").select_for_update(of=("self",), no_key=True)
    )
    if notices:
        delay_s = DELAYS_S[max(notice.mail_tries for notice in notices)]
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(
            mail_tries=F("mail_tries") + 1, mail_not_before=Now() + timedelta(seconds=delay_s)
        )
    return notices


def _wanted(choice: MailChoice) -> list[str]:
    return [kind for kind, look in LOOKS.items() if choice.wants(look.choice)]


def _note(keys: Collection[int], outcome: str) -> None:
    rows = Notice.objects.filter(pk__in=keys)
    if outcome == "sent":
        rows.update(mailed_at=Now())
    elif outcome == "refused":
        rows.update(mail_tries=TRIES_MOST)


def _send(person: User, notices: Sequence[Notice]) -> str:
    try:
        with translation.override(person.language):
            mail = _mail(person, notices)
        with connection() as backend:
            mail.connection = backend
            mail.send()
    except (smtplib.SMTPException, OSError) as error:
        outcome = "refused" if _is_refused(error) else "failed"
        log.warning("mail not sent", extra={"user_id": person.pk, "outcome": outcome, "error": repr(error)})
        return outcome
    except ValueError as error:  # an address that is none, or one with lines of its own
        log.warning("mail not written", extra={"user_id": person.pk, "error": type(error).__name__})
        return "refused"
    return "sent"


def _is_refused(error: Exception) -> bool:
    """The server knows this person's address and will not have it."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(
        code >= 500 for code, _words in error.recipients.values()
    )


def _mail(person: User, notices: Sequence[Notice]) -> EmailMessage:
    rows = presenters.rows(notices[:LISTED_MOST])
    host = urlsplit(settings.PUBLIC_URL).hostname
    return EmailMessage(
        subject=_subject(rows, len(notices)),
        body=_body(rows, len(notices)),
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[person.email],
        headers={
            "Message-ID": f"<notice-{notices[0].pk}-{notices[0].mail_tries}@{host}>",
            "Auto-Submitted": "auto-generated",
        },
    )


def _subject(rows: Sequence[presenters.Row], count: int) -> str:
    if count > 1:
        return "CatalogSKU: " + ngettext("%(n)s notice", "%(n)s notices", count) % {"n": count}
    return f"CatalogSKU: {rows[0].word}: {one_line(rows[0].document)}"


def _body(rows: Sequence[presenters.Row], count: int) -> str:
    parts = [
        "\n".join(
            (
                one_line(row.document),
                f"{row.word} ({moments.full(row.at)})",
                one_line(row.detail, 1000),
                _address(row.url),
            )
        )
        for row in rows
    ]
    if count > len(rows):
        more = count - len(rows)
        parts.append(ngettext("and %(n)s more notice", "and %(n)s more notices", more) % {"n": more})
    all_of_them = _address(reverse("notices"))
    parts.append(f"-- \n{_('All notices, and what you get by mail:')} {all_of_them}")
    return "\n\n".join(parts) + "\n"


def _address(path: str) -> str:
    return f"{settings.PUBLIC_URL.rstrip('/')}{path}"


def one_line(text: str, most: int = NAME_LENGTH_MAX) -> str:
    """Names of files are a stranger's: no line of a mail is theirs to begin."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


@dataclass(frozen=True)
class Health:
    level: str
    text: str


def health() -> Health:
    """Whether mail can be sent, asked of the server now; for `doctor`."""
    if not settings.EMAIL_HOST:
        return Health("ok", "no mail is sent: EMAIL_HOST is not set")
    missing = [name for name in ("DEFAULT_FROM_EMAIL", "PUBLIC_URL") if not getattr(settings, name)]
    if missing:
        return Health("error", f"mail cannot be sent: {' and '.join(missing)} is not set")
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with connection():
            pass
    except (smtplib.SMTPException, OSError) as error:
        return Health("error", f"mail cannot be sent by {server}: {type(error).__name__}: {error}")
    given_up = Notice.objects.filter(
        mail_tries__gte=TRIES_MOST, mailed_at=None, told_at__gt=Now() - MAILED_WITHIN
    ).count()
    if given_up:
        return Health("warning", f"{server} answers, but the mail of {given_up} notices was given up within a day")
    return Health("ok", f"{server} takes mail")
