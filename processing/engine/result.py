"""PageResult: what understanding one page gave; stored as rows, and shaped like result.json."""

import msgspec

from catalogsku.core.attributes import BASE_KEYS as BASE_KEYS
from catalogsku.core.box import Box


class Evidence(msgspec.Struct, frozen=True):
    """Where a value stands: the quoted text, its page and box, how it was found, and how well it matches (0 to 1).

    ``method``: table_cell, table_cell_merged, header, label, caption, title, text_line, section, inherited; of a
    model's value elsewhere (printed with another product), mislabelled (under another attribute's label), model
    (without a place), read_again (only the picture of the page shows it, and its crop reads the same), seen
    (the crop does not).
    """

    quote: str
    page_number: int
    bbox: Box
    match: float = 1.0
    method: str = ""


class Value(msgspec.Struct, frozen=True):
    """A value as printed (trimmed), with its evidence; ``source`` says how it came to this SKU. A size whose sides are
    printed in a cell each has " x " between them; its evidence quotes the cells.

    ``source``: direct, filled_down, column_inherited, section_inherited, page_inherited, document_inherited.
    """

    text: str
    evidence: Evidence
    source: str = "direct"
    confidence: float = 1.0


class CustomValue(msgspec.Struct, frozen=True):
    """A value under a printed label that the schema does not know."""

    name: str
    value: str
    evidence: Evidence


class Blocker(msgspec.Struct, frozen=True):
    """A named reason why a person is needed. ``code`` has a translation; ``params`` are shown in it.

    ``sku``: index into PageResult.skus, or None for the whole page.
    """

    code: str
    params: dict[str, str | int | float] = {}
    sku: int | None = None
    severity: str = "review"


class Finding(msgspec.Struct, frozen=True):
    """A consistency rule that was hit (TA-T28). ``severity``: info, warning or error, which lowers the page."""

    code: str
    severity: str
    params: dict[str, str | int | float] = {}
    sku: int | None = None


class Candidate(msgspec.Struct, frozen=True):
    """A picture that might be this SKU's, with the reason in a code (PL-METHODS)."""

    picture: str
    confidence: float
    method: str
    reason: str = ""


class Binding(msgspec.Struct, frozen=True):
    """A decided picture of a SKU; ``picture`` is the Picture.id on the page."""

    picture: str
    role: str
    method: str
    confidence: float


