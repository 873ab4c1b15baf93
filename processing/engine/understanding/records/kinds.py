"""A page's type follows from what was found on it: A a table or list, B mixed, C a grid of photos, D no product."""

from catalogsku.core.box import centre, contains_point, gap, height
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.records.propose import NONE, RULES, Proposal
from processing.engine.understanding.strategies import few_layout, grid_layout, list_layout
from processing.engine.understanding.view import PageView

_MOST = 0.5
_GRID = 4


def kind_of(proposal: Proposal, rules: PageType, view: PageView) -> PageType:
    """``rules``: what the rules take the page for, which holds where they are believed."""
    drafts = proposal.extraction.drafts
    if proposal.proposer == NONE:
        reason = rules.reason if rules.page_type == "D" else "no_records"
        return PageType("D", 0.0, "L3", reason, rules.detail)
    if proposal.proposer == RULES:
        return rules
    n = len(drafts)
    if sum(bool(draft.table) for draft in drafts) > _MOST * n:
        return PageType("A", 0.0, list_layout(n), "records_in_a_table", rules.detail)
    pictured = sum(_is_pictured(draft, view) for draft in drafts)
    if pictured > _MOST * n:
        if n >= _GRID:
            return PageType("C", 0.0, grid_layout(n), "records_with_pictures", rules.detail)
        return PageType("B", 0.0, few_layout(n), "records_with_pictures", rules.detail)
    priced = sum("price" in draft.attributes for draft in drafts)
    if n >= _GRID and priced > _MOST * n and not view.pictures:
        return PageType("A", 0.0, list_layout(n), "records_in_a_list", rules.detail)
    return PageType("B", 0.0, few_layout(n), "records_of_one_form", rules.detail)


def _is_pictured(draft: Draft, view: PageView) -> bool:
    return any(
        contains_point(draft.box, *centre(picture.box)) or gap(draft.anchor, picture.box) <= height(draft.anchor)
        for picture in view.pictures
    )
