"""Inspection: what an uploaded file is made of, found out inside the sandbox before anything else reads it (TA-T23)."""

from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.inspect import NUMBERS, inspect_file, read_findings

TASK = "processing.engine.inspection:inspect_file"
# A copy without scripts, actions and attachments; the task hands out page 1 once it is written under that name.
CLEANING = "processing.engine.inspection.cleaning:clean_file"
COPY = "copy.pdf"

__all__ = ["CLEANING", "COPY", "NUMBERS", "TASK", "Bounds", "Findings", "inspect_file", "read_findings"]
