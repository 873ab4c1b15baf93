"""Stopping a document, for programs."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS
from ingestion import selectors as documents
from processing.operations.services.cancelling import cancel

router = Router(tags=["results"])


class CancelledOut(Schema):
    """What is in flight finishes and is recorded: nothing of it can be called back."""

    pages: int
    imports_in_flight: int
    model_calls_in_flight: int


@router.post("/{uuid:job_id}/cancel", response={200: CancelledOut, **PROBLEMS}, summary="Stop a document")
def cancel_document(request: HttpRequest, job_id: UUID) -> Any:
    """Nothing of it is sent any more. ``pages``: how many were stopped."""
    actor = require(request, Action.CANCEL_JOB)
    return asdict(cancel(documents.get_job(actor, job_id), actor.username))
