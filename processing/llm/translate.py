"""Between what models write and what the engine takes: answers as ModelAnswers, results as zones of the next prompt."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from catalogsku.core.box import Box, centre, contains_point
from processing.engine.drawing.views import box_on_page
from processing.engine.page import ParsedPage, Table
from processing.engine.result import BASE_KEYS, PageResult, Sku, Value
from processing.engine.understanding.answers import AnsweredCustom, AnsweredSku, AnsweredValue, ModelAnswers
from processing.engine.understanding.config import AnalystConfig
from processing.llm import answers as said
from processing.llm.parsing import Fault
from processing.llm.zones import Zones, printable

# Reasons of a page that a model can do something about when it is told them.
_ANSWERABLE = {
    "value_not_found": "not printed on the page; give what is printed, or null",
    "value_unproved": "not what was read again in that box; give what is printed and its box, or null",
    "value_of_another": "printed with another product; give what is printed for this one, or null",
    "value_mislabelled": "printed under the label of another attribute; give what stands under its own, or null",
    "value_approximate": "printed differently; give it exactly as printed",
    "identity_missing": "a product needs a model or a name as printed; leave it out where the page gives neither",
    "price_unclear": "not a price as printed",
}
# Products of the rules' draft that are shown; a table of more says the rest by its columns.
_DRAFTED = 60
_NO_END = 10_000


def keys_of(config: AnalystConfig) -> tuple[str, ...]:
    """Those that an answer may give values for: the base ones, then the category's."""
    return tuple(dict.fromkeys((*BASE_KEYS, *(attribute.key for attribute in config.attributes))))


def answered(answer: said.PageAnswer, page: ParsedPage, zones: Zones, keys: Sequence[str]) -> ModelAnswers:
    """``keys``: those of the schema; what stands under another name is a custom value of that label."""
    merged = {anchor.id: anchor.blocks for anchor in zones.anchors}
    of_lines = dict(_of_lines(answer.tables, page, keys))
    skus = list(of_lines.values())
    places = {line: n for n, line in enumerate(of_lines)}
    for product in answer.products:
        sku = _sku(product, merged, page)
        if product.line in places:
            n = places[product.line]
            skus[n] = _completed(skus[n], sku)
        else:
            skus.append(sku)
    aside = tuple(name for block in answer.aside for name in merged.get(block, (block,)))
    # A page that is said to hold none is one of another kind, not one whose products were not found.
    products = None if answer.page_type == "D" and not skus else tuple(skus)
    return ModelAnswers("", answer.page_type, answer.confidence, skus=products, aside=aside)


def _of_lines(
    tables: Iterable[said.TableAnswer], page: ParsedPage, keys: Sequence[str]
) -> Iterator[tuple[str, AnsweredSku]]:
    """The product of each line that was named, by the line's id."""
    known = {table.id: table for table in page.tables}
    for table_answer in tables:
        if (table := known.get(table_answer.table)) is None:
            continue
        columns = [(int(name), key) for name, key in table_answer.columns.items() if name.strip().isdigit()]
        last = table.n_cols if table_answer.sideways else table.n_rows
        for line in _numbers(table_answer.lines, last):
            sku = _of_line(table, line, columns, keys, table_answer.sideways)
            if sku is not None:
                yield f"{table.id}:{line}", AnsweredSku(*sku, confidence=table_answer.confidence)


def _of_line(
    table: Table, line: int, columns: Sequence[tuple[int, str]], keys: Sequence[str], sideways: bool
) -> tuple[dict[str, AnsweredValue], tuple[AnsweredCustom, ...]] | None:
    attributes: dict[str, AnsweredValue] = {}
    custom: list[AnsweredCustom] = []
    for column, key in columns:
        row, col = (column, line) if sideways else (line, column)
        for cell in table.cells:
            if cell.row <= row < cell.row + cell.rows and cell.col <= col < cell.col + cell.cols and cell.text.strip():
                value = AnsweredValue(printable(cell.text), f"{table.id}:{cell.row}:{cell.col}")
                if key in keys and key not in attributes:
                    attributes[key] = value
                else:
                    custom.append(AnsweredCustom(key, value))
                break
    return (attributes, tuple(custom)) if attributes or custom else None


