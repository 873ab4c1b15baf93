"""The sandbox against children that mean harm. The tasks at the top run inside confined children."""

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
import signal
import socket
import struct
import subprocess
import sys
import textwrap
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core.sandbox import Emit, Hold, Limits, Sandbox, SandboxUnavailable, capabilities
from catalogsku.core.sandbox.client import LOST
from catalogsku.core.sandbox.wire import Request as Asked
from tests.support.promises import within

HERE = "tests.integration.test_sandbox"
SMALL = Limits(memory_bytes=1 << 30, cpu_s=20, wall_s=60, page_s=30, file_bytes=1 << 20, out_bytes=4 << 20)
OCR: Any = None  # the fork server's, once warm_ocr has run there
needs_kernel = pytest.mark.skipif(not capabilities().complete, reason="this kernel lacks Landlock or seccomp")
Request = dict[str, Any]


def echo(request: Request, emit: Emit) -> None:
    for number in emit.numbers:
        emit(number, request["word"] + str(number).encode())


def try_call(request: Request, emit: Emit) -> None:
    """Emits what the named harm answers: "done", or the name of the error."""
    try:
        HARMS[request["harm"]](request)
        answer = "done"
    except (OSError, ValueError) as error:
        answer = type(error).__name__
    emit(1, answer.encode())


def third_page_exits(request: Request, emit: Emit) -> None:
    for number in emit.numbers:
        if number == 3:
            os._exit(request["code"])
        emit(number, b"page")


def third_page_ends_by(request: Request, emit: Emit) -> None:
    for number in emit.numbers:
        if number == 3:
            ENDS[request["end"]]()
        emit(number, b"page")


def fill_the_disk(request: Request, emit: Emit) -> None:
    """As a library that gives an error of its own where it finds no room."""
    emit(1, b"page")
    try:
        emit(2, bytes(1 << 20))
    except OSError as error:
        raise ValueError("cannot write the picture") from error


def forget_a_page(request: Request, emit: Emit) -> None:
    emit(1, b"page")


def slow_pages(request: Request, emit: Emit) -> None:
    for number in emit.numbers:
        time.sleep(request["s"])
        emit(number, b"page")


def ignore_signals(request: Request, emit: Emit) -> None:
    Path(emit.out, "pid").write_text(f"{os.getpid()} {os.getppid()}")
    _ignore_signals()


def sleep_on(request: Request, emit: Emit) -> None:
    (emit.out / "pid").write_text(f"{os.getpid()} {os.getppid()}")
    time.sleep(60)


def cheat_with_files(request: Request, emit: Emit) -> None:
    emit(1, b"page")
    emit(99, b"a page that nobody asked for")
    with (emit.out / "results.1").open("ab") as file:
        file.write(struct.pack(">IQ", 2, 100) + b"half a page")


def tell_facts(request: Request, emit: Emit) -> None:
    facts = {
        "environment": sorted(os.environ),
        "cwd": os.getcwd(),
        "open": sorted(int(fd) for fd in os.listdir("/proc/self/fd")),
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "path": [path for path in sys.path if "main" in path],
    }
    emit(1, repr(facts).encode())


def _connect(request: Request) -> None:
    with socket.socket() as plug:
        plug.connect(("127.0.0.1", request["port"]))


def _call(name: str, request: Request) -> None:
    """The system call itself, whatever the C library would do before it. Raises OSError."""
    number, *arguments = CALLS[name]
    libc = ctypes.CDLL(None, use_errno=True)
    for at, argument in enumerate(arguments):
        if argument == "parent":
            arguments[at] = request["parent"]
    if libc.syscall(number, *arguments) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _run_from_memory(request: Request) -> None:
    place = os.memfd_create("program")
    os.write(place, Path(sys.executable).resolve().read_bytes()[:1000])
    os.execve(place, ["x"], {})


