"""The ledger of model calls: what is kept, what is charged, and what is lost."""

import pytest

from processing.llm import calls, money


@pytest.mark.django_db
def test_smoke(people):
    f = calls.Facts(people.merchant.pk, "classify_page", "gemini-2.5-pro", "v1", "a" * 64, 1000)
    s = calls.begin(f)
    assert isinstance(s, calls.Sent)
    assert isinstance(calls.begin(f), calls.Waiting)
    assert calls.sending(s.call_id) and not calls.sending(s.call_id)
    u = calls.Usage(10, 20, 700, 900)
    calls.answered(s.call_id, "hello", u)
    assert calls.begin(f) == calls.Kept(s.call_id, "hello", u)
    print(money.spent(people.merchant.pk, money.today()), money.spent(None, money.today()))
    calls.parsed(s.call_id, "json", needs_review=False)
    print(calls.lose_abandoned(), calls.forget_old_answers())
