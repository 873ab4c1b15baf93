"""What may be tuned in the rule analyst: frozen into a job, handed in as data (TA-FREEZE)."""

import msgspec


class Classification(msgspec.Struct, frozen=True):
    """Thresholds of the page type (TA-CLS). ``product_score``: evidence a table needs to be one of products."""

    page_type_min_confidence: float = 0.7
    no_product_skip_confidence: float = 0.7
    product_score: int = 3


class BindingLimits(msgspec.Struct, frozen=True):
    """Largest gap between a SKU and its picture by layout, in points on A4 (TA-T84)."""

    gap_pt: dict[str, float] = msgspec.field(
        default_factory=lambda: {"L1": 200.0, "L2": 100.0, "L3": 150.0, "L4": 80.0}
    )
    ambiguous_below: float = 0.2
    max_candidates: int = 3


class Rules(msgspec.Struct, frozen=True):
    """Consistency defaults (TA-RULES)."""

    max_skus: int = 50
    max_skus_table_page: int = 200
    invalid_share: float = 0.3
    missing_fields_share: float = 0.5
    small_main_share: float = 0.5
    min_short_edge_px: int = 640
    error_factor: float = 0.7
    coverage_min: float = 0.7
    disabled: tuple[str, ...] = ()


class SchemaAttribute(msgspec.Struct, frozen=True):
    """An attribute of the job's category: its key and the labels under which catalogues print it."""

    key: str
    label_zh: str = ""
    label_en: str = ""
    synonyms: tuple[str, ...] = ()


class SchemaRule(msgspec.Struct, frozen=True):
    """What the category asks of one attribute of each product (TA-T55). ``rule``: required_field, range_check (``min``,
    ``max`` of every number in it), regex_match (``pattern``, the whole value), max_count (``max`` values in it).

    ``action``: note only records a breach, review asks a person.
    """

    rule: str
    field: str
    min: float | None = None
    max: float | None = None
    pattern: str = ""
    severity: str = "warning"
    action: str = "note"


class Word(msgspec.Struct, frozen=True):
    """One entry of a merchant's own dictionary. ``kind``: label (``means`` a kind of rules/labels.py, or the key of a
    schema's attribute), keyword (a role of rules/in_force.py), unit (a unit or currency that is known), pattern (an
    expression of core/expressions.py that is a whole text, and its role)."""

    kind: str
    word: str
    means: str


class AnalystConfig(msgspec.Struct, frozen=True):
    """The rule analyst's whole configuration. ``validity_mode``: strict sends partial SKUs to a person, lenient not.

    ``review_below``: confidence of the page; ``sku_review_below``: of one product, which a page's mean would hide.
    Of all pages measured two without another blocker held such products: one code on two, and names like "100 WALA".

    ``proposers``: who says what the products of a page may be (records/propose.py); the rules always do. Alone they are
    believed, and are as sure as they say. ``weights``: fitted ones in place of those that ship, as records/score.py
    reads them.

    ``attributes``: those that the category's schema adds to the base ones; ``schema_rules``: what it asks of them.
    ``words``: what the merchant's catalogues print beside the words that are built in.
    """

    classification: Classification = Classification()
    binding: BindingLimits = BindingLimits()
    rules: Rules = Rules()
    review_below: float = 0.75
    sku_review_below: float = 0.6
    validity_mode: str = "strict"
    look_back_pages: int = 10
    attributes: tuple[SchemaAttribute, ...] = ()
    schema_rules: tuple[SchemaRule, ...] = ()
    proposers: tuple[str, ...] = ("rules", "grid", "repeat")
    weights: bytes = b""
    words: tuple[Word, ...] = ()