# By their numbers on x86-64, where the tests run; the table of the other machine is read beside it.
CALLS: dict[str, list[Any]] = {
    "memfd_create": [319, b"x", 0],
    "memfd_secret": [447, 0],
    "io_uring_setup": [425, 1, 0],
    "userfaultfd": [323, 0],
    "bpf": [321, 0, 0, 0],
    "perf_event_open": [298, 0, 0, -1, -1, 0],
    "keyctl": [250, 0, 0],
    "add_key": [248, 0, 0, 0, 0, 0],
    "ptrace": [101, 16, "parent", 0, 0],
    "process_vm_readv": [310, "parent", 0, 0, 0, 0, 0],
    "process_madvise": [440, -1, 0, 0, 0, 0],
    "pidfd_open": [434, "parent", 0],
    "kcmp": [312, "parent", "parent", 0, 0, 0],
    "clone of a process": [56, 17, 0, 0, 0, 0],
    "clone of a user namespace": [56, 0x10000000 | 17, 0, 0, 0, 0],
    "vfork": [58],
    "unshare of users": [272, 0x10000000],
    "unshare of mounts": [272, 0x00020000],
    "setns": [308, 0, 0],
    "mount": [165, b"none", b"/tmp", b"tmpfs", 0, 0],
    "umount": [166, b"/", 2],
    "pivot_root": [155, b".", b"."],
    "chroot": [161, b"."],
    "fsopen": [430, b"tmpfs", 0],
    "open_tree": [428, -100, b"/", 0],
    "listmount": [458, 0, 0, 0, 0],
    "inotify_init": [294, 0],
    "fanotify_init": [300, 0, 0],
    "rt_sigqueueinfo": [129, "parent", 0, 0],
    "rt_tgsigqueueinfo": [297, "parent", "parent", 0, 0],
    "tkill": [200, "parent", 0],
    "clearing the death signal": [157, 1, 0, 0, 0, 0],
    "undumpable": [157, 4, 0, 0, 0, 0],
    "personality": [135, 0x0040000],
    "modify_ldt": [154, 0, 0, 0],
    "ioprio_set": [251, 1, "parent", 0],
    "move_pages": [279, "parent", 0, 0, 0, 0, 0],
    "syslog": [103, 10, 0, 0],
    "sync": [162],
    "splice": [275, 0, 0, 1, 0, 1, 0],
    "setxattrat": [463, -100, b"x", 0, 0, 0, 0],
}


def _open_a_hundred_files(request: Request) -> None:
    with contextlib.ExitStack() as kept:
        for _ in range(100):
            kept.enter_context(open("/dev/null"))


def _raise_limit(request: Request) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _fork(request: Request) -> None:
    if os.fork() == 0:
        os._exit(0)


def _fork_without_end() -> None:
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)


def _spin() -> None:
    while True:
        pass


def _spin_in_c() -> None:
    ctypes.PyDLL(None).usleep(60_000_000)  # holds the interpreter lock, so no Python code runs


def _eat_memory() -> None:
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def _read_a_bad_pointer() -> None:
    ctypes.string_at(8)


def _write_a_huge_file() -> None:
    with open("huge", "wb") as file:
        while True:
            file.write(bytes(1 << 16))


def _write_behind_names() -> None:
    """Files that no folder shows: deleted, or never named."""
    kept = []
    for number in range(40):
        if number % 2:
            place = os.open(".", os.O_TMPFILE | os.O_RDWR)
        else:
            place = os.open("gone", os.O_CREAT | os.O_RDWR)
            os.unlink("gone")
        os.write(place, bytes(1 << 19))
        kept.append(place)
    time.sleep(20)


def _make_empty_files() -> None:
    for number in range(100_000):
        Path(f"{number}.bin").touch()


def _ignore_signals() -> None:
    """No page alarm, no gentle end: what is left is the wall limit."""
    libc = ctypes.CDLL(None)
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU, signal.SIGINT):
        libc.signal(int(number), 1)
    signal.setitimer(signal.ITIMER_REAL, 0)
    _spin()


def _write_many_files() -> None:
    for number in range(10_000):
        Path(f"{number}.bin").write_bytes(bytes(1 << 19))
        time.sleep(0.005)


def _talk_without_end() -> None:
    while True:
        print("x" * 1000)


