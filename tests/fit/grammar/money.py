"""How a maker prints prices: currency before, behind, in the head or nowhere; marks of thousands; decimals."""

from dataclasses import dataclass
from random import Random

_OF = {
    "en": ("$", "US$", "USD", "£", "€", "Rs."),
    "zh": ("¥", "￥", "元", "RMB", "HK$", "NT$"),
    "de": ("€", "EUR", "CHF"),
    "fr": ("€", "EUR", "CHF"),
    "es": ("€", "$", "US$", "S/", "MXN"),
    "it": ("€", "EUR"),
    "pt": ("R$", "€"),
    "ru": ("руб.", "р.", "руб", "сум", "тг"),
    "tr": ("TL", "TRY", "USD"),
    "pl": ("zł", "PLN"),
    "ro": ("lei", "RON", "EUR"),
    "ja": ("円", "¥", "￥"),
    "ko": ("원", "￦", "KRW"),
}
_BEFORE = frozenset(("$", "US$", "£", "¥", "￥", "HK$", "NT$", "S/", "R$", "￦", "Rs.", "RMB"))
# What a cheap thing costs in the currency, against one dollar.
_WORTH = {
    "円": 130,
    "¥": 7,
    "￥": 7,
    "원": 1200,
    "￦": 1200,
    "KRW": 1200,
    "Rs.": 80,
    "сум": 12000,
    "тг": 450,
    "руб.": 90,
    "р.": 90,
    "руб": 90,
    "TL": 30,
    "TRY": 30,
}


@dataclass(frozen=True)
class Money:
    """``place``: before, behind, head (the column's head or the page's foot says it) or none. ``marks``: sign of
    thousands and of decimals. ``decimals``: how many are printed. ``gap``: between sign and amount."""

    sign: str
    place: str
    marks: tuple[str, str]
    decimals: int
    gap: str
    level: float

    def amount(self, random: Random) -> float:
        """A price of this maker's kind of goods."""
        value = self.level * random.choice((0.3, 0.6, 1, 1, 1.6, 2.5, 5)) * random.uniform(0.6, 1.6)
        if self.decimals == 0:
            step = 10.0 ** max(0, len(str(int(value))) - 2)
            return max(1.0, round(value / step) * step) if value > 20 else max(1.0, round(value))
        return round(max(0.15, value), 1 if random.random() < 0.4 else 2)

    def bare(self, amount: float) -> str:
        """The amount alone."""
        whole, _, rest = f"{amount:,.{self.decimals}f}".partition(".")
        return whole.replace(",", self.marks[0]) + (self.marks[1] + rest if rest else "")

    def text(self, amount: float) -> str:
        """As printed in a cell or on a card."""
        bare = self.bare(amount)
        if self.place == "before":
            return f"{self.sign}{self.gap}{bare}"
        return f"{bare}{self.gap}{self.sign}" if self.place == "behind" else bare

    def forms(self, amount: float) -> list[str]:
        """What is as right as the printed text: the amount alone; with the sign close to it or apart."""
        bare = self.bare(amount)
        if self.place in ("head", "none"):
            return [bare]
        pairs = (f"{self.sign}{bare}", f"{self.sign} {bare}", f"{bare}{self.sign}", f"{bare} {self.sign}")
        return [bare, *(pairs[:2] if self.place == "before" else pairs[2:])]


def draw_money(random: Random, language: str) -> Money:
    """A style of prices as makers of the language print them."""
    sign = random.choice(_OF[language])
    cjk = language in ("zh", "ja", "ko")
    usual = "before" if sign in _BEFORE else "behind"
    if language in ("fr", "it", "de", "es", "pt", "ro", "pl") and sign in ("€", "EUR", "CHF"):
        usual = random.choice(("before", "behind", "behind"))
    place = random.choices((usual, "head", "none"), (6, 2, 2))[0]
    western = language in ("en", "zh", "ja", "ko")
    marks = (
        (random.choice((",", ",", "")), ".")
        if western
        else random.choice(
            ((".", ","), (" ", ","), ("", ","), ("", ",")) + (((",", "."),) if language in ("tr", "es") else ())
        )
    )
    worth = _WORTH.get(sign, 1) if not (sign in ("¥", "￥") and language == "ja") else 130
    decimals = 0 if worth >= 130 or random.random() < 0.35 else 2
    gap = random.choice(("", " ")) if usual == "before" else random.choice(("" if cjk else " ", " "))
    return Money(sign, place, marks, decimals, gap, worth * random.choice((1.5, 5, 20, 80, 400)))
