"""A call of a model on its way: what the wrappers of chain.py and sending.py hand to each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from processing.engine.guard.inspect import Policy
from processing.llm.models import LanguageModel
from processing.llm.plan import CallPlan
from processing.llm.port import About, Reply, Request
from processing.llm.prompts import Wording
from processing.llm.providers.port import RawAnswer


@dataclass(frozen=True)
class Call:
    """A request on its way in; each wrapper fills in what it is for. ``task``: the part of the prompt that is the same
    for page after page, ``user`` the rest. ``attempt``: of the parser;
    ``is_last``: no other model can be asked after this one; ``timeout_s``: less than the model's own, None for that."""

    request: Request[Any]
    system: str = ""
    task: str = ""
    user: str = ""
    prompt_version: str = ""
    policy: Policy = "normal"
    model: LanguageModel | None = None
    attempt: int = 1
    is_last: bool = True
    downgraded: str = ""
    call_id: int = 0
    timeout_s: int | None = None

    @property
    def about(self) -> About:
        return self.request.about

    @property
    def asked_model(self) -> LanguageModel:
        """Below the router there is one."""
        assert self.model is not None
        return self.model

    def may_repeat(self, plan: CallPlan) -> bool:
        """A repeat takes neither the call that another model could have nor those of later questions."""
        return plan.left(self.request.keep) > (0 if self.is_last else 1)


@dataclass(frozen=True)
class Raw:
    """An answer as it came, in the ledger already."""

    text: str
    finish: str
    call_id: int
    kept: bool


Wordings = Mapping[str, Wording]
Asking = Callable[[Call], Reply[Any]]
Calling = Callable[[Call], Raw]
Sending = Callable[[Call], RawAnswer]
