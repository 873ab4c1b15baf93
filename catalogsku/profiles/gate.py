"""The quality gate before the activation of a profile or prompt version, and what it says (GR-GATE)."""

from django.utils.translation import gettext_lazy as _

from catalogsku.core.errors import Refused
from catalogsku.profiles.models import PromptVersion, ThresholdProfile

MISSING, FAILED, UNMEASURED = "gate_report_missing", "gate_report_failed", "gate_prompt_unmeasured"
REFUSALS = {
    MISSING: _(
        "%(profile)s has no report on golden sets, so it stays inactive. Measure it: "
        "manage.py evaluate --golden DIR --profile %(name)s --store"
    ),
    FAILED: _("%(profile)s stays inactive: its report on golden sets misses the limit of %(figures)s."),
    UNMEASURED: _(
        "%(profile)s has no report on golden sets, so it stays inactive. Measure it: "
        "manage.py evaluate --golden DIR --prompt %(name)s --store"
    ),
    "gate_trial_running": _("A trial of %(prompt)s runs. End it before another version becomes active."),
    "gate_trial_inactive_control": _("%(prompt)s has no other active version to compare the trial with."),
    "gate_trial_state": _("The trial %(trial)s is %(state)s: this step is not possible."),
    "gate_trial_twice": _("Another trial of %(prompt)s runs."),
    "gate_override_forbidden": _("Only an administrator can override the gate."),
    "gate_figures": _("%(profile)s cannot become active as it is: %(why)s"),
}
PROBLEMS = {
    **{code: (409, words) for code, words in REFUSALS.items()},
    "gate_override_forbidden": (403, REFUSALS["gate_override_forbidden"]),
    "gate_figures": (400, REFUSALS["gate_figures"]),
    "version_taken": (409, _("%(profile)s has moved on to version %(now)s meanwhile.")),
    "dictionary_invalid": (422, _("%(why)s (%(fault)s)")),
    "profile_invalid": (400, _("These values cannot stand together: %(why)s")),
}


def refusal_of(profile: ThresholdProfile | PromptVersion) -> Refused | None:
    """Why this version of a threshold profile or prompt may not become the active one: its newest report fails, or
    there is none."""
    verdict = profile.verdicts.order_by("-pk").first()
    if verdict is not None and verdict.passed:
        return None
    about = {"profile": str(profile), "name": f"{profile.key}@{profile.version}"}
    if verdict is None:
        return Refused(UNMEASURED if isinstance(profile, PromptVersion) else MISSING, **about)
    return Refused(FAILED, **about, figures=", ".join(verdict.failed))


def sentence(refused: Refused) -> str:
    """In the active language, with the code at its end."""
    return f"{REFUSALS[refused.code] % refused.params} ({refused.code})"
