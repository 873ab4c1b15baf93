"""OpenAI's SDK over our connections. Imports it: only with the first question."""

import httpx2
from openai import Omit, OpenAI

from processing.llm.providers.httpx2_wire import BoundedClient


class Kit(OpenAI):
    """Asks once, tells the server nothing of this machine, and takes nothing from the environment.

    The SDK reads OPENAI_API_KEY, OPENAI_ADMIN_KEY, OPENAI_ORG_ID, OPENAI_PROJECT_ID, OPENAI_WEBHOOK_SECRET and
    OPENAI_BASE_URL for what it is not given, adds the headers of OPENAI_CUSTOM_HEADERS, and states operating system,
    processor and Python in headers of its own (3.57.0).
    """

    def __init__(self, base_url: str, *, private: bool) -> None:
        super().__init__(
            api_key="goes with each question",
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            base_url=base_url,
            max_retries=0,
            http_client=BoundedClient(base_url, private=private),
        )

    @property
    def default_headers(self) -> dict[str, str | Omit]:
        return {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "CatalogSKU"}

    def answer_to(self, question: object, *, api_key: str, timeout_s: float) -> bytes:
        """The body of a chat completion as it came; servers differ in it more than the SDK's types allow. Raises the
        SDK's errors."""
        headers = {"Authorization": f"Bearer {api_key}"}
        answer = self.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            body=question,
            options={"headers": headers, "timeout": timeout_s},
        )
        return answer.content
