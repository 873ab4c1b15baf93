"""Sending messages to actors by name.

A message is a hint: it may be lost or doubled, so a broker that cannot be reached is logged and never raised.
"""

import logging
from typing import Any

import dramatiq
from django.db import transaction
from dramatiq.errors import ActorNotFound

from catalogsku.core import crash_points
from catalogsku.core.metrics import MESSAGES_UNSENT

log = logging.getLogger(__name__)


def send(actor_name: str, *args: Any, delay_ms: int | None = None) -> bool:
    """Enqueue now; False where the broker could not be reached. Raises ActorNotFound for an unknown actor."""
    actor = dramatiq.get_broker().get_actor(actor_name)
    crash_points.reached("message.before_send")
    try:
        actor.send_with_options(args=args, delay=delay_ms)
    except ActorNotFound:
        raise
    except Exception as error:  # whatever the broker's client raises: the sweep sends it again
        MESSAGES_UNSENT.labels(actor_name).inc()
        log.warning("message not sent", extra={"actor": actor_name, "error": repr(error)})
        return False
    return True


def send_after_commit(actor_name: str, *args: Any) -> None:
    """Enqueue once the current transaction has committed; nothing where it rolls back."""
    transaction.on_commit(lambda: send(actor_name, *args), robust=True)
