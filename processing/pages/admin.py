"""Examples of prompts in the admin: what a page taught, to be confirmed before any model sees it (TA-T36)."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import User
from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.configuration import ConfigurationAdmin
from processing.llm.money import MICRO
from processing.pages.models import AnnotationExample, AskingRule
from processing.pages.services.confirming import confirm_example, withdraw_example


@admin.register(AnnotationExample)
class AnnotationExampleAdmin(LookOnlyAdmin):
    list_display = (
        *("key", "category", "page_type", "merchant", "quality", "shared", "confirmed_by", "confirmed_at"),
        *("withdrawn_at", "created_at"),
    )
    list_filter = ("key", ("confirmed_at", admin.EmptyFieldListFilter), "category", "page_type", "merchant")
    list_select_related = ("merchant", "confirmed_by")
    ordering = ("-pk",)
    actions = ("confirm", "confirm_for_all", "withdraw")

    @admin.action(description=_("Confirm: shown with documents of the same merchant"))
    def confirm(self, request: HttpRequest, rows: QuerySet[AnnotationExample]) -> None:
        self._each(request, rows, lambda row, by: confirm_example(row, by, shared=False))

    @admin.action(description=_("Confirm for all merchants: nothing in it is one merchant's alone"))
    def confirm_for_all(self, request: HttpRequest, rows: QuerySet[AnnotationExample]) -> None:
        self._each(request, rows, lambda row, by: confirm_example(row, by, shared=True))

    @admin.action(description=_("Withdraw: shown no more"))
    def withdraw(self, request: HttpRequest, rows: QuerySet[AnnotationExample]) -> None:
        self._each(request, rows, lambda row, _by: withdraw_example(row))

    def _each(
        self, request: HttpRequest, rows: QuerySet[AnnotationExample], step: Callable[[AnnotationExample, User], bool]
    ) -> None:
        done = [row for row in rows if step(row, cast(User, request.user))]
        for row in done:
            self.log_change(request, row, request.POST.get("action", ""))
        refused = len(rows) - len(done)
        template = _("%(done)d done; %(refused)d are withdrawn or not good enough.")
        self.message_user(request, str(template) % {"done": len(done), "refused": refused})


@admin.register(AskingRule)
class AskingRuleAdmin(ConfigurationAdmin):
    list_display = ("merchant", "ask_models", "usd")
    list_select_related = ("merchant",)

    @admin.display(description=_("asked above USD"))
    def usd(self, row: AskingRule) -> str:
        return f"{row.ask_first_above_micro_usd / MICRO:,.2f}"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("merchant",) if obj else ()
