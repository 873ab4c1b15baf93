"""Whatever people, tabs, clocks and machines do in whatever order: one holder, one submit, no lost draft (X-FENCE).

INTERLEAVINGS sets how many orders of up to 20 events are tried; with -s the test says how many events it were.
10 000 orders take half an hour of two quiet cores:
INTERLEAVINGS=10000 .venv/bin/pytest tests/integration/test_lock_interleavings.py -s
"""

import os
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import hypothesis.strategies as st
import pytest
from django.db import transaction
from django.db.models.functions import Now
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from annotation.models import Draft, HumanTask
from annotation.queue.services import claiming
from annotation.tasks.services import locks, tasks
from annotation.tasks.services.locks import LockLost, TaskHeld
from annotation.workbench.services import drafts, submitting
from catalogsku.accounts.models import Role, User
from catalogsku.core.errors import Refused
from catalogsku.core.models import Transition
from processing.corrections.services.correcting import PageState, content_version
from tests.integration.test_locks import make_task
from tests.support.people import People
from tests.support.strangers import person

ORDERS = int(os.environ.get("INTERLEAVINGS", "25"))
EMPTY_PAGE = PageState(page_type="D", skus=())


@dataclass
class Tab:
    """What one browser tab remembers: the token it was given, its count of saves, its submits."""

    user: User
    session: UUID = field(default_factory=uuid4)
    token: int = 0
    submits: list[UUID] = field(default_factory=list)


@dataclass
class Tally:
    """What was tried: ``events`` of all orders together."""

    orders: int = 0
    events: int = 0


