"""What must be true once all harm is over and the machines have left every document: nothing lost, twice or stuck."""

import re
from collections import Counter
from collections.abc import Callable

from tests.chaos.ground import ChaosStack, Document, wait_until

_OF_JOB = "JOIN ingestion_job j ON j.id = {}.job_id WHERE j.uuid = %s"


def left_by_machines(stack: ChaosStack, within_s: float) -> bool:
    """Whether machines have left every document in time; services that died are started again meanwhile."""

    def all_left() -> bool:
        stack.revive_services()
        return all(stack.state(document.job).is_left_by_machines for document in stack.documents)

    return wait_until(all_left, within_s, every_s=0.5)


def faults(stack: ChaosStack) -> dict[str, int]:
    """Counts of what must not be, over all documents; each is 0 where the product keeps its word."""
    found: Counter[str] = Counter()
    for document in stack.documents:
        for name, count in _CHECKS.items():
            found[name] += count(stack, document)
    found["rows in hand"] = _count(
        stack,
        "SELECT (SELECT count(*) FROM ingestion_page WHERE worker IS NOT NULL OR claim_token IS NOT NULL)"
        " + (SELECT count(*) FROM ingestion_job WHERE worker IS NOT NULL OR claim_token IS NOT NULL)"
        " + (SELECT count(*) FROM processing_importrecord WHERE state IN ('PENDING', 'SENDING', 'UNKNOWN'))",
    )
    found["pages recorded twice"] = _count(
        stack,
        "SELECT count(*) FROM (SELECT 1 FROM core_transition WHERE entity = 'page'"
        " AND trigger IN ('understood', 'no_product') GROUP BY entity_id HAVING count(*) > 1) AS twice",
    )
    found["pages charged with a failure"] = _count(
        stack, "SELECT count(*) FROM core_transition WHERE entity = 'page' AND trigger IN ('failed', 'given_up')"
    )
    found["losses and failures left on pages"] = _count(
        stack, "SELECT coalesce(sum(losses + failures), 0) FROM ingestion_page"
    )
    return {**found, **{f"audit: {name}": count for name, count in stack.audit().items()}}


def charges(stack: ChaosStack) -> list[tuple[object, ...]]:
    """What pages were charged with, if any were."""
    return stack.sql(
        "SELECT at, entity_id, trigger, reason FROM core_transition WHERE entity = 'page'"
        " AND trigger IN ('failed', 'given_up')"
    )


def pages_lost(stack: ChaosStack, document: Document) -> int:
    """Pages that are not there, or not where a page like them must end."""
    rows = stack.sql(
        f"SELECT p.number, p.status, p.stage, p.import_state FROM ingestion_page p {_OF_JOB.format('p')}", document.job
    )
    ended = {
        number
        for number, status, stage, state in rows
        if stage == "NONE"
        and _is_right(document, number, status)
        and (status != "AI_COMPLETED" or state == "confirmed")
    }
    return len(set(range(1, document.pages + 1)) - ended) + (len(rows) - len({row[0] for row in rows}))


def _is_right(document: Document, number: int, status: str) -> bool:
    if document.is_blank:
        return status == ("HUMAN_QUEUED" if number == 1 else "BLANK")
    return status in ("BLANK", "SKIPPED", "AI_COMPLETED")


def jobs_stuck(stack: ChaosStack, document: Document) -> int:
    return int(stack.state(document.job).status != ("DEGRADED_HUMAN" if document.is_blank else "FULL_IMPORTED"))


def tasks_wrong(stack: ChaosStack, document: Document) -> int:
    """A blank document asks once for one look at it, any other one asks nothing."""
    opened = _count(stack, f"SELECT count(*) FROM annotation_humantask t {_OF_JOB.format('t')}", document.job)
    return abs(opened - int(document.is_blank))


def skus_wrong(stack: ChaosStack, document: Document) -> int:
    """SKUs in the table that the catalogue does not print, or printed and not in the table, or not imported."""
    rows = stack.sql(
        "SELECT p.number, s.attributes->>'model', s.status FROM processing_sku s JOIN ingestion_page p"
        " ON p.id = s.page_id JOIN ingestion_job j ON j.id = s.job_id WHERE j.uuid = %s AND NOT s.superseded",
        document.job,
    )
    table = Counter((number, _squash(model or "")) for number, model, status in rows if status == "IMPORTED")
    truth = Counter((sku.page_number, _squash(sku.model)) for sku in document.truth)
    return sum(((table - truth) + (truth - table)).values()) + sum(status != "IMPORTED" for *_, status in rows)


def products_wrong(stack: ChaosStack, document: Document) -> int:
    """Products at the target that are not the table's SKUs, one for one, with the table's model."""
    table = dict(
        stack.sql(
            f"SELECT s.sku_id, s.attributes->>'model' FROM processing_sku s {_OF_JOB.format('s')} AND NOT s.superseded",
            document.job,
        )
    )
    target = dict(
        stack.sql(
            "SELECT p.sku_key, s.attributes->>'model' FROM processing_localproduct p"
            " JOIN ingestion_job j ON j.merchant_id = p.merchant_id AND left(p.sku_key, 8) = j.hash8"
            " LEFT JOIN processing_importrecord i ON i.target = 'local' AND i.merchant_id = p.merchant_id"
            "  AND i.sku_key = p.sku_key AND i.generation = p.generation AND i.payload_hash = p.payload_hash"
            " LEFT JOIN processing_sku s ON s.id = i.sku_id WHERE j.uuid = %s",
            document.job,
        )
    )
    return len(table.items() ^ target.items())


def skus_twice(stack: ChaosStack, document: Document) -> int:
    """SKUs that reached the target more than once: with a second generation, or sent again after they had arrived."""
    return _count(
        stack,
        "SELECT count(DISTINCT i.sku_key) FROM processing_importrecord i JOIN ingestion_job j ON j.id = i.job_id"
        " LEFT JOIN processing_localproduct p ON p.merchant_id = i.merchant_id AND p.sku_key = i.sku_key"
        " WHERE j.uuid = %s AND (i.generation > 1 OR p.received > 1 OR p.generation > 1 OR p.updated_at < i.sent_at)",
        document.job,
    )


def _count(stack: ChaosStack, query: str, *parameters: str) -> int:
    return int(stack.sql(query, *parameters)[0][0])


def _squash(text: str) -> str:
    return re.sub(r"\s+", "", text)


_CHECKS: dict[str, Callable[[ChaosStack, Document], int]] = {
    "pages lost": pages_lost,
    "jobs stuck": jobs_stuck,
    "tasks wrong": tasks_wrong,
    "SKUs wrong": skus_wrong,
    "products wrong": products_wrong,
    "SKUs twice": skus_twice,
}
