"""What a style is: a name, a language, its faces and how it is drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.golden.styles.pens.folio import Drawn, Folio


@dataclass(frozen=True)
class Style:
    """``language``: zh, en or zhen (bilingual). ``trade``: what the maker sells."""

    name: str
    language: str
    trade: str
    faces: Sequence[str]
    pages: Callable[[Folio], None]

    def draw(self) -> Drawn:
        """The catalogue; the same bytes every time."""
        folio = Folio(self.name, self.faces)
        self.pages(folio)
        return folio.finish()
