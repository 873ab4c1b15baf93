"""Pages of manuals, data sheets and accounts: tables and lists in the form of those of products, and no product."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random

from tests.fit.grammar.paper import Paper
from tests.fit.grammar.photos import scene
from tests.support.catalogues.grid import Look, draw_table

Rows = Sequence[Sequence[str]]

_ACTORS = ("VIH", "VIL", "VOH", "IOL", "ICC", "tPLH", "tSU", "RDS(on)", "Tj", "fCLK", "Vref", "Cin", "RthJA", "PD")
_SIGNALS = ("VDD", "GND", "RESET", "SCL", "SDA", "PWM{n}", "GPIO{n}", "ADC_IN{n}", "TXD", "RXD", "LED_CTRL", "INT{n}",
            "CLKOUT", "NC", "VBUS", "OUT{n}+", "OUT{n}-", "EN")  # fmt: skip
_FIELDS = ("EN", "MODE[1:0]", "CLK_SEL", "INT_FLAG", "GAIN", "PWM_DUTY", "RSVD", "START", "ADDR[6:0]", "TIMEOUT")
_UNITS = ("V", "mA", "nA", "°C", "MHz", "ns", "kΩ", "pF", "dB", "%", "mm", "N")


def characteristics(paper: Paper) -> None:
    """Symbols, parameters, conditions, the least, the usual and the most."""
    _several(paper, "characteristics", _characteristics, "dry.characteristics")


def _characteristics(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    names = language.lists["dry.parameters"]
    return [
        [
            random.choice(_ACTORS),
            random.choice(names),
            random.choice(("", "", "VDD = 5 V", "25 °C", "IO = 10 mA")),
            *random.choice((("", low, ""), (low, "", high), ("", low, high), ("", "", high), (low, mid, high))),
            random.choice(_UNITS),
        ]
        for low, mid, high in (_three(random) for _ in range(count))
    ]


def _three(random: Random) -> tuple[str, str, str]:
    low = random.choice((-40, 0.2, 0.5, 1.8, 3.0, 12, 100))
    return f"{low:g}", f"{low + 1.5:g}", f"{low + random.choice((2, 3.3, 60, 125)):g}"


def pins(paper: Paper) -> None:
    """Numbered pins with their names and what they are for."""
    _several(paper, "pins", _pins, "dry.pins")


def _pins(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    start, letters = random.choice((1, 1, 17)), random.random() < 0.2
    return [
        [
            f"{random.choice('ABCDEFG')}{n % 9 + 1}" if letters else str(start + n),
            random.choice(_SIGNALS).format(n=n),
            random.choice(("I", "O", "I/O", "P", "AI", "-")),
            language.one("dry.functions", random),
        ]
        for n in range(count)
    ]


def registers(paper: Paper) -> None:
    """Bits of registers, each table under its register's address."""
    _several(paper, "registers", _registers, "dry.registers", headed=True)


