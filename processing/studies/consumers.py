"""/ws/studies/{id}/: which records of a study have changed; what they hold is fetched by its screen."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from ingestion.hub import Source
from ingestion.live_socket import LiveSocket
from processing.studies import studies_seen


@dataclass(frozen=True)
class StudyEvents:
    """The records of one document by their keys."""

    job_id: int

    @property
    def topic(self) -> int:
        return self.job_id

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        """Without missing a commit, as ``ingestion.events.changed_pages``."""
        with connection.cursor() as db:
            db.execute(
                "SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array(SELECT ARRAY[id, version]"
                " FROM processing_record WHERE job_id = %s AND changed >= %s::text::xid8)",
                [self.job_id, str(cursor or 0)],
            )
            following, records = db.fetchone()
        return int(following), [(pk, version) for pk, version in records]

    def changes(self, ids: Collection[int], about: object) -> dict[str, Any]:
        return {**self.whole(about), "type": "rows"}

    def whole(self, about: object) -> dict[str, Any]:
        return {"type": "sync", "records": studies_seen.revisions(self.job_id)}


class StudyConsumer(LiveSocket):
    """Takes nothing: who asks is answered by the whole when the socket opens."""

    action = Action.SEE_RESULTS
    job_id: int

    def find(self, user: User) -> int | None:
        self.job_id = studies_seen.get_study(user, UUID(str(self.scope["url_route"]["kwargs"]["job"]))).job.pk
        return self.job_id

    def sources(self) -> Sequence[Source]:
        return [StudyEvents(self.job_id)]

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A client that has missed something asks for all of it."""
        if self.ticket is not None and text_data == '{"type":"sync"}':
            self.asked.set()
