"""What sign-ins leave behind, cleared once a night: nothing of it says anything any more."""

from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session

from catalogsku.accounts.guessing import KNOWN_FOR_DAYS
from catalogsku.accounts.models import ApiWindow, FailedTries, KnownPlace
from catalogsku.core import clock
from catalogsku.core.tidying import clear_runs, delete_rows

# Longer than any lock, window or vessel lasts; and how long it can be looked up who signed in from where.
COUNTS_KEPT, SIGN_INS_KEPT = timedelta(days=1), timedelta(days=90)


def clear_old_access() -> dict[str, int]:
    now = clock.now()
    counted, signed_in = now - COUNTS_KEPT, now - SIGN_INS_KEPT
    return {
        "sessions": delete_rows(Session.objects.filter(expire_date__lt=now)),
        "attempts": delete_rows(AccessAttempt.objects.filter(attempt_time__lt=counted)),
        "sign_ins": delete_rows(AccessLog.objects.filter(attempt_time__lt=signed_in)),
        "failures": delete_rows(AccessFailureLog.objects.filter(attempt_time__lt=signed_in)),
        "tries": delete_rows(FailedTries.objects.filter(at__lt=counted)),
        "windows": delete_rows(ApiWindow.objects.filter(began_at__lt=counted)),
        "places": delete_rows(KnownPlace.objects.filter(seen_at__lt=now - timedelta(days=KNOWN_FOR_DAYS))),
        "runs": clear_runs(),
    }
