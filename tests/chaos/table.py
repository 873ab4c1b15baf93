"""All harms. The schedule has each once, in this order: neighbours hit different units, so that none dies too often."""

import signal

from tests.chaos import queues
from tests.chaos.harms import (
    Harm,
    crash_at,
    empty_redis,
    end_sessions,
    freeze_for_real,
    freeze_redis,
    full_disk,
    harm_messages,
    kill_as_it_starts,
    kill_everything,
    kill_session,
    kill_unit,
    kill_web_under_sockets,
    set_clock,
    slow_redis,
    sockets_show_what_is_committed,
    stop_inside_transaction,
    stop_past_claim,
    stop_postgresql,
    stop_redis,
)
from tests.chaos.recovery import CHECKING, IMPORTS, JOBS, PAGES, ROUTING, SETTLING, TASKS, GoesOn, sweeps

# What is done to a document, and to each of its pages, with the crash points of each step in their order.
ONCE = {
    "receive": ("part_written", "part_committed", "joined", "stored", "recorded"),
    "inspect": ("claimed", "before_record", "recorded"),
    "prescan": ("claimed", "before_record", "recorded"),
    "evaluate": ("claimed", "before_record", "recorded"),
}
AGAIN = {
    "read": ("claimed", "before_record", "before_commit", "recorded"),
    "understand": ("claimed", "before_record", "before_commit", "recorded"),
    "import": ("before_claim", "before_call", "after_call", "before_commit", "recorded"),
}


def _crash(point: str, goes_on: GoesOn, companion: str = "") -> Harm:
    often = 0.15 if companion else 0.6  # those that wait for a document of their own take long
    return Harm(f"crash at {point}", "crash point", crash_at(point, companion=companion), goes_on, often=often)


def _crash_at_each(step: str) -> Harm:
    """The step dies at each of its points; what happens once to a document needs a document of its own for that."""
    points = [f"{step}.{point}" for point in (ONCE | AGAIN)[step]]
    do = crash_at(*points, companion="document" if step in ONCE else "")
    return Harm(f"crash at each point of {step}", "crash point", do, _goes_on(step, points[-1]))


def _goes_on(step: str, point: str) -> GoesOn:
    """What is still to come at that point: after a record, the next step's work."""
    after = {"prescan": ROUTING, "evaluate": PAGES, "import": SETTLING}
    before = {"evaluate": ROUTING, "read": PAGES, "understand": PAGES, "import": IMPORTS}
    return (before | after if point.endswith("recorded") else before).get(step, CHECKING)


SCHEDULE = (
    _crash_at_each("import"),
    Harm("kill -9 unit cpu", "process", kill_unit("cpu"), PAGES),
    _crash_at_each("evaluate"),
    _crash("settle.before_commit", SETTLING),
    Harm("kill -9 unit out", "process", kill_unit("out"), IMPORTS),
    _crash_at_each("receive"),
    Harm("Redis stopped", "Redis", stop_redis, PAGES),
    Harm("messages lost", "messages", harm_messages(queues.lose), PAGES),
    _crash_at_each("understand"),
    _crash_at_each("inspect"),
    Harm("kill -9 scheduler", "process", kill_unit("scheduler"), sweeps),
    Harm("PostgreSQL stopped at once", "PostgreSQL", stop_postgresql(signal.SIGQUIT), PAGES),
    Harm("kill -9 unit quick", "process", kill_unit("quick"), SETTLING),
    Harm("messages doubled", "messages", harm_messages(queues.double), PAGES),
    Harm("kill -9 unit llm", "process", kill_unit("llm", companion=True), ROUTING, often=0.3),
    _crash("tasks.before_commit", TASKS, "blank"),
    _crash_at_each("prescan"),
    Harm("Redis emptied", "Redis", empty_redis, PAGES),
    _crash("settle_job.before_commit", JOBS, "document"),
    Harm("sessions of PostgreSQL ended", "PostgreSQL", end_sessions, PAGES),
    Harm("kill -9 web under open sockets", "process", kill_web_under_sockets, sockets_show_what_is_committed),
    _crash("dispatch.before_commit", PAGES),
    _crash_at_each("read"),
    Harm("messages late", "messages", harm_messages(queues.delay), PAGES),
    Harm("disk full", "disk", full_disk, PAGES, needs="disk"),
    _crash("message.before_send", PAGES),
    Harm("PostgreSQL stopped fast", "PostgreSQL", stop_postgresql(signal.SIGINT), PAGES),
    Harm("kill -9 unit cpu as it starts", "process", kill_as_it_starts("cpu"), PAGES),
    Harm("clock set forward", "clock", set_clock(+1), PAGES, needs="clock"),
    Harm("messages out of order", "messages", harm_messages(queues.reorder), PAGES),
    Harm("out stopped past its claim", "stopped", stop_past_claim("out", "import.after_call"), IMPORTS, often=0.3),
    Harm("PostgreSQL's process killed", "PostgreSQL", kill_session, PAGES),
    Harm("Redis slow", "Redis", slow_redis, PAGES),
    Harm("clock set back", "clock", set_clock(-1), PAGES, needs="clock"),
    Harm("cpu stopped past its claim", "stopped", stop_past_claim("cpu", "understand.before_record"), PAGES, often=0.3),
    Harm("Redis frozen", "Redis", freeze_redis, PAGES),
    Harm("kill -9 of everything", "process", kill_everything, PAGES),
    Harm("quick stopped with rows locked", "stopped",
         stop_inside_transaction("quick", "settle.before_commit"), SETTLING, often=0.3),
)  # fmt: skip

# What a random run draws from: each point by itself, and what takes too long for the schedule.
DRAWN = (
    *(harm for harm in SCHEDULE if "each point" not in harm.name),
    *(
        _crash(f"{step}.{point}", _goes_on(step, point), "document" if step in ONCE else "")
        for step, points in (ONCE | AGAIN).items()
        for point in points
    ),
    Harm(
        "cpu stopped with rows locked",
        "stopped",
        stop_inside_transaction("cpu", "understand.before_commit"),
        PAGES,
        often=0.3,
    ),
    Harm("cpu stopped for 36 s", "stopped", freeze_for_real("cpu", 36), PAGES, often=0.2),
)
