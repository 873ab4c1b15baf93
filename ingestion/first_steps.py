"""What a person does first where nothing has been uploaded yet, by what they may do."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.accounts.permissions import Action, may


@dataclass(frozen=True)
class Step:
    """``url``: where it is done, "" for what happens by itself or on this screen; ``done``: it is behind them."""

    icon: str
    word: str
    detail: str
    url: str = ""
    done: bool = False


def first_steps(user: User) -> list[Step]:
    """In their order. People without a merchant are told who gives them one."""
    if user.role == Role.ADMIN:
        return [*_of_an_administrator(), *_of_a_document(user)]
    if user.own_merchant() is None and not user.merchant_ids():
        word, detail = (
            _("You belong to no merchant yet"),
            _("An administrator assigns you to one; then its documents are here."),
        )
        return [Step("person", word, detail)]
    return _of_a_document(user)


def _of_an_administrator() -> list[Step]:
    return [
        Step(
            "documents",
            _("Make a merchant"),
            _("Whose documents they are; nothing is shared between two of them."),
            reverse("admin:accounts_merchant_add"),
            Merchant.objects.filter(is_active=True).exists(),
        ),
        Step(
            "person",
            _("Add people"),
            _("Uploaders belong to one merchant, annotators and leads to those they work for."),
            reverse("admin:accounts_user_add"),
            User.objects.filter(is_active=True).exclude(role=Role.ADMIN).exists(),
        ),
    ]


def _of_a_document(user: User) -> list[Step]:
    if may(user, Action.UPLOAD):
        upload = Step(
            "upload",
            _("Upload a catalogue or a paper"),
            _("Drop a PDF above, and choose which of both it is; it may have 2000 pages, and a break does no harm."),
        )
    else:
        upload = Step(
            "upload",
            _("A catalogue or a paper is uploaded"),
            _("By an uploader of the merchant; you see it here at once."),
        )
    steps = [
        upload,
        Step(
            "bolt",
            _("Pages become SKUs, papers become studies"),
            _("While you watch. What machines are not sure of waits for a person, with the reason."),
        ),
    ]
    if may(user, Action.SEE_TASKS):
        word, detail = (
            _("Work on what waits"),
            _("The queue gives you the most pressing page; studies have a list of their own."),
        )
        steps.append(Step("tasks", word, detail, reverse("tasks")))
    if may(user, Action.EXPORT):
        word, detail = (
            _("Take the results"),
            _("Products with their pictures, studies with their quotes; as CSV, XLSX or JSON, products as ZIP, too."),
        )
    else:
        word, detail = _("See the results"), _("Products and studies, each value with its place on the page.")
    steps.append(Step("results", word, detail, reverse("all_results")))
    return steps
