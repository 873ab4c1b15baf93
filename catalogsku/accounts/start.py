"""What every unit does before its work: closes the files to others on the machine, notes which keys are in use with
this database, and refuses production with open demo accounts."""

import logging
import sys

from django.db import DatabaseError, connection

from catalogsku.accounts import demo
from catalogsku.core.keys import note_keys
from catalogsku.core.storage import close_storage

log = logging.getLogger(__name__)


def begin_unit() -> None:
    """Ends the process with a sentence where it must not work. A database that is away keeps nobody from starting: the
    door knows no demo password in production, and the scheduler notes the keys once it is back."""
    close_storage()
    try:
        note_keys()
        said = demo.refusal()
    except DatabaseError as error:
        log.warning("keys and demo accounts not looked at", extra={"error": repr(error)})
        return
    finally:
        connection.close()
    if said:
        sys.exit(said)
