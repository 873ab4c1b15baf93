"""The quality gate before the activation of a profile version, and what it says (GR-GATE)."""

from django.utils.translation import gettext_lazy as _

from catalogsku.core.errors import Refused
from catalogsku.profiles.models import ThresholdProfile

MISSING, FAILED = "gate_report_missing", "gate_report_failed"
REFUSALS = {
    MISSING: _(
        "%(profile)s has no report on golden sets, so it stays inactive. Measure it: "
        "manage.py evaluate --golden DIR --profile %(name)s --store"
    ),
    FAILED: _("%(profile)s stays inactive: its report on golden sets misses the limit of %(figures)s."),
    "gate_override_forbidden": _("Only an administrator can override the gate."),
}


def refusal_of(profile: ThresholdProfile) -> Refused | None:
    """Why this version may not become the active one: its newest report fails, or there is none."""
    verdict = profile.verdicts.order_by("-pk").first()
    if verdict is not None and verdict.passed:
        return None
    about = {"profile": str(profile), "name": f"{profile.key}@{profile.version}"}
    if verdict is None:
        return Refused(MISSING, **about)
    return Refused(FAILED, **about, figures=", ".join(verdict.failed))


def sentence(refused: Refused) -> str:
    """In the active language, with the code at its end."""
    return f"{REFUSALS[refused.code] % refused.params} ({refused.code})"
