#!/usr/bin/env python3
"""`make audit`: asks the public vulnerability database osv.dev about every locked version; needs the network.

Sends names and versions of requirements/*.txt and nothing else. Exit code 1: something is known; 2: nobody answered.
VULNERABILITY_FEED names a mirror. An advisory that does not concern the product is listed in ACCEPTED with the reason.
"""

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
LOCKED = ("requirements/base.txt", "requirements/dev.txt")
FEED = os.environ.get("VULNERABILITY_FEED", "https://api.osv.dev").rstrip("/")
AT_ONCE = 200
TIMEOUT_S = 30
KNOWN, NOBODY_ANSWERED = 1, 2

# advisory: why it does not concern the product.
ACCEPTED: dict[str, str] = {}

Package = tuple[str, str]


def main() -> int:
    packages = sorted({found for name in LOCKED for found in locked(PROJECT / name)})
    try:
        known = [
            found for start in range(0, len(packages), AT_ONCE) for found in ask(packages[start : start + AT_ONCE])
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(
            f"The vulnerability database {FEED} did not answer ({reason(error)}). Nothing was audited: run this where"
            " the network is open, or name a mirror in VULNERABILITY_FEED.",
            file=sys.stderr,
        )
        return NOBODY_ANSWERED
    for name, version, advisory in known:
        print(f"{name} {version}: {advisory}  https://osv.dev/vulnerability/{advisory}")
    print(f"{len(packages)} versions looked up, {len(known)} known vulnerabilities.")
    return KNOWN if known else 0


def locked(file: Path) -> list[Package]:
    return [(name, version) for name, version in re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", file.read_text(), re.M)]


def ask(packages: Sequence[Package]) -> list[tuple[str, str, str]]:
    """(name, version, advisory) of what is known and not accepted. Raises OSError or ValueError where none answers."""
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in packages]
    request = urllib.request.Request(
        f"{FEED}/v1/querybatch",
        json.dumps({"queries": queries}).encode(),
        {"Content-Type": "application/json", "User-Agent": "catalogsku-audit"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        results: list[dict[str, Any]] = json.load(answer)["results"]
    return [
        (name, version, advisory["id"])
        for (name, version), result in zip(packages, results, strict=True)
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
