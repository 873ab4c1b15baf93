"""Pages of catalogues that hold no product, however much some of them look like those that do."""

from collections.abc import Callable, Mapping, Sequence

from tests.fit.grammar.paper import Paper
from tests.fit.grammar.photos import code_picture, portrait, scene
from tests.support.catalogues.grid import Look, draw_table
from tests.support.catalogues.ink import WHITE, Box, rgb


def cover(paper: Paper) -> None:
    """A picture over the page, the maker's name and the year."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "cover", bare=True)
    leaf, ink, language = paper.leaf, maker.ink, maker.language
    wide, high = leaf.width, leaf.height
    kind = random.choice(("photo", "half", "plain", "band"))
    if kind != "plain":
        top = 0.0 if kind in ("photo", "half") else high * 0.3
        foot = high if kind == "photo" else high * 0.6
        paper.decorates(scene(random.randrange(40), round(wide / (foot - top), 1)), (0, top, wide, foot))
    else:
        leaf.rect((0, 0, wide, high), fill=ink.accent)
    y = high * (0.16 if kind == "band" else 0.72)
    colour = WHITE if kind in ("photo", "plain") else ink.text
    if kind == "photo":
        leaf.rect((0, y - 50, wide, y + 70), fill=ink.accent)
    align = random.choice(("left", "center", "right"))
    paper.fitted(
        maker.margin,
        y,
        wide - 2 * maker.margin,
        language.one("titles.cover", random),
        face=ink.bold,
        size=random.choice((26, 34, 44)),
        colour=colour,
        align=align,
    )
    paper.fitted(
        maker.margin, y + 32, wide - 2 * maker.margin, maker.name, face=ink.body, size=16, colour=colour, align=align
    )
    if random.random() < 0.7:
        year = random.choice(("2024", "2025", "2026", "2025/26", "Nr. 14"))
        paper.fitted(
            maker.margin, y + 56, wide - 2 * maker.margin, year, face=ink.body, size=13, colour=colour, align=align
        )


def divider(paper: Paper) -> None:
    """A group's name alone, or over a picture."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "divider", bare=True)
    wide, high, ink = paper.leaf.width, paper.leaf.height, maker.ink
    if random.random() < 0.6:
        paper.decorates(scene(random.randrange(40), round(wide / high * 1.5, 1)), (0, 0, wide, high * 0.66))
        y, colour = high * 0.78, ink.text
    else:
        paper.leaf.rect((0, 0, wide, high), fill=ink.accent)
        y, colour = high * 0.5, ink.ground
    title = maker.language.one("groups", random)
    paper.fitted(maker.margin, y, wide - 2 * maker.margin, title, face=ink.bold, size=38, colour=colour)
    if random.random() < 0.4:
        paper.fitted(
            maker.margin,
            y + 30,
            wide - 2 * maker.margin,
            str(random.randint(1, 12)),
            face=ink.body,
            size=18,
            colour=colour,
        )


def about(paper: Paper) -> None:
    """Paragraphs about the maker, with a picture or two."""
    _prose(paper, "about", "titles.about", "about", pictured=True)


def terms(paper: Paper) -> None:
    """Conditions, numbered or in columns."""
    _prose(paper, "terms", "titles.terms", "terms", pictured=False)


def _prose(paper: Paper, name: str, title: str, key: str, *, pictured: bool) -> None:
    random, maker = paper.random, paper.maker
    paper.begin("D", name)
    paper.title(maker.language.one(title, random))
    ink, (x0, y0, x1, y1) = maker.ink, paper.area
    cols = random.choice((1, 1, 2)) if x1 - x0 > 300 else 1
    numbered, size = random.random() < 0.6 and not pictured, ink.size * random.choice((1.0, 1.15))
    wide = (x1 - x0 - 20 * (cols - 1)) / cols
    for col in range(cols):
        x, y = x0 + col * (wide + 20), y0 + size
        if pictured and random.random() < 0.6:
            high = min(wide * 0.5, (y1 - y0) * 0.35)
            paper.decorates(scene(random.randrange(40), round(wide / high, 1)), (x, y0, x + wide, y0 + high))
            y += high + 8
        for k in range(random.randint(3, 9)):
            text = maker.language.joined(
                *maker.language.some(key, random, random.choice((1, 2, 3) if numbered else (2, 3, 4)))
            )
            text = f"{k + 1}. {text}" if numbered else text
            lines, small = paper.wrapped(ink.body, text, size, wide)
            if y + len(lines) * small * 1.42 > y1:
                break
            y = paper.paragraph(x, y, wide, text, size) + size * 0.7


