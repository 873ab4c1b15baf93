"""Codes of refused commands: their HTTP status and their sentence in the reader's language."""

from django.utils.translation import gettext_lazy as _

from catalogsku.core.problems import PROBLEMS as CORE_PROBLEMS

PROBLEMS = {
    **CORE_PROBLEMS,
    "bad_command": (400, _("This command cannot be read: %(what)s.")),
    "task_not_found": (404, _("There is no such task.")),
    "task_held": (409, _("%(by)s has this task in hand.")),
    "task_closed": (409, _("This task is closed already.")),
    "task_not_held": (409, _("Nobody has this task in hand any more.")),
    "task_escalated": (403, _("This task was escalated: a lead takes it.")),
    "task_reserved": (409, _("This task is kept for %(by)s.")),
    "task_open": (409, _("This task is not closed: there is nothing to revert.")),
    "job_ended": (409, _("Its document was cancelled.")),
    "page_with_machines": (409, _("Machines are at work on this page.")),
    "page_changed_since": (409, _("The page was changed since: revert what came later first.")),
    "cannot_be_reverted": (409, _("What came of this task cannot be reverted.")),
    "person_unknown": (400, _("There is nobody of that name who may do tasks of these merchants.")),
    "too_many_open": (409, _("%(name)s has %(limit)s tasks already, which is the most.")),
    "supervise_forbidden": (403, _("Only leads decide about other people's tasks.")),
    "comment_missing": (400, _("An empty comment tells nobody anything.")),
    "no_priority": (400, _("There is no such priority.")),
    "no_minutes": (400, _("Say for how many minutes, up to seven days.")),
    "not_your_decision": (403, _("Only who closed this task opens it again; a lead can take it back.")),
    "too_late_to_reopen": (409, _("This was closed too long ago; a lead can take it back.")),
    "own_work": (403, _("Nobody judges their own work.")),
    "not_a_verdict": (409, _("Only finished work of somebody else can be sent back.")),
    "cannot_be_golden": (
        409,
        _("Only a whole page that a person has done, and nobody changed since, can measure people."),
    ),
    "take_over_forbidden": (403, _("Only leads take a task out of somebody's hands.")),
    "lock_lost": (409, _("You no longer have this task in hand. What you typed is kept.")),
    "page_changed": (409, _("The page has changed meanwhile. What you typed is kept.")),
    "draft_too_large": (413, _("This is more than a draft may hold.")),
    "invalid": (400, _("Some entries cannot stay as they are.")),
    "promote_forbidden": (403, _("Only administrators extend schemas.")),
    "calibration_forbidden": (403, _("Only administrators decide about thresholds.")),
    "proposal_decided": (409, _("This was decided already.")),
    "schema_invalid": (409, _("The schema cannot take it as it is: %(why)s")),
    "why_missing": (400, _("Say why: who works on these pages reads it.")),
    "at_once_off": (403, _("This merchant has not allowed values to be corrected at once: report the product.")),
    "page_waits": (409, _("This page waits for a person. What you typed was not lost: send it as a report.")),
    "sku_not_out": (409, _("This product has not gone out: a person decides about it. Report what is wrong.")),
    "sku_in_later_edition": (409, _("This product goes on in a later edition of the document: correct it there.")),
    "value_moved_on": (409, _("Somebody changed this product meanwhile. By now it says: %(value)s")),
    "value_same": (400, _("This is what stands there already.")),
    "value_missing": (400, _("Type the value. Report the product where it has none.")),
    "not_your_correction": (403, _("Only who corrected the value takes that back.")),
    "reason_missing": (400, _("Say why this page is skipped.")),
}
# What a submitted page may not hold, by the code at its place.
FAULTS = {
    "identity_missing": _("A product needs a model or a name."),
    "price_unclear": _("This is no price: %(value)s"),
    "figures_mixed": _("A letter stands among the figures: %(value)s"),
    "number_missing": _("No number stands in it: %(value)s"),
    "currency_unknown": _("This is no currency: %(value)s"),
    "not_printed": _("This is not printed on the page: %(value)s"),
    "insist_why_missing": _("Say why it is right nevertheless."),
    "value_locked": _("This is not printed on the page: confirm it, change it or empty it."),
    "unknown_sku": _("There is no such product on this page."),
    "sku_twice": _("This product is here twice."),
    "unknown_picture": _("There is no such picture on this page."),
    "unknown_offer": _("Nothing of that name is offered for this page."),
    "unknown_text": _("There is no such text on this page."),
    "unknown_table": _("No such table goes on from an earlier page."),
    "box_off_page": _("This box is too small, or not on the page."),
    "nothing_to_cut": _("The page has no picture of itself that one could be cut from."),
    "too_many": _("At most %(limit)s on one page."),
    "unknown_key": _("There is no such attribute: %(key)s"),
    "too_long": _("At most %(limit)s characters."),
    "name_missing": _("This attribute needs its printed name."),
    "products_on_empty_page": _("A page without products has none: reject them, or choose another kind of page."),
}


def sentence(code: str, params: dict[str, object]) -> str:
    return str(PROBLEMS[code][1]) % params


def fault_sentence(code: str, params: dict[str, object]) -> str:
    return str(FAULTS[code]) % params