def _numbers(lines: Iterable[str], end: int) -> Iterator[int]:
    """Of "3" and "5-17" each number once, below ``end``."""
    seen = set[int]()
    for part in lines:
        first, _, last = part.partition("-")
        for number in range(int(first), min(int(last or first), end - 1) + 1):
            if number not in seen:
                seen.add(number)
                yield number


def _sku(product: said.ProductAnswer, merged: Mapping[str, tuple[str, ...]], page: ParsedPage) -> AnsweredSku:
    values = {key: value for key, value in product.attributes.items() if value is not None}
    return AnsweredSku(
        attributes={key: _value(value, merged, page) for key, value in values.items()},
        custom=tuple(AnsweredCustom(custom.label, _value(custom, merged, page)) for custom in product.custom),
        pictures=tuple(product.pictures),
        confidence=product.confidence,
    )


def _value(value: said.ValueAnswer, merged: Mapping[str, tuple[str, ...]], page: ParsedPage) -> AnsweredValue:
    source = " ".join(merged.get(value.at, (value.at,))) if value.at else ""
    return AnsweredValue(value.value, source, box_on_page(page, _corners(value.box)) if value.box else None)


def listed(answer: said.PageAnswer) -> int:
    """How many products an answer lists."""
    lines = {f"{table.table}:{n}" for table in answer.tables for n in _numbers(table.lines, _NO_END)}
    return len(lines) + sum(product.line not in lines for product in answer.products)


def joined(answer: said.PageAnswer, more: said.PageAnswer) -> said.PageAnswer:
    """An answer and what goes on with it; what was said before is not taken twice."""
    tables = [table for table in more.tables if table not in answer.tables]
    known = [(product.line, product.attributes) for product in answer.products]
    products = [product for product in more.products if (product.line, product.attributes) not in known]
    return answer.model_copy(
        update={
            "tables": [*answer.tables, *tables],
            "products": [*answer.products, *products],
            "aside": list(dict.fromkeys((*answer.aside, *more.aside))),
        }
    )


def _corners(box: Sequence[float]) -> Box:
    x0, y0, x1, y1 = box
    return x0, y0, x1, y1


def _completed(line: AnsweredSku, more: AnsweredSku) -> AnsweredSku:
    """What a line prints and what was said of it beside; the line's own cell comes first."""
    own = {key: value for key, value in more.attributes.items() if key not in line.attributes}
    return AnsweredSku(
        {**line.attributes, **own}, (*line.custom, *more.custom), more.pictures, min(line.confidence, more.confidence)
    )


# -- zones


def schema_zone(config: AnalystConfig) -> str:
    """The attributes to look for: base keys, then the category's with their printed labels."""
    own: list[dict[str, object]] = [
        {"key": a.key, "labels": [label for label in (a.label_zh, a.label_en, *a.synonyms) if label]}
        for a in config.attributes
        if a.key not in BASE_KEYS
    ]
    base: list[dict[str, object]] = [{"key": key} for key in BASE_KEYS]
    return _lines(base + own)


def draft_zone(rules: PageResult, page: ParsedPage) -> str:
    """What the rules made of the page, in the answer's own shape; empty where they found nothing."""
    return _lines([draft_of(rules, page)]) if rules.skus else ""


def draft_of(rules: PageResult, page: ParsedPage) -> dict[str, Any]:
    """Tables by their columns, then what these do not say: ``products`` with their values, or with their pictures."""
    tables = [drafted_table for table in page.tables if (drafted_table := _drafted_table(table, rules.skus))]
    told_of = {table["table"] for table in tables}
    numbered = list(enumerate(rules.skus, 1))
    products = [_drafted(n, sku, sku.table in told_of) for n, sku in numbered]
    drafted = {"page_type": rules.page_type, "count": len(rules.skus), "tables": tables}
    return {**drafted, "products": [product for product in products if len(product) > 2][:_DRAFTED]}