def contents(paper: Paper) -> None:
    """Groups with page numbers, with leader dots or without."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "contents")
    paper.title(maker.language.one("titles.contents", random))
    ink, (x0, y, x1, y1) = maker.ink, paper.area
    size, dotted, page = random.choice((9.0, 11.0, 13.0)), random.random() < 0.6, 3
    end = x1 if random.random() < 0.5 else x0 + (x1 - x0) * 0.6
    for text in [
        *maker.language.lists["groups"],
        *maker.language.lists[f"nouns.{maker.trade}"],
        maker.language.lists["titles.terms"][0],
    ]:
        y += size * 2
        if y > y1:
            break
        wide = paper.fitted(x0, y, (end - x0) * 0.8, text, face=ink.body, size=size, colour=ink.text)
        number = str(page) if random.random() < 0.8 else f"{page}-{page + 3}"
        cost = paper.leaf.text(end, y, number, face=ink.body, size=size, colour=ink.text, align="right")
        room = end - x0 - wide - cost - 12
        if dotted and room > 8:
            dots = int(room / paper.faces[ink.body].width(".", size))
            paper.leaf.text(end - cost - 6, y, "." * dots, face=ink.body, size=size, colour=ink.grey, align="right")
        page += random.randint(1, 6)


def figures(paper: Paper) -> None:
    """Large numbers about the maker."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "figures")
    paper.title(maker.language.one("titles.figures", random))
    ink, (x0, y0, x1, y1) = maker.ink, paper.area
    cols = random.choice((2, 3))
    wide, high = (x1 - x0) / cols, min(130.0, (y1 - y0) / 3)
    for k, text in enumerate(maker.language.some("figures", random, 6)):
        x, y = x0 + k % cols * wide, y0 + k // cols * high
        number = random.choice(("35", "120", "1987", "1,200", "26", "98 %", "4 500", "12+"))
        paper.fitted(x, y + 34, wide - 10, number, face=ink.bold, size=30, colour=ink.accent)
        paper.fitted(x, y + 52, wide - 10, text, face=ink.body, size=10, colour=ink.text)
    _fill(paper, "about", y0 + high * 3 if cols == 2 else y0 + high * 2)


def _fill(paper: Paper, key: str, y: float) -> None:
    """A paragraph where room is left."""
    x0, _, x1, y1 = paper.area
    text = paper.maker.language.joined(*paper.maker.language.some(key, paper.random, 3))
    lines, size = paper.wrapped(paper.maker.ink.body, text, paper.maker.ink.size, x1 - x0)
    if y + (len(lines) + 1) * size * 1.42 < y1:
        paper.paragraph(x0, y + size, x1 - x0, text, size)


def _tiles(paper: Paper, cols: int, rows: int, ratio: float) -> list[Box]:
    x0, y0, x1, y1 = paper.area
    wide, high = (x1 - x0) / cols, (y1 - y0) / rows
    tall = min(high - 34, (wide - 16) * ratio)
    return [
        (x0 + c * wide + 8, y0 + r * high, x0 + (c + 1) * wide - 8, y0 + r * high + tall)
        for r in range(rows)
        for c in range(cols)
    ]


def certificates(paper: Paper) -> None:
    """Certificates in a grid, captions below them."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "certificates")
    paper.title(maker.language.one("titles.certificates", random))
    ink = maker.ink
    for box in _tiles(paper, random.choice((2, 3, 4)), 2, 1.35):
        if random.random() < 0.9:
            paper.leaf.rect(box, fill=rgb("#FFFDF6"), line=ink.grey, thick=1)
            seal = (
                box[0] + (box[2] - box[0]) * 0.3,
                box[1] + 8,
                box[2] - (box[2] - box[0]) * 0.3,
                box[1] + 8 + (box[2] - box[0]) * 0.4,
            )
            if seal[3] < box[3]:
                paper.press.decorates("seal", seal, "#B8902F", "#FFFDF6")
            text = random.choice(("ISO 9001", "CE", "ISO 14001", "FSC", "RoHS", "HACCP", "TÜV", "GMP"))
            paper.fitted(
                box[0], box[3] + 12, box[2] - box[0], text, face=ink.body, size=8, colour=ink.text, align="center"
            )


def team(paper: Paper) -> None:
    """Portraits with names, what they do, and telephone numbers."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "team")
    paper.title(maker.language.one("titles.team", random))
    ink, language = maker.ink, maker.language
    cols = random.choice((2, 3, 4))
    people = language.some("people", random, 8)
    for person, box in zip(people, _tiles(paper, cols, 2 if cols > 2 else 3, 0.95), strict=False):
        paper.decorates(portrait(random.randrange(60)), box)
        wide = box[2] - box[0]
        paper.fitted(box[0], box[3] + 11, wide, person, face=ink.bold, size=9, colour=ink.text)
        paper.fitted(box[0], box[3] + 21, wide, language.one("jobs", random), face=ink.body, size=7.5, colour=ink.grey)
        if random.random() < 0.6:
            phone = f"+49 30 55{random.randrange(100, 999)} {random.randrange(10, 99)}"
            paper.fitted(box[0], box[3] + 30, wide, phone, face=ink.body, size=7, colour=ink.grey)