HARMS = {
    "socket": lambda request: socket.socket().close(),
    "unix socket": lambda request: socket.socketpair(),
    "connect": _connect,
    "exec": lambda request: os.execv("/bin/true", ["true"]),
    "spawn": lambda request: subprocess.run(["/bin/true"], check=True),
    "fork": _fork,
    "read passwd": lambda request: open("/etc/passwd").close(),
    "read the project's root": lambda request: os.listdir(request["root"]),
    "read another's environment": lambda request: open(f"/proc/{request['parent']}/environ").close(),
    "read the input": lambda request: open(request["input"]).close(),
    "write the input": lambda request: open(request["input"], "a").close(),
    "write outside": lambda request: open(request["outside"], "w").close(),
    "link outside": lambda request: os.link(request["input"], "linked"),
    "open the input to all": lambda request: os.chmod(request["input"], 0o777),
    "date the input back": lambda request: os.utime(request["input"], (0, 0)),
    "make a folder": lambda request: os.mkdir("folder"),
    "make a link": lambda request: os.symlink("/etc/passwd", "results.2"),
    "signal the parent": lambda request: os.kill(request["parent"], 0),
    "signal the fork server": lambda request: os.kill(os.getppid(), 0),
    "raise a limit": _raise_limit,
}
HARMS |= {name: partial(_call, name) for name in CALLS}
HARMS |= {
    "read the parent's memory": lambda request: open(f"/proc/{request['parent']}/mem", "rb").close(),
    "list the parent's files": lambda request: os.listdir(f"/proc/{request['parent']}/fd"),
    "write its own memory": lambda request: open("/proc/self/mem", "r+b").close(),
    "be spared by the kernel": lambda request: open("/proc/self/oom_score_adj", "w").close(),
    "list processes": lambda request: os.listdir("/proc"),
    "read another merchant's file": lambda request: open(request["other"]).close(),
    "list another merchant's files": lambda request: os.listdir(os.path.dirname(request["other"])),
    "connect to the database": lambda request: socket.socket(socket.AF_UNIX).connect(request["database"]),
    "abstract socket": lambda request: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind("\0x"),
    "netlink": lambda request: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "move a result outside": lambda request: (Path("mine").touch(), os.rename("mine", "../outside")),
    "make a pipe with a name": lambda request: os.mkfifo("results.2"),
    "empty the input by its name": lambda request: os.truncate(request["input"], 0),
    "mark the input": lambda request: os.setxattr(request["input"], "user.a", b"1"),
    "signal everybody": lambda request: os.kill(-1, 0),
    "signal its group": lambda request: os.kill(0, 0),
    "signal by reading": lambda request: fcntl.fcntl(1, fcntl.F_SETOWN, request["parent"]),
    "choose such a signal": lambda request: fcntl.fcntl(1, 10, signal.SIGKILL),
    "lease the input": lambda request: fcntl.fcntl(os.open(request["input"], os.O_RDONLY), 1024, fcntl.F_RDLCK),
    "type into a terminal": lambda request: fcntl.ioctl(0, 0x5412, b"x"),
    "slow the parent down": lambda request: os.sched_setaffinity(request["parent"], {0}),
    "lower the parent": lambda request: os.setpriority(os.PRIO_PROCESS, request["parent"], 19),
    "raise itself": lambda request: os.nice(-5),
    "become another user": lambda request: os.setuid(65534),
    "leave the session": lambda request: os.setsid(),
    "run a program from memory": _run_from_memory,
    "open a hundred files": _open_a_hundred_files,
}
# EXDEV; how Python says EPERM here; EMFILE
REFUSALS = {"link outside": b"OSError", "raise a limit": b"ValueError", "open a hundred files": b"OSError"}
ENDS = {
    "spin": _spin,
    "spin in C": _spin_in_c,
    "eat memory": _eat_memory,
    "bad pointer": _read_a_bad_pointer,
    "abort": os.abort,
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "huge file": _write_a_huge_file,
    "many files": _write_many_files,
    "files without names": _write_behind_names,
    "empty files": _make_empty_files,
    "deaf": _ignore_signals,
    "talk": _talk_without_end,
    "fork bomb": _fork_without_end,
    "exception": lambda: {}["missing"],
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox([HERE]) as box:
        yield box


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _wait_until(happened, seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if happened():
            return True
        time.sleep(0.02)
    return False


def test_hands_back_every_page(sandbox, tmp_path):
    outcome = sandbox.run(f"{HERE}:echo", {"word": b"p"}, [4, 5, 6], tmp_path / "out", limits=SMALL)
    assert outcome.ok and outcome.culprit is None
    assert outcome.finished == {4: b"p4", 5: b"p5", 6: b"p6"}


@needs_kernel
@pytest.mark.req("TA-G4")
@pytest.mark.parametrize("harm", [harm for harm in HARMS if harm != "read the input"])
def test_the_kernel_refuses(sandbox, tmp_path, harm):
    if harm in CALLS and platform.machine() != "x86_64":
        pytest.skip("the numbers are those of x86-64")
    given, other = tmp_path / "m1/given.pdf", tmp_path / "m2/other.pdf"
    for file in (given, other):
        file.parent.mkdir()
        file.write_bytes(b"%PDF")
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as database:
        database.bind(str(tmp_path / "database"))
        database.listen()
        request = {
            "harm": harm,
            "input": str(given),
            "other": str(other),
            "database": str(tmp_path / "database"),
            "outside": str(tmp_path / "outside"),
            "parent": os.getpid(),
            "root": str(Path(__file__).parents[2]),
            "port": listener.getsockname()[1],
        }
        outcome = sandbox.run(f"{HERE}:try_call", request, [1], tmp_path / "out", [given], SMALL)
    assert outcome.ok, outcome
    assert outcome.finished[1] == REFUSALS.get(harm, b"PermissionError")
    assert not (tmp_path / "outside").exists()
    assert given.read_bytes() == b"%PDF"


@needs_kernel
def test_reads_the_named_input_only(sandbox, tmp_path):
    given, other = tmp_path / "given.pdf", tmp_path / "other.pdf"
    for file in (given, other):
        file.write_bytes(b"%PDF")
    answers = []
    for file in (given, other):
        request = {"harm": "read the input", "input": str(file)}
        outcome = sandbox.run(f"{HERE}:try_call", request, [1], tmp_path / "out", [given], SMALL)
        answers.append(outcome.finished[1])
    assert answers == [b"done", b"PermissionError"]


@pytest.mark.req("TA-G4")
@pytest.mark.parametrize(
    ("end", "reason", "limits"),
    [
        ("spin", "time_limit", Limits(page_s=0.4)),
        ("spin in C", "time_limit", Limits(page_s=0.4)),
        ("spin", "cpu_limit", Limits(cpu_s=1, wall_s=60, page_s=60)),
        ("eat memory", "memory_limit", Limits(memory_bytes=600 << 20)),
        ("bad pointer", "crashed:SIGSEGV", SMALL),
        ("abort", "crashed:SIGABRT", SMALL),
        ("stop", "wall_limit", Limits(wall_s=1)),
        ("huge file", "output_limit", SMALL),
        ("many files", "output_limit", SMALL),
        ("files without names", "output_limit", SMALL),
        ("empty files", "output_limit", Limits(out_files=500)),
        ("deaf", "wall_limit", Limits(page_s=0.3, wall_s=1.5)),
        ("deaf", "crashed:SIGKILL", Limits(page_s=0.3, cpu_s=1, wall_s=30)),
        ("talk", "time_limit", Limits(page_s=0.4)),
        ("fork bomb", "time_limit", Limits(page_s=0.4)),
        ("exception", "raised", SMALL),
    ],
)
def test_only_the_page_that_does_harm_is_lost(sandbox, tmp_path, end, reason, limits):
    started = time.monotonic()
    outcome = sandbox.run(f"{HERE}:third_page_ends_by", {"end": end}, list(range(1, 9)), tmp_path / "out", (), limits)
    assert (outcome.reason, outcome.culprit, sorted(outcome.finished)) == (reason, 3, [1, 2])
    assert time.monotonic() - started < 25  # far below every limit that is not meant to bite, also on a busy machine
    assert len(outcome.detail) <= 4096
    assert all(path.lstat().st_size <= limits.file_bytes for path in (tmp_path / "out").iterdir())
    assert sandbox.run(f"{HERE}:echo", {"word": b""}, [1], tmp_path / "next", limits=SMALL).ok


def test_a_quiet_exit_in_the_third_page_is_noticed(sandbox, tmp_path):
    for code, reason in ((0, "incomplete"), (9, "exited:9")):
        outcome = sandbox.run(f"{HERE}:third_page_exits", {"code": code}, list(range(1, 9)), tmp_path / "out")
        assert (outcome.reason, outcome.culprit, sorted(outcome.finished)) == (reason, 3, [1, 2])


def test_a_page_that_was_never_handed_out_is_the_culprit(sandbox, tmp_path):
    outcome = sandbox.run(f"{HERE}:forget_a_page", {}, [1, 2], tmp_path / "out")
    assert (outcome.reason, outcome.culprit) == ("incomplete", 2)


def test_an_error_says_what_it_was(sandbox, tmp_path):
    outcome = sandbox.run(f"{HERE}:third_page_ends_by", {"end": "exception"}, [3], tmp_path / "out")
    assert outcome.detail.endswith("KeyError: 'missing'")


def test_each_page_has_its_own_time(sandbox, tmp_path):
    limits = Limits(page_s=1.0)
    assert sandbox.run(f"{HERE}:slow_pages", {"s": 0.4}, [1, 2, 3, 4], tmp_path / "out", (), limits).ok


def test_results_of_an_earlier_run_do_not_count(sandbox, tmp_path):
    sandbox.run(f"{HERE}:echo", {"word": b"old"}, [1, 2, 3], tmp_path / "out")
    outcome = sandbox.run(f"{HERE}:forget_a_page", {}, [1, 2, 3], tmp_path / "out")
    assert sorted(outcome.finished) == [1]


def test_takes_only_pages_that_were_asked_for(sandbox, tmp_path):
    outcome = sandbox.run(f"{HERE}:cheat_with_files", {}, [1, 2], tmp_path / "out")
    assert sorted(outcome.finished) == [1] and outcome.culprit == 2


def test_the_child_inherits_nothing(sandbox, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "x")
    with Sandbox([HERE]) as box:
        outcome = box.run(f"{HERE}:tell_facts", {}, [1], tmp_path / "out")
    facts = eval(outcome.finished[1])
    assert "SECRET_KEY" not in facts["environment"] and "HOME" not in facts["environment"]
    assert facts["cwd"] == str(tmp_path / "out")
    assert facts["open"] == [0, 1, 2, 3, 4]  # 3 takes the results, 4 is the listing itself
    assert facts["core"] == (0, 0)


def test_the_fork_server_has_one_thread_with_every_reader_loaded():
    readers = ["numpy", "cv2", "pymupdf", "pikepdf", "pypdfium2", "pdfplumber", "onnxruntime", "rapidocr"]
    with Sandbox(readers) as box:
        assert box.start().threads == 1


def warm_ocr() -> None:
    import numpy
    from rapidocr import RapidOCR

    one_thread = {"Global.use_cls": False, "EngineConfig.onnxruntime.intra_op_num_threads": 1}
    globals()["OCR"] = RapidOCR(params={**one_thread, "Global.log_level": "error"})
    OCR(numpy.full((64, 256, 3), 255, numpy.uint8))


def remember(word: str = "nothing") -> None:
    globals()["REMEMBERED"] = word


def tell_what_is_remembered(request: Request, emit: Emit) -> None:
    emit(1, REMEMBERED.encode())  # type: ignore[name-defined]  # noqa: F821 -- in the fork server


@pytest.mark.parametrize(("warm_with", "word"), [('{"a": 1}', b'{"a": 1}'), ("", b"nothing")])
def test_a_fork_server_is_warmed_with_what_it_is_told(tmp_path, warm_with, word):
    with Sandbox([HERE], warm=f"{HERE}:remember", warm_with=warm_with) as box:
        assert box.run(f"{HERE}:tell_what_is_remembered", {}, [1], tmp_path / "out").finished[1] == word


def read_by_ocr(request: Request, emit: Emit) -> None:
    import cv2
    import numpy

    picture = numpy.full((120, 640, 3), 255, numpy.uint8)
    cv2.putText(picture, "LCS 4711", (20, 80), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (0, 0, 0), 4)
    emit(1, " ".join(OCR(picture).txts).encode())


@pytest.mark.req("TA-G4")
def test_a_warm_ocr_engine_leaves_one_thread_and_works_in_a_child(tmp_path):
    limits = Limits(memory_bytes=3 << 30)
    with Sandbox([HERE], warm=f"{HERE}:warm_ocr") as box:
        assert box.start().threads == 1
        outcome = box.run(f"{HERE}:read_by_ocr", {}, [1], tmp_path, (), limits)
        assert outcome.ok, outcome
        assert b"4711" in outcome.finished[1]


def test_a_killed_fork_server_is_replaced(tmp_path):
    with Sandbox([HERE]) as box:
        first = box.start().pid
        os.kill(first, signal.SIGKILL)
        assert _wait_until(lambda: not _alive(first))
        assert box.run(f"{HERE}:echo", {"word": b""}, [1], tmp_path / "out").ok
        assert box.start().pid != first


def test_a_fork_server_killed_at_work_blames_no_page_and_leaves_no_child(tmp_path):
    with Sandbox([HERE]) as box:
        server = box.start().pid
        pids: list[int] = []
        said = tmp_path / "out" / "pid"

        def kill() -> None:
            assert _wait_until(lambda: said.exists() and said.read_text(), 20)
            pids.append(int(said.read_text().split()[0]))
            os.kill(server, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        outcome = box.run(f"{HERE}:sleep_on", {}, [1], tmp_path / "out")
        killer.join()
        assert (outcome.reason, outcome.culprit) == (LOST, None)
        assert _wait_until(lambda: not _alive(pids[0]))
        assert box.run(f"{HERE}:echo", {"word": b""}, [1], tmp_path / "out").ok


def test_nothing_survives_a_killed_parent(tmp_path):
    script = textwrap.dedent(f"""
        from pathlib import Path
        from catalogsku.core.sandbox import Sandbox
        Sandbox(["{HERE}"]).run("{HERE}:sleep_on", {{}}, [1], Path({str(tmp_path)!r}))
    """)
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[2])
    try:
        assert _wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text(), 20)
        child, server = map(int, (tmp_path / "pid").read_text().split())
        assert _alive(child) and _alive(server)
    finally:
        parent.kill()
        parent.wait()
    assert _wait_until(lambda: not _alive(child) and not _alive(server))


def test_threads_work_side_by_side_and_leave_their_servers_to_those_who_come_after(tmp_path):
    pids: list[int] = []
    with Sandbox([HERE]) as box:

        def work(name: str) -> None:
            outcome = box.run(f"{HERE}:wait_for_another", {"all": 2}, [1], tmp_path / name, [tmp_path])
            assert outcome.ok, outcome
            pids.append(int(outcome.finished[1]))

        threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(pids)) == 2
        time.sleep(0.2)  # the kernel ends a child with the thread that started it
        assert {box.start().pid, *pids} == set(pids) and all(map(_alive, pids))
    assert _wait_until(lambda: not any(map(_alive, pids)))


