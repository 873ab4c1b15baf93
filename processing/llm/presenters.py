"""How calls of models are put into words: why there was no answer, and what they took."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from catalogsku.core.prepared import Prepared, parameter
from catalogsku.profiles.wording import STUDY_RULES
from processing.llm.models import ModelCall
from processing.llm.money import MICRO

OPERATIONS = {
    "evaluate_document": gettext_lazy("Evaluation of the document"),
    "read_page": gettext_lazy("The page: its products, values and pictures"),
    "read_study": gettext_lazy("The study: values of a group, with their quotes"),
    "probe_model": gettext_lazy("Probe of the model"),
}


def prompt_word(key: str) -> str:
    if key == STUDY_RULES:
        return _("Rules before every question about a study")
    return str(OPERATIONS[key]) if key in OPERATIONS else _("Rules before every question")


CODES = {
    "no_model": gettext_lazy("no model could be asked"),
    "call_limit": gettext_lazy("the page had used up its calls"),
    "open": gettext_lazy("it failed too often and is left alone for a while"),
    "half_open_full": gettext_lazy("it failed too often, and only trials go to it"),
    "disabled": gettext_lazy("it is switched off"),
    "retired": gettext_lazy("its provider has taken it offline"),
    "unusable": gettext_lazy("its provider refuses it"),
    "quota": gettext_lazy("at its provider the account's quota or credit is spent"),
    "account": gettext_lazy("its provider refuses the account, the key or the model"),
    "blocked": gettext_lazy("its provider's filter kept the page or the answer back"),
    "empty": gettext_lazy("it gave no answer"),
    "unreadable_body": gettext_lazy("what answered was not its provider"),
    "http_402": gettext_lazy("its provider wants to be paid"),
    "http_410": gettext_lazy("its provider does not have it any more"),
    "http_429": gettext_lazy("the provider asked for a pause"),
    "http_401": gettext_lazy("its provider refuses the key"),
    "http_403": gettext_lazy("its provider refuses the key or the account"),
    "http_404": gettext_lazy("its provider does not have it any more"),
    "page_not_drawn": gettext_lazy("the page could not be drawn"),
    "no_key": gettext_lazy("it has no key"),
    "bad_key": gettext_lazy("its key cannot be sent"),
    "bad_url": gettext_lazy("its provider's address is none"),
    "over_budget_day": gettext_lazy("the budget of the day is spent"),
    "over_budget_merchant": gettext_lazy("the merchant's budget of the day is spent"),
    "rate_requests": gettext_lazy("too many calls a minute"),
    "rate_tokens": gettext_lazy("too many tokens a minute"),
    "rate_limited": gettext_lazy("the provider asked for a pause"),
    "quota_spent": gettext_lazy("the provider's quota is spent"),
    "asked_already": gettext_lazy("the same was being asked"),
    "probed_already": gettext_lazy("it was probed a moment ago, or is being probed"),
    "unread": gettext_lazy("it does not see what is in the picture"),
    "answer_unusable": gettext_lazy("its answers could not be used"),
    "no_scores": gettext_lazy("its answer scored no page"),
    "semantic": gettext_lazy("too many of its answers in this document could not be used"),
    "connection": gettext_lazy("it could not be reached"),
    "connection_lost": gettext_lazy("the connection broke off"),
    "timeout": gettext_lazy("it did not answer in time"),
    "http_408": gettext_lazy("it did not answer in time"),
    "http_499": gettext_lazy("the connection broke off"),
    "http_504": gettext_lazy("it did not answer in time"),
    "worker_lost": gettext_lazy("the worker ended during the call"),
}


# HTTP statuses without words of their own, by their beginning.
FAMILIES = {
    "http_5": gettext_lazy("its provider's service has failed"),
    "http_4": gettext_lazy("its provider refuses the question"),
    "http_": gettext_lazy("what answered was not its provider"),
}


def code_word(code: str) -> str:
    """Why there was no answer; a code that has no words is shown as it is."""
    return str(CODES.get(code) or next((word for start, word in FAMILIES.items() if code.startswith(start)), code))


def usd(micro: int) -> str:
    return f"{micro / MICRO:.4f} USD"


@dataclass(frozen=True)
class Spent:
    """Calls that were made, and what they took. ``cached``: those of ``tokens`` that providers had from before."""

    calls: int
    tokens: int
    cached: int
    micro: int

    @property
    def cost(self) -> str:
        return usd(self.micro) if self.calls else ""

    @property
    def detail(self) -> str:
        if not self.calls:
            return ""
        calls = ngettext("%(n)s call", "%(n)s calls", self.calls) % {"n": self.calls}
        return pgettext("between facts", "%(a)s, %(b)s") % {"a": calls, "b": tokens_word(self.tokens, self.cached)}


def tokens_word(tokens: int, cached: int = 0) -> str:
    words = ngettext("%(n)s token", "%(n)s tokens", tokens) % {"n": _short(tokens)}
    params = {"tokens": words, "n": _short(cached)}
    return _("%(tokens)s (%(n)s of them cached)") % params if cached else words


def _short(tokens: int) -> str:
    return f"{tokens / 1000:.1f}k" if tokens >= 10_000 else str(tokens)


SPENT = {
    "calls": Count("pk"), "tokens_in": Sum("tokens_in"), "tokens_cached": Sum("tokens_cached"),
    "tokens_out": Sum("tokens_out"), "micro": Sum("settled_micro"),
}  # fmt: skip


def spent_of(rows: "QuerySet[ModelCall]") -> Spent:
    return _spent(rows.filter(sent_at__isnull=False).aggregate(**SPENT))


_ON_ONE = Prepared(
    lambda: (
        ModelCall.objects.filter(job_id=parameter("job"), sent_at__isnull=False)
        .order_by()
        .values("job")
        .annotate(**SPENT)
        .values_list(*SPENT)
    )
)


def spent_on(job_id: int) -> Spent:
    """On one document; whoever watches it is told with each change of it."""
    found = _ON_ONE.rows(job=job_id)
    return _spent(dict(zip(SPENT, found[0] if found else (None,) * len(SPENT), strict=True)))


def _spent(sums: Mapping[str, Any]) -> Spent:
    """``sums``: those of SPENT, None where there is nothing to add."""
    n = {name: int(sums[name] or 0) for name in SPENT}
    return Spent(n["calls"], n["tokens_in"] + n["tokens_out"], n["tokens_cached"], n["micro"])


def spent_on_pages(job_ids: Collection[int]) -> dict[int, int]:
    """Micro-USD of the questions that were priced beforehand, by document (ingestion.models_shown.SPENT): those about
    its pages, or about a study as a whole."""
    priced = Q(page__isnull=False) | Q(operation="read_study")
    rows = ModelCall.objects.filter(priced, job__in=list(job_ids)).order_by()
    return dict(rows.values_list("job").annotate(micro=Sum("settled_micro")))
