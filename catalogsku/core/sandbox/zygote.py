"""The fork server: imports once, then forks one confined child per request. It never opens a document.

Started by ``catalogsku.core.sandbox.server`` with two pipes; it has one thread, so that a fork copies no held lock.
"""

import contextlib
import ctypes
import gc
import importlib
import os
import select
import signal
import stat
import time
from pathlib import Path

from catalogsku.core.sandbox import child
from catalogsku.core.sandbox.confine import Capabilities, capabilities, code_paths, die_with_parent
from catalogsku.core.sandbox.wire import Gone, Limits, Ready, Reply, Request, Stop, receive_asked, send

PR_SET_CHILD_SUBREAPER = 36
# Of glibc's malloc.h; 32 MB is the most that it accepts for the first.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
LARGEST_KEPT_BYTES, MOST_KEPT_BYTES = 32 * 2**20, 256 * 2**20
OUTPUT_BYTES_KEPT = 4096
LOOK_S = 0.25
_SIGNAL_REASONS = {
    signal.SIGALRM: "time_limit",
    signal.SIGXCPU: "cpu_limit",
    signal.SIGXFSZ: "output_limit",
}
_EXIT_REASONS = {
    0: "finished",
    child.EXIT_MEMORY: "memory_limit",
    child.EXIT_RAISED: "raised",
    child.EXIT_UNCONFINED: "unconfined",
    child.EXIT_DISK_FULL: "disk_full",
    child.EXIT_TURN_OVER: "turn_over",
}


def main(root: str, parent_pid: str, require: str, warm: str, warm_with: str, *preload: str) -> None:
    """``warm`` is ``module:function`` or empty, called with ``warm_with`` unless that is empty; ``require`` "1" refuses
    to serve where the kernel lacks a part."""
    die_with_parent(int(parent_pid))
    gc.disable()  # nothing of what is loaded is garbage
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # what an import prints must not reach the protocol
    error = _prepare(warm, warm_with, preload)
    offered = capabilities()
    if not error and require == "1" and not offered.complete:
        error = f"this kernel cannot confine: landlock {offered.landlock}, seccomp {offered.seccomp}"
    code = code_paths(Path(root))
    gc.collect()
    gc.freeze()
    gc.enable()
    # What loading has freed goes back: 700 MB with OCR models, of which a child would copy what it takes.
    libc = ctypes.CDLL(None)
    libc.malloc_trim(0)
    # A child keeps what it frees: pictures come one after the other, and memory from the kernel costs a fault a page.
    libc.mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT_BYTES)
    libc.mallopt(M_TRIM_THRESHOLD, MOST_KEPT_BYTES)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    threads = len(os.listdir("/proc/self/task"))
    send(replies, Ready(os.getpid(), threads, offered.landlock, offered.seccomp, error))
    stopped_id = 0
    while not error:
        try:
            request = receive_asked(requests)
            if isinstance(request, Stop):  # for one that has ended, or for the next: it overtook it
                stopped_id = request.id
            elif request.id == stopped_id:
                send(replies, Reply("stopped", "", 0.0, 0.0, 0))
            else:
                send(replies, serve(request, offered, code, requests))
        except Gone:
            return


def _prepare(warm: str, warm_with: str, preload: tuple[str, ...]) -> str:
    try:
        for name in preload:
            importlib.import_module(name)
        if warm:
            child.resolve(warm)(*filter(None, [warm_with]))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def serve(request: Request, offered: Capabilities, code: list[str], requests: int) -> Reply:
    """Fork, wait within the wall limit, kill whatever is left of the group, say how it ended. Whoever asked may say on
    ``requests`` that it is to be stopped."""
    started = time.monotonic()
    source, output = os.pipe()
    parent_pid = os.getpid()
    pid = os.fork()
    if pid == 0:
        child.run_child(request, offered, code, output, parent_pid)
    os.close(output)
    try:
        stopped, tail = _watch(pid, source, request, requests)
    finally:
        os.close(source)
        _kill_group(pid)
    _, status, usage = os.wait4(pid, 0)
    _reap_strays()
    return Reply(
        reason=stopped or _reason(os.waitstatus_to_exitcode(status)),
        detail=tail.decode(errors="replace").strip(),
        wall_s=time.monotonic() - started,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_bytes=usage.ru_maxrss * 1024,
    )


def _watch(pid: int, source: int, request: Request, requests: int) -> tuple[str, bytes]:
    """Until the child ends or must be stopped: why it must ("" when it ended), and the tail of what it printed.

    Raises Gone where whoever asked is there no more.
    """
    deadline = time.monotonic() + request.limits.wall_s
    os.set_blocking(source, False)
    tail = b""
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(source, select.POLLIN)
    poll.register(requests, select.POLLIN)
    try:
        while (left_s := deadline - time.monotonic()) > 0:
            ready = {fd for fd, _ in poll.poll(min(left_s, LOOK_S) * 1000)}
            if source in ready:
                part = _drain(source)
                tail = (tail + part)[-OUTPUT_BYTES_KEPT:]
                if not part:
                    poll.unregister(source)
            if ended in ready:
                return "", (tail + _drain(source))[-OUTPUT_BYTES_KEPT:]
            if requests in ready and receive_asked(requests) == Stop(request.id):
                return "stopped", tail
            if _gives_too_much(pid, request.out, request.limits):
                return "output_limit", tail
        return "wall_limit", tail
    finally:
        os.close(ended)


def _drain(source: int) -> bytes:
    try:
        return os.read(source, 65536)
    except BlockingIOError:
        return b""


def _gives_too_much(pid: int, folder: str, limits: Limits) -> bool:
    """By its files' bytes or number; what was deleted and is still open takes room too."""
    total = _unnamed_bytes(pid)
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries, 1):
            with contextlib.suppress(FileNotFoundError):
                total += entry.stat(follow_symlinks=False).st_size
            if total > limits.out_bytes or number > limits.out_files:
                return True
    return total > limits.out_bytes


def _unnamed_bytes(pid: int) -> int:
    total = 0
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                status = entry.stat()
                total += status.st_size if stat.S_ISREG(status.st_mode) and not status.st_nlink else 0
    return total


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):  # the child may not have its own group yet
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)


def _reap_strays() -> None:
    """Where the kernel cannot forbid forks, grandchildren that left the group end here: this process adopts orphans."""
    while pids := Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        for pid in map(int, pids):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _reason(exit_code: int) -> str:
    if exit_code < 0:
        number = signal.Signals(-exit_code)
        return _SIGNAL_REASONS.get(number, f"crashed:{number.name}")
    return _EXIT_REASONS.get(exit_code, f"exited:{exit_code}")
