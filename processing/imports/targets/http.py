"""An import target behind an HTTP product API: POST one product or some, GET what it holds. See docs/imports.md."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from catalogsku.core.wire import Line, Lost, NotSent, Reply, retry_after_s
from processing.imports.targets.answers import (
    FORBIDDEN,
    LOCKED_OUT,
    answer_of,
    found_in,
    generation_in,
    parsed,
    readable,
)
from processing.imports.targets.port import Answer, Envelope, Held, Queries, Traits, Unclear
from processing.imports.targets.shape import Shape, value_at

ASKED_AT_ONCE = 4  # connections of one query, where SKUs are asked for one by one


def _no_token() -> str:
    return ""


class HttpTarget:
    """``private``: its host may have an address of a private network. ``token`` is asked for before each request."""

    def __init__(
        self,
        url: str,
        traits: Traits,
        shape: Shape | None = None,
        *,
        private: bool = False,
        auth_header: str = "Authorization",
        token: Callable[[], str] = _no_token,
    ) -> None:
        self.traits, self._shape = traits, shape or Shape()
        self._url, self._private, self._auth_header, self._token = url, private, auth_header, token
        self._path = urlsplit(url).path or "/"

    # --- products go out ---

    def put(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Answer]:
        until_s = time.monotonic() + timeout_s
        answers: dict[str, Answer] = {}
        with self._line() as line:
            shut: Answer | None = None
            for group in self._requests(envelopes):
                of_group = _all(group, shut) if shut is not None else self._put(line, group, until_s)
                first = of_group[group[0].idempotency_key]
                if shut is None and first.locked_out:
                    if first.locked_out == FORBIDDEN and len(group) == 1 and any(map(_came_through, answers.values())):
                        of_group = _all(group, Answer.refused(first.response))  # the others were let in a moment ago
                    else:
                        shut = first
                answers |= of_group
        return [answers[envelope.idempotency_key] for envelope in envelopes]

    def _requests(self, envelopes: Sequence[Envelope]) -> Iterator[list[Envelope]]:
        """What goes into one request each: one product, some of one merchant, or all of one document."""
        key = (lambda e: (e.merchant_id, e.job)) if self.traits.whole_job else (lambda e: (e.merchant_id, ""))
        size = len(envelopes) if self.traits.whole_job else self.traits.batch
        for _, members in groupby(sorted(envelopes, key=key), key):
            group = list(members)
            for at in range(0, len(group), size):
                yield group[at : at + size]

    def _put(self, line: Line, group: Sequence[Envelope], until_s: float) -> dict[str, Answer]:
        try:
            reply = line.ask("POST", self._path, self._headers(group), self._body(group), until_s)
        except NotSent as error:
            late = 0.0 if time.monotonic() >= until_s else None
            return _all(group, Answer.not_sent(str(error), late))
        except Lost as error:
            return _all(group, Answer.lost(str(error)))
        if self._takes_many and 200 <= reply.status < 300 and reply.status != 202:
            return self._each(group, reply)
        answer = self._answer(reply)
        if answer.trigger == "refused" and len(group) > 1 and not self.traits.whole_job:
            half = len(group) // 2  # one of them is at fault, and the others need not wait for a person
            return self._put(line, group[:half], until_s) | self._put(line, group[half:], until_s)
        return _all(group, answer)

    @property
    def _takes_many(self) -> bool:
        return self.traits.batch > 1 or self.traits.whole_job

    def _headers(self, group: Sequence[Envelope]) -> dict[str, str]:
        """Of some products the first one's key, with their number: the same again for the same products."""
        key = group[0].idempotency_key
        key = f"{key}+{len(group) - 1}" if len(group) > 1 else key
        return {**self._common(), "Content-Type": "application/json", "Idempotency-Key": key}

    def _common(self) -> dict[str, str]:
        headers = {"Accept": "application/json"}
        if token := self._token():
            headers[self._auth_header] = f"Bearer {token}" if self._auth_header == "Authorization" else token
        return headers

    def _body(self, group: Sequence[Envelope]) -> bytes:
        """Joined as they are: the bytes of a product are the same in every request."""
        return b'{"items":[' + b",".join(e.payload for e in group) + b"]}" if self._takes_many else group[0].payload

    def _answer(self, reply: Reply) -> Answer:
        try:
            tree = parsed(reply.body)
        except ValueError:
            if 200 <= reply.status < 300:
                return Answer.lost(f"HTTP {reply.status}, unreadable: {readable(reply.body)}")
            tree = None
        held = generation_in(tree, self._shape.name_of("generation"))
        wait_s = retry_after_s(reply.headers)
        return answer_of(reply.status, readable(reply.body), retry_after_s=wait_s, held=held)

    def _each(self, group: Sequence[Envelope], reply: Reply) -> dict[str, Answer]:
        """Item by item, found by the target's id of the SKU; what is not mentioned has no answer."""
        try:
            items: list[Any] = parsed(reply.body)["items"]
            items_by_name = {str(value_at(item, self._shape.name_of("sku_id"))): item for item in items}
        except (ValueError, TypeError, KeyError):
            return _all(group, Answer.lost(f"HTTP {reply.status}, unreadable: {readable(reply.body)}"))
        return {e.idempotency_key: self._of_item(items_by_name.get(e.name)) for e in group}

    def _of_item(self, item: Any) -> Answer:
        status = item.get("status") if isinstance(item, dict) else None
        if not isinstance(status, int):
            return Answer.lost("the answer does not mention it")
        said = readable(str(item.get("error") or "").encode())
        if status in LOCKED_OUT:  # the others were taken: it is this product that may not be there
            return Answer.refused(f"HTTP {status}: {said}")
        return answer_of(status, said, held=generation_in(item, self._shape.name_of("generation")))

    # --- what the target holds ---

    def query(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Held]:
        until_s = time.monotonic() + timeout_s
        if self.traits.query == Queries.NONE:
            return [Unclear("this target cannot be asked")] * len(envelopes)
        if self.traits.query == Queries.JOB:
            return self._query_jobs(envelopes, until_s)
        shares = [envelopes[n::ASKED_AT_ONCE] for n in range(min(ASKED_AT_ONCE, len(envelopes)))]
        with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
            parts = pool.map(lambda share: self._query_skus(share, until_s), shares)
        held_by_key = {e.idempotency_key: held for part in parts for e, held in part}
        return [held_by_key[e.idempotency_key] for e in envelopes]

    def _query_skus(self, envelopes: Sequence[Envelope], until_s: float) -> list[tuple[Envelope, Held]]:
        with self._line() as line:
            return [(e, self._query_sku(line, e, until_s)) for e in envelopes]

    def _query_sku(self, line: Line, envelope: Envelope, until_s: float) -> Held:
        path = f"{self._path.rstrip('/')}/{quote(envelope.name, safe='')}"
        tree = self._get(line, path, {self._shape.name_of("merchant_id"): envelope.merchant_id}, until_s)
        return tree if tree is None or isinstance(tree, Unclear) else self._held_in(tree)

    def _query_jobs(self, envelopes: Sequence[Envelope], until_s: float) -> list[Held]:
        listed: dict[tuple[int, str], Any] = {}
        with self._line() as line:
            for merchant, job in dict.fromkeys((e.merchant_id, e.job) for e in envelopes):
                query = {self._shape.name_of("merchant_id"): merchant, self._shape.name_of("job_id"): job}
                listed[merchant, job] = self._listed(self._get(line, self._path, query, until_s))
        return [
            listing if isinstance(listing := listed[e.merchant_id, e.job], Unclear) else listing.get(e.name)
            for e in envelopes
        ]

    def listed(self, merchant_id: int, job: str, timeout_s: float) -> list[str] | Unclear:
        """The target's ids of what it lists of a document, as often as it lists them."""
        query = {self._shape.name_of("merchant_id"): merchant_id, self._shape.name_of("job_id"): job}
        with self._line() as line:
            tree = self._get(line, self._path, query, time.monotonic() + timeout_s)
        items = tree.get("items") if isinstance(tree, dict) else None
        if not isinstance(items, list):
            return tree if isinstance(tree, Unclear) else Unclear("no items in the answer")
        return [str(value_at(item, self._shape.name_of("sku_id"))) for item in items]

    def _listed(self, tree: Any) -> dict[str, Held] | Unclear:
        if tree is None or isinstance(tree, Unclear):
            return tree or {}
        items = tree.get("items") if isinstance(tree, dict) else None
        if not isinstance(items, list):
            return Unclear("no items in the answer")
        return {str(value_at(item, self._shape.name_of("sku_id"))): self._held_in(item) for item in items}

    def _held_in(self, tree: Any) -> Held:
        return found_in(tree, self._shape.name_of("generation"), self._shape.name_of("content_hash"))

    def _get(self, line: Line, path: str, query: dict[str, Any], until_s: float) -> Any:
        """The answer's JSON; None for 404 and 410; Unclear for everything else."""
        try:
            reply = line.ask("GET", f"{path}?{urlencode(query)}", self._common(), None, until_s)
            if reply.status in (404, 410):
                return None
            tree = parsed(reply.body)
        except (NotSent, Lost) as error:
            return Unclear(str(error))
        except ValueError:
            return Unclear(f"HTTP {reply.status}, unreadable: {readable(reply.body)}")
        return tree if reply.status == 200 and tree is not None else Unclear(f"HTTP {reply.status}")

    def _line(self) -> Line:
        return Line(self._url, private=self._private)


def _came_through(answer: Answer) -> bool:
    """The target has dealt with the product itself."""
    return answer.trigger in ("confirmed", "assumed", "refused", "conflict")


def _all(group: Sequence[Envelope], answer: Answer) -> dict[str, Answer]:
    return {envelope.idempotency_key: answer for envelope in group}
