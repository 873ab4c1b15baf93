"""The next task for whoever asks for work."""

from uuid import UUID

from annotation.queue.services import dispatch
from annotation.tasks.services.locks import Lock, TaskHeld, claim_task
from catalogsku.accounts.models import User

TRIES = 20


def claim_next(actor: User, session: UUID) -> Lock | None:
    """Take the most pressing task that is free; None where there is none.

    Where others take it first the one after it is tried; raises TaskHeld, which names the last of them, after 20 such.
    """
    for left in reversed(range(TRIES)):
        following = dispatch.next_task(actor)
        if following is None:
            return None
        try:
            return claim_task(actor, following, session)
        except TaskHeld:
            if not left:
                raise
    raise AssertionError("unreachable")
