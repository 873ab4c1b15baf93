"""Who may still listen: all sockets and event streams of one web process are looked at together (TA-DISABLE).

A look is a query for all of them, and a handful more where something of it has changed, at most twice a second where
something is to be sent, and once a second where nothing is, so that a right that has ended is noticed within two
seconds; each listener for itself would cost four queries every time.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection, transaction

from catalogsku.accounts.grants import Grant, mark, still_holds
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from ingestion.models import Job

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
VALID_FOR_S = 0.5
ANEW_AFTER_S = 30.0  # however little changes
ADMITTED, LOGIN_NEEDED, NO_ACCESS = 0, 4401, 4403

Refuse = Callable[[int], Awaitable[None]]


@dataclass(frozen=True, eq=False)
class Ticket:
    """One open line: what its listener came in by, what it takes to listen, and the document where it shows one."""

    grant: Grant
    action: Action
    job_id: int | None = None


@dataclass(frozen=True)
class Finding:
    """ADMITTED, or the code to close with; and who it is, as they were found."""

    code: int
    user: User | None = None


class Admission:
    """``admit`` a line, ``look`` at it before each sending, let it ``leave``."""

    def __init__(self) -> None:
        self._refuse: dict[Ticket, Refuse] = {}
        self._findings: dict[Ticket, Finding] = {}
        self._last = Look((), {})
        self._looked_at_s = 0.0
        self._looking: asyncio.Task[None] | None = None
        self._rounds: asyncio.Task[None] | None = None

    def admit(self, ticket: Ticket, refuse: Refuse) -> None:
        """``refuse(code)`` is called once, and soon after the person may listen no more."""
        self._refuse[ticket] = refuse
        if has_ended(self._rounds):
            self._rounds = asyncio.create_task(self._go_rounds())

    def leave(self, ticket: Ticket) -> None:
        self._refuse.pop(ticket, None)
        self._findings.pop(ticket, None)

    async def look(self, ticket: Ticket) -> Finding:
        """At most VALID_FOR_S old. Raises where the database is away."""
        if has_ended(self._looking) and time.monotonic() - self._looked_at_s > VALID_FOR_S:
            self._looking = asyncio.create_task(self._look_at_all())
        if self._looking is not None and not has_ended(self._looking):
            await asyncio.shield(self._looking)  # one that goes does not take the look away from the others
        return self._findings.get(ticket) or Finding(ADMITTED)

    async def _look_at_all(self) -> None:
        began_s = time.monotonic()
        look = await sync_to_async(look_again)(self._last, tuple(self._refuse))
        if look is not self._last:
            self._last, self._findings = look, dict(look.findings)
        self._looked_at_s = began_s

    async def _go_rounds(self) -> None:
        while self._refuse:
            await asyncio.sleep(LOOK_EVERY_S)
            for ticket, refuse in list(self._refuse.items()):
                try:
                    if code := (await self.look(ticket)).code:
                        self.leave(ticket)
                        await refuse(code)
                except Exception as error:  # the database is away, or the line has just gone
                    log.warning("line not looked at", extra={"error": repr(error)})


def has_ended(task: "asyncio.Task[None] | None") -> bool:
    """Or began in a loop that is not this one."""
    return task is None or task.done() or task.get_loop() is not asyncio.get_running_loop()


@dataclass(frozen=True)
class Look:
    """What was found of these lines; while ``mark`` is the same and is not None, the same would be found."""

    tickets: Sequence[Ticket]
    findings: dict[Ticket, Finding]
    mark: tuple[Any, ...] | None = None
    at_s: float = 0.0


def look_again(last: Look, tickets: Sequence[Ticket]) -> Look:
    """In one snapshot, so that what changes between the mark and the look is found by the next one."""
    close_old_connections()
    try:
        with transaction.atomic(), connection.cursor() as db:
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            now = clock.now()
            lately = time.monotonic() - last.at_s < ANEW_AFTER_S
            if lately and last.mark is not None and tickets == last.tickets and last.mark == _mark(last, now):
                return last
            found = Look(tickets, look_at(tickets), at_s=time.monotonic())
            return replace(found, mark=_mark(found, now))
    finally:
        close_old_connections()


def _mark(look: Look, now: datetime) -> tuple[Any, ...] | None:
    people = {finding.user for finding in look.findings.values() if finding.user is not None}
    of_people = mark({ticket.grant for ticket in look.tickets}, people, now)
    jobs = {ticket.job_id for ticket in look.tickets if ticket.job_id is not None}
    return of_people and (*of_people, *sorted(Job.objects.filter(pk__in=jobs).values_list("pk", "merchant_id")))


def look_at(tickets: Collection[Ticket]) -> dict[Ticket, Finding]:
    """Who listens at each line, and whether they still may; five queries for all of them."""
    people = still_holds({ticket.grant for ticket in tickets})
    jobs = Job.objects.filter(pk__in={ticket.job_id for ticket in tickets if ticket.job_id is not None})
    merchants = dict(jobs.values_list("pk", "merchant_id"))
    return {ticket: _finding(ticket, people.get(ticket.grant), merchants) for ticket in tickets}


def _finding(ticket: Ticket, user: User | None, merchants: dict[int, int]) -> Finding:
    if user is None:
        return Finding(LOGIN_NEEDED)
    if not may(user, ticket.action):
        return Finding(NO_ACCESS)
    own = user.merchant_ids()
    visible = ticket.job_id is None or (ticket.job_id in merchants and (own is None or merchants[ticket.job_id] in own))
    return Finding(ADMITTED if visible else NO_ACCESS, user)


admission = Admission()
