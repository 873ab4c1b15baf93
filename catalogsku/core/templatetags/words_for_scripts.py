"""Sentences that the browser's modules say, translated here and handed over as one JSON block."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()


@register.simple_tag
def script_words() -> dict[str, str]:
    """`{name}` is filled in by the module that says the sentence."""
    return {**_live(), **_keys(), **_upload(), **_upload_refusals()}


def _live() -> dict[str, str]:
    return {
        "live.live": _("Live"),
        "live.reconnecting": _("Reconnecting, every 3 s"),
        "live.offline": _("Offline"),
        "live.signin": _("Sign in again"),
        "live.forbidden": _("No access"),
        "request.failed": _("That did not work. Nothing was changed."),
        "request.retry": _("Try again"),
        "toast.dismiss": _("Dismiss"),
        "list.new": _("{n} new"),
        "copied": _("Quote copied"),
        "copy.failed": _("The browser did not allow copying"),
    }


def _keys() -> dict[str, str]:
    return {
        "keys.none": _("No key matches"),
        "scope.global": _("Everywhere"),
        "scope.list": _("In lists"),
        "scope.grid": _("In the page grid"),
        "scope.dialog": _("In a page or SKU shown large"),
        "keys.help": _("all keys"),
        "keys.search": _("search"),
        "keys.go_upload": _("go to upload"),
        "keys.go_tasks": _("go to tasks"),
        "keys.go_documents": _("go to documents"),
        "keys.go_results": _("go to results"),
        "keys.go_ops": _("go to operations"),
        "keys.go_quality": _("go to quality"),
        "keys.next": _("next row"),
        "keys.previous": _("previous row"),
        "keys.open": pgettext("verb", "open"),
        "keys.choose": _("choose files"),
        "keys.move": _("move between pages"),
        "keys.problem": _("next problem"),
        "keys.export": pgettext("verb", "export"),
    }


def _upload() -> dict[str, str]:
    return {
        "upload.files": _("{n} files"),
        "upload.file": _("1 file"),
        "upload.sending": _("{n} sending"),
        "upload.resumable": _("{n} to resume"),
        "upload.waiting": _("Waiting its turn"),
        "upload.checking": _("Checking before sending"),
        "upload.rate": _("{rate} MB/s"),
        "upload.left_s": _("{n} s left"),
        "upload.left_min": _("{n} min left"),
        "upload.interrupted": _("Connection lost at {sent} MB"),
        "upload.paused": _("Paused at {sent} MB"),
        "upload.choose_again": _("Choose the same file again to continue"),
        "upload.received": _("Received, checking"),
        "upload.none_sent": _("No bytes sent"),
        "upload.pause": _("Pause"),
        "upload.resume": _("Resume"),
        "upload.cancel": _("Cancel the upload"),
        "upload.remove": _("Remove from the list"),
        "upload.open": pgettext("button", "Open"),
        "upload.show": _("Show it"),
        "upload.again": _("Process again"),
        "upload.progress": _("{name}, {percent} percent"),
    }


def _upload_refusals() -> dict[str, str]:
    return {
        "upload.too_large": _("Larger than {limit} MB, not sent"),
        "upload.not_pdf": _("Not a PDF, not sent"),
        "upload.empty": _("The file is empty, not sent"),
        "upload.duplicate": _("Same as an earlier document"),
        "upload.refused": _("Refused by the server"),
        "upload.unreadable": _("The browser cannot read the file"),
        "upload.no_pdf_in_folder": _("No PDF in what was dropped"),
    }