def _registers(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    edges = sorted({7, *random.sample(range(7), min(5, count))}, reverse=True)
    return [
        [
            f"{high}:{low + 1}" if high > low + 1 else str(high),
            random.choice(_FIELDS),
            random.choice(("0", "1", "00", "0x3F", "-")),
            language.one("dry.functions", random),
        ]
        for high, low in pairwise((*edges, -1))
    ]


def revisions(paper: Paper) -> None:
    """Versions of a document, when and by whom."""
    _several(paper, "revisions", _revisions, "dry.revisions", most=1)


def _revisions(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    form = random.choice(("V1.{n}", "A/{n}", "Rev. {n}", "{n}.0", "R0{n}"))
    dated = random.choice(("20{y}-{m:02}-{d:02}", "{d:02}.{m:02}.20{y}", "{m}/{d}/20{y}", "20{y}.{m}"))
    return [
        [
            form.format(n=n),
            dated.format(y=random.randint(14, 25), m=random.randint(1, 12), d=random.randint(1, 28)),
            language.one("dry.changes", random),
            language.one("people", random),
        ]
        for n in range(1, min(9, count + 1))
    ]


def faults(paper: Paper) -> None:
    """What goes wrong, why, and what helps."""
    _several(paper, "faults", _faults, "dry.faults", most=1)


def _faults(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    coded = random.random() < 0.3
    return [
        [
            (f"E{n + 1:02} " if coded else "") + language.one("dry.symptoms", random),
            language.one("dry.causes", random),
            language.one("dry.remedies", random),
        ]
        for n in range(min(12, count))
    ]


def accounts(paper: Paper) -> None:
    """Sums of this year and the last, in a money that is named once or nowhere."""
    _several(paper, "accounts", _accounts, "dry.accounts", most=1, many=True)


def _accounts(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    cents, thousands = random.random() < 0.6, random.choice((",", ".", " "))
    return [
        [
            (f"{n + 1}. " if count > 12 else "") + language.one("dry.entries", random),
            *(_sum(random, thousands, cents) for _ in range(2)),
            f"{random.choice('+-')}{random.randint(0, 60)}.{random.randint(0, 9)}%",
        ]
        for n in range(count)
    ]


def _sum(random: Random, thousands: str, cents: bool) -> str:
    whole = f"{random.randrange(10**3, 10 ** random.choice((4, 6, 8))):,}".replace(",", thousands)
    point = "," if thousands == "." else "."
    return f"{whole}{point}{random.randrange(100):02}" if cents else whole


def settings(paper: Paper) -> None:
    """A device's menu with ranges and factory settings."""
    _several(paper, "settings", _settings, "dry.settings")


def _settings(paper: Paper, count: int) -> Rows:
    random, language = paper.random, paper.maker.language
    coded = random.choice(("", "P{n:02} ", "F0-{n:02} ", "{n}. "))
    return [
        [
            coded.format(n=n) + language.one("dry.parameters", random),
            random.choice(("0 - 100", "ON / OFF", "1…9", "0.1-25.0", "-20 ~ 60")),
            random.choice(("50", "ON", "1", "5.0", "25")),
            language.one("dry.functions", random),
        ]
        for n in range(1, count + 1)
    ]


_Table = Callable[[Paper, int], Rows]


def _several(
    paper: Paper, name: str, rows: _Table, head: str, *, most: int = 3, headed: bool = False, many: bool = False
) -> None:
    """Tables of a kind with prose between them or without, as many as the page takes."""
    random, ink, language = paper.random, paper.maker.ink, paper.maker.language
    paper.begin("D", name)
    _heading(paper)
    y = paper.area[1]
    x0, _, x1, y1 = paper.area
    look = _look(paper)
    for k in range(random.randint(1, most)):
        if random.random() < 0.6:
            text = language.joined(*language.some("technical", random, random.choice((1, 2, 3))))
            y = paper.paragraph(x0, y + ink.size, x1 - x0, text, ink.size * 1.05) + 2
        if headed or random.random() < 0.25:
            text = f"0x{random.randrange(256):02X} {random.choice(_FIELDS).split('[')[0]}" if headed else _number(paper)
            paper.fitted(x0, y + ink.size * 1.4, x1 - x0, text, face=ink.bold, size=ink.size * 1.2, colour=ink.text)
            y += ink.size * 2.2
        heads = list(language.lists[head])
        cells = rows(paper, random.randint(6, 30) if many or random.random() < 0.4 else random.randint(3, 10))
        y = _table(paper, y + 4, heads, cells, look) + 14
        if random.random() < 0.2:
            note = f"{k + 1}-{random.randint(1, 9)} {language.one('titles.dry', random)}"
            paper.fitted(x0, y, x1 - x0, note, face=ink.body, size=ink.size * 0.9, colour=ink.grey, align="center")
            y += ink.size * 1.6
        if y > y1 - 120:
            break


def _heading(paper: Paper) -> None:
    """A chapter's heading, numbered or not, or none."""
    chance = paper.random.random()
    text = paper.maker.language.one("titles.dry", paper.random)
    if chance < 0.8:
        paper.title(text if chance < 0.4 else f"{_number(paper)} {text}")


def _number(paper: Paper) -> str:
    return ".".join(str(paper.random.randint(1, 9)) for _ in range(paper.random.choice((1, 2, 2, 3))))


def _look(paper: Paper) -> Look:
    random, ink = paper.random, paper.maker.ink
    fill = random.choice((ink.soft, ink.accent, None, None))
    return Look(
        size=ink.size,
        face=ink.body,
        header_face=random.choice((ink.bold, ink.body)),
        header_fill=fill,
        band=random.choice((None, None, ink.soft)),
        line=random.choice((ink.grey, ink.grey, ink.text)),
        header_colour=ink.ground if fill == ink.accent else ink.text,
        colour=ink.text,
    )


def _table(paper: Paper, y: float, head: Sequence[str], rows: Rows, look: Look) -> float:
    """Columns as wide as their texts ask; ruled, or with room alone between them. Returns the lower edge."""
    random, ink, (x0, _, x1, y1) = paper.random, paper.maker.ink, paper.area
    cells = [head, *rows]
    faces = [look.header_face] + [look.face] * len(rows)
    asked = [max(paper.faces[ink.body].width(row[c], look.size) for row in cells) + 14 for c in range(len(head))]
    asked = [min(one, (x1 - x0) * 0.45) for one in asked]
    share = min(1.6, (x1 - x0) / sum(asked))
    widths = [one * share for one in asked]

    def wrapped(face: str, row: Sequence[str], size: float) -> list[tuple[list[str], float]]:
        return [paper.wrapped(face, text, size, wide - 8) for text, wide in zip(row, widths, strict=True)]

    size = min(least for face, row in zip(faces, cells, strict=True) for _, least in wrapped(face, row, look.size))
    used = Look(**{**vars(look), "size": size})
    heights = [
        max(len(lines) for lines, _ in wrapped(face, row, size)) * size * look.leading + 6
        for face, row in zip(faces, cells, strict=True)
    ]
    while len(cells) > 2 and y + sum(heights) > y1:
        cells.pop()
        heights.pop()
    if random.random() < 0.75:
        draw_table(paper.leaf, x0, y, widths, heights, cells, used)
        return y + sum(heights)
    return _loose(paper, y, cells, widths, heights, used)


def _loose(paper: Paper, y: float, cells: Rows, widths: Sequence[float], heights: Sequence[float], look: Look) -> float:
    """The same without lines but under the heads."""
    x0 = paper.area[0]
    for n, (row, high) in enumerate(zip(cells, heights, strict=True)):
        x = x0
        for text, wide in zip(row, widths, strict=True):
            face = look.header_face if n == 0 else look.face
            for k, line in enumerate(paper.wrapped(face, text, look.size, wide - 8)[0]):
                at = y + look.size * (1.1 + look.leading * k)
                paper.leaf.text(x, at, line, face=face, size=look.size, colour=look.colour)
            x += wide
        y += high
        if n == 0:
            paper.leaf.rule(x0, y, x0 + sum(widths), y, colour=look.line, thick=0.7)
    return y


def instructions(paper: Paper) -> None:
    """What to do, step by step, with pictures of it or without."""
    random, ink, language = paper.random, paper.maker.ink, paper.maker.language
    paper.begin("D", "instructions")
    _heading(paper)
    x0, y, x1, y1 = paper.area
    pictured, form = random.random() < 0.5, random.choice(("{n}. ", "({n}) ", "{n}) ", "• ", "", "{n} "))
    cols = random.choice((1, 1, 2))
    wide = (x1 - x0 - 16 * (cols - 1)) / cols
    for col in range(cols):
        x, at = x0 + col * (wide + 16), y + ink.size
        for n in range(1, random.randint(4, 12)):
            if at > y1 - 20:
                break
            if pictured and at + wide * 0.35 < y1 - 30 and random.random() < 0.6:
                width = wide * random.choice((0.4, 0.6, 1.0))
                paper.decorates(scene(random.randrange(60), 2.5), (x, at, x + width, at + width / 2.5))
                at += width / 2.5 + ink.size * 1.2
            text = form.format(n=n) + language.one("dry.acts", random)
            if random.random() < 0.4:
                text = language.joined(text, language.one("technical", random))
            at = paper.paragraph(x, at, wide, text, ink.size * 1.1) + 3


def chapters(paper: Paper) -> None:
    """Numbered headings with paragraphs under them, and a figure's name here and there."""
    random, ink, language = paper.random, paper.maker.ink, paper.maker.language
    paper.begin("D", "chapters")
    x0, y, x1, y1 = paper.area
    chapter, bold = random.randint(1, 9), random.choice((ink.bold, ink.body))
    words = [*language.lists["titles.dry"], *language.lists["dry.parameters"]]
    for n in range(1, random.randint(3, 9)):
        if y > y1 - 60:
            break
        size = ink.size * random.choice((1.15, 1.3))
        text = f"{chapter}.{n} {random.choice(words)}"
        paper.fitted(x0, y + size, x1 - x0, text, face=bold, size=size, colour=ink.text)
        y += size * 2
        some = language.some(random.choice(("technical", "terms", "dry.acts")), random, random.randint(1, 4))
        y = paper.paragraph(x0, y + 4, x1 - x0, language.joined(*some), ink.size * 1.05) + 4
        if random.random() < 0.25 and y < y1 - 150:
            paper.decorates(scene(random.randrange(60), 3.0), (x0, y, x0 + 240, y + 80))
            name = f"{chapter}-{n} {random.choice(words)}"
            paper.fitted(x0, y + 92, 240, name, face=ink.body, size=ink.size, colour=ink.text, align="center")
            y += 106


def callouts(paper: Paper) -> None:
    """A drawing with numbers, and what they stand for."""
    random, ink, language = paper.random, paper.maker.ink, paper.maker.language
    paper.begin("D", "callouts")
    _heading(paper)
    x0, y, x1, y1 = paper.area
    high = min((x1 - x0) / 2.0, (y1 - y) * 0.5)
    paper.decorates(scene(random.randrange(60), 2.0), (x0, y, x0 + high * 2, y + high))
    y += high + ink.size * 2
    cols, form = random.choice((1, 2)), random.choice(("{n}  ", "({n}) ", "{n}. "))
    wide = (x1 - x0) / cols
    texts = [*language.lists["dry.functions"], *language.lists["dry.parameters"]]
    random.shuffle(texts)
    for n, text in enumerate(texts[: random.randint(5, 16)]):
        at = y + n // cols * ink.size * 1.8
        if at > y1:
            break
        paper.fitted(
            x0 + n % cols * wide,
            at,
            wide - 8,
            form.format(n=n + 1) + text,
            face=ink.body,
            size=ink.size,
            colour=ink.text,
        )


def curves(paper: Paper) -> None:
    """Charts with numbers along their axes."""
    random, ink, language = paper.random, paper.maker.ink, paper.maker.language
    paper.begin("D", "curves")
    _heading(paper)
    x0, y0, x1, y1 = paper.area
    cols, rows = random.choice(((1, 1), (2, 1), (2, 2), (2, 3)))
    wide, high = (x1 - x0) / cols, min(200.0, (y1 - y0) / rows)
    for k in range(cols * rows):
        left, top = x0 + k % cols * wide + 30, y0 + k // cols * high + 8
        right, foot = left + wide - 50, top + high - 50
        paper.leaf.rect((left, top, right, foot), line=ink.grey, thick=0.6)
        step = random.choice((1, 5, 20, 0.5))
        for n in range(6):
            x, y = left + (right - left) * n / 5, foot - (foot - top) * n / 5
            paper.leaf.text(x, foot + 9, f"{n * step:g}", face=ink.body, size=6.5, colour=ink.text, align="center")
            paper.leaf.text(left - 4, y, f"{n * step * 10:g}", face=ink.body, size=6.5, colour=ink.text, align="right")
            tip = top + (foot - top) * random.random()
            if n and random.random() < 0.7:
                paper.leaf.rect((x - 12, tip, x - 3, foot), fill=ink.accent)
        name = f"{k + 1}. {random.choice(language.lists['dry.parameters'])}"
        paper.fitted(left, foot + 22, right - left, name, face=ink.body, size=8, colour=ink.text, align="center")


# Page and how often it is drawn.
MANUALS: Mapping[str, tuple[Callable[[Paper], None], float]] = {
    "characteristics": (characteristics, 4),
    "pins": (pins, 2),
    "registers": (registers, 2),
    "revisions": (revisions, 2),
    "faults": (faults, 2),
    "accounts": (accounts, 3),
    "settings": (settings, 2),
    "instructions": (instructions, 4),
    "chapters": (chapters, 4),
    "callouts": (callouts, 2),
    "curves": (curves, 1),
}
