"""A worker process: the messages of one queue, taken by Dramatiq's threads, until SIGTERM.

Not started by Dramatiq's own command: its master and the process below it share a lock, and one that is killed in its
first moments takes that lock along. The master then waits for ever, and the unit with it (20 of 236 starts killed
within 3 ms). Here the process that works is the one that is supervised.
"""

import argparse
import gc
import os
import signal
import threading
from types import FrameType

import django
import dramatiq
from dramatiq.worker import Worker

# Threads that wait look up this often whether they are to stop; a message wakes them at once.
IDLE_MS = 1000
# Below the unit's drain time: the process still has to close.
DRAIN_MS = 12_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m catalogsku.worker", description="Works off one queue.")
    parser.add_argument("queue", help="cpu, llm, out or quick")
    parser.add_argument("--threads", type=int, default=1, help="messages in work at once (default 1)")
    parser.add_argument("--spare", type=int, default=0, help="threads more, which claim and record meanwhile (0)")
    options = parser.parse_args()
    stopped = stop_on_signal()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
    os.environ["CATALOGSKU_UNIT"] = options.queue
    gc.set_threshold(20_000)  # a chunk's rows are thousands of objects: looking at every 700 took 3 % of a unit's time
    django.setup()  # and with it the broker
    from catalogsku.accounts.start import begin_unit
    from catalogsku.core.messages import load_actors

    load_actors()  # and with them the engine: the first document need not wait for it
    begin_unit()
    gc.freeze()  # they stay: nothing among them is looked for as garbage any more
    work(options.queue, options.threads, options.spare, stopped)


def work(queue: str, threads: int, spare: int, stopped: threading.Event) -> None:
    """Until ``stopped``; then what is in work gets DRAIN_MS to end, and what is not begun goes back.

    Work is cut for ``threads`` of them; the ``spare`` ones fill the moments in which those wait for the database.
    """
    from catalogsku.core.presence import serve_as

    serve_as(queue, threads)
    broker = dramatiq.get_broker()
    worker = Worker(broker, queues={queue}, worker_threads=threads + spare, worker_timeout=IDLE_MS)
    # Messages in work are counted among these, so that fewer would leave threads idle; more would be hoarded while
    # another process has none.
    worker.queue_prefetch = threads + spare
    worker.start()
    stopped.wait()
    worker.stop(timeout=DRAIN_MS)
    broker.close()


def stop_on_signal() -> threading.Event:
    """Set by the first SIGTERM or SIGINT; the second one ends the process as it stands."""
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    return stopped


if __name__ == "__main__":
    main()
