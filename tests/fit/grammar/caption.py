"""The text of one product beside, below or over its picture: lines that a maker's template orders."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from tests.fit.grammar.maker import Maker
from tests.fit.grammar.paper import Paper
from tests.fit.grammar.product import Product
from tests.support.catalogues.ink import WHITE, Box, Rgb

_FACTS = ("size", "material", "color", "packing", "weight", "moq", "barcode", "unit")
_JOINTS = (" / ", " | ", ", ", " · ", "; ", "  ")


@dataclass(frozen=True)
class Template:
    """``identity``: how code and name stand: apart, name_code and code_name (one line), dash, stacked (code first),
    or label. ``facts``: roles joined in a line; ``labelled``: roles on a line each; ``price``: its place."""

    identity: str
    joint: str
    facts: Sequence[str]
    labelled: Sequence[str]
    price: str
    price_first: bool
    description: bool
    specs: bool
    bullets: bool
    align: str
    name_size: float
    name_colour: str
    name_bold: bool
    price_size: float
    label_bold: bool
    colon: str

    @property
    def is_rich(self) -> bool:
        """More than a caption: such a page is mixed, not a grid of photos."""
        return bool(self.labelled) or self.description or self.specs


def draw_template(random: Random, maker: Maker, *, rich: float = 0.5) -> Template:
    """How a maker's cards read; ``rich``: chance of labelled lines and descriptions."""
    have = [role for role in maker.goods.fields if role in _FACTS]
    random.shuffle(have)
    needed = [role for role in have if role == "size" and maker.goods.naming == "sized"]
    have = needed + [role for role in have if role not in needed]
    much = random.random() < rich
    facts = [role for role in have if random.random() < (0.4 if much else 0.7)]
    labelled = [role for role in have if role not in facts] if much else []
    if needed and "size" not in (*facts, *labelled):
        facts = ["size", *facts]
    return Template(
        identity=random.choice(("apart", "apart", "name_code", "code_name", "dash", "stacked", "label")),
        joint=random.choice(_JOINTS),
        facts=facts[:3],
        labelled=labelled,
        price=random.choice(("plain", "plain", "label", "right", "pill")),
        price_first=random.random() < 0.15,
        description=much and random.random() < 0.7,
        specs=much and random.random() < 0.8,
        bullets=random.random() < 0.3,
        align=random.choice(("left", "left", "center")),
        name_size=random.choice((1.0, 1.0, 1.15, 1.35, 1.6)),
        name_colour=random.choice(("text", "text", "accent")),
        name_bold=random.random() < 0.65,
        price_size=random.choice((1.0, 1.2, 1.6, 2.0)),
        label_bold=random.random() < 0.4,
        colon=random.choice((": ", ": ", " ", "： " if maker.language.is_eastern else ": ", " - ")),
    )


@dataclass
class Run:
    """Text of one look. ``struck``: a line through it."""

    text: str
    face: str
    size: float
    colour: Rgb
    struck: bool = False


@dataclass
class Line:
    """Runs behind each other. ``block``: lines of one block stay or go together; ``needed``: it must not go."""

    runs: list[Run]
    roles: set[str]
    block: int
    needed: bool = False
    align: str = ""
    pill: Rgb | None = None
    labelled: set[str] = field(default_factory=set)

    @property
    def height(self) -> float:
        return max(run.size for run in self.runs) * (1.6 if self.pill else 1.36)


