"""Which pictures a model says show a product, beside those that the page's geometry gives it."""

import dataclasses
from collections.abc import Iterable

from processing.engine.page import ParsedPage
from processing.engine.result import Binding, Candidate
from processing.engine.understanding.pictures.binding import Bound

# Of a picture that a model names where the page itself binds none.
_TOLD = 0.8


def as_told(bound: Bound, named: tuple[str, ...], page: ParsedPage) -> Bound:
    """Where both name the same main picture, with what the model names beside it, in its order; where geometry has
    none, or several, the model's; where they differ neither is believed."""
    known = {picture.id for picture in page.pictures}
    names = [name for name in dict.fromkeys(named) if name in known]
    if not names:
        return bound
    own = [binding.picture for binding in bound.bindings]
    if bound.ambiguous or not own:
        main, *more = names
        bindings = (Binding(main, "PRODUCT_MAIN", "model", _TOLD), *_details(more))
        return Bound(bindings, tuple(c for c in bound.candidates if c.picture not in names))
    if names[0] in own:
        return dataclasses.replace(bound, bindings=(*bound.bindings, *_details(n for n in names if n not in own)))
    said = Candidate(names[0], _TOLD, "model")
    return Bound(
        (), (*(Candidate(b.picture, b.confidence, b.method) for b in bound.bindings[:1]), said), ambiguous=True
    )


def _details(names: Iterable[str]) -> tuple[Binding, ...]:
    return tuple(Binding(name, "DETAIL", "model", _TOLD) for name in names)
