"""What is watched of people's work: the tasks with whoever is at them, and what the holder of one types (X-PRES)."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from annotation.queue.selectors import comments_of, count_tasks, live_row, task_rows
from annotation.tasks.lifecycle import OPEN, TASKS_TOPIC, Purpose, TaskStatus, draft_topic
from annotation.tasks.models import Draft, HumanTask
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.scope import ScopedQuerySet

SHOWN_MAX = 100


@dataclass(frozen=True)
class Reader:
    """Who reads the tasks, as merchant scope sees it (None: all), and what is on the screen: the tasks ``shown``.

    ``alone``: nothing else is of interest there, as in the workbench. ``person``: whose golden pages are among them;
    None for what all people of the same merchants are told alike.
    """

    merchants: frozenset[int] | None
    person: int | None = None
    shown: frozenset[UUID] = frozenset()
    alone: bool = False
    is_active = True

    @classmethod
    def of(cls, user: User, shown: Collection[UUID] = (), *, alone: bool = False) -> "Reader":
        return cls(cls.like(user).merchants, user.pk, frozenset(shown), alone)

    @classmethod
    def like(cls, user: User) -> "Reader":
        """Anybody of the same merchants."""
        merchants = user.merchant_ids()
        return cls(None if merchants is None else frozenset(merchants))

    def merchant_ids(self) -> list[int] | None:
        return None if self.merchants is None else sorted(self.merchants)

    def tasks(self) -> "ScopedQuerySet[HumanTask]":
        mine = Q(assigned_to=self.person) if self.person is not None else Q()
        return HumanTask.objects.visible_to(self).filter(~Q(purpose=Purpose.HONEYPOT) | mine)


@dataclass(frozen=True)
class TaskEvents:
    """All tasks, each reader's own merchants only. ``about`` is the Reader."""

    topic = TASKS_TOPIC

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        """Begun anew it tells nothing, and where that beginning failed (cursor 0), what is open."""
        with connection.cursor() as db:
            db.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")
            following = int(db.fetchone()[0])
            if cursor is None:
                return following, []
            db.execute(
                "SELECT id, version FROM annotation_humantask WHERE changed >= %s::text::xid8"
                " AND (%s OR status = ANY(%s))",
                [str(cursor), cursor > 0, list(OPEN)],
            )
            return following, list(db.fetchall())

    def changes(self, ids: Collection[int], about: Reader) -> dict[str, Any]:
        rows = about.tasks().filter(pk__in=ids)
        return {"type": "rows", "rows": _rows_of_one(rows, about) if about.alone else _rows(rows)}

    def whole(self, about: Reader) -> dict[str, Any]:
        if about.alone:
            return {"type": "sync", "rows": _rows_of_one(about.tasks(), about), "figures": {}}
        return {"type": "sync", "rows": _rows(about.tasks().filter(uuid__in=about.shown)), "figures": figures(about)}


def _rows(tasks: "ScopedQuerySet[HumanTask]") -> list[dict[str, Any]]:
    rows = tasks.select_related("job", "page", "locked_by").order_by("pk")
    return [live_row(row) for row in task_rows(list(rows))]


def _rows_of_one(tasks: "ScopedQuerySet[HumanTask]", about: Reader) -> list[dict[str, Any]]:
    """In the workbench: with what people tell each other there."""
    by_id = tasks.filter(uuid__in=about.shown).in_bulk(field_name="uuid")
    return [{**row, "comments": comments_of(by_id[UUID(row["id"])])} for row in _rows(tasks.filter(uuid__in=by_id))]


def figures(reader: Reader) -> dict[str, str]:
    """The counts of the list's filters, and of the badge beside the word Tasks."""
    counts = count_tasks(reader.tasks(), reader.person)
    filters = {"filter.all": sum(counts.values()), **{f"filter.{kind}": n for kind, n in counts.items()}}
    return {**{name: str(n) for name, n in filters.items()}, "tasks": str(sum(counts.values()) or "")}


@dataclass(frozen=True)
class DraftEvents:
    """What the holder of one task has typed, at each save; for those who supervise."""

    task_id: int

    @property
    def topic(self) -> str:
        return draft_topic(self.task_id)

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        """Drafts are counted by themselves, and a task has few: all of them, each time."""
        return 1, list(Draft.objects.filter(task=self.task_id).values_list("pk", "seq"))

    def changes(self, ids: Collection[int], about: object) -> dict[str, Any]:
        return {"type": "rows", "rows": self._rows(pk__in=ids)}

    def whole(self, about: object) -> dict[str, Any]:
        return {"type": "sync", "rows": self._rows()}

    def _rows(self, **which: Any) -> list[dict[str, Any]]:
        held = HumanTask.objects.filter(pk=self.task_id, status=TaskStatus.PROCESSING)
        drafts = Draft.objects.filter(task=self.task_id, user__in=held.values("locked_by"), **which)
        return [
            {
                "kind": "draft",
                "id": draft.pk,
                "v": draft.seq,
                "user": draft.user.username,
                "state": draft.body,
                "page_version": draft.page_version,
            }
            for draft in drafts.select_related("user")
        ]


def whole_for(user: User, shown: Collection[UUID], alone: bool) -> dict[str, Any]:
    """All that a socket's sync would say, for a page whose socket is down."""
    message = TaskEvents().whole(Reader.of(user, shown, alone=alone))
    if alone and may(user, Action.SUPERVISE):
        for key in HumanTask.objects.visible_to(user).filter(uuid__in=shown).values_list("pk", flat=True):
            message["rows"] += DraftEvents(key).whole(None)["rows"]
    return message
