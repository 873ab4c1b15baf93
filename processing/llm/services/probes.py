"""One tiny question of a person to a model, with an image: whether it answers, and if not by which code.

Its way is that of every question below the parser: ledger, budgets, rates, gate. Its calls are those of a merchant of
their own. One that is answered makes an unusable model usable again; one that the provider refuses makes it unusable.
"""

import logging
import secrets
from dataclasses import dataclass
from uuid import uuid4

from pydantic import BaseModel

from catalogsku.accounts.models import Merchant
from processing.llm import calls, gate
from processing.llm.call import Call, Sending
from processing.llm.keys import is_ready
from processing.llm.models import LanguageModel, ModelCall
from processing.llm.parsing import parse
from processing.llm.pictures import drawn
from processing.llm.plan import CallPlan
from processing.llm.port import About, NotAnswered, Operation, Request
from processing.llm.providers.port import Image, ModelError, RawAnswer
from processing.llm.sending import booked, gated, observed, provided

MERCHANT = "Probes of models"
# A person waits for it.
TIMEOUT_S = 30
SYSTEM = "You read numbers. You answer with one JSON object and nothing else."

log = logging.getLogger(__name__)


class ProbeAnswer(BaseModel):
    """The digits as they are read."""

    number: str


@dataclass(frozen=True)
class Probed:
    """``code``: why it has not answered, empty where it has; ``detail`` in the provider's words."""

    model: str
    code: str = ""
    detail: str = ""
    latency_ms: int = 0
    cost_micro: int = 0


def probe(name: str, by: str) -> Probed:
    """Asks ``name`` now, whatever its switch and its gate say, but where a person holds the gate open, within its rates
    and one at a time. Takes up to twice ``TIMEOUT_S``. Raises LanguageModel.DoesNotExist."""
    model = LanguageModel.objects.get(name=name)
    probed = _asked(model) if is_ready(model.provider) else Probed(name, "no_key")
    log.info("model probed", extra={"model": name, "code": probed.code, "by": by})
    return probed


def _asked(model: LanguageModel) -> Probed:
    number = str(secrets.randbelow(900_000) + 100_000)
    ask = booked(gated(_one_at_a_time(observed(provided)), gate.enter_to_probe), CallPlan(limit=None))
    try:
        raw = ask(_question(model, number))
    except (ModelError, NotAnswered) as error:
        return Probed(model.name, error.code, error.detail)
    parsed = parse(raw.text, raw.finish, ProbeAnswer)
    calls.parsed(raw.call_id, parsed.method or "failed", needs_review=False)
    code = "answer_unusable" if parsed.data is None else "" if parsed.data.number.strip() == number else "unread"
    call = ModelCall.objects.only("latency_ms", "settled_micro").get(pk=raw.call_id)
    return Probed(model.name, code, latency_ms=call.latency_ms or 0, cost_micro=call.settled_micro)


def _question(model: LanguageModel, number: str) -> Call:
    """Never the same twice, so that no kept answer takes its place. The picture, where the model takes any, is all that
    tells the number."""
    # Who probes is no merchant, and its first one is nobody's to upload for.
    merchant, _ = Merchant.objects.get_or_create(name=MERCHANT, defaults={"is_active": False})
    images = (Image("image/jpeg", drawn(number), "number"),) if model.max_images else ()
    shown = "Which number does the picture show?" if images else f"Which number is this: {number}?"
    about = About(merchant.pk, language="en", bucket="probe")
    return Call(
        Request(Operation.PROBE_MODEL, about, {}, ProbeAnswer, images=images),
        system=SYSTEM,
        user=f'{shown} Answer with the digits, as in {{"number": "…"}}. ({uuid4()})',
        prompt_version="probe",
        model=model,
        timeout_s=min(TIMEOUT_S, model.timeout_s),
    )


def _one_at_a_time(inner: Sending) -> Sending:
    def send(call: Call) -> RawAnswer:
        try:
            return inner(call)
        finally:
            gate.probe_ended(call.asked_model.name)

    return send
