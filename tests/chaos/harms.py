"""The harms: each is done for real to a running product, ends by itself, and names the work that must go on then."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from random import Random

from tests.chaos import queues, recovery
from tests.chaos.ground import ChaosStack, Document, wait_until
from tests.chaos.recovery import GoesOn, Mark, mark
from tests.chaos.sockets import LiveSocket

REACHED_WITHIN_S = 120.0
COMPANION_PAGES = 4
SOCKETS = 5
STARTS_KILLED, STARTS_WITHIN_S = 3, 1.5

Do = Callable[[ChaosStack, Random], Mark | None]


@dataclass(frozen=True)
class Harm:
    """``do`` returns the moment of the harm's end, None where it met nothing to harm. ``needs``: what the machine must
    allow (disk, clock). ``often``: how likely it is drawn in a random run, beside the others' 1."""

    name: str
    kind: str
    do: Do
    goes_on: GoesOn
    needs: str = ""
    often: float = 1.0


# --- processes -----------------------------------------------------------------------------------


def kill_unit(name: str, *, companion: bool = False) -> Do:
    def do(stack: ChaosStack, chance: Random) -> Mark:
        if name == "scheduler":
            stack.sql(
                "INSERT INTO core_worker (unit, host, pid, threads, started_at, seen_at) VALUES"
                " ('departed', 'nowhere', 1, 1, now(), now() - interval '1 hour')"
            )
        stack.kill_unit(name)
        ended = mark(stack)
        if companion:
            give_companion(stack, chance)
        return ended

    return do


def kill_as_it_starts(name: str) -> Do:
    """Again and again within its first moments, while it gets hold of what it needs: it must not wait for itself."""

    def do(stack: ChaosStack, chance: Random) -> Mark:
        killed = stack.kill_unit(name)
        for _ in range(STARTS_KILLED):
            assert wait_until(lambda gone=killed: stack.units().get(name, gone) != gone, 20), f"{name} did not start"
            time.sleep(chance.uniform(0, STARTS_WITHIN_S))
            killed = stack.kill_unit(name)
        return mark(stack)

    return do


def kill_everything(stack: ChaosStack, chance: Random) -> Mark:
    """kill -9 of `manage.py run`; Stack asserts that nothing of it is left. Then a new one is started."""
    stack.kill_all_units()
    ended = mark(stack)
    stack.start_units()
    return ended


def kill_web_under_sockets(stack: ChaosStack, chance: Random) -> Mark:
    job = stack.documents[0].job
    sockets = [LiveSocket(stack.person(), job) for _ in range(SOCKETS)]
    assert wait_until(lambda: all(one.synced.is_set() for one in sockets), 20), "sockets got no first state"
    workers = {unit: stack.workers(unit) for unit in ("cpu", "llm", "out", "quick")}
    for unit in ("web", "live"):
        stack.kill_unit(unit)
    ended = mark(stack)
    assert wait_until(lambda: not any(one.is_open for one in sockets), 10), "a dead web process left sockets open"
    assert {unit: stack.workers(unit) for unit in workers} == workers, "a dead web process took workers with it"
    return ended


def sockets_show_what_is_committed(stack: ChaosStack, since: Mark) -> bool:
    """A new socket gets every page in a version that was committed between asking and having it."""
    job = stack.documents[0].job
    versions = "SELECT p.id, p.version FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s"
    before = dict(stack.sql(versions, job))
    try:
        one = LiveSocket(stack.person(), job)
    except OSError:
        return False
    try:
        if not wait_until(one.synced.is_set, 5):
            return False
        told, after = dict(one.versions), dict(stack.sql(versions, job))
        assert told.keys() == after.keys(), "the socket does not show every page"
        assert all(before[page] <= told[page] <= after[page] for page in told), "the socket shows another state"
        return True
    finally:
        one.close()


# --- workers that stand still --------------------------------------------------------------------


def stop_past_claim(unit: str, point: str) -> Do:
    """A worker stands still with work in hand, is taken for dead, another one does its work; then it wakes up."""

    def do(stack: ChaosStack, chance: Random) -> Mark | None:
        with stack.second_worker(unit):
            pid = stop_at(stack, chance, unit, point)
            if pid is None:
                return None
            try:
                taken_for_dead(stack, pid)
                wait_until(lambda: not in_hand_of_the_dead(stack), 15)
                time.sleep(2)  # the other worker takes up what was freed
            finally:
                os.kill(pid, signal.SIGCONT)
            return mark(stack)

    return do


