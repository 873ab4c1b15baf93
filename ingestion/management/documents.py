"""What the commands of operators share: who acts, which document is meant, refusals as sentences."""

from uuid import UUID

from django.core.management.base import CommandError
from django.utils import translation

from catalogsku.core.errors import ProductError
from ingestion.models import Job
from ingestion.problems import sentence

OPERATOR = "operator"


def command_error(error: ProductError) -> CommandError:
    """The refusal as a sentence, in the language of all commands."""
    with translation.override("en"):
        return CommandError(sentence(error.code, error.params))


def find_job(text: str | None) -> Job:
    """Raises CommandError with a sentence where there is no such document."""
    try:
        return Job.objects.select_related("merchant").get(uuid=UUID(text or ""))
    except (ValueError, Job.DoesNotExist):
        raise CommandError(f"There is no document {text!r}. `jobs list` shows the ids.") from None
