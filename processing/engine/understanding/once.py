"""What an extractor finds on a page it finds once: the page's type is told by what there is, and then that is taken."""

from collections.abc import Callable, Iterable
from functools import wraps

from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.view import PageView

Extractor = Callable[[PageView], Extraction]


def once(extractor: Extractor) -> Extractor:
    """The same, asked as often as one likes."""

    @wraps(extractor)
    def cached(view: PageView) -> Extraction:
        name = extractor.__name__
        if name not in view.extractions:
            view.extractions[name] = extractor(view)
        return view.extractions[name]

    return cached


def as_extractor(name: str) -> Callable[[Callable[[PageView], Iterable[Draft]]], Extractor]:
    """An extractor called ``name`` of a function that finds products; their text is what it has accounted for."""

    def made(find: Callable[[PageView], Iterable[Draft]]) -> Extractor:
        @wraps(find)
        def extractor(view: PageView) -> Extraction:
            drafts = tuple(find(view))
            return Extraction(drafts, used=tuple(draft.box for draft in drafts), extractor=name)

        return once(extractor)

    return made
