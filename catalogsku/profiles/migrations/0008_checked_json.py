"""What is kept as JSON is checked by the database too: of each version that is active its types, ranges and needed keys.

Versions that an older product stored stay as they are (NOT VALID, and only what is active counts): they can be read and
put out of force, and nothing incomplete comes into force, by whatever way it came here.
"""

from django.db import migrations

# Column: key, kind of its value, least, most, whether it is needed; as in catalogsku/profiles/figures.py and routes.py.
SWITCH, NUMBER = "boolean", "number"
PRESCAN_RULES = [
    ("all_blank_reject", SWITCH, 0, 1, True),
    ("ocr_rate_penalty_threshold", NUMBER, 0, 1, True),
    ("ocr_rate_penalty_weight", NUMBER, 0, 1, True),
    ("no_images_penalty_weight", NUMBER, 0, 1, True),
    ("min_text_chars_for_blank", NUMBER, 0, 10_000, True),
    ("score_variance_threshold", NUMBER, 0, 1, True),
]
CLASSIFICATION = [
    ("page_type_min_confidence", NUMBER, 0, 1, True),
    ("no_product_skip_confidence", NUMBER, 0, 1, True),
    ("product_score", NUMBER, 0, 100, False),
    ("skips_checked", NUMBER, 0, 1_000, False),
    ("skip_doubtful_below", NUMBER, 0, 1, False),
]
LIMITS = [
    *((f"gap_l{n}", NUMBER, 0, 2_000, False) for n in range(1, 5)),
    *(
        (key, NUMBER, 0, 1, False)
        for key in (
            "ambiguous_below", "invalid_share", "missing_fields_share", "small_main_share", "error_factor",
            "coverage_min",
        )
    ),
    ("max_candidates", NUMBER, 1, 10, False),
    ("max_skus", NUMBER, 1, 5_000, False),
    ("max_skus_table_page", NUMBER, 1, 5_000, False),
    ("min_short_edge_px", NUMBER, 0, 10_000, False),
]  # fmt: skip
POINTS = [
    (key, NUMBER, 0, 1_000, True)
    for key in ("fragmented", "recognised", "columns", "blocks", "recognised_above", "blocks_above", "complex_from")
]
TEXT = '(@.type() == "string")'
RULE = '(@ == "required_field" || @ == "range_check" || @ == "regex_match" || @ == "max_count")'
WORD = '(@ == "label" || @ == "keyword" || @ == "unit" || @ == "pattern")'
ATTRIBUTES = [("key", TEXT)]
RULES = [("rule", RULE), ("field", TEXT)]
ROWS = [(key, TEXT) for key in ("operation", "page_type", "complexity", "route")]
ENTRIES = [("kind", WORD), ("word", TEXT), ("means", TEXT)]


def figures(column, known):
    """An object whose known keys hold values of their kind, and that has those that are needed."""
    parts = [f"jsonb_typeof({column}) = 'object'"]
    for key, kind, least, most, is_needed in known:
        value = f"{column} -> '{key}'"
        fits = f"jsonb_typeof({value}) = '{kind}'"
        if kind == NUMBER:
            fits = f"CASE WHEN {fits} THEN ({value})::numeric BETWEEN {least} AND {most} ELSE false END"
        parts.append(fits if is_needed else f"({value} IS NULL OR {fits})")
    return f"coalesce({' AND '.join(parts)}, false)"


def entries(column, needed):
    """A list of objects, each with these keys."""
    has = " && ".join(f"exists(@.{key} ? {test})" for key, test in needed)
    return f"jsonb_typeof({column}) = 'array' AND NOT jsonb_path_exists({column}, '$[*] ? (!({has}))')"


CHECKS = {
    ("profiles_thresholdprofile", "active_figures_complete"): [
        figures("prescan_rules", PRESCAN_RULES), figures("classification", CLASSIFICATION), figures("limits", LIMITS),
    ],
    ("profiles_routingtable", "active_routes_complete"): [entries("rows", ROWS), figures("points", POINTS)],
    ("profiles_categoryschema", "active_schema_complete"): [
        entries("attributes", ATTRIBUTES), entries("rules", RULES),
        entries("resolved_attributes", ATTRIBUTES), entries("resolved_rules", RULES),
    ],
    ("profiles_merchantdictionary", "active_words_complete"): [entries("entries", ENTRIES)],
}  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("profiles", "0007_limits")]

    operations = [
        migrations.RunSQL(
            f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK (NOT active OR ({' AND '.join(parts)})) NOT VALID",
            f"ALTER TABLE {table} DROP CONSTRAINT {name}",
        )
        for (table, name), parts in CHECKS.items()
    ]
