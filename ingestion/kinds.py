"""The kinds of documents: what of a document's way follows from what it is, as data (docs/adr/0033).

What is done for a kind stands where such things are done, by the kind's key; docs/architecture.md has the list.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from catalogsku.core.errors import Refused
from ingestion.lifecycle import JobStage, PageStage

PAGES = "pages"


@dataclass(frozen=True)
class Kind:
    """``key``: its name in rows, the API and commands. ``settled_by``: the rows that are finished one by one, and the
    document with the last of them: its pages, or rows of the kind's own. ``stages``: those in which a machine works
    on it; the others are skipped: without EVALUATE it has no C_doc and no route, and its pages go to the machines at
    once; with EXTRACT something is taken from the document as a whole once its pages have been read, and with ASK
    models are asked about it as a whole then. ``questions``: keys of the prompts with which models are asked about it.
    ``takes``: what may be said of it when it is given, beside its template: category, edition_of, urgency.
    ``screen``: name of the address where people look at what was found, by the document's id; empty where that is the
    list of products.
    """

    key: str
    name: Promise
    settled_by: str
    stages: frozenset[JobStage | PageStage]
    questions: tuple[str, ...]
    takes: frozenset[str] = frozenset()
    screen: str = ""

    @property
    def by_pages(self) -> bool:
        return self.settled_by == PAGES


CATALOGUE = Kind(
    key="catalogue",
    name=pgettext_lazy("kind", "Catalogue"),
    settled_by=PAGES,
    stages=frozenset(
        {
            *(JobStage.INSPECT, JobStage.PRESCAN, JobStage.EVALUATE),
            *(PageStage.READ, PageStage.UNDERSTAND_RULES, PageStage.UNDERSTAND),
        }
    ),
    questions=("evaluate_document", "read_page"),
    takes=frozenset({"category", "edition_of", "urgency"}),
)

# By key. An app that brings a kind enters it as it is ready.
KINDS = {CATALOGUE.key: CATALOGUE}


def choices() -> list[tuple[str, Promise]]:
    return [(kind.key, kind.name) for kind in KINDS.values()]


def refuse_untaken(kind: Kind, said: Mapping[str, object]) -> None:
    """``said``: by name what somebody says of a document, falsy where nothing. Raises Refused(not_of_kind)."""
    untaken = [name for name, value in said.items() if value and name not in kind.takes]
    if untaken:
        raise Refused("not_of_kind", what=", ".join(untaken), kind=kind.key)


def kind_named(key: str) -> Kind:
    """Raises Refused(unknown_kind)."""
    if key not in KINDS:
        raise Refused("unknown_kind", what=key[:40], known=", ".join(KINDS))
    return KINDS[key]