@dataclass
class Caption:
    """Lines of one product, composed for a width."""

    paper: Paper
    template: Template
    product: Product
    width: float
    size: float
    on: Rgb | None = None
    lines: list[Line] = field(default_factory=list)
    _block: int = 0

    @property
    def height(self) -> float:
        return sum(line.height for line in self.lines)

    @property
    def shown(self) -> set[str]:
        return {role for line in self.lines for role in line.roles}

    @property
    def labelled(self) -> set[str]:
        return {role for line in self.lines for role in line.labelled}

    def fit(self, height: float) -> bool:
        """Let blocks go from the end until the rest fits; False where even identity does not."""
        while self.height > height:
            gone = [line.block for line in self.lines if not line.needed]
            if not gone:
                return False
            self.lines = [line for line in self.lines if line.block != gone[-1]]
        return True

    def draw(self, x: float, y: float, align: str = "") -> Box:
        """Draw with the upper edge at ``y``; returns the box of the text."""
        leaf, top = self.paper.leaf, y
        for line in self.lines:
            wide = sum(self.paper.faces[run.face].width(run.text, run.size) for run in line.runs)
            how = line.align or align or self.template.align
            at = {"left": x, "center": x + (self.width - wide) / 2, "right": x + self.width - wide}[how]
            base = y + max(run.size for run in line.runs) * (1.12 if line.pill else 0.98)
            if line.pill:
                at = max(x + 4, min(at, x + self.width - wide - 4))
                leaf.rect(
                    (at - 4, y + 0.5, at + wide + 4, y + line.height - 0.5),
                    fill=line.pill,
                    radius=self.paper.maker.radius and 3,
                )
            for run in line.runs:
                long = leaf.text(at, base, run.text, face=run.face, size=run.size, colour=run.colour)
                if run.struck:
                    leaf.rule(at, base - run.size * 0.3, at + long, base - run.size * 0.3, colour=run.colour, thick=0.7)
                at += long
            y += line.height
        return x, top, x + self.width, max(y, top + 1)

    def add(
        self,
        text: str,
        roles: set[str],
        *,
        face: str,
        size: float,
        colour: Rgb,
        needed: bool = False,
        align: str = "",
        labelled: set[str] | None = None,
        most: int = 9,
    ) -> None:
        """A block of wrapped text; left out where it would take more than ``most`` lines."""
        if not text.strip():
            return
        texts, size = self.paper.wrapped(face, text, size, self.width)
        if len(texts) > most and not needed:
            return
        self._block += 1
        for one in texts:
            self.lines.append(
                Line([Run(one, face, size, colour)], roles, self._block, needed, align, labelled=labelled or set())
            )

    def add_runs(
        self,
        runs: Sequence[Run],
        roles: set[str],
        *,
        needed: bool = False,
        align: str = "",
        pill: Rgb | None = None,
        labelled: set[str] | None = None,
    ) -> bool:
        """A line of several looks; False where it is too wide."""
        wide = sum(self.paper.faces[run.face].width(run.text, run.size) for run in runs)
        if wide > self.width - (8 if pill else 0):
            return False
        self._block += 1
        self.lines.append(Line(list(runs), roles, self._block, needed, align, pill, labelled or set()))
        return True


def compose(
    paper: Paper,
    template: Template,
    product: Product,
    width: float,
    size: float,
    *,
    named: bool = True,
    on: Rgb | None = None,
) -> Caption:
    """``named``: False where the name stands elsewhere; ``on``: the dark ground that the text stands on."""
    caption = Caption(paper, template, product, width, size, on)
    if template.price_first:
        _price(caption)
    _identity(caption, named)
    _facts(caption)
    if template.description and product.values.get("description"):
        ink = paper.maker.ink
        caption.add(
            product.values["description"],
            {"description"},
            face=ink.light,
            size=size * 0.95,
            colour=WHITE if on else ink.grey,
            most=5,
        )
    _labelled(caption)
    if not template.price_first:
        _price(caption)
    return caption


def _identity(caption: Caption, named: bool) -> None:
    template, ink, values, size = caption.template, caption.paper.maker.ink, caption.product.values, caption.size
    identity = caption.paper.maker.identity
    text = WHITE if caption.on else ink.text
    face = ink.bold if template.name_bold else ink.body
    colour = ink.accent if template.name_colour == "accent" and not caption.on else text
    grey = WHITE if caption.on else ink.grey
    name = values["product_name"] if named and identity != "code" else ""
    code = values.get("model", "")
    big = size * template.name_size
    if not name or not code:
        caption.add(
            name or code, {"product_name" if name else "model"}, face=face, size=big, colour=colour, needed=True
        )
    elif template.identity in ("name_code", "code_name", "dash"):
        _one_line(caption, name, code, face, colour, grey, big)
    else:
        label = {"label": f"{caption.paper.maker.labels['model']}{template.colon}"}.get(template.identity, "")
        parts = [(name, "product_name", face, big, colour), (label + code, "model", ink.body, size, grey)]
        for one, role, its_face, its_size, its_colour in parts[::-1] if template.identity == "stacked" else parts:
            caption.add(one, {role}, face=its_face, size=its_size, colour=its_colour, needed=True)
    if name and caption.product.second_name:
        caption.add(caption.product.second_name, set(), face=ink.light, size=size * 0.9, colour=grey, needed=True)


