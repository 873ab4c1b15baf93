"""What must be there before a page is understood: a part that is missing stops it by name (GR-CONTEXT)."""

from processing.engine.result import BASE_KEYS
from processing.engine.understanding.config import AnalystConfig

LAYOUTS = ("L1", "L2", "L3", "L4")


def missing_parts(config: AnalystConfig) -> tuple[str, ...]:
    """Parts of profile and schema that a stage will ask for and that the job was frozen without."""
    gaps = (f"profile.binding.gap_pt.{layout}" for layout in LAYOUTS if layout not in config.binding.gap_pt)
    known = {*BASE_KEYS, *(attribute.key for attribute in config.attributes)}
    fields = (f"schema.attributes.{rule.field}" for rule in config.schema_rules if rule.field not in known)
    patterns = (
        f"schema.rules.{rule.field}.pattern"
        for rule in config.schema_rules
        if rule.rule == "regex_match" and not rule.pattern
    )
    return tuple(dict.fromkeys((*gaps, *fields, *patterns)))
