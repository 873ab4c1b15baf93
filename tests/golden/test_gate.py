"""The gate on the drawn styles that rules are written by: nothing invented, few SKUs lost, fewer wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.styles import SEEN

PROJECT = Path(__file__).resolve().parents[2]
# A small set, as the gate says fast: `manage.py evaluate --golden` measures all of them.
EVERY = 3


@pytest.mark.slow
@pytest.mark.req("TA-T49", "GR-GATE")
def test_the_styles_that_may_be_looked_at_pass_the_gate(tmp_path: Path) -> None:
    golden, report = tmp_path / "golden", tmp_path / "report.json"
    golden.mkdir()
    for style in SEEN[::EVERY]:
        style.draw().save(golden)
    command = [sys.executable, "manage.py", "evaluate", "--golden", golden, "--gate", "--output", report]
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "var")}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    told = json.loads(report.read_text())
    total = told["total"]
    assert told["skipped"] == [] and total["counts"]["pages"] >= 30
    assert total["hallucination_rate"] == 0
    assert total["f1"] >= 0.95 and total["page_type_accuracy"] >= 0.97, total
    assert total["attribute_accuracy"] >= 0.95, total
    assert total["binding_recovered"] >= 0.95 and total["binding_wrong"] <= 0.01, total
