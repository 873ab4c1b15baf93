"""What is derived from a page is kept while it is near: each of the ten pages after it asks again."""

from processing.engine.page import ParsedPage


class SamePage:
    """A page as a key: the very same one."""

    def __init__(self, page: ParsedPage) -> None:
        self.page = page

    def __hash__(self) -> int:
        return id(self.page)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SamePage) and other.page is self.page
