"""Thresholds that would keep what is promised of pages, each with what it would have done (X-CALPROM, X-WHATIF)."""

from collections.abc import Sequence
from copy import copy
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from annotation.calibration.looks import Look
from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.calibration.promises import Promise, Why, WrongAt, promise, sample
from annotation.calibration.services.evidence import gather
from annotation.people.dispatching import COLD_DURATION_S
from catalogsku.core import clock
from catalogsku.profiles.models import ThresholdProfile
from processing.quality.services.effects import DAYS, Effect, effect_of_profile
from processing.quality.services.histories import History, Worked

# What a person has declined is not proposed again before.
DECLINED_DAYS = 30
Figure, State = CalibrationProposal.Figure, CalibrationProposal.State


def target() -> float:
    return min(0.999, max(0.5, float(settings.CALIBRATION_TARGET)))


def promises_of(profile: ThresholdProfile, looks: Sequence[Look]) -> dict[str, Promise]:
    """By figure; what a person declined is not told again for a while."""
    between = {
        Figure.PV: (profile.threshold_b, profile.threshold_a),
        Figure.A: (profile.threshold_pv, Decimal(1)),
    }
    recent = CalibrationProposal.objects.filter(
        profile__key=profile.key, state=State.DECLINED, decided_at__gte=Now() - timedelta(days=DECLINED_DAYS)
    )
    declined = set(recent.values_list("figure", flat=True))
    found: dict[str, Promise] = {}
    for figure, ends in between.items():
        one = promise(sample(looks, figure), getattr(profile, figure), ends, target())
        kept = one.proposed is not None and figure in declined
        found[figure] = Promise(one.now, why=Why.DECLINED) if kept else one
    return found


def as_json(promises: dict[str, Promise]) -> dict[str, Any]:
    """As a record keeps them."""
    return {
        figure: {
            "now": one.now.as_json() if one.now else None,
            "why": str(one.why),
            "proposed": str(one.proposed) if one.proposed is not None else None,
        }
        for figure, one in promises.items()
    }


@transaction.atomic
def propose(
    record: CalibrationRecord, looks: Sequence[Look], promises: dict[str, Promise]
) -> list[CalibrationProposal]:
    """The open proposals of the record's profile. One that says the same stays as it is; another takes its place."""
    open_now = {
        row.figure: row
        for row in CalibrationProposal.objects.select_for_update(of=("self",)).filter(
            profile__key=record.profile.key, state=State.OPEN
        )
    }
    proposals = []
    for figure, one in promises.items():
        before = open_now.pop(figure, None)
        same = before is not None and before.profile_id == record.profile_id and before.proposed == one.proposed
        if before is not None and same:
            proposals.append(before)
            continue
        if before is not None:
            CalibrationProposal.objects.filter(pk=before.pk).update(state=State.REPLACED, decided_at=Now())
        if one.proposed is None or one.stated is None:
            continue
        proposals.append(
            CalibrationProposal.objects.create(
                record=record,
                profile=record.profile,
                figure=figure,
                now=getattr(record.profile, figure),
                proposed=one.proposed,
                target=target(),
                stated=one.stated.as_json(),
                effect=effect_as_json(what_if(record.profile, {figure: one.proposed}, looks)),
            )
        )
    return proposals


def what_if(profile: ThresholdProfile, changes: dict[str, Decimal], looks: Sequence[Look]) -> Effect:
    """What the profile with these changes would have done with the documents of the last 30 days."""
    new = copy(profile)
    for name, value in changes.items():
        setattr(new, name, value)
    return effect_of_profile(new, history_of(looks))


def history_of(looks: Sequence[Look]) -> History:
    """Seconds of people are what they took on the mean for these pages."""
    people = [look for look in looks if look.with_person and look.asked_s > 0]
    wrong = [look.wrong for look in looks if look.corrected]
    wrong_at = WrongAt(sample(looks, Figure.PV), sum(wrong) / len(wrong) if wrong else 0.0)
    return History(
        {look.page: Worked(look.reasons, look.wrong, look.asked_s) for look in looks},
        sum(look.asked_s for look in people) / len(people) if people else COLD_DURATION_S,
        lru_cache(maxsize=1024)(wrong_at.__call__),
    )


def history_for(key: str) -> History:
    """Of the last days, for the preview of any change of that profile."""
    until = clock.now()
    return history_of(gather(until - timedelta(days=DAYS), until).by_key.get(key, []))


def effect_as_json(effect: Effect) -> dict[str, Any]:
    return {
        "documents": effect.documents,
        "pages": effect.pages,
        "routes": [[*pair, n] for pair, n in sorted(effect.routes.items())],
        "people": dict(effect.people),
        "models": dict(effect.models),
        "wrong_skus": round(effect.wrong_skus, 2),
        "people_s": round(effect.people_s, 1),
        "worked_on": effect.worked_on,
        "answered": effect.answered,
        "left_out": effect.left_out,
    }