def wait_for_another(request: Request, emit: Emit) -> None:
    (emit.out / "here").touch()
    deadline = time.monotonic() + 20
    while len(list(emit.out.parent.glob("*/here"))) < request["all"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(list(emit.out.parent.glob("*/here"))) == request["all"]
    emit(1, str(os.getppid()).encode())


def test_one_after_the_other_needs_one_fork_server(tmp_path):
    pids = []
    with Sandbox([HERE]) as box:

        def work() -> None:
            outcome = box.run(f"{HERE}:wait_for_another", {"all": 1}, [1], tmp_path / "a", [tmp_path])
            pids.append(int(outcome.finished[1]))

        first = box.start().pid
        for _ in range(2):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
    assert pids == [first, first]


def test_close_ends_the_work_of_other_threads(tmp_path):
    outcomes = []
    box = Sandbox([HERE])
    worker = threading.Thread(target=lambda: outcomes.append(box.run(f"{HERE}:sleep_on", {}, [1], tmp_path)))
    worker.start()
    assert _wait_until((tmp_path / "pid").exists, 20)
    box.close()
    worker.join(5)
    assert [outcome.reason for outcome in outcomes] == [LOST]


@pytest.mark.parametrize("task", ["sleep_on", "ignore_signals"])
def test_a_held_child_is_stopped_at_once_whatever_it_does_and_its_server_serves_on(tmp_path, task):
    outcomes, hold = [], Hold()
    with Sandbox([HERE]) as box:
        server = box.start().pid
        worker = threading.Thread(
            target=lambda: outcomes.append(box.run(f"{HERE}:{task}", {}, [1], tmp_path, (), SMALL, hold))
        )
        worker.start()
        assert _wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text(), 20)
        began_s = time.monotonic()
        hold.stop()
        worker.join(15)
        assert time.monotonic() - began_s < within(1)
        assert [(outcome.reason, outcome.culprit) for outcome in outcomes] == [("stopped", None)]
        assert not _alive(int((tmp_path / "pid").read_text().split()[0]))
        hold.stop()  # it has ended: nobody else is hit
        assert box.run(f"{HERE}:echo", {"word": b""}, [1], tmp_path).ok
        assert box.start().pid == server


