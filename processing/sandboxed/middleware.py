"""Broker middleware of the cpu unit: its fork servers are started with it, not with the first document."""

import logging
import os
from typing import Any

import dramatiq

log = logging.getLogger(__name__)


class WarmSandbox(dramatiq.Middleware):
    """A fork server for each child that works at once."""

    def before_worker_boot(self, broker: dramatiq.Broker, worker: Any) -> None:
        if os.environ.get("CATALOGSKU_UNIT") != "cpu":
            return
        from catalogsku.core.sandbox import SandboxUnavailable
        from processing.sandboxed.sandboxes import AT_ONCE, sandbox

        try:
            sandbox().prepare(AT_ONCE)
        except SandboxUnavailable as error:
            log.error("sandbox unavailable", extra={"error": str(error)})
