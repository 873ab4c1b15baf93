"""Cards on panels, headed by name and code in a bar, with labels left and their values at the right edge."""

import msgspec

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.cards.sheets import column_pairs
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

SAID = [[("测温范围", "-50~550 C"), ("尺寸", "160×105×42mm"), ("重量", "175g"), ("包装", "40台/箱")],
        [("距离系数", "12:1"), ("尺寸", "90×52mm"), ("重量", "1380g"), ("包装", "8台/箱")]]  # fmt: skip


def understood(*, codes: tuple[str, str] = ("QT-M87", "QT-T50")) -> PageResult:
    lines, shown, panels = [], [], []
    for n, (name, code) in enumerate(zip(("红外测温枪", "数字万用表"), codes, strict=True)):
        y = 60 + 380 * n
        panels.append((36.0, float(y), 560.0, y + 360.0))
        shown.append(picture(f"P{n}", (52, y + 56, 260, y + 290)))
        lines += [line(name, 52, y + 12, 16), line(code, 490, y + 14, 13), line("¥89.00", 440, y + 320, 26)]
        lines += [line(text, 70 + 70 * k, y + 310, 8) for k, text in enumerate(("自动量程", "双激光"))]
        for k, (label, value) in enumerate(SAID[n]):
            right = line(value, 0, 0, 11).box[2]
            lines += [line(label, 292, y + 60 + 36 * k, 10), line(value, 533 - right, y + 60 + 36 * k, 11)]
    one = msgspec.structs.replace(page(*lines, pictures=shown), panels=tuple(panels))
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_a_bar_names_the_product_of_the_fields_on_its_panel() -> None:
    result = understood()
    assert texts(result, "product_name") == ["红外测温枪", "数字万用表"]
    assert texts(result, "model") == ["QT-M87", "QT-T50"] and texts(result, "price") == ["¥89.00"] * 2
    assert texts(result, "size") == ["160×105×42mm", "90×52mm"] and texts(result, "weight") == ["175g", "1380g"]


def test_panels_whose_bars_give_no_codes_name_no_product_so() -> None:
    assert texts(understood(codes=("NEW IN", "HOT NOW")), "model") == [None] * 2


def test_a_title_and_the_code_at_the_end_of_its_line_are_no_label_with_its_value() -> None:
    """Right edges tell of columns only beside labels in one print."""
    lines = [line("Heath Concert", 40, 100, 14), line("TB-G38-NATURAL-GLOSS", 150, 104, 8), line("Scale", 40, 140, 8)]
    lines += [line("Finish", 40, 156, 8), line("Carton", 40, 172, 8), line("Weight", 40, 188, 8)]
    right = lines[1].box[2]
    for k, value in enumerate(("24.8 inches", "Walnut satin", "2 pcs", "1.8 kg")):
        lines.append(line(value, right - line(value, 0, 0, 8).box[2], 140 + 16 * k, 8))
    assert [label.text for label, _ in column_pairs(lines)] == ["Scale", "Finish", "Carton", "Weight"]
