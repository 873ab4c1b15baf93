"""`manage.py uploads list|abandon`: files that are still on their way in, and giving one up."""

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Upload
from ingestion.services.receiving import abandon_upload


class Command(BaseCommand):
    help = "Lists uploads that are not whole, oldest first, or gives one up: what arrived of it is deleted."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "abandon"])
        parser.add_argument("upload", nargs="?", help="id of the upload to give up")
        parser.add_argument("--limit", type=int, default=200, help="list at most this many (200)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "abandon":
            upload = find_upload(options["upload"])
            rows = [described(upload)]
            abandon_upload(upload)
        else:
            unmade = Upload.objects.filter(job__isnull=True).select_related("merchant", "user").order_by("created_at")
            rows = [described(upload) for upload in unmade[: max(options["limit"], 0)]]
        if options["json"]:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        for row in rows:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items()))


def find_upload(text: str | None) -> Upload:
    """Raises CommandError with a sentence where there is none, or it has become a document."""
    try:
        upload: Upload = Upload.objects.select_related("merchant", "user").get(uuid=UUID(text or ""))
    except (ValueError, Upload.DoesNotExist):
        raise CommandError(f"There is no upload {text!r}. `uploads list` shows the ids.") from None
    if upload.job is not None:
        raise CommandError(f"This upload is whole: it is the document {upload.job.uuid}.")
    return upload


def described(upload: Upload) -> dict[str, Any]:
    return {
        "upload": str(upload.uuid),
        "name": upload.name,
        "merchant": upload.merchant.name,
        "user": upload.user.username,
        "received_bytes": upload.offset_bytes,
        "size_bytes": upload.size_bytes,
        "created_at": upload.created_at.isoformat(timespec="seconds"),
        "expires_at": upload.expires_at.isoformat(timespec="seconds"),
    }
