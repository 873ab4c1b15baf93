"""Errors that carry a stable code; entry points turn them into an answer, workers into a page's reason."""


class ProductError(Exception):
    """A refusal or failure with a code that has a message in both languages (core.messages_text).

    ``http_status``: how a web or API entry point answers it. ``params`` fill the message.
    """

    http_status = 400

    def __init__(self, code: str, detail: str = "", **params: object) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code, self.detail, self.params = code, detail, params


class Refused(ProductError):
    """The request cannot be carried out as it stands."""


class NotFound(ProductError):
    """Missing, or not for this person: both look the same from outside."""

    http_status = 404


class Conflict(ProductError):
    """Somebody else was first, or the row has moved on; the caller may look again."""

    http_status = 409


class Unavailable(ProductError):
    """Infrastructure is short of something; the same request may succeed later."""

    http_status = 503


class TemporaryFailure(ProductError):
    """Machine work failed in a way that a later attempt may survive."""


class PermanentFailure(ProductError):
    """Machine work failed in a way that no repetition mends: a person takes over."""
