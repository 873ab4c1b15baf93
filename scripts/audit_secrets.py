#!/usr/bin/env python3
"""Part of `make check`: no key, token or password stands in a file that git would take. Names place and rule.

Known shapes of keys, and assignments of random-looking text to names like SECRET. A line that must look like one (a
demo password, an address in an example) says why with the mark `not-a-secret`.
"""

import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
MARK = "not-a-secret"
FILE_BYTES_MAX = 2_000_000
ENTROPY_MIN = 3.5  # bits a character: words stay below, random hexadecimal and base64 text of this length lies above
LETTERS_MIN = 16

SHAPES = {
    "private key": re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    "key of Amazon": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "key of Google": re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b"),
    "key of Alibaba Cloud": re.compile(r"\bLTAI[0-9A-Za-z]{12,24}\b"),
    "token of GitHub": re.compile(r"\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{60,})"),
    "token of GitLab": re.compile(r"\bglpat-[0-9A-Za-z_-]{20}"),
    "token of a package registry": re.compile(r"\bpypi-AgEI[0-9A-Za-z_-]{50,}"),
    "token of Slack": re.compile(r"\bxox[abprs]-[0-9A-Za-z-]{10,}"),
    "key of a model provider": re.compile(r"\bsk-(?:[a-z]+-)*[0-9A-Za-z_-]{20,}"),
    "key of Stripe": re.compile(r"\b[rs]k_live_[0-9A-Za-z]{20,}"),
    "signed web token": re.compile(r"\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}"),
    "password in an address": re.compile(r"\b[a-z][a-z0-9+]+://[^\s:/@\"'<>{}]+:(?!secret@)[^\s:/@\"'<>{}$%]{3,}@"),
}
ASSIGNED = re.compile(
    r"""(?ix) \b[\w-]* (?:secret|token|passwd|password|api_?key|access_?key|credential)s? [\w-]*["']? \s*
    (?: [:=] | => ) \s* (?:b|f|r)? (?P<quote>["']?) (?P<value>[^\s"'`,;(){}\[\]<>]{16,}) (?P=quote)"""
)


def main() -> int:
    findings = [finding for path in files_of(PROJECT) for finding in findings_of(path, PROJECT)]
    for line in findings:
        print(line)
    if findings:
        print(f"{len(findings)} to look at. What is no secret gets a remark with {MARK} on its line.", file=sys.stderr)
    return 1 if findings else 0


def files_of(folder: Path) -> list[Path]:
    """What is in git, and what is new and not ignored; without git, everything outside hidden folders and var."""
    asked = ["git", "-C", str(folder), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(asked, capture_output=True, check=True, timeout=30).stdout.decode().split("\0")
        paths = [folder / name for name in names if name]
    except (OSError, subprocess.SubprocessError):
        own = (path for path in folder.rglob("*") if not _is_aside(path.relative_to(folder)))
        paths = list(own)
    return sorted(path for path in paths if path.is_file() and path.stat().st_size <= FILE_BYTES_MAX)


def _is_aside(path: Path) -> bool:
    return any(part.startswith(".") or part in ("var", "staticfiles", "__pycache__") for part in path.parts[:-1])


def findings_of(path: Path, folder: Path) -> Iterator[str]:
    try:
        content = path.read_bytes()
    except FileNotFoundError:  # another process wrote it for a moment
        return
    if b"\0" in content[:8000]:  # pictures, fonts, documents
        return
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        if MARK not in line and (rule := rule_of(line)):
            yield f"{path.relative_to(folder)}:{number}: {rule}"


def rule_of(line: str) -> str:
    """The name of the rule that the line breaks; the secret itself is never printed."""
    for name, shape in SHAPES.items():
        if shape.search(line):
            return name
    for match in ASSIGNED.finditer(line):
        if is_random(match["value"]):
            return "random text for a secret"
    return ""


def is_random(value: str) -> bool:
    """Looks drawn by chance: long, of many different characters, with digits, and no chain of words or names."""
    if len(value) < LETTERS_MIN or not re.search(r"\d", value) or not re.search(r"[A-Za-z]", value):
        return False
    if re.fullmatch(r"[A-Za-z]+\d{0,4}(?:[-_./:]+[A-Za-z]*\d{0,4})*", value):  # words with a number here and there
        return False
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares) >= ENTROPY_MIN


if __name__ == "__main__":
    sys.exit(main())