def test_a_child_stopped_before_it_began_never_begins(tmp_path):
    hold = Hold()
    hold.stop()
    with Sandbox([HERE]) as box:
        assert box.run(f"{HERE}:sleep_on", {}, [1], tmp_path, (), SMALL, hold).reason == "stopped"
        server = box._started()
        server.stop(7)  # overtakes its request
        reply = server.ask(Asked(7, f"{HERE}:sleep_on", {}, [1], str(tmp_path), [], SMALL))
        assert reply.reason == "stopped"
    assert not (tmp_path / "pid").exists()


def test_a_child_whose_turn_is_over_ends_its_page_and_hands_back_the_others(tmp_path):
    with Sandbox([HERE]) as box:
        limits = Limits(turn_s=0.3)
        outcome = box.run(f"{HERE}:slow_pages", {"s": 0.2}, [1, 2, 3, 4], tmp_path, (), limits)
        assert (outcome.reason, outcome.culprit, sorted(outcome.finished)) == ("turn_over", None, [1, 2])
        last = box.run(f"{HERE}:slow_pages", {"s": 0.4}, [3], tmp_path, (), limits)
        assert last.ok, "the last page of a chunk has nothing to hand back"


def test_a_preload_that_fails_is_a_sentence():
    with pytest.raises(SandboxUnavailable, match="No module named 'no_such_module'"):
        Sandbox(["no_such_module"]).start()


