"""Times as people read them: one clock, one zone, the same in both languages and in scripts."""

import json
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import timezone, translation

from catalogsku.core import moments

ROOT = Path(__file__).resolve().parents[2]
AT = datetime(2026, 11, 29, 22, 3, 5, tzinfo=UTC)
WRITTEN = {
    "Asia/Shanghai": ("06:03:05", "2026-11-30 06:03", "2026-11-30 06:03:05 UTC+8"),
    "America/St_Johns": ("18:33:05", "2026-11-29 18:33", "2026-11-29 18:33:05 UTC-3:30"),
    "UTC": ("22:03:05", "2026-11-29 22:03", "2026-11-29 22:03:05 UTC"),
}


@pytest.mark.parametrize("zone", WRITTEN)
def test_server_and_scripts_write_the_same_in_the_zone_of_the_installation(zone: str) -> None:
    with timezone.override(zone):
        assert (moments.seconds(AT), moments.full(AT), moments.whole(AT)) == WRITTEN[zone]
    if not shutil.which("node"):
        pytest.skip("no Node here")
    program = f"""
      globalThis.HTMLMetaElement = class {{ content = {json.dumps(zone)}; }};
      globalThis.document = {{ querySelector: () => new HTMLMetaElement() }};
      const {{ clock, dayAndClock, whole }} = await import({json.dumps(str(ROOT / "static/js/clock.js"))});
      const at = {json.dumps(AT.isoformat())};
      console.log(JSON.stringify([clock(at), dayAndClock(at), whole(at)]), !clock("never"), !whole(undefined));
    """
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert ran.stdout.split() == [*json.dumps(WRITTEN[zone], separators=(",", ":")).split(), "true", "true"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_time_says_the_whole_of_itself(language: str) -> None:
    show = Template('{% load ui %}{% moment at "full" css="small" %}{% moment none %}')
    with translation.override(language):
        shown = show.render(Context({"at": AT, "none": None}))
    assert shown == (
        '<time class="small" datetime="2026-11-30T06:03:05+08:00" title="2026-11-30 06:03:05 UTC+8">2026-11-30 06:03'
        "</time>—"
    )


def test_what_is_recent_needs_no_date_and_what_is_old_has_one() -> None:
    now = timezone.now()
    assert moments.recent(now) == moments.clock(now)
    assert moments.recent(now - timedelta(days=2)) == moments.full(now - timedelta(days=2))
    with translation.override("en"):
        told = [moments.ago(now - timedelta(**past)) for past in ({"seconds": 5}, {"minutes": 5}, {"hours": 5})]
        assert told == ["now", "5 min", "5 h"]
        assert moments.ago(now - timedelta(days=40)) == moments.day(now - timedelta(days=40))
