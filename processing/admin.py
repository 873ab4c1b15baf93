"""Each feature's admin."""
# ruff: noqa: F401

import processing.corrections.admin
import processing.exports.admin
import processing.imports.admin
import processing.llm.admin
import processing.pages.admin
import processing.shadows.admin
import processing.studies.admin
