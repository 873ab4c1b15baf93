"""Corrections at once, for programs: the same services as the dialog's, the same refusals."""

from typing import Annotated, Any
from uuid import UUID, uuid4

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import ConfigDict, Field

from annotation.at_once import services
from catalogsku.accounts.bearer import require
from catalogsku.accounts.merchants import named_merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS
from processing.corrections.selectors import allows_at_once
from processing.corrections.services.page_faults import MOST_CHARS
from processing.corrections.services.rules import set_rule
from processing.products.parts import sku_part
from processing.products.schemas import SkuOut
from processing.products.selectors import get_sku

router = Router(tags=["results"])
rule = Router(tags=["results"])

SkuId = Annotated[str, Field(max_length=40)]
MerchantId = Annotated[int | None, Field(ge=1, lt=2**63)]
NO_NUL = r"^[^\x00]*$"


class CorrectionIn(Schema):
    """``revision``: of the product that the value was seen in. ``insist``: it is right although the page does not print
    it so; that needs a ``reason``. ``submit_id``: the same again changes nothing more."""

    model_config = ConfigDict(extra="forbid")
    field: Annotated[str, Field(min_length=1, max_length=60, pattern=NO_NUL)]
    value: Annotated[str, Field(min_length=1, max_length=MOST_CHARS, pattern=NO_NUL)]
    revision: Annotated[int, Field(ge=1, lt=2**31)]
    insist: bool = False
    reason: Annotated[str, Field(max_length=services.WHY_MOST_CHARS, pattern=NO_NUL)] = ""
    submit_id: UUID | None = None


class CorrectionOut(Schema):
    """``correction_id``: by which it is taken back."""

    correction_id: UUID
    sku: SkuOut


class CorrectionRuleOut(Schema):
    merchant_id: int
    at_once: bool


class CorrectionRuleIn(Schema):
    model_config = ConfigDict(extra="forbid")
    at_once: bool
    merchant_id: MerchantId = None


@router.post(
    "/{uuid:job_id}/skus/{sku_id}/corrections", response={200: CorrectionOut, **PROBLEMS}, summary="Correct one value"
)
def correct(request: HttpRequest, job_id: UUID, sku_id: SkuId, given: CorrectionIn) -> Any:
    """At once, where its merchant allows it: a new revision, which goes to the targets. 400 says what is wrong with the
    value; 409 ``page_waits`` where people have the page, ``value_moved_on`` where it has another revision by now."""
    actor = require(request, Action.CORRECT)
    wanted = services.Corrected(
        given.field, given.value, given.revision, given.reason, given.insist, given.submit_id or uuid4()
    )
    made = services.correct(actor, job_id, sku_id, wanted)
    return {"correction_id": made.uuid, "sku": sku_part(get_sku(actor, job_id, sku_id))}


@router.post(
    "/{uuid:job_id}/skus/{sku_id}/corrections/{uuid:correction_id}/undo",
    response={200: SkuOut, **PROBLEMS},
    summary="Take a correction of one's own back",
)
def undo(request: HttpRequest, job_id: UUID, sku_id: SkuId, correction_id: UUID) -> Any:
    """The value is as it was before, downstream too. Twice is once."""
    actor = require(request, Action.CORRECT)
    services.take_back(actor, job_id, sku_id, correction_id)
    return sku_part(get_sku(actor, job_id, sku_id))


@rule.get("", response={200: CorrectionRuleOut, **PROBLEMS}, summary="Whether values may be corrected at once")
def get_correction_rule(request: HttpRequest, merchant_id: MerchantId = None) -> Any:
    """``merchant_id`` may be left out by whoever works for one merchant."""
    merchant = named_merchant(require(request, Action.SUPERVISE), merchant_id)
    return {"merchant_id": merchant.pk, "at_once": allows_at_once(merchant.pk)}


@rule.put("", response={200: CorrectionRuleOut, **PROBLEMS}, summary="Say whether values may be corrected at once")
def set_correction_rule(request: HttpRequest, given: CorrectionRuleIn) -> Any:
    actor = require(request, Action.SUPERVISE)
    merchant = named_merchant(actor, given.merchant_id)
    return {"merchant_id": merchant.pk, "at_once": set_rule(merchant, actor, at_once=given.at_once).at_once}
