"""The web process's own log of requests shows no link that is worth a file."""

import io
from datetime import datetime

import pytest

from catalogsku.web import RedactedAccessLog

pytestmark = pytest.mark.req("LA-REDACT")
LINK = "eyJ4IjoxfQ:1wABCd:" + "s" * 43


def test_a_signed_link_does_not_stand_in_the_access_log() -> None:
    stream = io.StringIO()
    log = RedactedAccessLog(stream)
    told = {"client": "127.0.0.1:1", "method": "GET", "path": f"/files/{LINK}/", "status": 200, "size": 4}
    log("http", "complete", told)
    log("websocket", "connected", {"client": "127.0.0.1:1", "path": f"/ws/x/?link={LINK}"})
    lines = stream.getvalue().splitlines()
    assert LINK not in stream.getvalue() and len(lines) == 2
    assert '"GET /files/[signed]/" 200 4' in lines[0] and str(datetime.now().year) in lines[0]
