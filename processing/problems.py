"""Why an export is not made: codes with their HTTP status and their sentence in the reader's language."""

from django.utils.translation import gettext_lazy as _

PROBLEMS = {
    "delta_needs_layout": (400, _("Only what changed can be told for a saved layout: save this one first.")),
    "unknown_columns": (400, _("There is no such field: %(what)s.")),
    "no_columns": (400, _("Choose at least one field.")),
    "layout_name": (400, _("Give the layout a name of up to 60 characters.")),
    "too_many_layouts": (409, _("A merchant may have %(max)s layouts. Delete one that nobody needs.")),
    "exports_waiting": (429, _("%(max)s exports are being prepared already. Wait until one is ready.")),
    "link_expired": (403, _("This link has expired. Open the export again for a new one.")),
    "export_gone": (410, _("The file was kept for seven days and is gone. Prepare the export again.")),
    "range_not_satisfiable": (416, _("The file has no such part.")),
    "too_many_pictures": (409, _("Too many pictures for a workbook: choose ZIP, or XLSX without pictures.")),
    "too_many_rows": (409, _("Too many SKUs for a workbook: choose CSV or JSON.")),
    "internal_error": (500, _("The export could not be made. An operator finds the reason in the log.")),
    "took_too_long": (500, _("The export took too long. Export single documents instead.")),
}


def sentence(code: str) -> str:
    """Of an export that failed, in the active language."""
    return str(PROBLEMS[code][1]) if code in PROBLEMS else code
