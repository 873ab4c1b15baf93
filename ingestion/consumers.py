"""/ws/jobs/{id}/: the progress of one document, as leaf values in the reader's language (design: live events)."""

import json
from collections.abc import Sequence
from uuid import UUID

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core import json_bounds
from ingestion import selectors
from ingestion.events import JobEvents
from ingestion.hub import Source
from ingestion.live_socket import LiveSocket
from ingestion.models import Job


class JobConsumer(LiveSocket):
    """Takes `{"type": "sync"}`; whatever else a client sends means nothing here."""

    action = Action.SEE_JOBS
    job: Job

    def find(self, user: User) -> int | None:
        self.job = selectors.get_job(user, UUID(str(self.scope["url_route"]["kwargs"]["job"])))
        return self.job.pk

    def sources(self) -> Sequence[Source]:
        return [JobEvents(self.job.pk)]

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.ticket is not None and text_data is not None and _type_of(text_data) == "sync":
            self.asked.set()


def _type_of(text: str) -> object:
    try:
        json_bounds.check(text.encode(), json_bounds.ORDINARY)
        content = json.loads(text)
    except (json_bounds.TooMuch, ValueError, RecursionError):
        return None
    return content.get("type") if isinstance(content, dict) else None
