"""The task that a sandbox child runs on a new file: one step a library, each handing out all that is known so far.

A library that crashes or hangs on the file so costs its own step and those after it, not the findings before.
"""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.raw import count_objects, look_at_bytes

STEPS = ("by_qpdf", "by_mupdf", "by_pdfium")
NUMBERS = tuple(range(1, len(STEPS) + 1))
"""The numbers to ask the sandbox for."""


def inspect_file(request: Mapping[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """``request``: path, optional password, optional bounds. Emits the Findings as JSON after each step."""
    path, password = Path(request["path"]), str(request.get("password") or "")
    bounds = msgspec.convert(request.get("bounds") or {}, Bounds)
    findings = Findings()
    look_at_bytes(path, findings)
    findings.object_count = count_objects(path)
    is_worth_opening = findings.signature_at is not None and findings.object_count <= bounds.objects
    for number, step in zip(NUMBERS, STEPS, strict=True):
        if is_worth_opening:
            _take_step(step, path, password, findings, bounds)
        emit(number, msgspec.json.encode(findings))


def read_findings(finished: Mapping[int, bytes]) -> Findings | None:
    """The fullest findings of an inspection, with the step that took it down named; None when it got nowhere, and for
    what is no findings."""
    if not finished:
        return None
    last = max(finished)
    try:
        findings = msgspec.json.decode(finished[last], type=Findings)
    except msgspec.DecodeError:
        return None
    if last < len(STEPS):
        findings.failed_checks.append(STEPS[last])
    return findings


def _take_step(step: str, path: Path, password: str, findings: Findings, bounds: Bounds) -> None:
    try:
        module = importlib.import_module(f"processing.engine.inspection.{step}")
    except ModuleNotFoundError:  # left out of the installation (MuPDF, for its licence): no fact about the file
        return
    try:
        module.inspect(path, password, findings, bounds)
    except MemoryError:
        raise
    except Exception as error:  # the libraries raise almost anything on broken files; the next one may do better
        if "loop" in str(error).replace(str(path), "").lower():
            findings.has_loop = True
        findings.failed_checks.append(f"{step}:{type(error).__name__}")
