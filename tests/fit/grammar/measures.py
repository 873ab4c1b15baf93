"""Sizes, packs, weights and technical values as a maker of a trade prints them."""

from random import Random

from tests.fit.grammar.words import Language

# Which technical values a trade prints.
SPECS = {
    "home": ("kilo", "mm", "month", "origin", "cert"),
    "kitchen": ("litre", "mm", "watt", "celsius", "origin"),
    "tools": ("mm", "volt", "rpm", "month", "kilo"),
    "electric": ("watt", "volt", "lumen", "ip", "hour", "celsius"),
    "food": ("percent", "month", "celsius", "origin"),
    "care": ("percent", "month", "litre", "origin", "cert"),
    "industry": ("bar", "rpm", "watt", "mm", "celsius", "kilo"),
    "wear": ("origin", "cert", "month"),
    "office": ("mm", "origin", "cert"),
}
_ORIGINS = {
    "zh": ("浙江", "广东", "福建"),
    "ja": ("岐阜", "新潟", "中国"),
    "ko": ("한국", "중국", "베트남"),
    "ru": ("Россия", "Китай"),
}
_CERTS = ("CE", "EN 1335", "ISO 9001", "GB/T 3324", "DIN 912", "RoHS", "FSC", "EN 10204 3.1")


class Measures:
    """Draws values; how they are written (comma or point, the times sign, blanks before units) is the maker's own."""

    def __init__(self, random: Random, language: Language, trade: str) -> None:
        self.random, self.language, self.trade = random, language, trade
        self._times = random.choice(("x", " x ", "×", "*", " × ") if language.code != "ru" else ("х", "x", "×", " x "))
        self._gap = random.choice(("", " ", " "))
        self._comma = language.code not in ("en", "zh", "ja", "ko")
        self._kind = random.choice(_SIZES[trade])
        self._unit = random.choice(("mm", "cm", "", "mm")) if language.code != "ru" else random.choice(("мм", "см", ""))
        self.weighs_with_unit = random.random() < 0.6
        self._specs = {kind: self._shape(kind) for kind in _VALUES}

    def size(self) -> str:
        """A size of the maker's one kind."""
        random, unit = self.random, self._unit and self._gap + self._unit
        few = [
            random.choice((10, 12, 15, 18, 20, 24, 25, 30, 32, 35, 40, 45, 50, 60, 75, 80, 90, 120)) for _ in range(3)
        ]
        if self._kind == "3d":
            return self._times.join(map(str, few)) + unit
        if self._kind == "2d":
            return self._times.join(map(str, few[:2])) + unit
        if self._kind == "thread":
            return f"M{random.choice((4, 5, 6, 8, 10, 12, 16))}{self._times}{few[0]}"
        if self._kind == "round":
            return f"{random.choice(('Ø', 'Ø '))}{few[0]}{unit or self._gap + 'cm'}"
        if self._kind == "length":
            return f"{few[0]}{unit or self._gap + 'cm'}"
        if self._kind == "inch":
            return random.choice(('1/2"', '3/4"', '1"', '1 1/4"', '2"', '3"', '4"', '1/4"', '3/8"'))
        if self._kind == "dn":
            return f"DN{random.choice(('', ' '))}{random.choice((15, 20, 25, 32, 40, 50, 65, 80, 100))}"
        if self._kind == "wear":
            return random.choice(("S-XL", "M", "L", "36-42", "S/M/L", "XS–XXL", "42", "One size"))
        if self._kind == "paper":
            return random.choice(("A4", "A5", "A6", "B5", "A3", "DIN A4"))
        if self._kind == "ml":
            return (
                f"{random.choice((30, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750))}{self._gap}{self._small('ml')}"
            )
        return f"{random.choice((50, 80, 100, 125, 150, 200, 250, 300, 400, 500, 900))}{self._gap}{self._small('g')}"

    def pack(self) -> str:
        """How many are packed together."""
        count, more = self.random.choice((2, 4, 6, 8, 10, 12, 20, 24, 50, 100)), self.random.choice((4, 6, 10, 12))
        return self.language.one("packs", self.random).format(n=count, m=more)

    def weight(self) -> str:
        """Of the goods."""
        value = self._number(self.random.choice((0.12, 0.35, 0.8, 1.2, 2.45, 4.6, 7.5, 12.0, 18.3)))
        return f"{value}{self._gap}{'кг' if self.language.code == 'ru' else 'kg'}" if self.weighs_with_unit else value

    def barcode(self) -> str:
        """Thirteen digits with a right check digit."""
        digits = [
            *map(int, self.random.choice(("400", "690", "460", "871", "500"))),
            *(self.random.randrange(10) for _ in range(9)),
        ]
        check = -sum(digit * (3 if k % 2 else 1) for k, digit in enumerate(digits)) % 10
        return "".join(map(str, [*digits, check]))

    def spec(self, kind: str) -> str:
        """A technical value."""
        if kind == "origin":
            return self.random.choice(_ORIGINS.get(self.language.code, ("EU", "Italia", "China", "DE", "PL")))
        if kind == "cert":
            return self.random.choice(_CERTS)
        unit, numbers = self._specs[kind]
        text = f"{self._gap}{unit}" if unit and unit[0].isalpha() else unit
        number = self.random.choice(numbers)
        return f"{unit}{number}" if unit == "IP" else f"{self._number(number)}{text}"

    def _shape(self, kind: str) -> tuple[str, tuple[float, ...]]:
        unit, numbers = _VALUES[kind]
        return self._small(unit), numbers

    def _number(self, value: float) -> str:
        text = f"{value:g}"
        return text.replace(".", ",") if self._comma else text

    def _small(self, unit: str) -> str:
        if self.language.code == "ru":
            return {
                "ml": "мл",
                "g": "г",
                "W": "Вт",
                "V": "В",
                "L": "л",
                "kg": "кг",
                "mm": "мм",
                "rpm": "об/мин",
                "h": "ч",
                "months": "мес.",
            }.get(unit, unit)
        if self.language.is_eastern and unit == "months":
            return {"zh": "个月", "ja": "ヶ月", "ko": "개월"}[self.language.code]
        return unit if unit != "months" or self.language.code == "en" else "M"


