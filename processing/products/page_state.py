"""The words in which a person says what is on a page, and in which it is told what was changed or cannot stay."""

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from catalogsku.core.box import Box
from catalogsku.core.structs import ready

PageType = Literal["A", "B", "C", "D"]
Layout = Literal["L1", "L2", "L3", "L4"]
TextRole = Literal["title", "label", "value", "caption", "running", "note", "other"]


class GivenValue(msgspec.Struct, frozen=True):
    """A value as a person left it; ``box``: where it stands, as chosen by hand. ``confirmed``: right although it is not
    printed so."""

    text: str
    box: Box | None = None
    confirmed: bool = False


class GivenCustom(msgspec.Struct, frozen=True):
    """An attribute that the schema does not know. ``confirmed``: a person says that it is one (TA-ANN8)."""

    name: str
    text: str
    box: Box | None = None
    confirmed: bool = False


class GivenSku(msgspec.Struct, frozen=True):
    """``sku_id`` None: a product that nobody had found. ``pictures``: image ids, the main one first. ``offered``: the
    proposer of the page's alternative that a person took it from."""

    sku_id: str | None = None
    rejected: bool = False
    attributes: dict[str, GivenValue | None] = {}
    custom: tuple[GivenCustom, ...] = ()
    pictures: tuple[str, ...] = ()
    box: Box | None = None
    offered: str = ""


class GivenPicture(msgspec.Struct, frozen=True):
    """A picture that a person drew around; ``id``: its name in this state, new- and something."""

    id: str
    box: Box


class PageState(msgspec.Struct, frozen=True, kw_only=True):
    """A whole page as the workbench shows it. ``roles``: of pictures, by image id, where they were changed; ``texts``:
    of blocks, by T1 ..., likewise. ``separate``: tables (G1 ...) that go on with none of an earlier page, whatever the
    reading said. ``new_type``: what kind of page this is, where it is none of the four.
    """

    page_type: PageType
    layout_type: Layout = "L3"
    skus: tuple[GivenSku, ...] = ()
    roles: dict[str, str] = {}
    drawn: tuple[GivenPicture, ...] = ()
    texts: dict[str, TextRole] = {}
    separate: tuple[str, ...] = ()
    new_type: str = ""


@dataclass(frozen=True)
class Fault:
    """``path`` as in skus[2].attributes.price; ``code`` has a sentence."""

    path: str
    code: str
    params: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """One difference between what machines had and what a person left; None where there was nothing."""

    kind: str
    sku_id: str
    field: str
    before: Any
    after: Any


class CustomPayload(msgspec.Struct, frozen=True):
    value: str
    confirmed: bool


class RolePayload(msgspec.Struct, frozen=True):
    """A picture that was drawn: the role it got, and where."""

    role: str
    box: Box


class MergePayload(msgspec.Struct, frozen=True):
    """The table of an earlier page that a table went on with."""

    page_number: int
    table: str


# What before and after of each kind may hold, None apart (TA-ANN8).
PAYLOADS: dict[str, Any] = {
    "PAGE_TYPE": PageType | Literal[""],
    "LAYOUT": Layout | Literal[""] | MergePayload,
    "TEXT_ROLE": TextRole,
    "IMAGE_ROLE": str | RolePayload,
    "SKU_ATTRIBUTE": str | bool | Box,
    "BINDING": list[str],
    "CUSTOM_ATTR_CONFIRM": CustomPayload,
    "NEW_TYPE_REPORT": str,
}


def payload(kind: str, value: Any) -> Any:
    """``value`` as it is kept with an annotation. Raises msgspec.ValidationError where ``kind`` holds no such thing."""
    plain = msgspec.to_builtins(value)
    if plain is not None:
        msgspec.convert(plain, ready(PAYLOADS[kind]))
    return plain
