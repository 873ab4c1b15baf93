"""A cable with a length and a fault: frames between two network devices arrive later, and some never.

`python -m tests.hosts.wire HERE THERE` makes two TAP devices, between which it carries frames, and says `ready`; each
line read, `DELAY_S LOSS`, holds from then on, in both directions. For kernels without sch_netem. Ends with its input.
"""

import contextlib
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

_SET_DEVICE, _TAP, _WITHOUT_HEAD = 0x400454CA, 0x0002, 0x1000  # TUNSETIFF, IFF_TAP, IFF_NO_PI
_FRAME_BYTES = 2048


def tap(name: str) -> int:
    """A descriptor that gives and takes the device's frames, wherever the device is moved; it goes with it."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _SET_DEVICE, struct.pack("16sH22x", name.encode(), _TAP | _WITHOUT_HEAD))
    return device


def carry(here: int, there: int) -> None:
    opposite = {here: there, there: here}
    delay_s, loss, number = 0.0, 0.0, 0
    under_way: list[tuple[float, int, int, bytes]] = []
    while True:
        wait_s = max(under_way[0][0] - time.monotonic(), 0) if under_way else None
        ready, _, _ = select.select([here, there, sys.stdin], [], [], wait_s)
        now_s = time.monotonic()
        for device in ready:
            if device is sys.stdin:
                if not (line := sys.stdin.readline()):
                    return
                delay_s, loss = map(float, line.split())
                continue
            for frame in _frames(device):
                if random.random() >= loss:
                    number += 1
                    heapq.heappush(under_way, (now_s + delay_s, number, opposite[device], frame))
        while under_way and under_way[0][0] <= now_s:
            _, _, device, frame = heapq.heappop(under_way)
            with contextlib.suppress(OSError):  # its device is down: lost as well
                os.write(device, frame)


def _frames(device: int) -> list[bytes]:
    frames = []
    with contextlib.suppress(OSError):  # no more for now
        while len(frames) < 64:
            frames.append(os.read(device, _FRAME_BYTES))
    return frames


if __name__ == "__main__":
    ends = [tap(name) for name in sys.argv[1:3]]
    print("ready", flush=True)
    carry(*ends)
