"""Notices by mail, over a real socket: one for a burst, to who wants it, in their language; and SMTP that fails."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import dramatiq
import pytest
from django.db.models.functions import Now
from django.utils import timezone

from catalogsku.accounts.models import User
from catalogsku.core import metrics
from ingestion.lifecycle import JobStatus
from ingestion.models import Job, MailChoice, Notice
from ingestion.notices import mailing
from ingestion.notices.kinds import Kind
from ingestion.notices.services import reading, telling
from ingestion.services.settle import settle_job
from tests.support.people import People
from tests.support.rows import make_job, make_page
from tests.support.smtp import SmtpServer, free_port

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-NOTICE")]


@pytest.fixture
def smtp(settings: Any) -> Iterator[SmtpServer]:
    with SmtpServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 5
        settings.DEFAULT_FROM_EMAIL = "CatalogSKU <robot@example.org>"
        settings.PUBLIC_URL = "https://catalog.example.org/"
        yield server


@pytest.fixture
def uploader(people: People) -> User:
    people.uploader.email = "lin@example.org"
    people.uploader.save(update_fields=["email"])
    return people.uploader


def finished(people: People, name: str = "Chairs.pdf", ago_s: int = mailing.WAITS_S + 1) -> Notice:
    job = make_job(people.merchant, uploader=people.uploader)
    Job.objects.filter(pk=job.pk).update(source_name=name, status=JobStatus.FULL_IMPORTED, completion={"skus": 12})
    telling.hear_jobs(JobStatus.FULL_IMPORTED, [telling.Moved(job.pk, JobStatus.PROCESSING, job.pk)])
    Notice.objects.filter(job=job).update(told_at=Now() - timedelta(seconds=ago_s))
    return Notice.objects.get(job=job)


def again() -> None:
    """Every wait is over."""
    Notice.objects.update(mail_not_before=None)


def sent(outcome: str) -> float:
    return float(metrics.NOTICE_MAILS.labels(outcome)._value.get())


def test_a_burst_is_one_mail_with_a_link_each(people: People, uploader: User, smtp: SmtpServer) -> None:
    before = sent("sent")
    first, second = finished(people), finished(people, "Tables.pdf", ago_s=5)
    assert mailing.due_people() == [uploader.pk]
    assert mailing.mail_notices(uploader.pk) == "sent"
    (mail,) = smtp.mails
    assert (mail["To"], mail["From"]) == ("lin@example.org", "CatalogSKU <robot@example.org>")
    assert mail["Subject"] == "CatalogSKU: 2 notices" and mail["Auto-Submitted"] == "auto-generated"
    body = mail.get_content()
    assert mail.get_content_type() == "text/plain"
    for words in ("Chairs.pdf", "Tables.pdf", "Finished", "12 products."):
        assert words in body
    for notice in (first, second):
        assert f"https://catalog.example.org/notices/{notice.pk}/" in body.splitlines()
    assert mailing.mail_notices(uploader.pk) == "nothing", "each is mailed once"
    assert sent("sent") == before + 1


def test_mail_waits_some_minutes_and_what_was_read_meanwhile_is_not_mailed(
    people: People, uploader: User, smtp: SmtpServer
) -> None:
    notice = finished(people, ago_s=10)
    assert mailing.send_due() == 0
    Notice.objects.update(told_at=timezone.now() - timedelta(minutes=6))
    assert mailing.send_due() == 1
    reading.read_one(notice)
    assert mailing.send_due() == 0 and mailing.mail_notices(uploader.pk) == "nothing"
    assert smtp.mails == []


def test_it_goes_by_a_message_to_the_unit_out(people: People, uploader: User, smtp: SmtpServer) -> None:
    finished(people)
    assert mailing.send_due() == 1
    actor = dramatiq.get_broker().get_actor("mail_notices")
    assert actor.queue_name == "out"
    actor.fn(uploader.pk)
    assert len(smtp.mails) == 1


def test_each_gets_what_they_chose_in_their_language(people: People, uploader: User, smtp: SmtpServer) -> None:
    people.annotator.email, people.annotator.language = "zhao@example.org", "zh-hans"
    people.annotator.save(update_fields=["email", "language"])
    job = make_job(people.merchant, uploader=uploader)
    make_page(job, 1, "HUMAN_QUEUED")
    settle_job(job.pk)
    Notice.objects.update(told_at=timezone.now() - timedelta(minutes=6))
    assert [mailing.mail_notices(one.pk) for one in (uploader, people.annotator)] == ["nothing"] * 2, "off at first"
    for one in (uploader, people.annotator):
        reading.choose_mail(one, {"needs": True})
        assert mailing.mail_notices(one.pk) == "sent"
    assert [mail["Subject"].strip() for mail in smtp.mails] == [
        f"CatalogSKU: Waits for people: {job.source_name}",
        f"CatalogSKU: 有文档需要您处理: {job.source_name}",
    ]
    assert "1 页等待人工处理" in smtp.mails[1].get_content()
    assert MailChoice.objects.count() == 2
    finished(people)
    assert mailing.mail_notices(uploader.pk) == "nothing", "no longer wanted"


def test_the_name_of_a_file_begins_no_line_of_the_mail(people: People, uploader: User, smtp: SmtpServer) -> None:
    finished(people, "a\r\nBcc: all@example.org\r\n\r\nhttps://evil.example\u2028x\u202e.pdf")
    assert mailing.mail_notices(uploader.pk) == "sent"
    (mail,) = smtp.mails
    assert mail["Bcc"] is None and "\n" not in mail["Subject"]
    assert not [line for line in mail.get_content().splitlines() if line.startswith(("Bcc", "https://evil"))]
    uploader.email = "lin@example.org\nBcc: all@example.org"
    uploader.save(update_fields=["email"])
    finished(people)
    assert mailing.mail_notices(uploader.pk) == "refused"
    assert len(smtp.mails) == 1


def test_a_server_that_fails_is_tried_again_and_then_given_up(
    people: People, uploader: User, smtp: SmtpServer, settings: Any
) -> None:
    notice = finished(people)
    before = sent("failed")
    smtp.refuses = 451
    assert mailing.mail_notices(uploader.pk) == "failed"
    assert mailing.mail_notices(uploader.pk) == "nothing", "not before its time"
    smtp.refuses, smtp.hangs_up = 0, True
    again()
    assert mailing.mail_notices(uploader.pk) == "failed"
    settings.EMAIL_PORT = free_port()
    for _ in range(mailing.TRIES_MOST - 2):
        again()
        assert mailing.mail_notices(uploader.pk) == "failed"
    again()
    assert mailing.mail_notices(uploader.pk) == "nothing", "given up"
    assert sent("failed") == before + mailing.TRIES_MOST
    notice.refresh_from_db()
    assert notice.read_at is None and notice.mailed_at is None, "it is in the bell"


def test_an_address_that_the_server_refuses_is_not_tried_again(
    people: People, uploader: User, smtp: SmtpServer
) -> None:
    finished(people)
    smtp.refuses = 550
    assert mailing.mail_notices(uploader.pk) == "refused"
    smtp.refuses = 0
    again()
    assert mailing.mail_notices(uploader.pk) == "nothing"


@pytest.mark.parametrize("missing", ["EMAIL_HOST", "DEFAULT_FROM_EMAIL", "PUBLIC_URL"])
def test_without_all_of_its_settings_no_mail_is_sent(
    people: People, uploader: User, smtp: SmtpServer, settings: Any, missing: str
) -> None:
    finished(people)
    setattr(settings, missing, "")
    assert mailing.send_due() == 0 and mailing.mail_notices(uploader.pk) == "nothing"
    assert mailing.health().level == ("ok" if missing == "EMAIL_HOST" else "error")


def test_nobody_without_an_address_or_who_is_gone_gets_any(people: People, uploader: User, smtp: SmtpServer) -> None:
    finished(people)
    User.objects.filter(pk=uploader.pk).update(is_active=False)
    assert mailing.due_people() == [] and mailing.mail_notices(uploader.pk) == "nothing"
    User.objects.filter(pk=uploader.pk).update(is_active=True, email="")
    assert mailing.due_people() == [] and mailing.mail_notices(uploader.pk) == "nothing"
    User.objects.filter(pk=uploader.pk).update(email="lin@example.org")
    uploader.merchants.clear()
    assert mailing.mail_notices(uploader.pk) == "nothing", "of a merchant for which they no longer work"


def test_the_doctor_says_whether_mail_can_be_sent(people: People, uploader: User, smtp: SmtpServer) -> None:
    assert mailing.health() == mailing.Health("ok", f"127.0.0.1:{smtp.port} takes mail")
    smtp.hangs_up = True
    assert mailing.health().level == "error"
    smtp.hangs_up = False
    finished(people)
    Notice.objects.filter(kind=Kind.FINISHED).update(mail_tries=mailing.TRIES_MOST)
    assert mailing.health().level == "warning"
