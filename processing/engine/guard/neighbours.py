"""What words mean beside each other: ``do not ignore`` is no order, ``programs that read this`` are spoken to."""

from collections.abc import Sequence

from processing.engine.guard import views
from processing.engine.guard.roles import Role, Tag

_TO, _NO, _IF, _MUST = int(Role.TO), int(Role.NO), int(Role.IF), int(Role.MUST)
_CHANGES_NEXT = _TO | _NO
_CALLED, _AGENT = int(Role.CALLED), int(Role.AGENT | Role.WHO)
_MACHINE = int(Role.MACHINE | Role.AGENT | Role.WHO)
_WHO_CALLED = int(Role.WHO | Role.CALLED)
_MACHINES = int(Role.WHO | Role.MACHINE)
_READS, _THIS, _PAGE = int(Role.READS), int(Role.THIS), int(Role.PAGE)
_FOLLOW, _DROP = int(Role.FOLLOW), int(Role.DROP)
_DROPS = int(Role.DROP | Role.MARK | Role.SET)
_SAYS = int(Role.SAY)
_OMIT = int(Role.OMIT)
# "not" stands right before what it forbids; behind it, where a language puts it there.
_NEAR_CHARS, _NEAR_SIGNS = 12, 2
_NO_BEHIND_CHARS = 14
_NEXT_CHARS, _IF_CHARS, _CLAUSE_CHARS = 3, 40, 45


def read_together(tags: list[Tag], text: str) -> list[Tag]:
    """In place: the tags of ``text`` with what their neighbours make of them."""
    for n, tag in enumerate(tags):
        roles = tag.roles
        if roles & _CHANGES_NEXT:
            near = _NEAR_SIGNS if views.is_unspaced(text[tag.end : tag.end + 1]) else _NEAR_CHARS
            for after in range(n + 1, min(n + 4, len(tags))):
                if 0 <= tags[after].start - tag.end <= near:
                    tags[after] = tags[after]._replace(roles=_behind(roles, tags[after].roles, _in_case(tags, n)))
        if n and roles & _NO and 0 <= tag.start - tags[n - 1].end <= _NO_BEHIND_CHARS:
            tags[n - 1] = tags[n - 1]._replace(roles=tags[n - 1].roles & ~_DROPS)
        if roles & _MACHINE and (_must(tags, n) or _reads_this(tags, n)):
            tags[n] = tag._replace(roles=roles | _WHO_CALLED)
    return tags


def _behind(before: int, roles: int, in_case: bool) -> int:
    """``do not ignore`` asks to drop nothing, ``do not report`` to omit, ``do not follow`` to drop, unless it says what
    comes of it; a machine with ``to`` before it is called upon."""
    if before & _NO:
        dropped = roles & _FOLLOW and not in_case
        roles = roles & ~_DROPS | (_OMIT if roles & _SAYS else 0) | (_DROP if dropped else 0)
    return roles | _CALLED if before & _TO and roles & _MACHINES else roles


def _in_case(tags: Sequence[Tag], n: int) -> bool:
    return any(tags[n].start - tag.end <= _IF_CHARS and tag.roles & _IF for tag in tags[max(0, n - 4) : n])


def _must(tags: Sequence[Tag], n: int) -> bool:
    """``the assistant shall``: of a system or program catalogues say that too."""
    after = tags[n + 1] if n + 1 < len(tags) else None
    return bool(after and tags[n].roles & _AGENT and after.roles & _MUST and after.start - tags[n].end <= _NEXT_CHARS)


def _reads_this(tags: Sequence[Tag], n: int) -> bool:
    """``programs that read this catalogue``, ``AI that reads this``, in whatever order."""
    seen, at = 0, tags[n].start
    for tag in tags[max(0, n - 4) : n + 6]:
        if -_CLAUSE_CHARS <= tag.start - at <= _CLAUSE_CHARS:
            seen |= tag.roles
    return bool(seen & _READS and seen & _THIS and (seen & _PAGE or tags[n].roles & _AGENT))
