"""The one verdict table (TA-VERDICT): what each finding of an inspection means for an uploaded file.

The judgement is pure: facts and limits in, verdict out. The first refusing or asking line of the table that applies is
the verdict; of an accepted file all lines that note are collected. Nothing noted is ever followed or run: scripts,
addresses and files named inside a document have no one to open them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from django.conf import settings
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy as _


class Outcome(StrEnum):
    ACCEPT = "accept"
    REFUSE = "refuse"
    ASK = "ask"
    NOTE = "note"


class Facts(Protocol):
    """What a verdict needs to know; an inspection's Findings have it."""

    size_bytes: int
    signature_at: int | None
    has_end_mark: bool
    foreign_kind: str
    page_counts: dict[str, int]
    repaired_by: list[str]
    walked_by: str
    object_count: int
    unseen_objects: int
    script_places: list[str]
    launch_actions: int
    automatic_actions: list[str]
    embedded_files: int
    external_streams: int
    unsupported_filters: list[str]
    has_form_xfa: bool
    has_loop: bool
    has_invisible_text: bool
    instructions: list[str]
    image_px_max: int
    stream_bytes_max: int
    page_side_max_pt: float
    page_side_min_pt: float
    failed_checks: list[str]

    @property
    def encryption(self) -> str: ...

    def page_count(self) -> int: ...


@dataclass(frozen=True)
class FileLimits:
    """What a file may be (TA-T23). A page side above 14 400 pt is outside what PDF allows (ISO 32000-1, Annex C)."""

    bytes_max: int = 200 << 20
    pages_max: int = 2000
    objects_max: int = 500_000
    image_px_max: int = 250_000_000
    stream_bytes_max: int = 256 << 20
    page_side_max_pt: float = 14_400.0
    page_side_min_pt: float = 10.0


def file_limits() -> FileLimits:
    """As the installation sets them; the others are the format's and the readers' own."""
    return FileLimits(bytes_max=settings.UPLOAD_MAX_BYTES, pages_max=settings.UPLOAD_MAX_PAGES)


@dataclass(frozen=True)
class Verdict:
    """``code`` is empty when the file is accepted; only then there may be ``notes``: codes, in the table's order."""

    outcome: Outcome
    code: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """One line of the table. ``hint`` says what the uploader can do."""

    code: str
    outcome: Outcome
    applies: Callable[[Facts, FileLimits], bool]
    message: Promise | str
    hint: Promise | str = ""


def _with_limits(sentence: Promise | str) -> Promise | str:
    """The sentence with the limits in force when it is read."""
    return lazy(lambda: str(sentence) % _figures(file_limits()), str)()


def _figures(limits: FileLimits) -> dict[str, str]:
    return {
        "mb": f"{limits.bytes_max >> 20:,}",
        "pages": f"{limits.pages_max:,}",
        "objects": f"{limits.objects_max:,}",
        "megapixels": f"{limits.image_px_max // 1_000_000:,}",
        "stream_mb": f"{limits.stream_bytes_max >> 20:,}",
    }


_PRINT_AGAIN = _("Print the document to a new PDF and upload that one.")
_SAVE_AGAIN = _("Open the file in a PDF program, save it again, and upload it once more.")
_READ_COPY = _("Read it without its scripts here, or print the document to a new PDF and upload that one.")
_SPLIT = _("Split the document into smaller files and upload them one by one.")

OVER_BUDGET = Rule(
    "over_budget",
    Outcome.REFUSE,
    lambda facts, limits: False,
    _("The file takes more time than its pages allow."),
    _PRINT_AGAIN,
)
UNCHECKED = Rule(
    "uncheckable",
    Outcome.REFUSE,
    lambda facts, limits: False,
    _("The file could not be checked within the limits of time and memory."),
    _PRINT_AGAIN,
)
COPY_FAILED = Rule(
    "copy_failed",
    Outcome.REFUSE,
    lambda facts, limits: False,
    _("No copy without scripts and attachments could be made of the file."),
    _PRINT_AGAIN,
)
READ_FROM_COPY = Rule(
    "read_from_copy",
    Outcome.NOTE,
    lambda facts, limits: False,
    _("A copy without scripts, actions and attachments was read; the original is kept as it came."),
)

