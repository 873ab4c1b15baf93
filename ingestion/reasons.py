"""Sentences for the codes that say why: blockers, failures, routes; in the reader's language."""

from collections.abc import Iterable
from math import floor
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from catalogsku.core.templatetags.ui import duration
from catalogsku.profiles.words import ATTRIBUTES

REASONS = {
    "route_human_all": gettext_lazy("The document goes to people whole"),
    "eval_failed": gettext_lazy("The document could not be evaluated"),
    "prescan_reject": gettext_lazy("All pages look blank"),
    "reported_wrong": gettext_lazy("%(by)s reports that something is wrong: %(text)s"),
    "reported_missing": gettext_lazy("%(by)s reports that a product is missing: %(text)s"),
    "reported_surplus": gettext_lazy("%(by)s reports that this is no product: %(text)s"),
    "import_refused": gettext_lazy("The import was refused: %(response)s"),
    "low_confidence": gettext_lazy("Page confidence %(confidence)s is below %(minimum)s"),
    "page_score_low": gettext_lazy("Page score %(score)s is below %(minimum)s"),
    "page_type_uncertain": gettext_lazy("Kind of page is unclear"),
    "skip_doubtful": gettext_lazy("Machines saw no product here and would skip the page: is that right?"),
    "identity_missing": gettext_lazy("A specification without model or name"),
    "specification_missing": gettext_lazy("Model or name without any specification"),
    "sku_doubtful": gettext_lazy("A product is doubtful: %(confidence)s is below %(minimum)s"),
    "binding_ambiguous": gettext_lazy("Picture is unclear: two fit almost equally"),
    "price_unclear": gettext_lazy("Price cannot be read for certain"),
    "price_format_invalid": gettext_lazy("Price cannot be read for certain"),
    "duplicate_model_in_page": gettext_lazy("The same model stands on the page twice"),
    "sku_without_image": gettext_lazy("A product without a picture"),
    "image_without_sku": gettext_lazy("A product picture without a product"),
    "all_skus_invalid": gettext_lazy("No product of the page can be identified"),
    "sku_count_abnormal": gettext_lazy("Unusually many products on one page"),
    "multi_currency_detected": gettext_lazy("Several currencies on one page"),
    "main_image_too_small": gettext_lazy("Most product pictures are small"),
    "table_page_missing_fields": gettext_lazy("Most rows of the table lack a specification"),
    "coverage_low": gettext_lazy("Text or pictures of the page were not explained"),
    "no_sku_found": gettext_lazy("Looks like products, but none could be read"),
    "rows_unresolved": gettext_lazy("Rows of a table could not be explained"),
    "sku_no_model_but_has_price": gettext_lazy("A price without a model"),
    "required_field": gettext_lazy("The category asks for %(field)s, which is not printed"),
    "range_check": gettext_lazy("%(field)s is outside the category's range: %(value)s"),
    "regex_match": gettext_lazy("%(field)s does not look as the category asks: %(value)s"),
    "max_count": gettext_lazy("%(field)s holds %(count)s values, the category allows %(limit)s"),
    "stage_failed": gettext_lazy("The program failed on this page; what it found before is kept"),
    "context_missing": gettext_lazy("The job's profile or category lacks what is needed: %(parts)s"),
    "value_not_found": gettext_lazy("%(key)s is not printed on the page: %(value)s"),
    "value_of_another": gettext_lazy("%(key)s is printed with another product: %(value)s"),
    "value_mislabelled": gettext_lazy("%(key)s stands under another label: %(value)s"),
    "value_approximate": gettext_lazy("%(key)s is printed only in similar words: %(value)s"),
    "injection_suspected": gettext_lazy("The page seems to give orders to a machine: %(quote)s"),
    "second_opinion_differs": gettext_lazy("A second analyst sees %(differences)s things otherwise"),
    "models_unavailable": gettext_lazy("No model answered (%(reason)s): this is what the rules found"),
    "answer_repaired": gettext_lazy("A model's answer had to be repaired before it could be read"),
    "value_unproved": gettext_lazy("%(key)s stands in a picture and was not read the same there: %(value)s"),
    "products_denied": gettext_lazy("A model sees no product where the rules see some"),
    "answer_short": gettext_lazy("A model counted more products than it listed"),
    "answer_odd": gettext_lazy("Something in a model's answer is unusual"),
    "blocks_left_out": gettext_lazy("Models were not shown %(blocks)s parts of this page: there is too much on it"),
    "internal_error": gettext_lazy("The program failed on this page"),
    "worker_lost": gettext_lazy("The page ended its worker %(losses)s times"),
    "over_budget": gettext_lazy("Takes more time than its pages allow: %(spent_s)s of %(allowed_s)s are used up"),
    "sandbox_time_limit": gettext_lazy("Reading took longer than 30 s"),
    "sandbox_memory_limit": gettext_lazy("Reading needed more memory than allowed"),
    "sandbox_cpu_limit": gettext_lazy("Reading needed more computing time than allowed"),
    "sandbox_wall_limit": gettext_lazy("Reading took longer than allowed"),
    "sandbox_output_limit": gettext_lazy("The page unpacks to more than allowed"),
    "sandbox_crashed": gettext_lazy("The page is damaged: reading it crashed"),
    "sandbox_exited": gettext_lazy("The page is damaged: reading it ended early"),
    "sandbox_raised": gettext_lazy("The page is damaged and could not be read"),
    "sandbox_incomplete": gettext_lazy("The page could not be read"),
    "source_gone": gettext_lazy("The source file is kept no longer: upload it again"),
    "reading_invalid": gettext_lazy("What was read does not fit the page"),
    "understanding_invalid": gettext_lazy("What was understood does not fit the page"),
    "sla": gettext_lazy("Nobody had time for it"),
    "second_look": gettext_lazy("A second look at what %(by)s did"),
    "sent_back": gettext_lazy("Sent back: %(reason)s"),
    "auto_accepted": gettext_lazy("Accepted automatically: no person came to it in time"),
    "blind_look": gettext_lazy("Drawn from what went out without a person: is all of it right?"),
    "no_product": gettext_lazy("No product on this page"),
    "cancelled": gettext_lazy("Cancelled"),
    "person": gettext_lazy("A person skipped it"),
    "program_failed": gettext_lazy("The program failed before it came to the pages; the file itself may be sound"),
    "no_progress": gettext_lazy("Taken up three times in a day, and no page got on"),
}


