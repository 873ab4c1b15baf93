"""A server on loopback with the wire formats of Gemini, DashScope and OpenAI: the vendors' SDKs talk to it unchanged.

Each format becomes one neutral ``ModelRequest``; an answerer makes a ``Reply`` of it, which the format encodes::

    with ModelServer(lambda request: Reply('{"skus": []}')) as server:
        genai.Client(api_key="k", http_options={"base_url": server.gemini_url})
"""

from tests.support.model_server.answerers import Recorded, Scripted
from tests.support.model_server.exchange import Answerer, Call, ModelRequest, Mood, Reply
from tests.support.model_server.server import ModelServer

__all__ = ["Answerer", "Call", "ModelRequest", "ModelServer", "Mood", "Recorded", "Reply", "Scripted"]
