"""One document of a maker: a catalogue, a few pages with products and some without in any order but that a cover comes
first; or a manual, which people send along, without any product."""

from collections.abc import Callable, Mapping
from random import Random

from tests.fit.grammar.layouts import LAYOUTS
from tests.fit.grammar.maker import Maker, draw_maker
from tests.fit.grammar.manuals import MANUALS
from tests.fit.grammar.paper import Paper
from tests.fit.grammar.press import Press
from tests.fit.grammar.without_products import WITHOUT_PRODUCTS
from tests.golden.styles.pens.folio import Drawn

_Pages = Mapping[str, tuple[Callable[[Paper], None], float]]
_BETWEEN: _Pages = {name: page for name, page in WITHOUT_PRODUCTS.items() if name != "cover"}


def catalogue(seed: int) -> Drawn:
    """The catalogue of a seed; the same bytes every time, on every machine."""
    random = Random(f"catalogue {seed}")
    maker = draw_maker(random)
    paper = _paper(maker, random, f"g{seed:06d}_{maker.language.code}")
    names = random.choices(list(LAYOUTS), [weight for _, weight in LAYOUTS.values()], k=random.choice((1, 1, 2)))
    pages = [LAYOUTS[name][0](paper) for name in names]
    calls = [random.choice(pages) for _ in range(random.choice((1, 2, 2, 3)))]
    calls += [_any(paper, _BETWEEN) for _ in range(random.choice((0, 0, 1, 1, 2)))]
    random.shuffle(calls)
    if random.random() < 0.18:
        calls.insert(0, lambda: WITHOUT_PRODUCTS["cover"][0](paper))
    return _drawn(paper, calls)


def manual(seed: int) -> Drawn:
    """The manual, data sheet or report of a seed; like ``catalogue``."""
    random = Random(f"manual {seed}")
    maker = draw_maker(random)
    paper = _paper(maker, random, f"m{seed:06d}_{maker.language.code}")
    calls = [_any(paper, MANUALS) for _ in range(random.choice((2, 3, 4)))]
    calls += [_any(paper, _BETWEEN) for _ in range(random.choice((0, 0, 1)))]
    return _drawn(paper, calls)


def _paper(maker: Maker, random: Random, name: str) -> Paper:
    faces = ("zh",) if maker.language.is_eastern else ("sans", "bold", "italic", "serif", "serifb", "mono")
    press = Press(
        name,
        faces,
        brand=(maker.name,),
        prices=maker.goods.prices,
        asking=frozenset(maker.language.lists["on_request"]),
        currency=_currency(maker.money.sign),
        shots=maker.photos,
    )
    return Paper(press, maker, random)


def _drawn(paper: Paper, calls: list[Callable[[], None]]) -> Drawn:
    for draw in calls:
        draw()
    drawn = paper.press.finish()
    drawn.truth["job"]["category"] = paper.maker.language.code
    return drawn


def _any(paper: Paper, pages: _Pages) -> Callable[[], None]:
    name = paper.random.choices(list(pages), [weight for _, weight in pages.values()])[0]
    return lambda: pages[name][0](paper)


def _currency(sign: str) -> tuple[str, ...]:
    codes = {
        "$": "USD",
        "US$": "USD",
        "€": "EUR",
        "£": "GBP",
        "¥": "CNY",
        "￥": "CNY",
        "元": "CNY",
        "RMB": "CNY",
        "HK$": "HKD",
        "NT$": "TWD",
        "R$": "BRL",
        "S/": "PEN",
        "руб.": "RUB",
        "руб": "RUB",
        "р.": "RUB",
        "TL": "TRY",
        "zł": "PLN",
        "lei": "RON",
        "円": "JPY",
        "원": "KRW",
        "￦": "KRW",
        "Rs.": "INR",
    }
    return (sign, codes[sign]) if sign in codes else (sign,)