def _one_line(caption: Caption, name: str, code: str, face: str, colour: Rgb, grey: Rgb, big: float) -> None:
    ink, kind = caption.paper.maker.ink, caption.template.identity
    both = {"product_name", "model"}
    if kind == "dash":
        if not caption.add_runs([Run(f"{code} – {name}", face, big, colour)], both, needed=True):
            caption.add(f"{code} – {name}", both, face=face, size=big, colour=colour, needed=True)
        return
    runs = [Run(f"{name} ", face, big, colour), Run(code, ink.body, caption.size * 0.9, grey)]
    if kind == "code_name":
        runs = [Run(f"{code} ", ink.bold, big, colour), Run(name, ink.body, big, colour)]
    if not caption.add_runs(runs, both, needed=True):
        for run, role in zip(
            runs, ("product_name", "model") if kind == "name_code" else ("model", "product_name"), strict=True
        ):
            caption.add(run.text.strip(), {role}, face=run.face, size=run.size, colour=run.colour, needed=True)


def _facts(caption: Caption) -> None:
    template, ink, values = caption.template, caption.paper.maker.ink, caption.product.values
    colour = WHITE if caption.on else ink.text
    parts = [(role, values[role]) for role in template.facts if values.get(role, "").strip(" -—")]
    needed = caption.paper.maker.goods.naming == "sized"
    if template.bullets:
        for role, text in parts:
            mark = "•" if caption.paper.maker.language.is_eastern else "• "
            caption.add(
                f"{mark}{text}",
                {role},
                face=ink.body,
                size=caption.size,
                colour=colour,
                needed=needed and role == "size",
            )
    elif parts:
        roles = {role for role, _ in parts}
        caption.add(
            template.joint.join(text for _, text in parts),
            roles,
            face=ink.body,
            size=caption.size,
            colour=colour,
            needed=needed and "size" in roles,
            most=3,
        )


def _labelled(caption: Caption) -> None:
    template, maker, product = caption.template, caption.paper.maker, caption.product
    ink, on = maker.ink, caption.on
    pairs = [(role, maker.labels[role], product.values.get(role, "")) for role in template.labelled]
    if template.specs:
        pairs += [(label, label, value) for label, value in product.specs.items()]
    for role, label, value in pairs:
        if not value.strip(" -—"):
            continue
        runs = [
            Run(
                label + template.colon,
                ink.bold if template.label_bold else ink.body,
                caption.size,
                WHITE if on else ink.grey,
            ),
            Run(value, ink.body, caption.size, WHITE if on else ink.text),
        ]
        needed = role == "size" and maker.goods.naming == "sized"
        if not caption.add_runs(runs, {role}, labelled={role}, needed=needed):
            caption.add(
                f"{label}{template.colon}{value}",
                {role},
                face=ink.body,
                size=caption.size,
                needed=needed,
                colour=WHITE if on else ink.text,
                labelled={role},
                most=3,
            )


def _price(caption: Caption) -> None:
    template, maker, values = caption.template, caption.paper.maker, caption.product.values
    price = values.get("price", "")
    if not price:
        return
    ink, size = maker.ink, caption.size * template.price_size
    colour = WHITE if caption.on else ink.accent if template.price_size > 1.1 else ink.text
    runs = [Run(price, ink.bold, size, colour)]
    if template.price == "label":
        runs.insert(
            0, Run(maker.labels["price"] + template.colon, ink.body, caption.size, WHITE if caption.on else ink.grey)
        )
    if values.get("old"):
        runs.append(Run("  ", ink.body, caption.size, ink.grey))
        runs.append(Run(values["old"], ink.body, caption.size * 0.9, WHITE if caption.on else ink.grey, struck=True))
    roles = {"price"}
    if template.price == "pill" and not caption.on:
        pill = [Run(run.text, run.face, run.size, maker.ink.ground) for run in runs[:1]]
        if caption.add_runs(pill, roles, pill=ink.accent):
            return
    align = "right" if template.price == "right" else ""
    if not caption.add_runs(runs, roles, align=align):
        caption.add(price, roles, face=ink.bold, size=min(size, caption.size * 1.3), colour=colour, align=align, most=1)
