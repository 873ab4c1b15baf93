"""A model that counts tokens as the tokenizers of today do, independently of how the product expects them.

Words of Latin letters are cut about every five letters, digits are one token each (as Qwen's and Gemma's tokenizers
have it), signs two to a token, Han three to two tokens; an image is what its provider takes of its size in px.
"""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from math import ceil

from PIL import Image

from tests.support.model_server import ModelRequest, Reply

_PARTS = re.compile(r"(?P<word>[A-Za-z]+)|(?P<digit>\d)|(?P<han>[\u2e80-\uffff]+)|(?P<line>\n+)|(?P<sign>[^\w\s]+)")
GEMINI_TOKENS, QWEN_SIDE_PX = 1120, 32


def text_tokens(text: str) -> int:
    found = 0
    for part in _PARTS.finditer(text):
        said = part[0]
        match part.lastgroup:
            case "word":
                found += ceil(len(said) / 5)
            case "han":
                found += ceil(len(said) * 2 / 3)
            case "sign":
                found += ceil(len(said) / 2)
            case _:
                found += 1
    return found


def image_tokens(request: ModelRequest, data: bytes) -> int:
    if request.provider == "gemini":
        return GEMINI_TOKENS
    with Image.open(io.BytesIO(data)) as image:
        return ceil(image.width / QWEN_SIDE_PX) * ceil(image.height / QWEN_SIDE_PX)


def counted(answer: Callable[[ModelRequest], Reply]) -> Callable[[ModelRequest], Reply]:
    """The answerer's replies, with what they take."""

    def reply(request: ModelRequest) -> Reply:
        said = answer(request)
        images = sum(image_tokens(request, data) for _mime, data in request.images)
        tokens_in = text_tokens(request.system) + sum(map(text_tokens, request.texts)) + images
        return replace(said, tokens_in=tokens_in, tokens_out=text_tokens(said.text), image_tokens=images)

    return reply
