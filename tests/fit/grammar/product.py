"""A product to be printed, and how groups of them are drawn at random."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.fit.grammar.codes import CodeShape
from tests.fit.grammar.measures import SPECS, Measures
from tests.fit.grammar.money import Money
from tests.fit.grammar.photos import MOTIFS, PAINTS
from tests.fit.grammar.words import LANGUAGES, Language, spoken

# How a maker names things, and how often. ``sized``: all of a group have one name and differ in what stands beside it.
NAMINGS = {
    "adjective": 4,
    "fancy": 3,
    "invented": 1.5,
    "sized": 2,
    "material": 1.5,
    "long": 2,
    "with_size": 1.5,
    "two_tongues": 1.2,
}
_ONSETS, _CORES = ("b", "d", "f", "k", "l", "m", "n", "r", "s", "t", "v", "z", "br", "st", "tr", "al", "or"), (
    "a", "e", "i", "o", "u", "ia", "ea", "el", "on", "ar", "in",
)  # fmt: skip
_ENDS = ("ra", "na", "lo", "x", "no", "ta", "ris", "dor", "va", "len", "mo", "s", "tec", "line")


@dataclass(frozen=True)
class Product:
    """``values``: printed text by role. Roles are base keys and ``trade``, ``old``, ``barcode``, ``tag``; ``specs``:
    technical values by printed label; ``names``: further right texts of its name."""

    values: Mapping[str, str]
    specs: Mapping[str, str]
    motif: str
    paint: str
    group: str = ""
    names: Sequence[str] = ()
    second_name: str = ""

    def named(self, name: str) -> "Product":
        """The same under another name."""
        return replace(self, values={**self.values, "product_name": name})


@dataclass(frozen=True)
class Group:
    """Products of a kind with their heading. ``is_name``: the heading is the name of all of them."""

    title: str
    products: Sequence[Product]
    is_name: bool = False


@dataclass
class Goods:
    """Draws the groups of a maker. ``labels``: what it calls roles and technical values."""

    random: Random
    language: Language
    trade: str
    money: Money
    measures: Measures
    code: CodeShape | None
    naming: str
    fields: Sequence[str]
    spec_kinds: Sequence[str]
    labels: Mapping[str, str]
    shouts: bool
    prices: dict[str, list[str]]
    tiers: Sequence[int] = ()
    asks: float = 0.0
    blank: float = 0.0
    _used: set[str] = field(default_factory=set)
    _codes: set[str] = field(default_factory=set)

    def groups(self, count: int, size: tuple[int, int]) -> list[Group]:
        """So many groups of so many products."""
        return [self.group(self.random.randint(*size)) for _ in range(count)]

    def group(self, count: int) -> Group:
        """Products of one noun or of several, whose codes are of one family."""
        random, language = self.random, self.language
        nouns = language.lists[f"nouns.{self.trade}"]
        first, mixed = random.randrange(len(nouns)), random.random() < 0.5
        sized = self.naming == "sized"
        next_code = self.code.maker(random, self._codes) if self.code else None
        paint = random.choice(PAINTS)
        material = language.one("materials", random)
        shared_name = self._shared_name(nouns[first])
        for _ in range(40 if sized else 0):
            # Two groups of one name on a page could not be told apart.
            if shared_name not in self._used:
                break
            first = random.randrange(len(nouns))
            shared_name = self._shared_name(nouns[first])
        self._used.add(shared_name)
        products = []
        for _ in range(count):
            k = first if sized or not mixed else random.randrange(len(nouns))
            name, names, second = (shared_name, (), "") if sized else self._name(k)
            one = Product(
                values=self._values(name, next_code, material),
                specs=self._specs(),
                motif=MOTIFS[self.trade][k],
                paint=random.choice(PAINTS) if random.random() < 0.5 else paint,
                group=shared_name,
                names=names,
                second_name=second,
            )
            products.append(one)
        if sized:
            products = self._told_apart(products)
            return Group(shared_name, products, is_name=True)
        return Group(self._title(nouns[first], mixed), products)

    def fancy(self) -> str:
        """A word that nobody knows."""
        random = self.random
        word = "".join(random.choice(_ONSETS) + random.choice(_CORES) for _ in range(random.choice((1, 2, 2))))
        return (word + random.choice(_ENDS)).capitalize()

    def _shared_name(self, noun: str) -> str:
        adjective = self.language.one("adjectives", self.random)
        return self._loud(self._put(noun, adjective) if self.random.random() < 0.6 else noun)

    def _title(self, noun: str, mixed: bool) -> str:
        title = self.language.one("groups", self.random) if mixed or self.random.random() < 0.4 else noun
        return self._loud(f"{title} {self.fancy()}" if self.random.random() < 0.2 else title)

    def _name(self, k: int) -> tuple[str, Sequence[str], str]:
        """A name of this page, what is as right, and the name in another language that is printed under it."""
        for _ in range(30):
            name, names, second = self._try_name(k)
            if name not in self._used:
                break
        self._used.add(name)
        return name, names, second

    def _try_name(self, k: int) -> tuple[str, Sequence[str], str]:
        random, language = self.random, self.language
        noun = language.lists[f"nouns.{self.trade}"][k]
        adjective = language.one("adjectives", random)
        if self.naming == "fancy":
            return self._loud(self._put(noun, self.fancy(), " ")), (), ""
        if self.naming == "invented":
            return self._loud(self.fancy() + random.choice(("", "", f" {random.randrange(2, 90)}", " Plus"))), (), ""
        if self.naming == "material":
            material = language.one("materials", random)
            return self._loud(f"{noun}{'，' if not language.is_spaced else ', '}{material}"), (), ""
        if self.naming == "with_size":
            short, size = self._put(noun, adjective), self.measures.size()
            return self._loud(f"{short} {size}"), (self._loud(short),), ""
        if self.naming == "long":
            more = language.some("adjectives", random, 2)
            text = self._put(self._put(noun, more[0]), more[1])
            if random.random() < 0.6:
                text = (
                    f"{text} {language.lists['second'][0]} {language.one('adjectives', random)}"
                    if language.is_spaced
                    else text
                )
            return self._loud(f"{text} {self.fancy()}"), (), ""
        if self.naming == "two_tongues":
            other = spoken(
                random.choice(
                    [code for code in ("en", "de", "es", "fr") if code in LANGUAGES and code != language.code]
                )
            )
            word = self.fancy()
            name = self._loud(self._put(noun, word, " "))
            second = f"{other.lists[f'nouns.{self.trade}'][k]} {word}"
            return name, (second, f"{name} {second}", f"{name} / {second}"), second
        return self._loud(self._put(noun, adjective)), (), ""

    def _put(self, noun: str, word: str, gap: str | None = None) -> str:
        """Noun and word in the order of the language."""
        gap = (" " if self.language.is_spaced else "") if gap is None else gap
        if (
            self.language.code in ("en", "zh", "ja", "ko", "tr")
            and not word.startswith(("with", "for", "带"))
            and gap != " x"
        ):
            first = word if self.language.code != "en" else word.capitalize()
            return f"{first}{gap}{noun.lower() if self.language.code == 'en' and noun[:3] != 'LED' else noun}"
        return f"{noun}{gap}{word}"

    def _loud(self, text: str) -> str:
        return text.upper() if self.shouts else text

    def _values(self, name: str, next_code: Callable[[], str] | None, material: str) -> dict[str, str]:
        random, measures, language = self.random, self.measures, self.language
        values = {"product_name": name}
        if next_code:
            values["model"] = next_code()
        amount = self.money.amount(random)
        for k, quantity in enumerate(self.tiers):
            values[f"#{quantity}"] = self.money.text(round(amount * (1 - 0.07 * k), self.money.decimals))
        for role in self.fields:
            if role == "price":
                values["price"] = self._price(amount)
            elif role == "trade":
                values["trade"] = self.money.text(round(amount * 0.7, self.money.decimals))
            elif role == "old":
                values["old"] = self.money.text(round(amount * 1.25, self.money.decimals))
            elif role == "material":
                values[role] = material if random.random() < 0.6 else language.one("materials", random)
            elif role == "color":
                few = language.some("colours", random, random.choice((1, 1, 1, 2, 3)))
                values[role] = random.choice(("/", ", ")).join(few)
            elif role == "description":
                values[role] = language.joined(*language.some("phrases", random, random.choice((1, 1, 2))))
            elif role == "unit":
                values[role] = language.one("units", random)
            elif role == "moq":
                values[role] = str(random.choice((1, 2, 5, 10, 50, 100, 300, 500)))
            elif role == "tag":
                values[role] = language.one("new", random) if random.random() < 0.3 else ""
            else:
                draw = {
                    "size": measures.size,
                    "packing": measures.pack,
                    "weight": measures.weight,
                    "barcode": measures.barcode,
                }
                values[role] = draw[role]()
            if role in ("material", "color", "packing", "weight", "moq") and random.random() < self.blank:
                values[role] = random.choice(("", "", "-", "—"))
        return values

    def _price(self, amount: float) -> str:
        if self.random.random() < self.asks:
            return self.language.lists["on_request"][0]
        text = self.money.text(amount)
        self.prices[text] = self.money.forms(amount)
        return text

    def _specs(self) -> dict[str, str]:
        return {self.labels[f"specs.{kind}"]: self.measures.spec(kind) for kind in self.spec_kinds}

    def _told_apart(self, products: Sequence[Product]) -> list[Product]:
        """Products of one name differ in their sizes, or else a person could not tell them apart."""
        seen: set[str] = set()
        out = []
        for one in products:
            size = one.values.get("size") or self.measures.size()
            for _ in range(20):
                if size not in seen:
                    break
                size = self.measures.size()
            if size not in seen:
                seen.add(size)
                out.append(replace(one, values={**one.values, "size": size}))
        return out


def draw_fields(random: Random, trade: str) -> tuple[list[str], list[str]]:
    """Which roles a maker prints, and which technical values."""
    shares = {
        "price": 0.72, "size": 0.55, "material": 0.3, "color": 0.28, "packing": 0.28, "weight": 0.18, "barcode": 0.1,
        "unit": 0.12, "moq": 0.07, "description": 0.28, "tag": 0.12,
    }  # fmt: skip
    fields = [role for role, share in shares.items() if random.random() < share]
    if "price" in fields and random.random() < 0.2:
        fields.append(random.choice(("trade", "old")))
    kinds = random.sample(SPECS[trade], random.choice((0, 0, 0, 1, 2, 3)) if len(SPECS[trade]) > 2 else 1)
    return fields, kinds
