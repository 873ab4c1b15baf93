"""Inspection: what an uploaded file is made of, found out inside the sandbox before anything else reads it (TA-T23)."""

from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.inspect import NUMBERS, inspect_file, read_findings

TASK = "processing.engine.inspection:inspect_file"

__all__ = ["NUMBERS", "TASK", "Bounds", "Findings", "inspect_file", "read_findings"]