def _drafted_table(table: Table, skus: Sequence[Sku]) -> dict[str, object]:
    """Its lines, and what each of its columns is taken for; empty where no product stands in it."""
    own = [sku for sku in skus if sku.table == table.id and sku.row >= 0]
    stands: Counter[tuple[int, str]] = Counter()
    for sku in own:
        named = [*((key, v.evidence) for key, v in sku.attributes.items()), *((c.name, c.evidence) for c in sku.custom)]
        for key, evidence in named:
            for cell in table.cells:
                if cell.row == sku.row and contains_point(cell.box, *centre(evidence.bbox)):
                    stands[cell.col, key] += 1
    columns: dict[str, str] = {}
    for (col, key), _ in stands.most_common():
        if str(col) not in columns and key not in columns.values():
            columns[str(col)] = key
    lines = _ranges(sorted({sku.row for sku in own}))
    return {"table": table.id, "lines": lines, "columns": dict(sorted(columns.items()))} if columns else {}


def _ranges(numbers: Sequence[int]) -> list[str]:
    """As an answer has them: "3", "5-17"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def _drafted(number: int, sku: Sku, is_told: bool) -> dict[str, object]:
    """``is_told``: its table's columns say its values."""
    line = {"line": f"{sku.table}:{sku.row}"} if sku.table and sku.row >= 0 else {"line": None}
    values = {} if is_told else {"attributes": {key: printable(v.text) for key, v in sku.attributes.items()}}
    own = {"custom": {printable(c.name): printable(c.value) for c in sku.custom}} if sku.custom and not is_told else {}
    pictures = [binding.picture for binding in sku.bindings]
    return {"number": number, **line, **values, **own, **({"pictures": pictures} if pictures else {})}


def context_zone(page: ParsedPage, earlier: Sequence[ParsedPage], inherited: Mapping[str, Value], category: str) -> str:
    """What the pages before say of this one: the head of their last table where this one has a table, what is printed
    on top of them, and what holds for the whole document."""
    whole = {key: printable(value.text) for key, value in inherited.items()}
    entries: list[dict[str, object]] = [{**whole, **({"category": category} if category else {})}]
    for before in sorted(earlier, key=lambda shown_page: shown_page.number)[-2:]:
        heads = [block.text for block in before.blocks if block.text.strip()][:3]
        table = before.tables[-1] if before.tables and page.tables else None
        head = [printable(cell.text) for cell in table.cells if cell.row == 0] if table else []
        entry: dict[str, object] = {"page": before.number, "begins": [printable(text)[:80] for text in heads]}
        entries.append({**entry, "table_head": head} if head else entry)
    return _lines([entry for entry in entries if entry])


def continued_zone(answer: said.PageAnswer) -> str:
    """What was listed already, and with which product to go on."""
    lines = [{"table": table.table, "lines": table.lines} for table in answer.tables]
    names = [
        next((v.value for key in ("model", "product_name") if (v := product.attributes.get(key))), product.line or "")
        for product in answer.products
    ]
    last = max((product.number for product in answer.products), default=0)
    return _lines([{"count": answer.count, "tables": lines, "products": names, "go_on_with": last + 1}])


def _lines(entries: Sequence[Mapping[str, object]]) -> str:
    return "\n".join(escape(json.dumps(entry, ensure_ascii=False)) for entry in entries)


def faults_of(result: PageResult) -> tuple[Fault, ...]:
    """What the checks refuse and a model could mend: where, the value, and the rule (GR-CRITIQUE)."""
    faults = []
    for blocker in result.blockers:
        if blocker.code in _ANSWERABLE and blocker.sku is not None:
            key, value = blocker.params.get("key", ""), blocker.params.get("value", blocker.params.get("price", ""))
            path = f"products[{blocker.sku}].{key}".rstrip(".")
            faults.append(Fault(path, str(value)[:80], _ANSWERABLE[blocker.code]))
    return tuple(faults)
