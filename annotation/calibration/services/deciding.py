"""A person decides about a proposed threshold: it becomes a version of its profile, past the gate, or is declined."""

from django.db import transaction
from django.db.models.functions import Now

from annotation.calibration.models import CalibrationProposal
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.profiles.asking import changing
from catalogsku.profiles.models import ThresholdProfile
from catalogsku.profiles.services import activate_profile, append_profile

State = CalibrationProposal.State
WHY_MOST_CHARS = 200


@transaction.atomic
def accept(actor: User, proposal_id: int, override: str = "") -> CalibrationProposal:
    """The next version of its profile has the threshold, with the record that it follows from in its reason.

    It stays inactive until its report on golden sets passes; with ``override``, an administrator's reason to do without
    one, it is the active version at once. Raises NotFound; Refused(calibration_forbidden, profile_invalid);
    Conflict(proposal_decided, version_taken: the profile has moved on since).
    """
    proposal = _open(actor, proposal_id)
    share, low, high, pages = proposal.stated
    reason = (
        f"calibration {proposal.record_id}: {proposal.figure} {proposal.now} -> {proposal.proposed}, "
        f"{share:.3f} right ({low:.3f}-{high:.3f}) of {pages:.0f}"
    )
    base = _base(proposal)
    with changing(actor, reason):
        made = append_profile(base, actor, base.version, reason, {proposal.figure: proposal.proposed})
    _close(proposal, actor, State.ACCEPTED, override, made=made)
    if override.strip():
        activate_profile(made, actor, override.strip()[:WHY_MOST_CHARS])
    return proposal


@transaction.atomic
def decline(actor: User, proposal_id: int, why: str = "") -> None:
    """It is not proposed again for a while (proposing.DECLINED_DAYS). Raises as ``accept``."""
    _close(_open(actor, proposal_id), actor, State.DECLINED, why)


def _open(actor: User, proposal_id: int) -> CalibrationProposal:
    if not may(actor, Action.OPERATE):
        raise Refused("calibration_forbidden")
    rows = CalibrationProposal.objects.select_for_update(of=("self",)).select_related("profile")
    proposal = rows.filter(pk=proposal_id).first()
    if proposal is None:
        raise NotFound("not_found")
    if proposal.state != State.OPEN:
        raise Conflict("proposal_decided")
    return proposal


def _base(proposal: CalibrationProposal) -> ThresholdProfile:
    """The version that was active then, or the one that another accepted proposal has made of it."""
    newest = ThresholdProfile.objects.filter(key=proposal.profile.key).latest("version")
    siblings = CalibrationProposal.objects.filter(profile=proposal.profile, state=State.ACCEPTED)
    if newest != proposal.profile and not siblings.filter(made=newest).exists():
        raise Conflict("version_taken", profile=newest.key, now=newest.version)
    return newest


def _close(proposal: CalibrationProposal, actor: User, state: str, why: str, **more: object) -> None:
    said = {"state": state, "decided_by": actor, "why": why.strip()[:WHY_MOST_CHARS], **more}
    CalibrationProposal.objects.filter(pk=proposal.pk).update(**said, decided_at=Now())
    for name, value in said.items():
        setattr(proposal, name, value)
