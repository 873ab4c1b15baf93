"""What models cost, among the figures of a document's page.

Apart from the other presenters: every process imports this, as its app says so to the one below.
"""

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from ingestion.kinds import KINDS
from ingestion.lifecycle import ModelsState
from ingestion.models import Job, Page
from ingestion.models_shown import about_usd
from processing.engine.evaluation.scores import BY_RULES
from processing.llm.keys import SETTINGS, is_ready
from processing.llm.presenters import Spent, code_word, spent_on


def job_figures(job: Job) -> dict[str, str]:
    """Beside the other figures of the job page (ingestion.job_page.MORE_FIGURES)."""
    spent = spent_on(job.pk)
    by_rules = not spent.calls and not any(map(is_ready, SETTINGS))
    said = (
        [_("understood by rules") if KINDS[job.kind].by_pages else _("no model was asked")]
        if by_rules
        else [_with_estimate(job, spent), _unanswered(job)]
    )
    return {"cost": spent.cost, "cost_detail": pgettext("between sentences", "; ").join(filter(None, said))}


def _unanswered(job: Job) -> str:
    """Of the pages that models were asked about, those that none answered, and why most of them."""
    by_rules = Page.objects.filter(job=job, analyst__startswith=BY_RULES, validation__asked__0__isnull=False)
    reasons = by_rules.exclude(fallback_reason="").values_list("fallback_reason").annotate(n=Count("pk"))
    counted = sorted(reasons, key=lambda pair: (-pair[1], pair[0]))
    if not counted:
        return ""
    n = sum(pages for _reason, pages in counted)
    words = ngettext(
        "no model answered about %(n)s page (%(why)s): what the rules found stands",
        "no model answered about %(n)s pages (%(why)s): what the rules found stands",
        n,
    )
    return words % {"n": n, "why": code_word(counted[0][0])}


def _with_estimate(job: Job, spent: Spent) -> str:
    """What was spent beside what was expected, where models were asked after it was priced."""
    if job.models_state != ModelsState.GO or job.models_estimated_micro is None:
        return spent.detail
    expected = _("expected: %(cost)s") % {"cost": about_usd(job.models_estimated_micro)}
    return pgettext("between facts", "%(a)s, %(b)s") % {"a": expected, "b": spent.detail} if spent.detail else expected
