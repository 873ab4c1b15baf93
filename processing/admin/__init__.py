"""Each feature's admin."""

import processing.admin.examples
import processing.admin.llm
import processing.admin.shadows
import processing.exports.admin  # noqa: F401
