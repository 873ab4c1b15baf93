"""What a person decides about an example that a page taught (examples.py)."""

from django.db.models.functions import Now

from catalogsku.accounts.models import User
from processing.llm.prompts.examples import MIN_QUALITY
from processing.pages.models import AnnotationExample


def confirm_example(row: AnnotationExample, by: User, *, shared: bool) -> bool:
    """Shown to models in jobs that are made from now on; False for one that is not good enough or was withdrawn."""
    rows = AnnotationExample.objects.filter(pk=row.pk, withdrawn_at=None, quality__gte=MIN_QUALITY)
    return bool(rows.update(confirmed_at=Now(), confirmed_by=by, shared=shared))


def withdraw_example(row: AnnotationExample) -> bool:
    """No model sees it any more, also not of jobs that run."""
    return bool(AnnotationExample.objects.filter(pk=row.pk, withdrawn_at=None).update(withdrawn_at=Now()))
