"""The gate of a model: rates and breaker exact for any number of threads and processes, and as a pure model says."""

import pytest

from processing.llm import gate
from processing.models import LanguageModel

MODEL = "gemini-2.5-pro"


@pytest.mark.django_db
@pytest.mark.req("LA-RATE")
def test_smoke() -> None:
    LanguageModel.objects.filter(name=MODEL).update(qpm=2, tpm=100)
    assert gate.enter(MODEL, 60) == gate.Entered(0)
    refused = gate.enter(MODEL, 60)
    assert isinstance(refused, gate.Refused) and refused.reason == "rate_tokens" and 50 < refused.retry_after_s <= 60
    assert gate.enter(MODEL, 40) == gate.Entered(0)
    assert gate.enter(MODEL, 0).reason == "rate_requests"
    print(gate.states())
    gate.set_state(MODEL, "open", "me")
    assert gate.enter(MODEL, 0).reason == "open"
    gate.set_state(MODEL, "closed", "me")
    for _ in range(5):
        gate.failed(MODEL, 0)
    assert gate.enter(MODEL, 0).reason == "open"
    print(gate.states())
    assert gate.enter("x", 0).reason == "disabled"