RULES: tuple[Rule, ...] = (
    Rule(
        "empty_file",
        Outcome.REFUSE,
        lambda facts, limits: facts.size_bytes == 0,
        _("The file is empty."),
        _("Check the file on your computer and upload it again."),
    ),
    Rule(
        "too_large",
        Outcome.REFUSE,
        lambda facts, limits: facts.size_bytes > limits.bytes_max,
        _with_limits(_("The file is larger than %(mb)s MB.")),
        _SPLIT,
    ),
    Rule(
        "not_a_pdf",
        Outcome.REFUSE,
        lambda facts, limits: facts.signature_at is None or (not facts.walked_by and facts.object_count == 0),
        _("This is not a PDF file."),
        _("Save the document as PDF and upload that file."),
    ),
    Rule(
        "too_many_objects",
        Outcome.REFUSE,
        lambda facts, limits: facts.object_count > limits.objects_max,
        _with_limits(_("The file consists of more than %(objects)s objects.")),
        _SPLIT,
    ),
    Rule(
        "password_needed",
        Outcome.ASK,
        lambda facts, limits: facts.encryption == "password_needed",
        _("The file is protected by a password."),
        _("Enter the password, or upload a copy without one."),
    ),
    Rule(
        "password_wrong",
        Outcome.ASK,
        lambda facts, limits: facts.encryption == "password_wrong",
        _("This password does not open the file."),
        _("Check the password and enter it again."),
    ),
    Rule(
        "encryption_unsupported",
        Outcome.REFUSE,
        lambda facts, limits: facts.encryption == "unsupported",
        _("The file is encrypted in a way that cannot be read here."),
        _("Upload a copy without protection."),
    ),
    Rule(
        "truncated",
        Outcome.REFUSE,
        lambda facts, limits: not facts.has_end_mark and (not facts.walked_by or facts.page_count() == 0),
        _("The end of the file is missing and the rest cannot be read."),
        _("Check that the file is complete and upload it again."),
    ),
    Rule(
        "damaged",
        Outcome.REFUSE,
        lambda facts, limits: not facts.walked_by,
        _("The file is damaged and cannot be repaired."),
        _SAVE_AGAIN,
    ),
    Rule(
        "javascript",
        Outcome.REFUSE,
        lambda facts, limits: bool(facts.script_places),
        _("The file contains scripts."),
        _READ_COPY,
    ),
    Rule(
        "launch_action",
        Outcome.REFUSE,
        lambda facts, limits: facts.launch_actions > 0,
        _("The file tries to start a program."),
        _("Read it without that here, or print the document to a new PDF and upload that one."),
    ),
    Rule(
        "embedded_file",
        Outcome.REFUSE,
        lambda facts, limits: facts.embedded_files > 0,
        _("Other files are attached inside the PDF."),
        _("Read it without its attachments here, or remove them and upload it again."),
    ),
    Rule(
        "too_complex",
        Outcome.REFUSE,
        lambda facts, limits: facts.unseen_objects > 0,
        _("Parts of the file are built too intricately to be checked."),
        _PRINT_AGAIN,
    ),
    Rule(
        "no_pages",
        Outcome.REFUSE,
        lambda facts, limits: facts.page_count() == 0,
        _("The file has no pages."),
        _SAVE_AGAIN,
    ),
    Rule(
        "too_many_pages",
        Outcome.REFUSE,
        lambda facts, limits: facts.page_count() > limits.pages_max,
        _with_limits(_("The file has more than %(pages)s pages.")),
        _SPLIT,
    ),
    Rule(
        "image_bomb",
        Outcome.REFUSE,
        lambda facts, limits: facts.image_px_max > limits.image_px_max,
        _with_limits(_("A picture in the file is larger than %(megapixels)s megapixels.")),
        _("Reduce the size of its pictures, or print the document to a new PDF, and upload that one."),
    ),
    Rule(
        "stream_bomb",
        Outcome.REFUSE,
        lambda facts, limits: facts.stream_bytes_max >= limits.stream_bytes_max,
        _with_limits(_("Compressed content in the file unpacks to more than %(stream_mb)s MB.")),
        _PRINT_AGAIN,
    ),
    Rule(
        "page_too_large",
        Outcome.REFUSE,
        lambda facts, limits: facts.page_side_max_pt > limits.page_side_max_pt,
        _("A page is longer or wider than 5 metres."),
        _("Print the document on a usual paper size to a new PDF and upload that one."),
    ),
    Rule(
        "owner_password",
        Outcome.NOTE,
        lambda facts, limits: facts.encryption == "owner_only",
        _("The file restricts printing or editing; it can be read without a password."),
    ),
    Rule(
        "uri_action",
        Outcome.NOTE,
        lambda facts, limits: bool(facts.automatic_actions),
        _("The file wants to open an address by itself; this was ignored."),
    ),
    Rule(
        "external_stream",
        Outcome.NOTE,
        lambda facts, limits: facts.external_streams > 0,
        _("Parts of the document lie in other files; they were not fetched."),
    ),
    Rule(
        "repaired",
        Outcome.NOTE,
        lambda facts, limits: bool(facts.repaired_by) or not facts.has_end_mark,
        _("The file is damaged and was repaired while reading; check the result."),
    ),
    Rule(
        "reader_failed",
        Outcome.NOTE,
        lambda facts, limits: any(check.startswith("by_") for check in facts.failed_checks),
        _("Not every PDF reader could open the file; check the result."),
    ),
    Rule(
        "page_count_differs",
        Outcome.NOTE,
        lambda facts, limits: len(set(facts.page_counts.values())) > 1,
        _("PDF readers disagree on the number of pages; check the result."),
    ),
    Rule(
        "loop",
        Outcome.NOTE,
        lambda facts, limits: facts.has_loop,
        _("The document's structure refers to itself in a circle; this was cut."),
    ),
    Rule(
        "unsupported_filter",
        Outcome.NOTE,
        lambda facts, limits: bool(facts.unsupported_filters),
        _("Content is compressed in an unusual way; some of it may be missing."),
    ),
    Rule(
        "invisible_text",
        Outcome.NOTE,
        lambda facts, limits: facts.has_invisible_text,
        _("The document contains invisible text; check the result."),
    ),
    Rule(
        "instructions_beside",
        Outcome.NOTE,
        lambda facts, limits: bool(facts.instructions),
        _("Metadata, notes, links or attachments speak to a machine that reads the document; they are not read."),
    ),
    Rule(
        "foreign_start",
        Outcome.NOTE,
        lambda facts, limits: bool(facts.foreign_kind),
        _("Something else stands in the file before the PDF begins; only the PDF was read."),
    ),
    Rule(
        "xfa_form",
        Outcome.NOTE,
        lambda facts, limits: facts.has_form_xfa,
        _("The file contains a dynamic form; only its printed pages were read."),
    ),
    Rule(
        "tiny_page",
        Outcome.NOTE,
        lambda facts, limits: 0 < facts.page_side_min_pt < limits.page_side_min_pt,
        _("A page is too small to show anything."),
    ),
)

BY_CODE = {rule.code: rule for rule in (OVER_BUDGET, UNCHECKED, COPY_FAILED, READ_FROM_COPY, *RULES)}
# Refusals that a copy without scripts, actions and attachments does away with.
CURED_BY_COPY = frozenset({"javascript", "launch_action", "embedded_file"})


def way_on(code: str) -> str:
    """What who uploaded a refused file may do now."""
    rule = BY_CODE.get(code)
    return str(rule.hint if rule and rule.hint else _SAVE_AGAIN)


def judge(facts: Facts | None, limits: FileLimits | None = None) -> Verdict:
    """The verdict on one file. ``facts`` is None when the inspection itself was stopped at its limits or crashed."""
    if facts is None:
        return Verdict(UNCHECKED.outcome, UNCHECKED.code)
    bounds = limits or FileLimits()
    applying = [rule for rule in RULES if rule.applies(facts, bounds)]
    for rule in applying:
        if rule.outcome is not Outcome.NOTE:
            return Verdict(rule.outcome, rule.code)
    return Verdict(Outcome.ACCEPT, notes=tuple(rule.code for rule in applying))
