"""Sentences that the browser's modules say, translated here and handed over as one JSON block."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()


@register.simple_tag
def script_words() -> dict[str, str]:
    """`{name}` is filled in by the module that says the sentence."""
    return {
        **_live(),
        **_keys(),
        **_upload(),
        **_upload_refusals(),
        **_bench(),
        **_bench_keys(),
        **_table(),
        **_study(),
    }


def _live() -> dict[str, str]:
    return {
        "live.live": _("Live"),
        "live.reconnecting": _("Reconnecting, every 3 s"),
        "live.offline": _("Offline"),
        "live.signin": _("Sign in again"),
        "live.forbidden": _("No access"),
        "live.progress": _("{status}: {read} pages read, {skus} SKU"),
        "reach.lost": _("No connection to the server since {time}."),
        "reach.back": _("The connection is back."),
        "reach.drafts": _("What you type is saved here until the connection is back."),
        "reach.unkept": _("This browser keeps nothing: leave this page open until the connection is back."),
        "reach.files": _("What has arrived of a file is kept: it can be resumed when the connection is back."),
        "reach.forms": _("What you fill in stays on this page, but has to be sent again when the connection is back."),
        "reach.nothing": _("What you see stays as it was; nothing is lost."),
        "reach.unsent": _(
            "Not sent: no connection. What you filled in stays here; send it again when the connection is back."
        ),
        "keeping.not": _(
            "This browser keeps nothing on this device: it is full, or does not allow it. What you type is kept by the "
            "server alone, and your choices hold for this page."
        ),
        "request.failed": _("That did not work. Nothing was changed."),
        "request.retry": _("Try again"),
        "signin.wrong": _("The password is not right"),
        "signin.locked": _("Too many attempts. Wait a quarter of an hour."),
        "signin.offline": _("Offline: nothing was sent. Try again when the connection is back."),
        "queue.picked": _("{n} ticked"),
        "queue.nothing_picked": _("Nothing is ticked"),
        "queue.nothing_free": _("Nothing is free to take at the moment"),
        "toast.dismiss": _("Dismiss"),
        "list.new": _("{n} new"),
        "export.ready": _("{name} is ready"),
        "export.failed": _("{name} could not be made"),
        "screenshot.coming": _("Small picture: the page is being drawn larger"),
        "screenshot.none": _("Small picture: the page cannot be drawn larger any more"),
        "copied": _("Quote copied"),
        "copy.failed": _("The browser did not allow copying"),
    }


def _keys() -> dict[str, str]:
    return {
        "keys.none": _("No key matches"),
        "keys.press": _("Press a key"),
        "keys.change": _("{what}: {key}. Choose another key"),
        "keys.reserved": _("{key} cannot be given to this."),
        "keys.taken": _("{key} is in use: {what}"),
        "keys.begins_others": _("it begins others"),
        "scope.global": _("Everywhere"),
        "scope.list": _("In lists"),
        "scope.grid": _("In the page grid"),
        "scope.bench": _("In the workbench"),
        "scope.table": _("In the workbench's table"),
        "scope.offer": _("While values are offered"),
        "scope.study": _("In a study"),
        "scope.dialog": _("In a page or SKU shown large"),
        "keys.help": _("all keys"),
        "keys.search": _("search"),
        "keys.go_upload": _("go to upload"),
        "keys.go_tasks": _("go to tasks"),
        "keys.go_documents": _("go to documents"),
        "keys.go_results": _("go to results"),
        "keys.go_ops": _("go to operations"),
        "keys.go_quality": _("go to quality"),
        "keys.go_studies": _("go to studies"),
        "keys.in_or_out": _("take the change in or leave it out"),
        "keys.approve": _("approve the changes"),
        "keys.next": _("next row"),
        "keys.tick": _("tick the row"),
        "keys.previous": _("previous row"),
        "keys.take_next": _("claim next"),
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
        "upload.received": _("Received; its state is in the list"),
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
        # What may be done now, as the verdicts of ingestion and the document say it.
        "upload.too_large.way": _("Split the document into smaller files and upload them one by one."),
        "upload.not_pdf.way": _("Save the document as PDF and upload that file."),
        "upload.empty.way": _("Check the file on your computer and upload it again."),
        "upload.unreadable.way": _("Check the file on your computer and upload it again."),
        "upload.no_pdf_in_folder": _("No PDF in what was dropped"),
    }


def _bench() -> dict[str, str]:
    return {
        "bench.free": _("Nobody has this page in hand. Take it to change anything."),
        "bench.held": _("{name} has this page in hand since {since}. You can look at it."),
        "bench.other_tab": _("You have this page open in another tab. What you type there is kept."),
        "bench.escalated": _("This task was escalated: a lead takes it."),
        "bench.closed": _("This task is closed already."),
        "bench.lost": _("You no longer have this page in hand. What you typed is kept as your draft."),
        "bench.taken": _("{name} took this page over at {since}. What you typed is kept as your draft."),
        "bench.idled": _("Handed back after a long time without a key. What you typed is kept as your draft."),
        "bench.idle": _("Without a key this page is handed back in {n} s. What you typed is kept either way."),
        "bench.changed": _("The page has changed meanwhile. What you typed is kept as your draft."),
        "bench.mine": _("You have it"),
        "bench.badge_lost": _("Lost, draft kept"),
        "bench.badge_free": pgettext("task", "Free"),
        "bench.badge_held": _("{name} has it"),
        "bench.badge_other_tab": _("In another tab"),
        "bench.saved": _("Saved {time}"),
        "bench.unsaved": _("Kept on this device"),
        "bench.saving": _("Saving"),
        "bench.offline": _("Not saved: offline, kept on this device"),
        "bench.signin": _("Not saved: sign in again, kept on this device"),
        "bench.not_saved": _("Not saved, trying again; kept on this device"),
        "bench.unkept": _("Not saved yet and not kept on this device: leave this page open"),
        "bench.offline_command": _("Offline: nothing was sent. Try again when the connection is back."),
        "bench.draft_taken_up": _("Your draft is shown"),
        "bench.draft_unfit": _(
            "The page has changed since your draft. What you typed is listed; boxes and pictures are not kept."
        ),
        "bench.still_open": _("Not submitted: {n} left to confirm, change or empty"),
        "bench.no_page_type": _("Say first what kind of page this is"),
        "bench.left": _("{n} left"),
        "bench.nothing_left": _("Nothing left open"),
        "bench.accept_all": _("Accept from {least} on ({n})"),
        "bench.accepted_all": _("{n} SKUs accepted"),
        "bench.accepted": pgettext("sku", "accepted"),
        "bench.undo": _("Undo"),
        "bench.merged": _("{name} is part of {into} now"),
        "bench.nothing_to_merge": _("There is no other SKU to merge with"),
        "bench.choose_text": _("Choose a text on the page first"),
        "bench.box_made": _("Arrows move the box, Ctrl and Shift with arrows resize it"),
        "bench.accept": _("Accept and next"),
        "bench.fix_and_accept": _("Fix and accept"),
        "bench.page": _("Page {n}"),
        "bench.comma": pgettext("between names", ", "),
        **_bench_values(),
    }


def _bench_values() -> dict[str, str]:
    return {
        "bench.new_sku": _("New SKU"),
        "bench.new": pgettext("sku", "new"),
        "bench.no_model": _("no model"),
        "bench.rejected": pgettext("sku", "rejected"),
        "bench.to_check": _("to check"),
        "bench.reject": pgettext("button", "Reject"),
        "bench.take_back": _("Take it back"),
        "bench.absent": pgettext("value", "not on this page"),
        "bench.not_printed": pgettext("value", "not printed"),
        "bench.compare": pgettext("value", "compare"),
        "bench.confirmed": pgettext("value", "confirmed"),
        "bench.edited": pgettext("value", "edited"),
        "bench.was": _("Was: {text}"),
        "bench.conflict": pgettext("value", "conflict"),
        "bench.otherwise": _("Read anew: {text}"),
        "bench.why_compare": _(
            "A model read this in the picture of the page, and a second reading there says something else: compare the "
            "two, then confirm, change or empty it."
        ),
        "bench.why_locked": _("A model gave this, but it is not printed on the page: confirm, change or empty it."),
    }


def _bench_keys() -> dict[str, str]:
    return {
        "keys.submit": _("submit, go to the next"),
        "keys.save": _("save now"),
        "keys.undo": _("undo"),
        "keys.redo": _("redo"),
        "keys.confirm": _("confirm, go to the next that is left; place the box that is drawn"),
        "keys.leave_field": _("leave the field, the tool or the box"),
        "keys.take": _("take the task"),
        "keys.next_sku": _("next SKU"),
        "keys.previous_sku": _("previous SKU"),
        "keys.next_open": _("next that is left"),
        "keys.previous_open": _("previous that is left"),
        "keys.accept": _("confirm the first that is left, else the SKU"),
        "keys.accept_all": _("accept all SKUs that are sure enough"),
        "keys.pick": _("pick that picture"),
        "keys.pick_more": _("one more picture"),
        "keys.pick_none": _("no picture"),
        "keys.new_sku": _("new SKU"),
        "keys.take_alternative": _("take the products that were found too"),
        "keys.duplicate": _("duplicate the SKU"),
        "keys.split": _("split the SKU"),
        "keys.merge": _("merge with the next SKU"),
        "keys.reject": _("reject the SKU, take it back"),
        "keys.page_part": _("what is said of the page"),
        "keys.table_part": _("table of all SKUs, back to one"),
        "keys.past_part": _("history"),
        "keys.around_part": _("pages around it, the document"),
        "keys.talk_part": _("comments"),
        "keys.verdict_part": _("what was done"),
        "keys.send_back": _("send back to who did it"),
        "keys.lens": _("magnifier, while it is held"),
        "keys.peek_before": _("the page before, while it is held"),
        "keys.peek_after": _("the page after, while it is held"),
        "keys.page_type": _("kind of page"),
        "keys.layout_type": _("layout"),
        "keys.text_role": _("what the chosen text is for"),
        "keys.image_role": _("what the chosen picture is for"),
        "keys.edit_model": _("to the model"),
        "keys.edit_name": _("to the name"),
        "keys.edit_price": _("to the price"),
        "keys.edit_size": _("to the size"),
        "keys.edit_colour": _("to the colour"),
        "keys.edit_material": _("to the material"),
        "keys.edit_moq": _("to the least quantity"),
        "keys.choose_box": _("choose the box"),
        "keys.draw_sku": _("draw a SKU"),
        "keys.draw_picture": _("draw a picture"),
        "keys.resize": _("resize the box"),
        "keys.layers": _("next layers"),
        "keys.hide_layers": _("no layer while it is held"),
        "keys.skip": pgettext("task", "skip"),
        "keys.release": pgettext("task", "release"),
        "keys.zoom_in": _("larger"),
        "keys.zoom_out": _("smaller"),
        "keys.fit_page": _("whole page"),
        "keys.fit_width": _("page width"),
        "keys.zoom_to": _("to the box"),
        "keys.pan": _("move the page or the chosen box; up and down between fields"),
    }


def _table() -> dict[str, str]:
    return {
        "table.own": _("An attribute of its own"),
        "table.added": _("{n} SKUs added"),
        "table.left_out": _("{n} cells did not fit and were left out"),
        "table.merged": _("{n} rows are part of {into} now"),
        "table.moved": _("{n} values moved from {from} to {to}"),
        "alternative.one": _("1 product {way}"),
        "alternative.many": _("{n} products {way}"),
        "alternative.taken": _("{n} SKUs taken; check them before you submit"),
        "offer.words": _("At the same place, {n} more: {texts}"),
        "offer.taken": _("{n} values taken from the page"),
        "keys.cell": _("to the cell beside; with Shift select"),
        "keys.cell_far": _("to the end of what is filled"),
        "keys.cell_next": _("to the next cell, with Shift to the one before"),
        "keys.cell_confirm": _("confirm what is in doubt, go down; with Shift up"),
        "keys.cell_edit": _("edit the cell"),
        "keys.cell_leave": _("take back what was typed, select one cell"),
        "keys.row_begin": _("begin of the row"),
        "keys.row_end": _("end of the row"),
        "keys.table_begin": _("first cell"),
        "keys.table_end": _("last cell"),
        "keys.page_up": _("a screen up"),
        "keys.page_down": _("a screen down"),
        "keys.cell_all": _("select all"),
        "keys.cell_empty": _("empty the cells"),
        "keys.fill_down": _("fill down"),
        "keys.meaning": _("say what the column is"),
        "keys.merge_rows": _("merge the rows"),
        "keys.split_row": _("split the row"),
        "keys.add_row": _("row for a new SKU"),
        "keys.reject_rows": _("reject the rows, take them back"),
        "keys.take_offer": _("take what is offered"),
        "keys.refuse_offer": _("leave it"),
    }


def _study() -> dict[str, str]:
    return {
        "keys.field_next": _("next field"),
        "keys.field_previous": _("previous field"),
        "keys.field_confirm": _("confirm the value, go to the next that is left"),
        "keys.field_correct": _("correct the value"),
        "keys.field_absent": _("the paper does not report it"),
        "keys.field_undo": _("withdraw the last decision on it"),
        "keys.field_offer": _("take what is offered"),
        "keys.field_leave": _("leave what is being typed"),
        "keys.study_approve": _("approve the study"),
        "keys.paper_on": _("next page of the paper"),
        "keys.paper_back": _("page of the paper before"),
        "keys.arm_add": _("add an arm"),
        "keys.outcome_add": _("add an outcome"),
        "keys.part_leave": _("leave the arm or outcome out, take it in again"),
        "keys.study_next": _("next study that is to be reviewed"),
        "study.all_decided": _("Everything that was found or is required is decided"),
        "study.moved": _("Somebody has decided on this meanwhile. What you type is kept; sending it shows theirs."),
    }
