"""Each feature's admin."""
# ruff: noqa: F401

import processing.admin.examples
import processing.exports.admin
import processing.llm.admin
import processing.shadows.admin
