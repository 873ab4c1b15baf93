"""How times are told: by one clock, in one zone, the installation's (TIME_ZONE); static/js/clock.js writes the same."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogsku.core.clock import now, today


def day(moment: date) -> str:
    """2026-11-29; of a moment, the day that it is in the zone."""
    local = timezone.localtime(moment) if isinstance(moment, datetime) else moment
    return f"{local:%Y-%m-%d}"


def clock(moment: datetime) -> str:
    """14:03"""
    return f"{timezone.localtime(moment):%H:%M}"


def seconds(moment: datetime) -> str:
    """14:03:05, as in logs."""
    return f"{timezone.localtime(moment):%H:%M:%S}"


def full(moment: datetime) -> str:
    """2026-11-29 14:03"""
    return f"{day(moment)} {clock(moment)}"


def exact(moment: datetime) -> str:
    """2026-11-29 14:03:05"""
    return f"{day(moment)} {seconds(moment)}"


def offset(moment: datetime) -> str:
    """UTC+8, UTC-3:30, UTC: of the zone at that moment."""
    return _offset(timezone.localtime(moment))


def _offset(local: datetime) -> str:
    passed = local.utcoffset() or timedelta()
    if not passed:
        return "UTC"
    hours, minutes = divmod(abs(round(passed.total_seconds() / 60)), 60)
    return f"UTC{'+' if passed > timedelta() else '-'}{hours}" + (f":{minutes:02d}" if minutes else "")


def whole(moment: datetime) -> str:
    """2026-11-29 14:03:05 UTC+8: what every time element says of itself."""
    local = timezone.localtime(moment)
    return f"{local:%Y-%m-%d %H:%M:%S} {_offset(local)}"


def recent(moment: datetime) -> str:
    """The clock time today, the day and the clock before."""
    is_today = timezone.localtime(moment).date() == today()
    return clock(moment) if is_today else full(moment)


def ago(moment: datetime) -> str:
    """Relative under a day, then days, then the date."""
    passed = now() - moment
    if passed < timedelta(minutes=1):
        return _("now")
    if passed < timedelta(hours=1):
        return _("%(n)d min") % {"n": passed.seconds // 60}
    if passed < timedelta(days=1):
        return _("%(n)d h") % {"n": passed.seconds // 3600}
    if passed < timedelta(days=30):
        return ngettext("%(n)d day", "%(n)d days", passed.days) % {"n": passed.days}
    return day(moment)


STYLES: Mapping[str, Callable[[datetime], str]] = {
    "ago": ago,
    "clock": clock,
    "seconds": seconds,
    "day": day,
    "full": full,
    "exact": exact,
    "recent": recent,
}
