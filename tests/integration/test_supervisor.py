"""The supervisor with real processes: restart, drain, kill, and nothing left behind."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from catalogsku.core.supervisor import Supervisor, Unit, listen
from tests.support.promises import within

PROJECT = Path(__file__).resolve().parents[2]
SLEEPER = "import os, sys, time; print('up', os.getpid(), flush=True); time.sleep(300)"
FORKER = "import os, sys, time; child = os.fork(); print('up', os.getpid(), flush=True); time.sleep(300)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(300)"
)
STAND = textwrap.dedent(
    """
    import json, sys
    from pathlib import Path
    from catalogsku.core import embedded
    from catalogsku.core.supervisor import Supervisor, Unit
    told = json.loads(sys.argv[1])
    var = Path(told["var"])
    services = embedded.start(var, durable=False)
    units = [Unit(**unit) for unit in told["units"]]
    supervisor = Supervisor(units, services=services, logs=var / "log", folder=Path(told["folder"]),
                            say=lambda line: print(line, flush=True))
    print(services.postgresql.pid, services.redis.pid, flush=True)
    supervisor.run()
    print("ended", flush=True)
    """
)


def unit(name: str, code: str, **options: object) -> Unit:
    return Unit(name, ("-c", code), **options)  # type: ignore[arg-type]


def wait_for(condition: Callable[[], object], within_s: float = 15) -> object:
    until = time.monotonic() + within_s
    while not (found := condition()):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def group(pid: int) -> list[int]:
    """Every living process of that group."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == pid and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def fork_server() -> int:
    """Of this process."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"catalogsku.core.fork_server" in (folder / "cmdline").read_bytes():
                return int(folder.name)
        except OSError:
            continue
    raise AssertionError("there is none")


@pytest.fixture
def supervise(tmp_path: Path) -> Iterator[Callable[..., Supervisor]]:
    started: list[Supervisor] = []

    def build(*units: Unit, **options: object) -> Supervisor:
        options = {"services": None, "say": lambda line: None} | options
        supervisor = Supervisor(units, logs=tmp_path, folder=PROJECT, **options)  # type: ignore[arg-type]
        started.append(supervisor)
        supervisor.start()
        return supervisor

    yield build
    for supervisor in started:
        for pid in supervisor.pids().values():
            if is_running(pid):
                os.killpg(pid, signal.SIGKILL)
        supervisor.stop()


def tick_until(supervisor: Supervisor, condition: Callable[[], object]) -> None:
    def ticked() -> object:
        supervisor.tick()
        return condition()

    wait_for(ticked)


@pytest.mark.chaos
@pytest.mark.req("TA-D3")
def test_restarts_a_killed_unit_and_tells_of_its_death_at_once(
    supervise: Callable[..., Supervisor], tmp_path: Path
) -> None:
    deaths: list[tuple[str, int]] = []
    supervisor = supervise(unit("cpu", FORKER), on_unit_death=lambda name, pid: deaths.append((name, pid)))
    first = supervisor.pids()["cpu"]
    wait_for(lambda: len(group(first)) == 2)

    os.kill(first, signal.SIGKILL)
    killed_s = time.monotonic()
    tick_until(supervisor, lambda: deaths)
    told_after_s = time.monotonic() - killed_s
    tick_until(supervisor, lambda: supervisor.pids().get("cpu", first) != first)

    assert deaths == [("cpu", first)]
    assert told_after_s < within(0.5)
    assert group(first) == []  # what it had forked went with it


def test_pauses_longer_after_each_early_death(supervise: Callable[..., Supervisor]) -> None:
    said: list[tuple[float, str]] = []
    supervisor = supervise(unit("out", "raise SystemExit(3)"), say=lambda line: said.append((time.monotonic(), line)))

    tick_until(supervisor, lambda: len(said) >= 4)

    assert [f"again in {pause} s" in line for (_, line), pause in zip(said, (0.2, 0.4, 0.8, 1.6), strict=False)] == [
        True
    ] * 4
    assert all("code 3" in line for _, line in said[:4])
    assert said[3][0] - said[2][0] >= 0.8


def test_what_units_have_in_common_is_loaded_once(supervise: Callable[..., Supervisor], tmp_path: Path) -> None:
    told = "import json.tool, os, sys, time; print(os.getppid(), id(json.tool), *sys.argv, flush=True); time.sleep(300)"
    supervise(Unit("llm", ("-c", told, "a")), Unit("out", ("-c", told, "b")), preload="json.tool")
    logs = [tmp_path / f"{name}.log" for name in ("llm", "out")]
    wait_for(lambda: all(log.exists() and log.read_text() for log in logs))

    (parent, loaded, *arguments), (same_parent, same_loaded, *others) = (log.read_text().split() for log in logs)

    assert int(parent) == int(same_parent) == os.getpid()
    assert loaded == same_loaded  # one object, copied by the fork: each for itself would have put it somewhere else
    assert (arguments, others) == (["-c", "a"], ["-c", "b"])


def test_a_fork_server_that_dies_takes_no_unit_along(supervise: Callable[..., Supervisor]) -> None:
    supervisor = supervise(unit("llm", SLEEPER), unit("out", SLEEPER))
    before = supervisor.pids()
    os.kill(fork_server(), signal.SIGKILL)
    os.kill(before["out"], signal.SIGKILL)

    tick_until(supervisor, lambda: supervisor.pids().get("out", before["out"]) != before["out"])

    assert supervisor.pids()["llm"] == before["llm"]
    assert is_running(before["llm"])


def test_units_that_cannot_be_loaded_are_told_of_and_tried_again(
    supervise: Callable[..., Supervisor], tmp_path: Path
) -> None:
    said: list[str] = []
    supervisor = supervise(unit("out", SLEEPER), preload="no_such_module", say=said.append)

    tick_until(supervisor, lambda: len(said) >= 2)

    assert all("could not be loaded" in line and "units.log" in line for line in said)
    assert "0.2 s" in said[0]
    assert "0.4 s" in said[1]
    assert "no_such_module" in (tmp_path / "units.log").read_text()
    assert supervisor.pids() == {}


def test_stops_units_before_the_web_and_lets_them_finish(supervise: Callable[..., Supervisor], tmp_path: Path) -> None:
    slow = (
        "import pathlib, signal, time\n"
        "def end(*_): time.sleep(0.5); open(r'{}', 'a').write('{}\\n'); raise SystemExit\n"
        "signal.signal(signal.SIGTERM, end); print('up', flush=True); time.sleep(300)"
    )
    order = tmp_path / "order"
    supervisor = supervise(unit("web", slow.format(order, "web"), stop_stage=1), unit("llm", slow.format(order, "llm")))
    wait_for(lambda: all((tmp_path / f"{name}.log").read_text().startswith("up") for name in ("web", "llm")))

    supervisor.stop()

    assert order.read_text().split() == ["llm", "web"]


def test_a_unit_that_may_wait_stands_back(supervise: Callable[..., Supervisor]) -> None:
    """What it starts itself stands back too."""
    supervisor = supervise(unit("cpu", FORKER, nice=7), unit("web", SLEEPER))
    pids = supervisor.pids()
    assert os.getpriority(os.PRIO_PROCESS, pids["web"]) == os.getpriority(os.PRIO_PROCESS, 0)
    children = Path(f"/proc/{pids['cpu']}/task/{pids['cpu']}/children")
    child = int(str(wait_for(children.read_text)).split()[0])
    assert os.getpriority(os.PRIO_PROCESS, child) == 7


def test_kills_a_unit_that_does_not_drain_in_time(supervise: Callable[..., Supervisor], tmp_path: Path) -> None:
    supervisor = supervise(unit("cpu", STUBBORN, drain_s=0.5))
    pid = supervisor.pids()["cpu"]
    wait_for(lambda: (tmp_path / "cpu.log").read_text())

    supervisor.stop()

    assert not is_running(pid)


def test_keeps_a_log_within_its_size_without_losing_the_writer(
    supervise: Callable[..., Supervisor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catalogsku.core.supervisor._LOG_KEPT_BYTES", 10_000)
    monkeypatch.setattr("catalogsku.core.supervisor._LOG_LOOKED_AT_EVERY_S", 0.1)
    chatty = "import time\nfor n in range(100000): print('line', n, 'x' * 90, flush=True); time.sleep(0.002)"
    supervisor = supervise(unit("quick", chatty))
    log, kept = tmp_path / "quick.log", tmp_path / "quick.log.1"

    tick_until(supervisor, kept.exists)
    size = log.stat().st_size
    assert size < kept.stat().st_size
    tick_until(supervisor, lambda: log.stat().st_size > size)

    assert log.read_text().startswith("line")  # at its new beginning, not behind a hole of zero bytes


def test_only_the_unit_that_asks_gets_the_web_socket(supervise: Callable[..., Supervisor], tmp_path: Path) -> None:
    answer = "import socket, sys; s = socket.socket(fileno=int(sys.argv[1])); s.accept()[0].sendall(b'hello')"
    look = (
        "import os, time\nfolder = '/proc/self/fd/'\n"
        "print('up', [os.readlink(folder + n) for n in os.listdir(folder) if os.path.exists(folder + n)], flush=True)\n"
        "time.sleep(300)"
    )
    with listen(38_100) as listener:
        number = listener.fileno()
        web = Unit("web", ("-c", answer, "{fd}"))
        supervise(web, unit("cpu", look), fds=[number])
        with socket.create_connection(listener.getsockname(), timeout=15) as client:
            assert client.recv(5) == b"hello"
        wait_for(lambda: (tmp_path / "cpu.log").read_text())

        assert "/cpu.log" in (held := (tmp_path / "cpu.log").read_text())
        assert "socket:" not in held


def test_takes_the_next_port_where_the_first_is_taken() -> None:
    with listen(38_000) as first, listen(first.getsockname()[1]) as second:
        assert second.getsockname()[1] > first.getsockname()[1]


def test_takes_the_next_port_where_another_program_answers_on_ipv6() -> None:
    try:
        other = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("no IPv6 here")
    with other, listen(other.getsockname()[1]) as listener:
        assert listener.getsockname()[1] != other.getsockname()[1]


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], list[int]]]]:
    """A supervisor in a process of its own, in a group of its own, with its services."""
    started: list[subprocess.Popen[str]] = []

    def begin(*units: dict[str, object]) -> tuple[subprocess.Popen[str], list[int]]:
        import json

        told = json.dumps({"var": str(tmp_path / "var"), "units": units, "folder": str(PROJECT)})
        process = subprocess.Popen(
            [sys.executable, "-c", STAND, told], cwd=PROJECT, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        started.append(process)
        assert process.stdout is not None
        return process, [int(pid) for pid in process.stdout.readline().split()]

    yield begin
    for process in started:
        process.kill()
        process.wait()


def up(log: Path) -> int:
    def found() -> int:
        words = log.read_text().split() if log.exists() else []
        return int(words[1]) if len(words) > 1 else 0

    return int(str(wait_for(found)))


@pytest.mark.chaos
def test_nothing_outlives_a_killed_supervisor(
    stand: Callable[..., tuple[subprocess.Popen[str], list[int]]], tmp_path: Path
) -> None:
    supervisor, service_pids = stand(
        {"name": "web", "arguments": ["-c", SLEEPER]},
        {"name": "cpu", "arguments": ["-c", SLEEPER]},
    )
    web, worker = (up(tmp_path / f"var/log/{name}.log") for name in ("web", "cpu"))

    supervisor.kill()
    supervisor.wait()

    wait_for(lambda: not any(map(is_running, [*service_pids, web, worker])))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything_it_started_and_nothing_else(
    stand: Callable[..., tuple[subprocess.Popen[str], list[int]]], tmp_path: Path, number: int
) -> None:
    bystander = subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.DEVNULL)
    try:
        supervisor, service_pids = stand({"name": "web", "arguments": ["-c", SLEEPER]})
        web = up(tmp_path / "var/log/web.log")

        supervisor.send_signal(number)

        assert supervisor.wait(20) == 0
        assert not any(map(is_running, [*service_pids, web]))
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_second_ctrl_c_does_not_wait(
    stand: Callable[..., tuple[subprocess.Popen[str], list[int]]], tmp_path: Path
) -> None:
    supervisor, service_pids = stand({"name": "llm", "arguments": ["-c", STUBBORN]})
    wait_for(lambda: (tmp_path / "var/log/llm.log").exists() and (tmp_path / "var/log/llm.log").read_text())

    supervisor.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert supervisor.poll() is None
    began_s = time.monotonic()
    supervisor.send_signal(signal.SIGINT)

    assert supervisor.wait(10) == 0
    assert time.monotonic() - began_s < within(2)
    assert not any(map(is_running, service_pids))


@pytest.mark.chaos
def test_services_that_die_are_started_again(
    stand: Callable[..., tuple[subprocess.Popen[str], list[int]]], tmp_path: Path
) -> None:
    import psycopg

    supervisor, (postgres, redis) = stand({"name": "web", "arguments": ["-c", SLEEPER]})
    os.kill(postgres, signal.SIGKILL)
    os.kill(redis, signal.SIGKILL)
    assert supervisor.stdout is not None
    said = [supervisor.stdout.readline() for _ in range(2)]

    assert sorted(line.split()[0] for line in said) == ["postgres", "redis"]
    url = f"postgresql://catalogsku@/catalogsku?host={tmp_path}/var/run/pg"
    with psycopg.connect(url) as database:
        assert database.execute("SELECT 1").fetchone() == (1,)


def test_the_declared_units_serve_every_queue_once() -> None:
    from catalogsku.units import UNITS

    queues = [queue for part in UNITS for module, queue in pairwise(part.arguments) if module == "catalogsku.worker"]
    assert queues == ["cpu", "llm", "out", "quick"]
    assert {part.name for part in UNITS} == {"web", "live", "scheduler", *queues}
    assert [part.name for part in UNITS if part.stop_stage > 0] == ["web", "live"]
    assert [part.name for part in UNITS if part.for_browsers] == ["web", "live"]
