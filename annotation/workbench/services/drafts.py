"""What people have typed, kept on the server while they type (X-DRAFT)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction

from annotation.tasks.lifecycle import draft_topic
from annotation.tasks.models import Draft, HumanTask
from annotation.tasks.services.locks import find_task
from catalogsku.accounts.models import User
from catalogsku.core import live
from catalogsku.core.errors import Refused
from catalogsku.core.structs import ready
from catalogsku.core.text import without_nul
from processing.corrections.services.page_faults import MOST_SKUS, Found, find_doubts
from processing.products.page_state import Fault, GivenSku

MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Saved:
    """``seq``: of the newest save that the server has, maybe a later one; ``stale``: the lock is not the saver's.
    ``doubts``: values that are not of their attribute's type; they are kept all the same."""

    seq: int
    stale: bool
    doubts: Sequence[Fault] = ()


class Typed(msgspec.Struct, frozen=True):
    """Of a draft what is judged while it is typed."""

    skus: tuple[GivenSku, ...] = ()


_SAVE = """
    INSERT INTO annotation_draft AS d (task_id, user_id, body, seq, base_token, page_version)
    VALUES (%(task)s, %(user)s, %(body)s, %(seq)s, %(token)s, %(version)s)
    ON CONFLICT (task_id, user_id) DO UPDATE SET body = excluded.body, seq = excluded.seq,
        base_token = excluded.base_token, page_version = excluded.page_version, saved_at = statement_timestamp()
    WHERE d.seq < excluded.seq
    RETURNING d.seq"""


def save_draft(actor: User, uuid: UUID, token: int, seq: int, page_version: int, body: dict[str, Any]) -> Saved:
    """Keep it, unless a later one is there already. Accepted also after the lock was lost: nobody's typing is thrown
    away. Raises NotFound, and Refused for more than 1 MB.
    """
    task = find_task(actor, uuid)
    text = without_nul(msgspec.json.encode(body))
    if len(text) > MOST_BYTES:
        raise Refused("draft_too_large", limit=MOST_BYTES)
    params: dict[str, int | str] = {
        "task": task.pk,
        "user": actor.pk,
        "body": text.decode(),
        "seq": seq,
        "token": token,
        "version": page_version,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_SAVE, params)
        row = cursor.fetchone()
        live.hint_after_commit(draft_topic(task.pk))
    known = row[0] if row else Draft.objects.values_list("seq", flat=True).get(task=task, user=actor)
    mine = task.lock_token == token and task.locked_by_id == actor.pk
    return Saved(known, not mine, _doubts(task, body))


def _doubts(task: HumanTask, body: dict[str, Any]) -> list[Fault]:
    """None of a draft that is no page: it is kept as it is, and judged when it is submitted."""
    try:
        typed = msgspec.convert(body, ready(Typed))
    except msgspec.ValidationError:
        return []
    return find_doubts(typed.skus[:MOST_SKUS], Found.values_of(task.job, task.page))


def draft_of(actor: User, uuid: UUID) -> Draft | None:
    """This person's own, whatever became of the lock."""
    return Draft.objects.filter(task=find_task(actor, uuid), user=actor).first()