class Sku(msgspec.Struct, frozen=True):
    """A product as found on a page. ``attributes`` holds only values that are printed; absent keys are null later.

    ``doubts``: codes of what lowered ``confidence``. ``units``: of ``size`` and ``weight`` that are not printed beside
    them; a price's is the attribute ``currency``. ``on_request``: the words in the place of a price.
    """

    box: Box
    attributes: dict[str, Value]
    custom: tuple[CustomValue, ...] = ()
    validity: str = "invalid"
    confidence: float = 0.0
    quality_warning: str | None = None
    normalized: dict[str, object] = {}
    bindings: tuple[Binding, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    ambiguous: bool = False
    table: str = ""
    row: int = -1
    doubts: tuple[str, ...] = ()
    units: dict[str, Value] = {}
    on_request: Value | None = None

    @property
    def identity(self) -> str | None:
        value = self.attributes.get("model") or self.attributes.get("product_name")
        return value.text if value else None


class RowTally(msgspec.Struct, frozen=True):
    """Where the body rows of a table went: rows = skus + merged + ignored + unresolved (GR-SUM)."""

    table: str
    rows: int
    skus: int
    merged: int
    ignored: dict[str, int] = {}
    unresolved: int = 0


class TableMerge(msgspec.Struct, frozen=True):
    """The decision that ``table`` goes on with table ``before`` of page ``page_number`` (X-MERGE).

    ``reason``: head_inherited, head_repeated or products_in_columns. ``rows``: those that it adds to the whole, all but
    the ``repeated_rows`` of a head printed again.
    """

    table: str
    page_number: int
    before: str
    reason: str
    rows: int
    repeated_rows: int = 0


class Covered(msgspec.Struct, frozen=True):
    """Blocks (T1 ...) and pictures (P1 ...) of the page that share a ``fate`` and its reason, a code (X-COVER).

    ``fate``: used, ignored or unresolved.
    """

    fate: str
    reason: str
    parts: tuple[str, ...]


class PictureRole(msgspec.Struct, frozen=True):
    """Role of a picture: PRODUCT_MAIN, DETAIL, SCENE, SIZE_CHART, LOGO or DECORATION."""

    picture: str
    role: str
    confidence: float


class Opinion(msgspec.Struct, frozen=True):
    """What a second analyst says of a page (GR-2ND). ``only_first``, ``only_second``: identities of products that only
    one of both gives, or gives with other values."""

    analyst: str
    confidence: float
    page_type: str
    same_type: bool
    same_skus: int
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()

    @property
    def differences(self) -> int:
        return len(self.only_first) + len(self.only_second) + (not self.same_type)

    @property
    def agrees(self) -> bool:
        return self.differences == 0


class Asked(msgspec.Struct, frozen=True):
    """A question of a page and the model whose answer to it was used; ``downgraded``: why not the preferred one's.

    ``kept``: answered before, nothing was called. Without a model none answered, for the reason in ``code``.
    """

    operation: str
    model: str = ""
    prompt_version: str = ""
    call_id: int = 0
    kept: bool = False
    downgraded: str = ""
    code: str = ""


class Alternative(msgspec.Struct, frozen=True):
    """Products that another proposal tells of and the result lacks, for people to take; nothing follows from them.

    ``proposer``: whose, as in ``grid.ruled``; ``score``: how much of the page it is thought to tell, about 0 to 1;
    ``page_type`` and ``layout_type``: what the page would be with them."""

    proposer: str
    score: float
    page_type: str
    layout_type: str
    skus: tuple[Sku, ...]


class PageResult(msgspec.Struct, frozen=True):
    """``page_type`` A table, B mixed, C grid or photo, D no product.

    ``layout_type`` L1 single, L2 grid, L3 list or mixed, L4 dense.

    ``confidence`` is the page's (X-CONF); ``merges``: its tables that go on with those of earlier pages;
    ``ledger``: what became of every block and picture of the page, each in exactly one entry.
    ``findings``: every consistency rule hit, ``blockers`` only what needs a person; ``analyst``: name and version.
    ``opinion``: a second analyst's, where one was asked; ``asked``: the questions that models were asked, in order.
    ``alternatives``: what other proposals tell of besides, the best first.
    """

    number: int
    page_type: str
    type_confidence: float
    layout_type: str
    confidence: float
    extractor: str
    skus: tuple[Sku, ...] = ()
    roles: tuple[PictureRole, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    tallies: tuple[RowTally, ...] = ()
    merges: tuple[TableMerge, ...] = ()
    coverage: float = 1.0
    ledger: tuple[Covered, ...] = ()
    fallback_reason: str = ""
    classification: dict[str, object] = {}
    findings: tuple[Finding, ...] = ()
    analyst: str = ""
    opinion: Opinion | None = None
    asked: tuple[Asked, ...] = ()
    alternatives: tuple[Alternative, ...] = ()

    @property
    def continues(self) -> int | None:
        """Number of the page on which the first of its continued tables began."""
        return next((merge.page_number for merge in self.merges), None)


class DocumentFacts(msgspec.Struct, frozen=True):
    """Document-wide facts, computed once before pages are understood and never changed (TA-DOCPASS).

    ``running_lines``: headers and footers in running form; ``repeated_pictures``: hashes seen on many pages.
    ``index_pages``: contents and index pages; ``inherited``: attribute key to value, from the cover.
    """

    running_lines: tuple[str, ...] = ()
    repeated_pictures: tuple[str, ...] = ()
    index_pages: tuple[int, ...] = ()
    inherited: dict[str, Value] = {}
    hash8: str = ""
