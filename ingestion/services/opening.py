"""How documents of a kind begin, where there is more to it than their row: what a template asks, and rows beside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from catalogsku.core.errors import Refused
from ingestion.kinds import KINDS, Kind
from ingestion.models import Job


@dataclass(frozen=True)
class Opening:
    """``template``: of a merchant's id and the template that somebody named, how the document keeps it; the version is
    part of it, so that a document goes on as it began. Raises Refused. ``begin``: called in the transaction that makes
    the document. ``offered``: of a merchant's id the templates that a document may begin with, as (what names it, its
    name for people)."""

    template: Callable[[int, str], str]
    begin: Callable[[Job], None]
    offered: Callable[[int], Sequence[tuple[str, str]]] = field(default=lambda merchant_id: ())


# By kind; an app that brings one enters it as it is ready. Catalogues have none.
OPENING: dict[str, Opening] = {}


def template_of(kind: Kind, merchant_id: int, named: str) -> str:
    """Empty for kinds without templates. Raises Refused(no_templates), and what the kind refuses."""
    if kind.key in OPENING:
        return OPENING[kind.key].template(merchant_id, named)
    if named:
        raise Refused("no_templates", kind=kind.key)
    return ""


def offered(merchant_id: int) -> list[tuple[Kind, Sequence[tuple[str, str]]]]:
    """Kinds with templates that documents of the merchant may begin with."""
    rows = [(KINDS[key], opening.offered(merchant_id)) for key, opening in OPENING.items()]
    return [(kind, templates) for kind, templates in rows if templates]


def names(named: str, kept: str) -> bool:
    """Whether somebody who said ``named`` meant what a document keeps: of a template without its version the key."""
    return named in (kept, kept.partition("/")[0])


def begin(job: Job) -> None:
    if job.kind in OPENING:
        OPENING[job.kind].begin(job)
