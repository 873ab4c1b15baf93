"""The refusal of whoever tries too often, or of too many at once: 429, and after how many seconds to come again."""

from catalogsku.core.errors import ProductError


class Hurried(ProductError):
    """``retry_after_s``: stands in the answer's Retry-After."""

    http_status = 429

    def __init__(self, code: str, retry_after_s: int, **params: int) -> None:
        self.retry_after_s = max(1, retry_after_s)
        super().__init__(code, "", seconds=self.retry_after_s, **params)