ROUTE_REASONS = {
    "c_doc_from_a_up": gettext_lazy("Score reaches %(a)s: machines deliver by themselves"),
    "c_doc_between_b_and_a": gettext_lazy("Score is below %(a)s: each page must reach %(pv)s by itself"),
    "c_doc_below_b": gettext_lazy("Score is below %(b)s: people do every page"),
    "variance_above_threshold": gettext_lazy("Pages differ much: each is judged by itself"),
    "all_blank": gettext_lazy("All pages look blank"),
    "prescan_reject": gettext_lazy("All pages look blank"),
    "eval_failed": gettext_lazy("The document could not be evaluated"),
}
DIMENSIONS = {
    "text_readability": gettext_lazy("Text readability"),
    "layout_quality": gettext_lazy("Layout"),
    "table_structure": gettext_lazy("Tables"),
    "image_quality": gettext_lazy("Picture quality"),
    "image_text_relation": gettext_lazy("Pictures beside text"),
    "product_density": gettext_lazy("Products per page"),
}
PENALTIES = {
    "ocr_rate_low": gettext_lazy("Few pages give text: minus %(weight)s"),
    "no_images": gettext_lazy("No pictures: minus %(weight)s"),
}

# What fits under a tile, which is 76 px wide (tests/functional/test_browser_tiles.py measures it).
WORDS = {
    "route_human_all": pgettext_lazy("reason", "Whole"),
    "eval_failed": pgettext_lazy("reason", "Whole"),
    "prescan_reject": pgettext_lazy("reason", "Blank?"),
    "import_refused": pgettext_lazy("reason", "Refused"),
    "low_confidence": pgettext_lazy("reason", "Unsure"),
    "page_score_low": pgettext_lazy("reason", "Unsure"),
    "sku_doubtful": pgettext_lazy("reason", "Unsure"),
    "page_type_uncertain": pgettext_lazy("reason", "Type"),
    "skip_doubtful": pgettext_lazy("reason", "Empty?"),
    "identity_missing": pgettext_lazy("reason", "Identity"),
    "specification_missing": pgettext_lazy("reason", "Spec"),
    "binding_ambiguous": pgettext_lazy("reason", "Binding"),
    "price_unclear": pgettext_lazy("reason", "Price"),
    "price_format_invalid": pgettext_lazy("reason", "Price"),
    "duplicate_model_in_page": pgettext_lazy("reason", "Double"),
    "image_without_sku": pgettext_lazy("reason", "Picture"),
    "coverage_low": pgettext_lazy("reason", "Gaps"),
    "no_sku_found": pgettext_lazy("reason", "No SKU"),
    "injection_suspected": pgettext_lazy("reason", "Orders"),
    "over_budget": pgettext_lazy("reason", "Slow"),
}


def reason_word(code: str) -> str:
    """One word for a tile; pages that could not be read say so."""
    word = WORDS.get(code)
    if word is not None:
        return str(word)
    return pgettext("reason", "Failed") if code.startswith("sandbox_") else pgettext("reason", "Check")


def reason_sentence(code: str, params: dict[str, Any] | None = None) -> str:
    """Falls back to a sentence with the code, so that a new code is never silence."""
    text = REASONS.get(code)
    if text is None:
        return _("Needs a look (%(code)s)") % {"code": code}
    named = {name: _named(name, value) for name, value in (params or {}).items()}
    try:
        return str(text) % named
    except (KeyError, ValueError, TypeError):
        return str(text).split("%(")[0].strip(" :：") or _("Needs a look (%(code)s)") % {"code": code}


def _named(name: str, value: Any) -> Any:
    """An attribute's key as people know it, time in words, shares to two decimals: cut off, so that what is below a
    bound reads so."""
    if name.endswith("_s") and isinstance(value, (int, float)):
        return duration(value)
    if isinstance(value, float):
        return floor(round(value * 100, 6)) / 100
    return str(ATTRIBUTES[value]) if name in ("key", "field") and value in ATTRIBUTES else value


def sentences(blockers: Iterable[dict[str, Any]]) -> list[str]:
    """Each reason once, in the order found."""
    return list(dict.fromkeys(reason_sentence(b["code"], b.get("params")) for b in blockers))


def asked(reasons: Iterable[dict[str, Any]]) -> list[str]:
    """What a task asks, a sentence a kind: what is said of several SKUs is said once, with their number."""
    listed = list(reasons)
    same: dict[tuple[str, str], list[str]] = {}
    for reason in listed:
        said = reason_sentence(reason["code"], reason.get("params"))
        own = reason.get("sku") is None or reason["code"].startswith("reported_")
        same.setdefault((reason["code"], said if own else ""), []).append(said)
    words = pgettext("reason", "%(reason)s (%(n)s SKUs)")
    lines = {
        key: alike[0] if len(alike) == 1 or key[1] else words % {"reason": alike[0], "n": len(alike)}
        for key, alike in same.items()
    }
    return list(lines.values())
