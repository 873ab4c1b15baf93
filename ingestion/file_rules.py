"""What becomes of a merchant's files with scripts or attachments, for programs."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.merchants import named_merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS
from ingestion.services import copies

router = Router(tags=["documents"])

ActiveFiles = Literal["refuse", "copy"]
MerchantId = Annotated[int | None, Field(ge=1, lt=2**63)]


class FileRuleOut(Schema):
    merchant_id: int
    active_files: ActiveFiles


class FileRuleIn(Schema):
    model_config = ConfigDict(extra="forbid")
    active_files: ActiveFiles
    merchant_id: MerchantId = None


@router.get("", response={200: FileRuleOut, **PROBLEMS}, summary="What becomes of files with scripts")
def get_file_rule(request: HttpRequest, merchant_id: MerchantId = None) -> Any:
    """``merchant_id`` may be left out by whoever works for one merchant."""
    merchant = named_merchant(require(request, Action.READ_COPY), merchant_id)
    return {"merchant_id": merchant.pk, "active_files": copies.rule_of(merchant.pk).active_files}


@router.put("", response={200: FileRuleOut, **PROBLEMS}, summary="Say what becomes of files with scripts")
def set_file_rule(request: HttpRequest, given: FileRuleIn) -> Any:
    """``refuse``: until a person has a copy read; ``copy``: a copy without scripts and attachments is read at once."""
    actor = require(request, Action.READ_COPY)
    merchant = named_merchant(actor, given.merchant_id)
    return {
        "merchant_id": merchant.pk,
        "active_files": copies.set_rule(merchant, given.active_files, actor).active_files,
    }