def interleavings(people: People, second: User, tally: Tally) -> type[RuleBasedStateMachine]:
    tabs = st.integers(0, 3)

    class Interleavings(RuleBasedStateMachine):
        """Beside the real services a model of one task; after every step both say the same."""

        def __init__(self) -> None:
            super().__init__()
            tally.orders += 1
            tally.events -= 1  # an invariant is looked at once before the first event
            self.rolled_back = transaction.atomic()
            self.rolled_back.__enter__()
            self.task = make_task(people)
            self.version = content_version(self.task.page)
            self.tabs = [Tab(people.annotator), Tab(people.annotator), Tab(second), Tab(people.lead)]
            self.status, self.holder, self.token, self.is_expired = "CREATED", None, 0, False
            self.done_by: UUID | None = None
            self.drafts: dict[int, tuple[int, str]] = {}
            self.seq = 0

        holder: Tab | None

        def teardown(self) -> None:
            transaction.set_rollback(True)
            self.rolled_back.__exit__(None, None, None)

        def is_free(self) -> bool:
            return self.status == "CREATED" or (self.status == "PROCESSING" and self.is_expired)

        def win(self, tab: Tab, token: int) -> None:
            self.token += 1
            assert token == self.token, "tokens grow by one"
            tab.token, self.holder, self.status, self.is_expired = token, tab, "PROCESSING", False

        # --- what people do ----------------------------------------------------------------------

        @rule(at=tabs)
        def claim(self, at: int) -> None:
            tab = self.tabs[at]
            if self.status == "PROCESSING" and self.holder is tab:
                tab.token = locks.claim_task(tab.user, self.task.uuid, tab.session).token
                assert tab.token == self.token
                self.is_expired = False
            elif self.is_free():
                self.win(tab, locks.claim_task(tab.user, self.task.uuid, tab.session).token)
            else:
                with pytest.raises(TaskHeld) as held:
                    locks.claim_task(tab.user, self.task.uuid, tab.session)
                assert held.value.params["by"] == (str(self.holder.user) if self.holder else "")

        @precondition(lambda self: self.done_by is None)  # then a second person's look may be the next
        @rule(at=tabs)
        def claim_next(self, at: int) -> None:
            tab = self.tabs[at]
            lock = claiming.claim_next(tab.user, tab.session)
            assert (lock is not None) == (self.status == "CREATED")
            if lock:
                self.win(tab, lock.token)

        @rule(at=tabs)
        def heartbeat(self, at: int) -> None:
            tab = self.tabs[at]
            lost = locks.renew_locks(tab.user, tab.session, {self.task.uuid: tab.token})
            holds = self.status == "PROCESSING" and self.holder is tab and tab.token == self.token
            assert lost == ([] if holds else [self.task.uuid])
            self.is_expired = self.is_expired and not holds

        @rule(at=tabs)
        def release(self, at: int) -> None:
            tab = self.tabs[at]
            if self.status == "PROCESSING" and self.token == tab.token and self.holder and self.holder.user == tab.user:
                locks.release_task(tab.user, self.task.uuid, tab.token)
                self.status, self.holder = "CREATED", None
            else:
                with pytest.raises(LockLost):
                    locks.release_task(tab.user, self.task.uuid, tab.token)

        @rule(at=tabs)
        def take_over(self, at: int) -> None:
            tab = self.tabs[at]
            if self.status != "PROCESSING" or self.holder is None:
                with pytest.raises(TaskHeld):
                    locks.take_over(tab.user, self.task.uuid, tab.session)
            elif tab.user not in (self.holder.user, people.lead):
                with pytest.raises(Refused):
                    locks.take_over(tab.user, self.task.uuid, tab.session)
            else:
                self.win(tab, locks.take_over(tab.user, self.task.uuid, tab.session).token)

        @rule(at=tabs, late=st.integers(0, 3))
        def draft(self, at: int, late: int) -> None:
            """``late``: a save that was overtaken on its way by so many others."""
            tab = self.tabs[at]
            self.seq += 1
            seq, text = max(1, self.seq - late), f"typed {self.seq}"
            saved = drafts.save_draft(tab.user, self.task.uuid, tab.token, seq, self.version, {"text": text})
            known = self.drafts.get(tab.user.pk, (0, ""))
            if seq > known[0]:
                self.drafts[tab.user.pk] = (seq, text)
            assert saved.seq == self.drafts[tab.user.pk][0], "the answer says what is kept"
            holds = self.status == "PROCESSING" and self.holder is not None and self.holder.user == tab.user
            assert saved.stale == (not holds or tab.token != self.token)

        @rule(at=tabs, again=st.booleans())
        def submit(self, at: int, again: bool) -> None:
            """``again``: the answer was lost on its way, and the same is sent once more."""
            tab = self.tabs[at]
            submit_id = tab.submits[-1] if again and tab.submits else uuid4()
            tab.submits.append(submit_id)
            given: tuple[Any, ...] = (tab.user, self.task.uuid, tab.token, submit_id, self.version, EMPTY_PAGE)
            if self.done_by == submit_id:
                submitting.submit_task(*given)
            elif self.may_submit(tab):
                submitting.submit_task(*given)
                self.status, self.holder, self.done_by = "COMPLETED", None, submit_id
                self.drafts.pop(tab.user.pk, None)
            else:
                with pytest.raises(LockLost):
                    submitting.submit_task(*given)

        def may_submit(self, tab: Tab) -> bool:
            """A lease that ran out and was given back is no loss while nobody else took the task."""
            if not tab.token or tab.token != self.token:
                return False
            holds = self.holder is not None and self.holder.user == tab.user
            return self.status == "CREATED" or (self.status == "PROCESSING" and holds)

        # --- what happens to them ----------------------------------------------------------------

        @rule(at=tabs)
        def socket_gone(self, at: int) -> None:
            tab = self.tabs[at]
            closed = locks.close_session(tab.user, tab.session)
            assert closed == (self.status == "PROCESSING" and self.holder is tab)

        @precondition(lambda self: self.status == "PROCESSING")
        @rule()
        def lease_runs_out(self) -> None:
            HumanTask.objects.filter(pk=self.task.pk).update(lease_until=Now() - timedelta(seconds=1))
            self.is_expired = True

        @rule()
        def sweep(self) -> None:
            assert locks.free_expired() == (self.status == "PROCESSING" and self.is_expired)
            if self.status == "PROCESSING" and self.is_expired:
                self.status, self.holder = "CREATED", None

        @precondition(lambda self: self.token > 2)
        @rule()
        def machines_take_the_page_back(self) -> None:
            closed = tasks.supersede_tasks(self.task.page_id)
            if closed and self.done_by is None:  # else it was a second person's look at what was done
                self.status, self.holder = "SKIPPED", None
                self.token += 1

        # --- what always holds -------------------------------------------------------------------

        @invariant()
        def the_row_is_as_the_model_says(self) -> None:
            tally.events += 1
            row = HumanTask.objects.get(pk=self.task.pk)
            holder = self.holder.user.pk if self.holder and self.status == "PROCESSING" else None
            assert (row.status, row.lock_token) == (self.status, self.token)
            assert (row.locked_by_id if row.status == "PROCESSING" else None) == holder

        @invariant()
        def no_draft_is_lost(self) -> None:
            kept = Draft.objects.filter(task=self.task).values_list("user_id", "seq", "body")
            assert {user: (seq, body["text"]) for user, seq, body in kept} == self.drafts

        @invariant()
        def it_is_submitted_once_at_most(self) -> None:
            moved = Transition.objects.filter(entity="task", entity_id=self.task.pk, target="COMPLETED")
            assert moved.count() == (self.done_by is not None)

    return Interleavings


@pytest.mark.req("X-FENCE", "X-DRAFT", "TA-LOCK")
@pytest.mark.timeout(3600 * 3)
def test_no_order_of_events_submits_twice_or_loses_a_draft(db: None, people: People) -> None:
    second = person(Role.ANNOTATOR, "own", people.merchant, people.other)
    tally, began_s = Tally(), time.process_time()
    run_state_machine_as_test(
        interleavings(people, second, tally),
        settings=settings(
            max_examples=ORDERS,
            stateful_step_count=20,
            suppress_health_check=list(HealthCheck),
            database=None,
            phases=[Phase.generate],
        ),
    )
    assert tally.orders >= ORDERS
    print(f"{tally.orders} orders, {tally.events} events, {time.process_time() - began_s:.0f} s of this process")
