"""Each feature's admin."""
# ruff: noqa: F401

import processing.admin.examples
import processing.admin.llm
import processing.exports.admin
import processing.shadows.admin
