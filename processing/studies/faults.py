"""What is wrong in a template, in words of the reader's language, each at its place."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalogsku.core.errors import Refused
from processing.studies.definition import DefinitionError, Fault

FAULTS: dict[str, Promise] = {
    "bad_entry": _("This cannot be read: %(what)s"),
    "too_large": _("A template may be %(what)s KB at most."),
    "too_many_groups": _("A template may have at most %(what)s groups."),
    "too_many_fields": _("A template may have at most %(what)s fields."),
    "too_many_choices": _("A field may have at most %(what)s choices."),
    "too_many_checks": _("A template may have at most %(what)s checks."),
    "no_groups": _("A template needs a group with a field."),
    "empty_group": _("This group has no field: add one, or remove the group."),
    "bad_key": _("A key begins with a small letter and holds small letters, digits and _ (up to 60)."),
    "key_twice": _("The key %(what)s is there already."),
    "no_label": _("Give it a name in one language at least."),
    "too_long": _("This may have at most %(what)s characters."),
    "bad_text": _("There are signs in it that nobody sees. Type it anew."),
    "unit_not_here": _("Only numbers and intervals have a unit."),
    "no_choices": _("A choice needs something to choose from."),
    "choices_not_here": _("Only a field of the type choice has choices."),
    "check_unknown_field": _("There is no field %(what)s."),
    "check_wrong_field": _("This check cannot be about the field %(what)s: its type or repetition does not fit."),
    "check_repeats_differ": _("The fields of a check have to repeat alike."),
    "check_twice": _("This check is there already."),
    "bad_range": _("Give a bound, the lower one first."),
}


class TemplateInvalid(Refused):
    """``faults``: what of the definition cannot stay."""

    def __init__(self, error: DefinitionError) -> None:
        first = error.faults[0]
        super().__init__("template_invalid", why=words_of(first), fault=first.code, at=first.path)
        self.faults = error.faults


def words_of(fault: Fault) -> str:
    return str(FAULTS[fault.code]) % {"what": fault.what}


def problems_of(faults: Sequence[Fault]) -> list[dict[str, str]]:
    """For programs: place, code and sentence of each."""
    return [{"path": fault.path, "code": fault.code, "message": words_of(fault)} for fault in faults]
