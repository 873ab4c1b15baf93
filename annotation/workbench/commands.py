"""What the workbench asks for: one envelope over two transports, socket and POST; the same function, the same answer.

Envelope: id, name, task, token, session, body. Answer: id, ok, and what the command gives, or code and message.
"""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec

from annotation.people.services import judging
from annotation.problems import PROBLEMS, fault_sentence, sentence
from annotation.queue.selectors import comments_of
from annotation.queue.services import claiming, dispatch, reverting, supervising
from annotation.tasks.services import locks
from annotation.workbench.services import drafts, presence, submitting
from annotation.workbench.services.submitting import Invalid
from catalogsku.accounts.models import User
from catalogsku.core import json_bounds, metrics
from catalogsku.core.errors import ProductError
from catalogsku.core.structs import ready
from processing.corrections.services.correcting import Fault, PageState


class Command(msgspec.Struct, frozen=True):
    """``token``: of the lock that the command is given under; ``session``: of the tab; ``next`` names no task.
    ``onward``: of what ends a task, that the one to go on with is taken for the same tab."""

    id: UUID
    name: str
    session: UUID
    task: UUID = UUID(int=0)
    token: int = 0
    body: msgspec.Raw = msgspec.Raw(b"{}")
    onward: bool = False


class DraftBody(msgspec.Struct, frozen=True):
    seq: int
    page_version: int
    state: dict[str, Any]


class SubmitBody(PageState, frozen=True, kw_only=True):
    page_version: int


class SkipBody(msgspec.Struct, frozen=True):
    reason: str = ""


class CommentBody(msgspec.Struct, frozen=True):
    text: str


Answer = dict[str, Any]
PROBLEMS_LISTED, CHARACTERS_SHOWN = 100, 300


def _claim(actor: User, command: Command) -> Answer:
    return _lock(locks.claim_task(actor, command.task, command.session))


def _next(actor: User, command: Command) -> Answer:
    lock = claiming.claim_next(actor, command.session)
    return {"task": str(lock.task), **_lock(lock)} if lock else {"task": None}


def _take_over(actor: User, command: Command) -> Answer:
    return _lock(locks.take_over(actor, command.task, command.session))


def _lock(lock: locks.Lock) -> Answer:
    return {"token": lock.token, "lease_until": lock.lease_until.isoformat()}


def _renew(actor: User, command: Command) -> Answer:
    return {"lost": bool(locks.renew_locks(actor, command.session, {command.task: command.token}))}


def _presence(actor: User, command: Command) -> Answer:
    presence.be_present(actor, command.task, command.session)
    return {}


def _release(actor: User, command: Command) -> Answer:
    locks.release_task(actor, command.task, command.token)
    return {}


def _draft(actor: User, command: Command) -> Answer:
    body = msgspec.json.decode(command.body, type=ready(DraftBody))
    saved = drafts.save_draft(actor, command.task, command.token, body.seq, body.page_version, body.state)
    return {"seq": saved.seq, "stale": saved.stale, "problems": problems_of(saved.doubts)}


def _submit(actor: User, command: Command) -> Answer:
    body = msgspec.json.decode(command.body, type=ready(SubmitBody))
    submitting.submit_task(actor, command.task, command.token, command.id, body.page_version, body)
    return _following(actor, command)


def _skip(actor: User, command: Command) -> Answer:
    body = msgspec.json.decode(command.body, type=ready(SkipBody))
    submitting.skip_task(actor, command.task, command.token, command.id, body.reason)
    return _following(actor, command)


def _reject(actor: User, command: Command) -> Answer:
    body = msgspec.json.decode(command.body, type=ready(SkipBody))
    judging.reject(actor, command.task, command.token, command.id, body.reason)
    return _following(actor, command)


def _following(actor: User, command: Command) -> Answer:
    """The task to go on with."""
    following = _taken(actor, command.session) if command.onward else dispatch.next_task(actor)
    return {"next": str(following) if following else None}


def _taken(actor: User, session: UUID) -> UUID | None:
    """Where the answer was lost and the command comes again, the tab has the task already."""
    try:
        lock = locks.held_by_tab(actor, session) or claiming.claim_next(actor, session)
    except locks.TaskHeld:  # others were faster twenty times; what was asked for is done nevertheless
        return None
    return lock.task if lock else None


def _reopen(actor: User, command: Command) -> Answer:
    reverting.reopen_own(actor, command.task)
    return {}


def _comment(actor: User, command: Command) -> Answer:
    body = msgspec.json.decode(command.body, type=ready(CommentBody))
    said = supervising.comment(actor, command.task, body.text, command.id)
    return {"comments": comments_of(said.task)}


COMMANDS: dict[str, Callable[[User, Command], Answer]] = {
    "claim": _claim, "next": _next, "renew": _renew, "release": _release, "take_over": _take_over, "draft": _draft,
    "submit": _submit, "skip": _skip, "reject": _reject, "presence": _presence, "comment": _comment,
    "reopen": _reopen,
}  # fmt: skip


def carry_out(actor: User, command: Command) -> Answer:
    """Raises what the command's service raises, and msgspec.DecodeError for a body that is none of its."""
    return COMMANDS[command.name](actor, command)


def problems_of(faults: Sequence[Fault]) -> list[dict[str, str]]:
    """The first entries that cannot stay, with their places in the body; nothing long of it is repeated."""
    return [
        {
            "path": f.path[:CHARACTERS_SHOWN],
            "code": f.code,
            "message": fault_sentence(f.code, f.params)[:CHARACTERS_SHOWN],
        }
        for f in faults[:PROBLEMS_LISTED]
    ]


def run_command(actor: User, text: bytes | str) -> tuple[int, Answer]:
    """HTTP status and answer; never raises for what a client sends."""
    try:
        json_bounds.check(text if isinstance(text, bytes) else text.encode(), json_bounds.WORK)
        command = msgspec.json.decode(text, type=ready(Command))
    except json_bounds.TooMuch as refused:
        return refused.http_status, {"id": None, "ok": False, **_said(refused)}
    except (msgspec.DecodeError, RecursionError) as error:
        return _unreadable(None, error)
    known = str(command.id)
    if command.name not in COMMANDS:
        return _unreadable(known, f"no command {command.name[:40]}")
    status, answer = _run(actor, command, known)
    metrics.COMMANDS.labels(command.name, answer.get("code", "ok")).inc()
    return status, answer


def _run(actor: User, command: Command, known: str) -> tuple[int, Answer]:
    try:
        return 200, {"id": known, "ok": True, **carry_out(actor, command)}
    except Invalid as refused:
        return 400, {"id": known, "ok": False, **_said(refused), "problems": problems_of(refused.faults)}
    except ProductError as refused:
        return PROBLEMS[refused.code][0], {"id": known, "ok": False, **_said(refused), **refused.params}
    except (msgspec.DecodeError, RecursionError) as error:
        return _unreadable(known, error)


def _unreadable(known: str | None, what: object) -> tuple[int, Answer]:
    message = sentence("bad_command", {"what": str(what)[:200]})
    return 400, {"id": known, "ok": False, "code": "bad_command", "message": message}


def _said(refused: ProductError) -> Answer:
    return {"code": refused.code, "message": sentence(refused.code, refused.params)}
