"""Codes of refused requests about exports, webhooks, models, templates and evaluations: HTTP status and sentence
(TA-ERRMAP)."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from ingestion import problems as documents

PROBLEMS: dict[str, tuple[int, Any]] = {
    "webhook_url": (422, _("Nothing can be sent to this address: %(why)s")),
    "webhook_events": (422, _("Choose at least one event, of those that there are.")),
    "webhook_known": (409, _("This merchant has a receiver with this address already.")),
    "webhooks_full": (409, _("A merchant may have %(max)s receivers. Remove one first.")),
    "model_known": (409, _("There is a model %(name)s already.")),
    "model_fields": (422, _("A model cannot be like this: %(why)s")),
    "unknown_golden": (422, _("There is no golden set of this name. There are: %(known)s")),
    "runs_waiting": (409, _("Runs that are waiting or under way already: %(max)s. Wait for one to end.")),
    "webhook_off": (409, _("This receiver is switched off. Switch it on first.")),
    "delta_needs_layout": (400, _("Only what changed can be told for a saved layout: save this one first.")),
    "unknown_columns": (400, _("There is no such field: %(what)s.")),
    "export_kind": (400, _("Studies are no %(what)s. Choose one of %(known)s.")),
    "export_of_products": (
        400,
        _("Layouts, filters, pictures and changes are of products alone."),
    ),
    "no_columns": (400, _("Choose at least one field.")),
    "layout_name": (400, _("Give the layout a name of up to 60 characters.")),
    "too_many_layouts": (409, _("A merchant may have %(max)s layouts. Delete one that nobody needs.")),
    "exports_waiting": (429, _("%(max)s exports are being prepared already. Wait until one is ready.")),
    "link_expired": (403, _("This link has expired. Open the export again for a new one.")),
    "export_gone": (410, _("The file was kept for its days and is gone. Prepare the export again.")),
    "range_not_satisfiable": (416, _("The file has no such part.")),
    "too_many_pictures": (409, _("Too many pictures for a workbook: choose ZIP, or XLSX without pictures.")),
    "too_many_rows": (409, _("Too many SKUs for a workbook: choose CSV or JSON.")),
    "filter_unreadable": (
        400,
        _("This filter cannot be read: %(what)s. It says a column, how to compare, and a value."),
    ),
    "filter_column": (400, _("There is no such column: %(what)s.")),
    "filter_value": (400, _("The filter on %(what)s needs a value of up to %(max)s characters.")),
    "filter_number": (400, _("The filter on %(what)s needs a number, and this is none: %(value)s")),
    "filter_no_number_column": (400, _("%(what)s holds text: ask what it contains, not how much it is.")),
    "too_many_filters": (400, _("A list is filtered by at most %(max)s columns at once.")),
    "dictionary_file": (422, _("This is no file of words, CSV with kind, word and means or JSON: %(what)s")),
    "template_invalid": (422, _("%(why)s (%(fault)s)")),
    "template_file": (422, _("This is no file of a template: %(what)s")),
    "template_key": (
        422,
        _("The key of a template begins with a small letter and holds small letters, digits and _ (up to %(max)s)."),
    ),
    "template_name": (422, _("Give the template a name of up to %(max)s characters.")),
    "template_key_taken": (409, _("There is a template with the key %(key)s already. Choose another key.")),
    "templates_full": (409, _("A merchant may have %(max)s templates, archived ones included.")),
    "template_stale": (409, _("%(template)s has moved on to version %(now)s while you edited version %(seen)s.")),
    "template_shipped": (409, _("%(template)s comes with the product and stays as it is. Clone it to change it.")),
    "record_closed": (409, _("This is approved or left out already. Open it again to change it.")),
    "value_moved_on": (409, _("Somebody has decided on this value meanwhile. Look at it again.")),
    "not_decided": (409, _("Nobody has decided on this value yet.")),
    "nothing_to_confirm": (409, _("There is no value to confirm: give one, or say that it is not reported.")),
    "value_form": (422, _("“%(what)s” is not of the form that this field asks for (%(type)s).")),
    "quote_long": (422, _("A quote may have %(max)s characters.")),
    "part_name": (422, _("Give the arm or outcome a name of up to %(max)s characters.")),
    "part_known": (409, _("There is “%(part)s” already.")),
    "parts_full": (409, _("A study may have %(max)s arms and outcomes.")),
    "study_undecided": (409, _("Values on which nobody has decided: %(n)s. Decide on them, or leave them out.")),
    "required_missing": (409, _("Required, and neither given nor said to be missing: %(fields)s.")),
    "internal_error": (500, _("The export could not be made. An operator finds the reason in the log.")),
    "took_too_long": (500, _("The export took too long. Export single documents instead.")),
}


def sentence(code: str, params: dict[str, object] | None = None) -> str:
    """The code's sentence in the active language."""
    if code not in PROBLEMS:
        return documents.sentence(code, params)
    text = str(PROBLEMS[code][1])
    return text % params if params else text
