"""Language models, their gates and budgets in the admin; the ledger of calls to look at, without what was said; import
targets and their switches.
"""

from typing import Any, Literal

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.configuration import ConfigurationAdmin
from processing.llm import gate
from processing.llm.keys import is_ready
from processing.llm.models import BudgetLimit, GateState, LanguageModel, ModelCall, ModelGate
from processing.llm.money import MICRO
from processing.llm.services.language_models import OWN_MODEL


@admin.register(LanguageModel)
class LanguageModelAdmin(ConfigurationAdmin):
    list_display = (
        "name", "provider", "enabled", "is_ready", "retires_on", "thinking_level", "qpm", "tpm", "timeout_s"
    )  # fmt: skip

    @admin.display(description=_("has a key or needs none"), boolean=True)
    def is_ready(self, row: LanguageModel) -> bool:
        return is_ready(row.provider)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {**OWN_MODEL, **super().get_changeform_initial_data(request)}

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The ledger names models by their name."""
        return ("name",) if obj else ()


@admin.register(ModelGate)
class ModelGateAdmin(LookOnlyAdmin):
    list_display = ("model", "in_force", "held_open", "failures", "requests", "tokens", "set_by", "set_at")
    list_select_related = ("model",)
    actions = ("hold_open", "close")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[ModelGate]":
        gate.make_missing()
        return super().get_queryset(request)

    @admin.display(description=_("state"))
    def in_force(self, row: ModelGate) -> str:
        return next((str(GateState(state.state).label) for state in gate.states() if state.model == row.model.name), "")

    @admin.action(description=_("Let no call through until it is closed again"))
    def hold_open(self, request: HttpRequest, rows: QuerySet[ModelGate]) -> None:
        self._set(request, rows, "open")

    @admin.action(description=_("Let calls through again"))
    def close(self, request: HttpRequest, rows: QuerySet[ModelGate]) -> None:
        self._set(request, rows, "closed")

    def _set(self, request: HttpRequest, rows: QuerySet[ModelGate], state: Literal["open", "closed"]) -> None:
        for row in rows.select_related("model"):
            gate.set_state(row.model.name, state, request.user.get_username())
            self.log_change(request, row, state)


@admin.register(BudgetLimit)
class BudgetLimitAdmin(ConfigurationAdmin):
    list_display = ("scope", "merchant", "usd")
    list_select_related = ("merchant",)

    @admin.display(description=_("USD a day"))
    def usd(self, row: BudgetLimit) -> str:
        return f"{row.limit_micro / MICRO:,.2f}"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Without the two limits for all nothing could be spent."""
        return super().has_delete_permission(request, obj) and (obj is None or obj.merchant_id is not None)


@admin.register(ModelCall)
class ModelCallAdmin(LookOnlyAdmin):
    list_display = (
        *("operation", "model", "merchant", "job", "page", "state", "tokens_in", "tokens_cached", "tokens_out"),
        *("settled_micro", "latency_ms", "error_code", "created_at"),
    )
    list_filter = ("state", "merchant")
    list_select_related = ("merchant", "job", "page")
    search_fields = ("=job__uuid", "=request_key")
    exclude = ("answer",)
    ordering = ("-id",)
