"""What Google and Alibaba document that their APIs refuse, and OpenAI of the third protocol: one row a refusal, with
what the house makes of it. A refusal that is new in their tables becomes a row here first.

Rows tell what can befall a question about a page: one call, not streamed, texts and pictures that stand in the request
itself. Left out is what belongs to files, batches, streams, tools, speech and video alone.
"""

from tests.support.refusals import gemini, openai, qwen
from tests.support.refusals.row import BUSY, QUESTION, TRANSIENT, UNUSABLE, Refusal

REFUSALS: tuple[Refusal, ...] = (*gemini.ROWS, *qwen.ROWS, *openai.ROWS)

__all__ = ["BUSY", "QUESTION", "REFUSALS", "TRANSIENT", "UNUSABLE", "Refusal"]