def references(paper: Paper) -> None:
    """Logos of others, with their names or without."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "references")
    paper.title(maker.language.one("titles.references", random))
    named = random.random() < 0.5
    for box in _tiles(paper, random.choice((3, 4, 5)), random.choice((3, 4)), 0.6):
        if box[3] - box[1] > 12:
            paper.press.decorates("logo", box, random.choice(("#3B6FB6", "#B22222", "#2E7D4F", "#444B54")), "#FFFFFF")
        if named:
            paper.fitted(
                box[0],
                box[3] + 10,
                box[2] - box[0],
                maker.goods.fancy(),
                face=maker.ink.body,
                size=8,
                colour=maker.ink.text,
                align="center",
            )


def contact(paper: Paper) -> None:
    """Addresses, telephones, a code to scan, a map."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "contact")
    paper.title(maker.language.one("titles.contact", random))
    ink, (x0, y, x1, _) = maker.ink, paper.area
    language = maker.language
    for place in language.some("places", random, random.choice((1, 2, 3))):
        y += 18
        paper.fitted(x0, y, x1 - x0, maker.name, face=ink.bold, size=11, colour=ink.text)
        for text in (
            place,
            f"Tel. +49 30 55{random.randrange(1000, 9999)}",
            f"Fax +49 30 55{random.randrange(1000, 9999)}",
            "info@catalogue.example",
        ):
            y += 14
            paper.fitted(x0, y, x1 - x0, text, face=ink.body, size=9.5, colour=ink.text)
    if random.random() < 0.6:
        paper.decorates(code_picture(random.randrange(40)), (x0, y + 20, x0 + 80, y + 100))
    if random.random() < 0.5:
        paper.decorates(scene(random.randrange(40), 2.0), (x0 + 100, y + 20, x1, y + 20 + (x1 - x0 - 100) / 2.2))


def technical(paper: Paper) -> None:
    """Prose and a table of parameters and limits: nothing in it can be ordered."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "technical")
    paper.title(maker.language.one("titles.technical", random))
    ink, language, (x0, y, x1, _) = maker.ink, maker.language, paper.area
    for _ in range(random.choice((1, 2, 3))):
        text = language.joined(*language.some("technical", random, random.choice((2, 3))))
        y = paper.paragraph(x0, y + ink.size, x1 - x0, text, ink.size * 1.1) + 4
        kinds = [key for key in language.lists if key.startswith("specs.")]
        names = [language.one(key, random) for key in random.sample(kinds, random.randint(4, 8))]
        units = ("°C", "bar", "mm", "W", "V", "%", "kg", "h")
        rows = [
            [
                name,
                _limit(paper),
                random.choice(units),
                random.choice(("ISO 178", "DIN 53455", "-", "ASTM D638", "EN 60335")),
            ]
            for name in names
        ]
        y = _grid(paper, y + 4, language.lists["limits"], rows) + 16
        if y > paper.area[3] - 170:
            break


def _limit(paper: Paper) -> str:
    random = paper.random
    low = random.choice((-20, 0, 5, 12, 40))
    return random.choice(
        (f"{low} … {low + 60}", f"≤ {low + 80}", f"≥ {abs(low) + 1}", f"{low + 3}", f"± 0.{random.randint(1, 9)}")
    )


def _grid(paper: Paper, y: float, head: Sequence[str], rows: Sequence[Sequence[str]]) -> float:
    """A table in the maker's look, shrunk to the page; returns its lower edge."""
    random, ink, (x0, _, x1, y1) = paper.random, paper.maker.ink, paper.area
    look = Look(
        size=ink.size,
        face=ink.body,
        header_face=ink.bold,
        header_fill=random.choice((ink.soft, ink.accent, None)),
        band=None,
        header_colour=ink.text,
        line=ink.grey,
        colour=ink.text,
    )
    wide = (x1 - x0) / len(head)
    size = min(paper.wrapped(ink.bold, text, look.size, wide - 8)[1] for row in (head, *rows) for text in row)
    most = max(len(paper.wrapped(ink.bold, text, size, wide - 8)[0]) for row in (head, *rows) for text in row)
    high = most * size * look.leading + 8
    rows = rows[: max(1, int((y1 - y) / high) - 1)]
    used = Look(
        **{**vars(look), "size": size, "header_colour": ink.ground if look.header_fill == ink.accent else ink.text}
    )
    draw_table(paper.leaf, x0, y, [wide] * len(head), [high] * (len(rows) + 1), [head, *rows], used)
    return y + high * (len(rows) + 1)


