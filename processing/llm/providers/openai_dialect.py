"""What a server takes of the OpenAI protocol, learnt from its refusals: vLLM, Ollama, LM Studio, llama.cpp, OpenRouter,
Model Studio and OpenAI itself each take another part of it, and say which in HTTP 400 or 422.
"""

import re
from typing import Any

import msgspec

# Strictest first; "" asks for no format. The schema stands in the prompt whichever is asked for.
FORMATS = ("json_schema", "json_object", "")

# "'response_format.type' must be 'json_schema'" (LM Studio), "The provided JSON schema contains features not supported
# by xgrammar" (vLLM), "failed to parse grammar" (llama.cpp), "does not support response format" (Groq).
_FORMAT = re.compile(r"response.?format|json.?schema|json.?object|json.?mode|structured.?output|grammar", re.I)
# "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead." A server
# that names both because the figure is too large means something else.
_LIMIT = re.compile(r"max_tokens\W{1,4}is not supported|use \W?max_completion_tokens", re.I)
# "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."
_TEMPERATURE = re.compile(
    r"temperature\W{1,4}(?:does|is) not support|temperature\W{1,4}is (?:deprecated|unsupported)", re.I
)
# "parameter.enable_thinking must be set to false for non-streaming calls", "... when enable_thinking is true".
_THINKING = re.compile(r"enable_thinking", re.I)
# "Unrecognized request argument supplied: reasoning_effort", "'reasoning_effort' does not support 'none'".
_EFFORT = re.compile(r"reasoning.?effort", re.I)
# A row's thinking level in the protocol's words (https://platform.openai.com/docs/api-reference/chat/create).
EFFORTS = {"off": "none", "minimal": "minimal", "low": "low", "medium": "medium", "high": "high"}


class Dialect(msgspec.Struct, frozen=True):
    """``limit``: the server's name for the most tokens out. ``temperature``: it may be named. ``thinking_off``: the
    model has to be told not to think. ``effort``: how much it thinks may be named."""

    response_format: str = FORMATS[0]
    limit: str = "max_tokens"
    temperature: bool = True
    thinking_off: bool = False
    effort: bool = True

    def after(self, refusal: str) -> "Dialect | None":
        """What to try next; None where the refusal speaks of nothing that can be asked for otherwise."""
        if not self.thinking_off and _THINKING.search(refusal):
            return msgspec.structs.replace(self, thinking_off=True)
        if self.effort and _EFFORT.search(refusal):
            return msgspec.structs.replace(self, effort=False)
        if self.limit == "max_tokens" and _LIMIT.search(refusal):
            return msgspec.structs.replace(self, limit="max_completion_tokens")
        if self.temperature and _TEMPERATURE.search(refusal):
            return msgspec.structs.replace(self, temperature=False)
        if self.response_format and _FORMAT.search(refusal):
            return msgspec.structs.replace(self, response_format=FORMATS[FORMATS.index(self.response_format) + 1])
        return None

    def parameters(
        self, schema: dict[str, Any], temperature: float | None, max_tokens: int, thinking: str = ""
    ) -> dict[str, Any]:
        """The fields of a question beside its model and messages. ``temperature``: None leaves it to the server, as an
        empty ``thinking`` does."""
        said: dict[str, Any] = {self.limit: max_tokens}
        if self.effort and thinking:
            said["reasoning_effort"] = EFFORTS[thinking]
        if self.temperature and temperature is not None:
            said["temperature"] = temperature
        if self.thinking_off:
            said["enable_thinking"] = False
        if self.response_format == "json_schema":
            said["response_format"] = {"type": "json_schema", "json_schema": {"name": _name(schema), "schema": schema}}
        elif self.response_format:
            said["response_format"] = {"type": self.response_format}
        return said


def _name(schema: dict[str, Any]) -> str:
    """Letters, digits, underscores and dashes, at most 64 (https://platform.openai.com/docs/api-reference/chat/create)."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title") or "answer"))[:64]