def stop_inside_transaction(unit: str, point: str) -> Do:
    """A worker stands still with rows locked: whoever needs those rows must not wait for it for ever. Ends when it has
    stood still for 40 s, or as soon as the work it blocked has gone on."""

    def do(stack: ChaosStack, chance: Random) -> Mark | None:
        with stack.second_worker(unit):
            pid = stop_at(stack, chance, unit, point)
            if pid is None:
                return None
            try:
                locked = mark(stack)
                time.sleep(3)
                freed = wait_until(lambda: not stack.sql(_LOCKED_LONG), recovery.PROMISED_WITHIN_S, every_s=0.5)
                assert freed, "a worker that stood still kept its rows locked"
                return locked
            finally:
                os.kill(pid, signal.SIGCONT)

    return do


_LOCKED_LONG = (
    "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND state_change < now() - interval '2 s'"
)


def freeze_for_real(unit: str, freeze_s: float) -> Do:
    """Longer than a worker may be unseen; nobody helps out meanwhile."""

    def do(stack: ChaosStack, chance: Random) -> Mark | None:
        pids = stack.workers(unit)
        if not pids:
            return None
        os.kill(pids[0], signal.SIGSTOP)
        try:
            time.sleep(freeze_s)
        finally:
            os.kill(pids[0], signal.SIGCONT)
        return mark(stack)

    return do


def stop_at(stack: ChaosStack, chance: Random, unit: str, point: str) -> int | None:
    """The pid of the worker of that unit that now stands still at the point; None where none came by. Whoever else
    came by first (a sweep does what a message would have done) goes on."""
    until_s = time.monotonic() + REACHED_WITHIN_S
    while time.monotonic() < until_s:
        stack.arm(point, "STOP")
        if not reached(stack, chance, [point], until_s - time.monotonic()):
            break
        assert wait_until(lambda: _stopped(stack, unit), 10), f"nobody stands still at {point}"
        stopped = _stopped(stack, unit)
        if stopped <= set(stack.workers(unit)):
            return stopped.pop()
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    stack.disarm()
    return None


def reached(stack: ChaosStack, chance: Random, points: Sequence[str], within_s: float, busy: bool = True) -> bool:
    """Whether somebody came by each armed point in time; ``busy``: with work given that can bring them there."""
    until_s, look_s = time.monotonic() + within_s, time.monotonic()
    while any(map(stack.is_armed, points)):
        if time.monotonic() > until_s:
            return False
        if busy and time.monotonic() > look_s:
            stack.keep_busy(chance)
            look_s = time.monotonic() + 1
        time.sleep(0.05)
    return True


def _stopped(stack: ChaosStack, unit: str) -> set[int]:
    return {pid for pid in (*stack.processes(), *stack.workers(unit)) if _is_stopped(pid)}


def taken_for_dead(stack: ChaosStack, pid: int) -> None:
    stack.sql("UPDATE core_worker SET seen_at = now() - interval '1 hour' WHERE pid = %s", pid)


def in_hand_of_the_dead(stack: ChaosStack) -> bool:
    dead = "SELECT id FROM core_worker WHERE seen_at < now() - interval '30 s'"
    return bool(
        stack.sql(
            f"SELECT 1 FROM ingestion_page WHERE worker IN ({dead})"
            f" UNION ALL SELECT 1 FROM processing_importrecord WHERE state = 'SENDING' AND worker IN ({dead})"
        )
    )


def _is_stopped(pid: int) -> bool:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "T"
    return False


# --- crash points --------------------------------------------------------------------------------


def crash_at(*points: str, companion: str = "") -> Do:
    """``companion``: what has to come in for the points to be reached (a document, or a blank one)."""

    def do(stack: ChaosStack, chance: Random) -> Mark | None:
        for point in points:
            stack.arm(point)
        with giving(stack, chance, companion):
            fell = reached(stack, chance, points, REACHED_WITHIN_S * len(points), busy=not companion)
            ended = mark(stack)
            stack.disarm()
        return ended if fell else None

    return do


