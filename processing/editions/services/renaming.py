"""Pairs of a removed and an added product that may be one under another code: proposed by a comparison, decided by a
person."""

from collections.abc import Sequence

from catalogsku.core import bulk
from processing.editions.models import Edition, EditionRenaming, RenamingState
from processing.engine.editions.products import ADDED, REMOVED, Difference
from processing.engine.editions.renaming import propose_renamings


def taken(edition: Edition) -> dict[str, str]:
    """SKU ids of the products that a person has said are renamed: of the later to the earlier one."""
    rows = EditionRenaming.objects.filter(edition=edition, state=RenamingState.TAKEN)
    return dict(rows.values_list("later", "earlier"))


def propose(edition: Edition, differences: Sequence[Difference]) -> None:
    """Those of this comparison in the place of those of the one before; what a person has decided stays."""
    gone = [difference.earlier for difference in differences if difference.kind == REMOVED and difference.earlier]
    new = [difference.later for difference in differences if difference.kind == ADDED and difference.later]
    rows = EditionRenaming.objects.filter(edition=edition)
    rows.filter(state=RenamingState.PROPOSED).delete()
    decided = set(rows.values_list("earlier", "later"))
    renamings = [
        renaming for renaming in propose_renamings(gone, new) if (renaming.earlier, renaming.later) not in decided
    ]
    common = {"edition_id": edition.pk, "state": RenamingState.PROPOSED, "actor": ""}
    bulk.insert_rows(
        EditionRenaming,
        [
            {**common, "earlier": renaming.earlier, "later": renaming.later, "score": renaming.score}
            for renaming in renamings
        ],
    )