_SIZES = {
    "home": ("3d", "3d", "2d"),
    "kitchen": ("round", "length", "3d"),
    "tools": ("length", "thread", "inch"),
    "electric": ("2d", "round", "3d"),
    "food": ("g", "g", "ml"),
    "care": ("ml", "ml", "g"),
    "industry": ("dn", "inch", "round", "3d"),
    "wear": ("wear", "2d"),
    "office": ("paper", "2d", "3d"),
}
_VALUES: dict[str, tuple[str, tuple[float, ...]]] = {
    "watt": ("W", (3, 5, 7, 9, 12, 18, 24, 36, 60, 100, 750, 1100, 2200)),
    "volt": ("V", (12, 18, 24, 48, 110, 220, 230)),
    "litre": ("L", (0.3, 0.5, 0.75, 1, 1.5, 2.2, 3.5, 5)),
    "bar": ("bar", (2, 4, 6, 8, 10, 16, 25)),
    "rpm": ("rpm", (750, 980, 1450, 2850, 2900)),
    "celsius": ("°C", (4, 18, 25, 40, 60, 120, 180, 250)),
    "ip": ("IP", (20, 44, 54, 65, 67)),
    "percent": ("%", (3.2, 12, 20, 45, 60, 70, 85)),
    "month": ("months", (6, 9, 12, 18, 24, 36)),
    "mm": ("mm", (3, 5, 8, 12, 16, 20, 35, 60, 110)),
    "kilo": ("kg", (50, 80, 110, 150, 250, 500)),
    "lumen": ("lm", (400, 650, 900, 1600, 4000)),
    "hour": ("h", (4, 6, 8, 12, 24)),
}
