"""What is printed on a task's page, as it was read: words to take over by hand, blocks, tables and their cells."""

from collections.abc import Sequence
from typing import Any

from annotation.tasks.models import HumanTask
from processing.engine.page import Block, Table, unpack_page
from processing.pages.services.reading import kept_pages


def printed(task: HumanTask) -> dict[str, Any]:
    """``blocks``: [id, box, lines], a line being [text, box, words] and a word [text, box]; ``tables``: [id, box, boxes
    of cells]. Boxes in points. Both empty where what was read is not kept any more.
    """
    content = kept_pages(task.job, [task.page.number]).get(task.page.number)
    page = unpack_page(bytes(content.data)) if content else None
    return {
        "blocks": [_block(block) for block in page.blocks] if page else [],
        "tables": [_table(table) for table in page.tables] if page else [],
    }


def _block(block: Block) -> list[Any]:
    lines = [[line.text, _box(line.box), [[word.text, _box(word.box)] for word in line.words]] for line in block.lines]
    return [block.id, _box(block.box), lines]


def _table(table: Table) -> list[Any]:
    return [table.id, _box(table.box), [_box(cell.box) for cell in table.cells]]


def _box(box: Sequence[float]) -> list[float]:
    return [round(side, 1) for side in box]
