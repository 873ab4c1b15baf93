"""Middleware of the message broker: the sender's ids in every log line, counts, and the worker's sign of life.

Loaded before the apps' models are, so these are imported where they are used.
"""

import inspect
import logging
import threading
import time
from typing import Any

import dramatiq
import structlog
from dramatiq.middleware import Interrupt

log = logging.getLogger(__name__)

SEEN_EVERY_S = 5.0
_CARRIED = ("request_id", "job_id", "user_id")


class ContextMiddleware(dramatiq.Middleware):
    """Binds the sender's request id, the actor and the ids it was sent (job, pages) to every log line (TA-LOG)."""

    def before_enqueue(self, broker: dramatiq.Broker, message: dramatiq.Message[Any], delay: int | None) -> None:
        bound = structlog.contextvars.get_contextvars()
        message.options.setdefault("context", {key: str(bound[key]) for key in _CARRIED if key in bound})

    def before_process_message(self, broker: dramatiq.Broker, message: Any) -> None:
        structlog.contextvars.clear_contextvars()
        names = inspect.signature(broker.get_actor(message.actor_name).fn).parameters
        ids = dict(zip(names, message.args, strict=False))
        carried = {**message.options.get("context", {}), **ids}
        structlog.contextvars.bind_contextvars(actor=message.actor_name, message_id=message.message_id, **carried)

    def after_process_message(
        self,
        broker: dramatiq.Broker,
        message: Any,
        *,
        result: Any = None,
        exception: BaseException | None = None,
    ) -> None:
        structlog.contextvars.clear_contextvars()

    after_skip_message = after_process_message


class CountMessages(dramatiq.Middleware):
    """How many messages there were, how long each took and what came of it."""

    def __init__(self) -> None:
        self._began = threading.local()

    def before_process_message(self, broker: dramatiq.Broker, message: Any) -> None:
        self._began.at_s = time.monotonic()

    def after_process_message(
        self,
        broker: dramatiq.Broker,
        message: Any,
        *,
        result: Any = None,
        exception: BaseException | None = None,
    ) -> None:
        outcome = "done" if exception is None else "cut_off" if isinstance(exception, Interrupt) else "raised"
        self._count(message, outcome)

    def after_skip_message(self, broker: dramatiq.Broker, message: Any) -> None:
        self._count(message, "skipped")

    def after_nack(self, broker: dramatiq.Broker, message: Any) -> None:
        """Tried as often as its actor allows, or too old: nobody takes it up again but the sweeps."""
        from catalogsku.core.metrics import MESSAGES

        MESSAGES.labels(message.actor_name, "dropped").inc()

    def _count(self, message: Any, outcome: str) -> None:
        from catalogsku.core.metrics import MESSAGE_SECONDS, MESSAGES

        MESSAGES.labels(message.actor_name, outcome).inc()
        began_s = getattr(self._began, "at_s", None)
        if began_s is not None:
            MESSAGE_SECONDS.labels(message.actor_name).observe(time.monotonic() - began_s)
            self._began.at_s = None


class PresenceMiddleware(dramatiq.Middleware):
    """Registers the worker process at boot, beats from a thread with a connection of its own, leaves at shutdown."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def before_worker_boot(self, broker: dramatiq.Broker, worker: Any) -> None:
        threading.Thread(target=self._beat, name="presence", daemon=True).start()

    def before_worker_shutdown(self, broker: dramatiq.Broker, worker: Any) -> None:
        self._stop.set()

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: Any) -> None:
        from catalogsku.core.presence import leave

        leave()

    def _beat(self) -> None:
        from django.db import connection

        from catalogsku.core.presence import beat
        from catalogsku.core.work import free_forgotten

        while True:
            try:
                free_forgotten(beat())
            except Exception as error:  # the database is away: the next beat tries again
                log.warning("presence not recorded", extra={"error": repr(error)})
                connection.close()
            if self._stop.wait(SEEN_EVERY_S):
                return