def test_a_fork_server_that_dies_at_start_is_a_sentence():
    with pytest.raises(SandboxUnavailable, match="exit 7"):
        Sandbox(warm=f"{HERE}:die_while_warming").start()


def die_while_warming() -> None:
    os._exit(7)


def test_refuses_where_the_kernel_cannot_confine_and_that_is_required():
    with pytest.raises(SandboxUnavailable, match="landlock False"):
        Sandbox([HERE], warm=f"{HERE}:take_landlock_away", require=True).start()


@needs_kernel
@pytest.mark.parametrize("harm", ["signal the parent", "signal the fork server", "connect"])
def test_seccomp_holds_without_landlock_too(tmp_path, harm):
    with Sandbox([HERE], warm=f"{HERE}:take_landlock_away") as box:
        outcome = box.run(f"{HERE}:try_call", {"harm": harm, "parent": os.getpid(), "port": 9}, [1], tmp_path)
    assert outcome.finished[1] == b"PermissionError"


def take_landlock_away() -> None:
    from catalogsku.core.sandbox import landlock

    landlock.version = lambda: 0


@pytest.mark.parametrize("harm", ["spin", "fork bomb"])
def test_resource_limits_alone_still_end_the_child(tmp_path, harm):
    """What is left where the kernel has neither Landlock nor seccomp: also a fork bomb leaves nothing behind."""
    with Sandbox([HERE], warm=f"{HERE}:take_all_away") as box:
        ready = box.start()
        assert (ready.landlock, ready.seccomp) == (False, False)
        task = f"{HERE}:leave_the_group" if harm == "fork bomb" else f"{HERE}:third_page_ends_by"
        outcome = box.run(task, {"end": "spin"}, [3], tmp_path, (), Limits(page_s=0.4))
        assert outcome.reason == "time_limit"
        strays = [int(pid) for pid in (tmp_path / "strays").read_text().split()] if harm == "fork bomb" else []
        assert not any(_alive(pid) for pid in strays) and (harm == "spin" or strays)


def take_all_away() -> None:
    from catalogsku.core.sandbox import landlock, seccomp

    landlock.version = lambda: 0
    seccomp.is_available = lambda: False


def leave_the_group(request: Request, emit: Emit) -> None:
    pids = []
    for _ in range(5):
        pid = os.fork()
        if pid == 0:
            os.setsid()
            time.sleep(60)
        pids.append(pid)
    (emit.out / "strays").write_text(" ".join(map(str, pids)))
    _spin()


def test_confinement_costs_little(sandbox, tmp_path):
    """A fork with everything takes a few milliseconds that 8 pages share; the budget allows for a busy machine."""
    started = time.monotonic()
    for _ in range(20):
        assert sandbox.run(f"{HERE}:echo", {"word": b""}, [1], tmp_path / "out").ok
    assert (time.monotonic() - started) / 20 < within(0.05)


@pytest.mark.req("TA-G4")
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_is_not_the_documents_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("this container may not mount")
    try:
        outcome = sandbox.run(f"{HERE}:fill_the_disk", {}, [1, 2, 3], disk / "out")
        assert (outcome.reason, outcome.culprit, list(outcome.finished)) == ("disk_full", None, [1])
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