def give_companion(stack: ChaosStack, chance: Random, kind: str = "document") -> Document:
    """A small document of another merchant, so that every stage has work whenever a harm wants it."""
    seed = chance.randrange(10**9)
    return stack.give(2 if kind == "blank" else COMPANION_PAGES, seed, user="other", blank=kind == "blank")


@contextlib.contextmanager
def giving(stack: ChaosStack, chance: Random, kind: str) -> Iterator[None]:
    """Meanwhile a companion of that kind (or, for "", none) is uploaded; it has arrived in the end."""
    with ThreadPoolExecutor(1) as aside:
        arrival: Future[Document] | None = aside.submit(give_companion, stack, chance, kind) if kind else None
        yield
        if arrival:
            arrival.result()


# --- services ------------------------------------------------------------------------------------


def stop_redis(stack: ChaosStack, chance: Random) -> Mark:
    stack.stop_redis()
    time.sleep(chance.uniform(1, 4))
    stack.start_redis()
    return mark(stack)


def freeze_redis(stack: ChaosStack, chance: Random) -> Mark:
    assert stack.services is not None and stack.services.redis is not None and stack.services.redis.pid
    os.kill(stack.services.redis.pid, signal.SIGSTOP)
    time.sleep(chance.uniform(3, 6))
    os.kill(stack.services.redis.pid, signal.SIGCONT)
    return mark(stack)


def slow_redis(stack: ChaosStack, chance: Random) -> Mark:
    """Every command waits, most of the time."""
    client = stack.redis_client()
    for _ in range(20):
        client.execute_command("CLIENT", "PAUSE", "180", "ALL")
        time.sleep(0.2)
    client.close()
    return mark(stack)


def empty_redis(stack: ChaosStack, chance: Random) -> Mark:
    client = stack.redis_client()
    client.flushall()
    client.close()
    return mark(stack)


def stop_postgresql(how: signal.Signals) -> Do:
    """SIGINT: a fast stop, sessions are ended. SIGQUIT: an immediate one, the next start recovers from the log."""

    def do(stack: ChaosStack, chance: Random) -> Mark:
        assert stack.services is not None and stack.services.postgresql is not None
        stack.services.postgresql.stop(first=how)
        time.sleep(chance.uniform(0.5, 3))
        stack.services.postgresql.start()
        return mark(stack)

    return do


def end_sessions(stack: ChaosStack, chance: Random) -> Mark:
    stack.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE usename = current_user AND pid <> pg_backend_pid()"
    )
    return mark(stack)


def kill_session(stack: ChaosStack, chance: Random) -> Mark:
    """kill -9 of one server process makes PostgreSQL end all sessions and recover."""
    sessions = stack.sql("SELECT pid FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()")
    os.kill(chance.choice(sessions)[0], signal.SIGKILL)
    return mark(stack)


# --- the machine ---------------------------------------------------------------------------------


def full_disk(stack: ChaosStack, chance: Random) -> Mark:
    """Nothing can be written for some seconds: pictures, work folders, logs, parts of an upload, PostgreSQL's files."""
    stack.fill_disk(True)
    with giving(stack, chance, "document"):
        time.sleep(chance.uniform(3, 6))
        stack.fill_disk(False)
        stack.revive_services()
        return mark(stack)


def set_clock(direction: int) -> Do:
    """Hours (below a session's life) forward, or days back, for longer than from one sign of life to the next; then
    right again."""

    def do(stack: ChaosStack, chance: Random) -> Mark:
        hours = chance.uniform(0.5, 10) if direction > 0 else -chance.uniform(0.5, 24 * 30)
        stack.set_clock(int(hours * 3600))
        time.sleep(chance.uniform(6, 8))
        seen, told_wrong = stack.workers("cpu"), stack.sql(_SEEN_IN_THE_FUTURE)
        stack.set_clock(0)
        assert seen, "workers with a wrong clock are taken for dead"
        assert not told_wrong, "a worker with a wrong clock would be taken for alive long after its death"
        return mark(stack)

    return do


_SEEN_IN_THE_FUTURE = "SELECT unit FROM core_worker WHERE seen_at > now() + interval '5 s'"


def harm_messages(how: queues.Meddling) -> Do:
    def do(stack: ChaosStack, chance: Random) -> Mark | None:
        met = how(stack, chance)
        return mark(stack) if met else None

    return do
