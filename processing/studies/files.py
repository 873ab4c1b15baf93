"""A template as a file: JSON with what it is called and what it asks, the same whoever's it is."""

from typing import Any

import msgspec

from catalogsku.core.errors import Refused
from catalogsku.core.structs import ready
from processing.studies.definition import BYTES_MOST, Definition, DefinitionError, definition_of, stored
from processing.studies.faults import TemplateInvalid

FILE_BYTES_MOST = 4 * BYTES_MOST  # of the same content, laid out for people
FORMAT = "study-template/1"


class TemplateFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``definition`` as ``studies.definition`` has it; which version it was is not told: it becomes the next one."""

    format: str
    key: str
    name: str
    definition: dict[str, Any]
    name_zh: str = ""


def written(key: str, name: str, name_zh: str, definition: Definition) -> str:
    told = TemplateFile(FORMAT, key, name, stored(definition), name_zh)
    return msgspec.json.format(msgspec.json.encode(told), indent=1).decode() + "\n"


def read(raw: bytes) -> tuple[TemplateFile, Definition]:
    """Raises Refused(template_file): no such file, or too large; TemplateInvalid."""
    if len(raw) > FILE_BYTES_MOST:
        raise Refused("template_file", what=f"> {FILE_BYTES_MOST >> 10} KB")
    try:
        file = msgspec.json.decode(raw.removeprefix(b"\xef\xbb\xbf"), type=ready(TemplateFile))
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused("template_file", what=str(error)[:100]) from None
    if file.format != FORMAT:
        raise Refused("template_file", what=f"format {file.format[:40]}")
    try:
        return file, definition_of(file.definition)
    except DefinitionError as error:
        raise TemplateInvalid(error) from error