def sizes(paper: Paper) -> None:
    """A chart of body sizes."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "sizes")
    paper.title(maker.language.one("titles.sizes", random))
    start = random.randrange(72, 90)
    rows = [
        [name, *(f"{start + off + 4 * k}-{start + off + 4 * k + 4}" for off in (8, -8, 12)), str(62 + 2 * k)]
        for k, name in enumerate(
            random.choice((("XS", "S", "M", "L", "XL", "XXL"), ("34", "36", "38", "40", "42", "44", "46")))
        )
    ]
    y = _grid(paper, paper.area[1], maker.language.lists["chart"], rows)
    _fill(paper, "technical", y + 16)


def hours(paper: Paper) -> None:
    """When the shop is open."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "hours")
    paper.title(maker.language.one("titles.hours", random))
    ink, (x0, y, x1, _) = maker.ink, paper.area
    for day in maker.language.lists["days"]:
        y += 22
        paper.fitted(x0, y, (x1 - x0) * 0.45, day, face=ink.body, size=12, colour=ink.text)
        when = random.choice(("9:00 – 18:00", "8.30 – 17.00", "10:00-14:00", maker.language.lists["closed"][0]))
        paper.fitted(x0 + (x1 - x0) * 0.5, y, (x1 - x0) * 0.45, when, face=ink.body, size=12, colour=ink.text)
    _fill(paper, "about", y + 30)


def gallery(paper: Paper) -> None:
    """Places and people in pictures, without names."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "gallery")
    if random.random() < 0.6:
        paper.title(maker.language.one("titles.gallery", random))
    x0, y0, x1, y1 = paper.area
    cols, rows = random.choice(((1, 2), (2, 2), (2, 3), (3, 3)))
    wide, high, gap = (x1 - x0) / cols, (y1 - y0) / rows, random.choice((2.0, 8.0))
    for k in range(cols * rows):
        x, y = x0 + k % cols * wide, y0 + k // cols * high
        box = (x, y, x + wide - gap, y + high - gap)
        paper.decorates(scene(random.randrange(60), round(min(2.5, max(0.5, wide / high)), 1)), box)


def steps(paper: Paper) -> None:
    """How the maker works: circles or photos with captions, arrows between."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "steps")
    paper.title(maker.language.one("titles.steps", random))
    ink, (x0, y0, x1, _) = maker.ink, paper.area
    names = maker.language.lists["steps"]
    wide = (x1 - x0) / len(names)
    pictured, number = random.random() < 0.5, random.random() < 0.6
    for k, name in enumerate(names):
        x = x0 + k * wide
        box = (x + 6, y0 + 10, x + wide - 6, y0 + 10 + wide - 12)
        if pictured:
            paper.decorates(scene(random.randrange(60), 1.0), box)
        else:
            paper.leaf.rect(box, fill=ink.accent, radius=(wide - 12) / 2)
        paper.fitted(
            x + 2,
            box[3] + 16,
            wide - 4,
            f"{k + 1}. {name}" if number else name,
            face=ink.bold,
            size=9,
            colour=ink.text,
            align="center",
        )
    _fill(paper, "about", y0 + wide + 50)


def order_form(paper: Paper) -> None:
    """Lines to be filled in by who orders: heads and no goods."""
    random, maker = paper.random, paper.maker
    paper.begin("D", "order_form")
    paper.title(maker.language.one("titles.terms", random))
    labels = maker.labels
    head = [labels[role] for role in ("number", "model", "product_name", "quantity", "price", "amount")]
    rows = [[str(k + 1) if random.random() < 2 else "", "", "", "", "", ""] for k in range(random.randint(8, 20))]
    y = _grid(paper, paper.area[1], head, rows)
    _fill(paper, "terms", y + 14)


# Page and how often it is drawn.
WITHOUT_PRODUCTS: Mapping[str, tuple[Callable[[Paper], None], float]] = {
    "cover": (cover, 4),
    "divider": (divider, 2),
    "about": (about, 4),
    "terms": (terms, 4),
    "contents": (contents, 3),
    "figures": (figures, 2),
    "certificates": (certificates, 2),
    "team": (team, 3),
    "references": (references, 2),
    "contact": (contact, 2),
    "technical": (technical, 5),
    "sizes": (sizes, 2),
    "hours": (hours, 2),
    "gallery": (gallery, 2),
    "steps": (steps, 2),
    "order_form": (order_form, 2),
}
