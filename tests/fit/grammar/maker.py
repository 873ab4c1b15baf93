"""A maker: the language, the goods and the look that all pages of one catalogue share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.fit.grammar.codes import draw_code_shape
from tests.fit.grammar.measures import Measures
from tests.fit.grammar.money import Money, draw_money
from tests.fit.grammar.photos import PhotoStyle, draw_photo_style
from tests.fit.grammar.product import NAMINGS, Goods, draw_fields
from tests.fit.grammar.words import LANGUAGES, Language, spoken
from tests.fit.grammar.words.language import TRADES
from tests.support.catalogues.ink import A4, BLACK, WHITE, Rgb, rgb

_ACCENTS = (
    "#B22222",
    "#1F4E8C",
    "#2E7D4F",
    "#D9822B",
    "#6A3D7C",
    "#0F7C8A",
    "#1E1C1A",
    "#C2185B",
    "#7A5C2E",
    "#3B6FB6",
    "#8BB020",
    "#444B54",
)
_SOFTS = ("#F3F3F3", "#E8EEF5", "#FBF1E6", "#EAF4EA", "#F7E9EE", "#DDE6EA", "#FFF9D9", "#E4E1DC")
_GROUNDS = ("#FFFFFF",) * 9 + ("#FBF7EF", "#EAF3F8", "#F4F4F4", "#FFF7F9", "#E9E4DA")
_DARK_GROUNDS = ("#1B1F2A", "#262626", "#3A0D24", "#0E2B2A")
_SIZES: Sequence[tuple[tuple[float, float], float]] = (
    (A4, 10),
    ((842.0, 595.0), 3),
    ((612.0, 792.0), 2),
    ((960.0, 540.0), 1.2),
    ((595.0, 595.0), 0.6),
    ((420.0, 595.0), 0.8),
    ((420.0, 790.0), 0.4),
    ((842.0, 1191.0), 0.5),
    ((1191.0, 842.0), 0.3),
)
_HEAD_KEYS = (
    "model",
    "product_name",
    "price",
    "trade",
    "old",
    "size",
    "material",
    "color",
    "packing",
    "weight",
    "moq",
    "barcode",
    "unit",
    "description",
    "number",
    "quantity",
    "amount",
    "photo",
)


@dataclass(frozen=True)
class Ink:
    """Faces and colours. ``text``: on the ground; ``soft``: fill of bands and boxes; ``size``: of body text, points."""

    body: str
    bold: str
    light: str
    accent: Rgb
    soft: Rgb
    ground: Rgb
    text: Rgb
    grey: Rgb
    size: float


@dataclass(frozen=True)
class Maker:
    """``labels``: what it calls roles (heads of columns, labels on cards). ``identity``: code_name, code or name."""

    name: str
    language: Language
    trade: str
    goods: Goods
    money: Money
    ink: Ink
    photos: PhotoStyle
    page_size: tuple[float, float]
    margin: float
    labels: Mapping[str, str]
    identity: str
    running: str
    footing: str
    watermark: str
    breaks_codes: bool
    radius: float
    dressing: str


def draw_maker(random: Random) -> Maker:
    """Any maker."""
    language = spoken(random.choices(LANGUAGES, [3 if code in ("en", "zh") else 1 for code in LANGUAGES])[0])
    trade = random.choice(TRADES)
    money = draw_money(random, language.code)
    identity = random.choices(("code_name", "code", "name"), (6, 1.2, 3.5))[0]
    fields, kinds = draw_fields(random, trade)
    naming = random.choices(list(NAMINGS), list(NAMINGS.values()))[0]
    if naming == "sized" and "size" not in fields:
        fields.append("size")
    if naming == "with_size" and "size" in fields:
        fields.remove("size")
    if trade in ("food", "care"):
        # Nothing to eat is made of oak.
        naming = "adjective" if naming == "material" else naming
        fields = [role for role in fields if role not in ("material", "color")]
    if identity == "code" and not {"price", "size"} & set(fields):
        fields.append("size")
    labels = draw_labels(random, language, money)
    tiered = "price" in fields and not {"trade", "old"} & set(fields) and random.random() < 0.08
    shape = draw_code_shape(random, cyrillic=language.code == "ru")
    goods = Goods(
        random,
        language,
        trade,
        money,
        Measures(random, language, trade),
        None if identity == "name" else shape,
        naming,
        fields,
        kinds,
        labels,
        shouts=random.random() < 0.2,
        prices={},
        tiers=random.choice(((10, 50, 100), (1, 12), (1, 100, 500, 1000))) if tiered else (),
        asks=random.choice((0, 0, 0.08)),
        blank=random.choice((0, 0, 0.1)),
    )
    size = random.choices([size for size, _ in _SIZES], [weight for _, weight in _SIZES])[0]
    name = language.one("company", random).format(f=goods.fancy())
    return Maker(
        name=name,
        language=language,
        trade=trade,
        goods=goods,
        money=money,
        ink=draw_ink(random, language),
        photos=draw_photo_style(random),
        page_size=size,
        margin=random.choice((24.0, 36.0, 36.0, 42.0, 50.0, 60.0)) * min(1.0, size[0] / 500),
        labels=labels,
        identity=identity,
        running=random.choice(("none", "none", "line", "banner", "logo", "both", "bar")),
        footing=random.choice(("none", "number", "number", "dashes", "contact", "bar", "page")),
        watermark=name if random.random() < 0.06 else "",
        breaks_codes=random.random() < 0.15,
        radius=random.choice((0.0, 0.0, 4.0, 8.0)),
        dressing=random.choice(("none",) * 14 + ("photo", "photo", "box", "box", "side")),
    )


def draw_ink(random: Random, language: Language) -> Ink:
    """Faces that have the language's letters, and colours that go together."""
    pairs = (("sans", "bold"), ("sans", "bold"), ("serif", "serifb"), ("sans", "sans"), ("mono", "bold"))
    body, bold = (
        random.choice((("zh", "zhb"), ("zh", "zhb"), ("zh", "zh")))
        if language.is_eastern
        else random.choices(pairs, (5, 4, 2.5, 1, 0.3))[0]
    )
    dark = random.random() < 0.06
    ground = rgb(random.choice(_DARK_GROUNDS if dark else _GROUNDS))
    text = WHITE if dark else random.choice((BLACK, BLACK, (0.0, 0.0, 0.0), rgb("#333A44")))
    accent = rgb(random.choice(("#F2B632", "#FF7A3D", "#8FD3FF") if dark else _ACCENTS))
    soft = rgb("#3B3F4A") if dark else rgb(random.choice(_SOFTS))
    grey = rgb("#C9C9C9") if dark else rgb(random.choice(("#6B6B6B", "#8A857D", "#4F5B66")))
    light = body if language.is_eastern else random.choice((body, body, "italic"))
    return Ink(body, bold, light, accent, soft, ground, text, grey, random.choice((6.6, 7.2, 7.8, 8.2, 8.8, 9.4, 10.2)))


def draw_labels(random: Random, language: Language, money: Money) -> dict[str, str]:
    """A word for each role, no word for two of them; where only the head tells the currency, it does."""
    labels: dict[str, str] = {}
    in_two_tongues = language.code != "en" and random.random() < 0.12
    for key in (*(f"heads.{key}" for key in _HEAD_KEYS), *(key for key in language.lists if key.startswith("specs."))):
        free = [text for text in language.lists[key] if text not in labels.values() and not _other_money(text, money)]
        label = random.choice(free or list(language.lists[key]))
        if in_two_tongues and random.random() < 0.9:
            label += random.choice((" ", " / ")) + spoken("en").lists[key][0]
        labels[key.removeprefix("heads.")] = label
    if money.place == "head":
        for key in ("price", "trade", "old"):
            if not any(sign in labels[key] for sign in (money.sign, "€", "USD", "EUR", "руб", "元")):
                labels[key] += random.choice((f", {money.sign}", f" ({money.sign})", f" {money.sign}"))
    return labels


def _other_money(label: str, money: Money) -> bool:
    """A head that names a currency which is not the maker's."""
    return any(
        sign in label and sign != money.sign for sign in ("USD", "EUR", "€", "R$", "TL", "zł", "lei", "руб", "元")
    )
