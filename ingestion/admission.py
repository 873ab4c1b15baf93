"""Who may still listen: all sockets of one web process are looked at together (TA-DISABLE).

A look is a handful of queries for all of them, at most once a second where something is to be sent, and every two
seconds where nothing is; each socket for itself would cost four queries every time.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.db import close_old_connections

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.accounts.selectors import signed_in
from ingestion.models import Job

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
VALID_FOR_S = 1.0
ADMITTED, LOGIN_NEEDED, NO_ACCESS = 0, 4401, 4403

Refuse = Callable[[int], Awaitable[None]]


@dataclass(frozen=True, eq=False)
class Ticket:
    """One open socket: the session that opened it and the document that it shows."""

    session_key: str
    job_id: int


class Admission:
    """``admit`` a socket, ask for its ``code`` before each sending, let it ``leave``."""

    def __init__(self) -> None:
        self._refuse: dict[Ticket, Refuse] = {}
        self._codes: dict[Ticket, int] = {}
        self._looked_at_s = 0.0
        self._look: asyncio.Task[None] | None = None
        self._rounds: asyncio.Task[None] | None = None

    def admit(self, ticket: Ticket, refuse: Refuse) -> None:
        """``refuse(code)`` is called once, and soon after the person may listen no more."""
        self._refuse[ticket] = refuse
        if _has_ended(self._rounds):
            self._rounds = asyncio.create_task(self._go_rounds())

    def leave(self, ticket: Ticket) -> None:
        self._refuse.pop(ticket, None)
        self._codes.pop(ticket, None)

    async def code(self, ticket: Ticket) -> int:
        """ADMITTED, or the code to close with; at most VALID_FOR_S old. Raises where the database is away."""
        if _has_ended(self._look) and time.monotonic() - self._looked_at_s > VALID_FOR_S:
            self._look = asyncio.create_task(self._look_at_all())
        if self._look is not None and not _has_ended(self._look):
            await asyncio.shield(self._look)  # a socket that goes does not take the look away from the others
        return self._codes.get(ticket, ADMITTED)

    async def _look_at_all(self) -> None:
        began_s = time.monotonic()
        self._codes = await sync_to_async(codes_of)(list(self._refuse))
        self._looked_at_s = began_s

    async def _go_rounds(self) -> None:
        while self._refuse:
            await asyncio.sleep(LOOK_EVERY_S)
            for ticket, refuse in list(self._refuse.items()):
                try:
                    if code := await self.code(ticket):
                        self.leave(ticket)
                        await refuse(code)
                except Exception as error:  # the database is away, or the socket has just gone
                    log.warning("socket not looked at", extra={"error": repr(error)})


def _has_ended(task: "asyncio.Task[None] | None") -> bool:
    return task is None or task.done() or task.get_loop() is not asyncio.get_running_loop()


def codes_of(tickets: Collection[Ticket]) -> dict[Ticket, int]:
    """For each socket ADMITTED or the code to close it with."""
    close_old_connections()
    try:
        people = signed_in({ticket.session_key for ticket in tickets})
        jobs = Job.objects.filter(pk__in={ticket.job_id for ticket in tickets})
        merchants = dict(jobs.values_list("pk", "merchant_id"))
    finally:
        close_old_connections()
    return {ticket: _code(people.get(ticket.session_key), merchants.get(ticket.job_id)) for ticket in tickets}


def _code(user: User | None, merchant_id: int | None) -> int:
    if user is None:
        return LOGIN_NEEDED
    own = user.merchant_ids()
    is_visible = merchant_id is not None and (own is None or merchant_id in own)
    return ADMITTED if is_visible and may(user, Action.SEE_JOBS) else NO_ACCESS


admission = Admission()
