"""Sending messages to actors by name.

A message is a hint: it may be lost or doubled, so a broker that cannot be reached is logged and never raised.
"""

import logging
from functools import cache
from typing import Any

import dramatiq
from django.db import transaction
from django.utils.module_loading import autodiscover_modules
from dramatiq.errors import ActorNotFound

from catalogsku.core import crash_points
from catalogsku.core.metrics import MESSAGES_UNSENT

log = logging.getLogger(__name__)


@cache
def load_actors() -> None:
    """Import every app's actors and periodic work, and with them the engine: a second of a core and 50 MB.

    Units do so as they begin. A command that sends nothing and runs none of them goes without.
    """
    autodiscover_modules("actors")


def _actor(name: str) -> Any:
    load_actors()
    return dramatiq.get_broker().get_actor(name)


def send(actor_name: str, *args: Any, delay_ms: int | None = None) -> bool:
    """Enqueue now; False where the broker could not be reached. Raises ActorNotFound for an unknown actor."""
    actor = _actor(actor_name)
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


def do_here(actor_name: str, *args: Any) -> None:
    """What the message would have a worker do, in this process; for commands that run while no worker does."""
    _actor(actor_name).fn(*args)


def send_unless_waiting(actor_name: str) -> bool:
    """Enqueue a message without arguments, unless one of its queue waits there: who takes that one finds the same rows.

    False where none was sent. Call it once the rows are committed.
    """
    broker = dramatiq.get_broker()
    is_waiting = getattr(broker, "is_waiting", None)
    try:
        if is_waiting is not None and is_waiting(_actor(actor_name).queue_name):
            return False
    except Exception as error:  # a broker that is away: `send` says so
        log.debug("queue not seen", extra={"actor": actor_name, "error": repr(error)})
    return send(actor_name)


def send_after_commit(actor_name: str, *args: Any) -> None:
    """Enqueue once the current transaction has committed; nothing where it rolls back."""
    transaction.on_commit(lambda: send(actor_name, *args), robust=True)
