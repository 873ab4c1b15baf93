"""Batches of Gemini through google-genai: inline requests, told apart by their metadata.

https://ai.google.dev/gemini-api/docs/batch-api: up to 20 MB inline, answered within 24 hours as a goal, ended after 48.
"""

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Literal

from processing.llm.providers.failures import Secrets
from processing.llm.providers.port import BadOutput, BatchAnswer, ModelError, Permanent, Prompt, RemoteBatch, Transient

if TYPE_CHECKING:
    from google.genai import types

    from processing.llm.providers.gemini import Gemini

KEY = "key"
LISTED_AT_ONCE, LISTED_MOST = 100, 5_000
State = Literal["running", "done", "expired", "failed", "cancelled"]
# https://ai.google.dev/api/batch-api#BatchState; every other state goes on.
ENDED: dict[str, State] = {
    "JOB_STATE_SUCCEEDED": "done",
    "JOB_STATE_PARTIALLY_SUCCEEDED": "done",
    "JOB_STATE_FAILED": "failed",
    "JOB_STATE_CANCELLED": "cancelled",
    "JOB_STATE_EXPIRED": "expired",
}


class GeminiBatches:
    def __init__(self, owner: "Gemini") -> None:
        self._owner = owner

    def send(self, model: str, name: str, questions: Mapping[str, Prompt], *, api_key: str, timeout_s: float) -> str:
        from google.genai import types

        from processing.llm.providers.gemini import config_of, contents_of

        with self._owner.client(Secrets(api_key)) as client:
            inline = [
                types.InlinedRequest(contents=contents_of(prompt), config=config_of(prompt), metadata={KEY: key})
                for key, prompt in questions.items()
            ]
            config = types.CreateBatchJobConfig(display_name=name, http_options=_options(api_key, timeout_s))
            made = client.batches.create(model=model, src=inline, config=config)
        if not made.name:
            raise BadOutput("unreadable_body", "a batch without a name")
        return made.name

    def find(self, name: str, *, api_key: str, timeout_s: float) -> str | None:
        """The API lists all of a project's batches, and filters by nothing."""
        from google.genai import types

        with self._owner.client(Secrets(api_key)) as client:
            config = types.ListBatchJobsConfig(page_size=LISTED_AT_ONCE, http_options=_options(api_key, timeout_s))
            listed = 0
            for batch in islice(client.batches.list(config=config), LISTED_MOST):
                listed += 1
                if batch.display_name == name and batch.name:
                    return batch.name
        if listed == LISTED_MOST:  # it may be among the rest
            raise Transient("list_too_long")
        return None

    def look(self, remote_id: str, model: str, *, api_key: str, timeout_s: float) -> RemoteBatch:
        from google.genai import types

        with self._owner.client(Secrets(api_key)) as client:
            config = types.GetBatchJobConfig(http_options=_options(api_key, timeout_s))
            job = client.batches.get(name=remote_id, config=config)
        state: State = ENDED.get(job.state.value, "running") if job.state else "running"
        responses = job.dest.inlined_responses if job.dest else None
        if state == "done" and responses is None:
            raise BadOutput("unreadable_body", "a batch without answers")
        answers = tuple(_answer(response, model) for response in responses or () if (response.metadata or {}).get(KEY))
        return RemoteBatch(remote_id, state, answers, str(job.error.message) if job.error else "")

    def cancel(self, remote_id: str, *, api_key: str, timeout_s: float) -> None:
        from google.genai import types

        with self._owner.client(Secrets(api_key)) as client:
            config = types.CancelBatchJobConfig(http_options=_options(api_key, timeout_s))
            client.batches.cancel(name=remote_id, config=config)

    def forget(self, remote_id: str, *, api_key: str, timeout_s: float) -> None:
        from google.genai import types

        with self._owner.client(Secrets(api_key)) as client:
            client.batches.delete(
                name=remote_id, config=types.DeleteBatchJobConfig(http_options=_options(api_key, timeout_s))
            )


def _options(api_key: str, timeout_s: float) -> "types.HttpOptions":
    """Batches are documented for v1beta alone; the SDK's own version is v1 (3.3.0)."""
    from processing.llm.providers.gemini import options

    http_options = options(api_key, timeout_s)
    http_options.api_version = "v1beta"
    return http_options


def _answer(inlined: "types.InlinedResponse", model: str) -> BatchAnswer:
    from processing.llm.providers.gemini import raw_answer

    key = (inlined.metadata or {})[KEY]
    if inlined.response is None:
        return BatchAnswer(key, error=_error(inlined))
    try:
        return BatchAnswer(key, raw_answer(inlined.response, model, 0))
    except BadOutput as error:
        return BatchAnswer(key, error=error)


def _error(inlined: "types.InlinedResponse") -> ModelError:
    """``code``: of google.rpc.Code."""
    if inlined.error is None:
        return BadOutput("unreadable_body", "neither an answer nor an error")
    return Permanent(f"rpc_{inlined.error.code or 0}", str(inlined.error.message or ""))
