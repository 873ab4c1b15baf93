"""The list of styles: which the authors of rules look at, and which are held back from them."""

from importlib import import_module

from tests.golden.styles.pens.style import Style

_SEEN = (
    "zh_hardware_tiers", "en_furniture_borderless", "zh_apparel_merged", "en_electronics_variants", "zh_kitchen_grid",
    "en_lighting_sheets", "zhen_furniture_cards", "en_hardware_side_by_side", "zh_lighting_picture_table",
    "en_kitchen_photos", "zh_electronics_selection", "en_apparel_linesheet", "zh_furniture_halves",
    "en_furniture_specbook", "zh_lighting_quads", "en_kitchen_paired", "zh_hardware_columns", "en_lighting_quantity",
    "zh_kitchen_captions", "en_electronics_pasted", "zhen_hardware_sets",
    "zh_furniture_series", "en_kitchen_tags", "zh_lighting_hero", "en_hardware_dots", "en_electronics_spread",
    "en_furniture_swatches", "en_tools_tiers", "en_furniture_rows", "zh_kitchen_wide", "zhen_electronics_columns",
    "zh_apparel_sheets", "en_hardware_figures", "zh_lighting_groups", "zhen_apparel_looks", "zh_kitchen_scenes",
    "zh_housewares_sections", "en_home_spreads", "zh_kitchen_bands",
)  # fmt: skip
_HELD_BACK = (
    "zhen_apparel_sizes", "en_lighting_compare", "zhen_toys_landscape", "zh_electronics_footnotes",
    "zh_furniture_details", "en_tools_merged", "zhen_lighting_series", "zh_stationery_gifts",
)  # fmt: skip


def _styles(group: str, names: tuple[str, ...]) -> tuple[Style, ...]:
    return tuple(import_module(f"tests.golden.styles.{group}.{name}").STYLE for name in names)


SEEN = _styles("seen", _SEEN)
HELD_BACK = _styles("held_back", _HELD_BACK)
STYLES = (*SEEN, *HELD_BACK)
