"""/ws/work/: the commands that POST takes too, news of tasks for whoever may see them, locks that live by its ping."""

import asyncio
import json
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from annotation.models import Draft, HumanTask, Presence
from annotation.tasks.services import locks
from annotation.workbench import consumers
from annotation.workbench.services import presence
from catalogsku.accounts.models import Role, User
from catalogsku.core.json_bounds import WORK
from ingestion import admission
from tests.integration.test_locks import expire, make_task
from tests.integration.test_strangers import ENDS
from tests.support import sockets
from tests.support.people import People
from tests.support.sockets import LOGIN_NEEDED, NO_ACCESS, closing
from tests.support.strangers import EVERYBODY, person

TAB, OTHER_TAB = uuid.UUID(int=1), uuid.UUID(int=2)
CLAIMS, TABS = 50, 10


class Tab:
    """One page of a browser with its socket."""

    def __init__(self, opened: WebsocketCommunicator, session: uuid.UUID) -> None:
        self.socket, self.session, self.task = opened, session, ""

    @classmethod
    async def open(cls, user: User, session: uuid.UUID = TAB, *tasks: HumanTask, alone: bool = False) -> "Tab":
        tab = cls(await sockets.opened_socket(f"/ws/work/?session={session}", user), session)
        await tab.say(type="show", tasks=[str(task.uuid) for task in tasks], alone=alone)
        first = await tab.hear("sync")
        assert {row["id"] for row in first["rows"] if row["kind"] == "task"} == {str(task.uuid) for task in tasks}
        return tab

    async def say(self, **message: Any) -> None:
        await self.socket.send_to(text_data=json.dumps(message))

    async def hear(self, type_: str, within_s: float = 20, **fields: Any) -> dict[str, Any]:
        """The next message of that kind with a row that has these fields."""
        async with asyncio.timeout(within_s):
            while True:
                message = json.loads((await self.socket.receive_output(within_s))["text"])
                rows = message.get("rows", [])
                if message["type"] == type_ and (not fields or any(fields.items() <= row.items() for row in rows)):
                    return dict(message)

    async def command(self, name: str, task: HumanTask | None = None, token: int = 0, **body: Any) -> dict[str, Any]:
        await self.socket.send_to(text_data=envelope(name, task, self.session, token, **body))
        return dict((await self.hear("answer"))["answer"])

    async def close(self) -> None:
        await self.socket.disconnect()


def envelope(name: str, task: HumanTask | None, session: uuid.UUID, token: int = 0, **body: Any) -> str:
    told = {"id": str(uuid.uuid4()), "name": name, "session": str(session), "token": token, "body": body}
    return json.dumps(told | ({"task": str(task.uuid)} if task else {}))


@pytest.fixture
async def task(committed: None, people: People) -> HumanTask:
    return await sync_to_async(make_task)(people)


async def fresh(task: HumanTask) -> HumanTask:
    return await sync_to_async(HumanTask.objects.select_related("locked_by").get)(pk=task.pk)


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.req("TA-LOCK")
async def test_a_command_has_the_same_answer_by_socket_and_by_post(task: HumanTask, people: People) -> None:
    browser = Client(headers={"accept-language": "en"})
    await sync_to_async(browser.force_login)(people.annotator)

    def post(text: str) -> Any:
        return browser.post("/work/", text, content_type="application/json").json()

    tab = await Tab.open(people.annotator, TAB, task)
    missing = uuid.uuid4()
    for text in (
        envelope("renew", task, TAB, 7),
        envelope("release", task, TAB, 7),
        envelope("fly", task, TAB),
        envelope("draft", task, TAB, seq=1, page_version=1, state={"a": 1}),
        envelope("submit", task, TAB, 1),
        "{",
        "[]",
        envelope("claim", task, TAB).replace(str(task.uuid), str(missing)),
        '{"type": "delete"}',
        "[" * 30,
    ):
        await tab.socket.send_to(text_data=text)
        heard = await tab.hear("answer")
        assert heard["answer"] == await sync_to_async(post)(text), text
    held = await tab.command("claim", task)
    assert held["ok"] and (await fresh(task)).lock_token == held["token"]
    assert (await tab.command("claim", task))["token"] == held["token"]
    await tab.close()


@pytest.mark.req("TA-LOCK", "X-PRES")
async def test_a_claim_is_seen_by_the_others_and_a_take_over_by_who_had_it(task: HumanTask, people: People) -> None:
    mine = await Tab.open(people.annotator, TAB, task, alone=True)
    queue = await Tab.open(people.lead, OTHER_TAB, task)
    lock = await mine.command("claim", task)
    seen = await queue.hear("rows", who="Annotator", state="PROCESSING", holder="annotator")
    (person_there,) = seen["rows"][0]["people"]
    assert (person_there["name"], person_there["initials"], person_there["holds"]) == ("Annotator", "A", True)
    assert (await queue.command("claim", task))["by"] == "Annotator", "who lost the race is told who won it"
    await queue.command("take_over", task)
    await mine.hear("rows", who="Lead")
    await mine.say(type="pong", locks={str(task.uuid): lock["token"]})
    assert (await mine.hear("lost"))["tasks"] == [str(task.uuid)]
    await queue.close()
    await mine.close()


async def test_the_next_task_is_claimed_without_being_named(task: HumanTask, people: People) -> None:
    other = await sync_to_async(make_task)(people, 2)
    tabs = [await Tab.open(people.annotator, session) for session in (TAB, OTHER_TAB)]
    answers = await asyncio.gather(*(tab.command("next") for tab in tabs))
    assert {answer["task"] for answer in answers} == {str(task.uuid), str(other.uuid)}
    assert (await tabs[0].command("next"))["task"] is None
    for tab in tabs:
        await tab.close()


@pytest.mark.req("TA-P1-18", "X-FENCE")
async def test_of_50_claims_at_once_by_socket_one_wins_and_all_others_hear_who(task: HumanTask, people: People) -> None:
    """As many commands as 50 people send at once; 200 are asked of the service itself in test_locks."""
    tabs = [await Tab.open(people.annotator, uuid.uuid4(), task) for _ in range(TABS)]
    for tab in tabs:
        for _ in range(CLAIMS // TABS):
            await tab.socket.send_to(text_data=envelope("claim", task, uuid.uuid4()))
    answers = [(await tab.hear("answer", 30))["answer"] for tab in tabs for _ in range(CLAIMS // TABS)]
    won = [answer for answer in answers if answer["ok"]]
    assert len(won) == 1 and (await fresh(task)).lock_token == won[0]["token"]
    assert {answer["by"] for answer in answers if not answer["ok"]} == {"Annotator"}
    for tab in tabs:
        await tab.close()


# --- leases --------------------------------------------------------------------------------------


@pytest.mark.req("TA-IDLE", "TA-LOCK")
async def test_the_answer_to_the_ping_renews_the_locks_of_the_tab(
    task: HumanTask, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "PING_S", 0.2)
    tab = await Tab.open(people.annotator, TAB, task, alone=True)
    lock = await tab.command("claim", task)
    await sync_to_async(HumanTask.objects.filter(pk=task.pk).update)(lease_until="2000-01-01T00:00Z")
    await tab.hear("ping", 3)
    await tab.say(type="pong", at=str(task.uuid), locks={str(task.uuid): lock["token"]})
    await tab.command("renew", task, lock["token"])  # what comes after it has been done after it
    renewed = await fresh(task)
    assert renewed.lease_until is not None and renewed.lease_until.year > 2000
    await tab.say(type="pong", locks={str(task.uuid): lock["token"] - 1, str(uuid.uuid4()): 1})
    assert len((await tab.hear("lost"))["tasks"]) == 2
    await tab.close()


@pytest.mark.req("TA-LOCK", "X-FENCE")
async def test_a_socket_that_is_gone_leaves_its_tab_the_grace(task: HumanTask, people: People, settings: Any) -> None:
    tab = await Tab.open(people.annotator, TAB, task, alone=True)
    lock = await tab.command("claim", task)
    await tab.close()
    left = await fresh(task)
    assert left.lease_until is not None and left.locked_at is not None
    assert (left.lease_until - left.locked_at).total_seconds() < settings.LOCK_GRACE_S + 5
    again = await Tab.open(people.annotator, TAB, task, alone=True)
    assert (await again.command("renew", task, lock["token"]))["lost"] is False
    await again.close()
    await sync_to_async(expire)(task)
    assert await sync_to_async(locks.free_expired)() == 1


# --- presence and watching -------------------------------------------------------------------------


def names(message: dict[str, Any]) -> list[str]:
    return [one["name"] for one in message["rows"][0]["people"]]


@pytest.mark.req("X-PRES")
async def test_who_looks_at_a_task_is_seen_and_who_has_gone_is_not(task: HumanTask, people: People) -> None:
    queue = await Tab.open(people.annotator, TAB, task)
    bench = await Tab.open(people.lead, OTHER_TAB, task, alone=True)
    await bench.command("presence", task)
    assert names(await queue.hear("rows")) == ["Lead"]
    await bench.close()
    assert names(await queue.hear("rows")) == []
    await queue.close()


@pytest.mark.req("X-PRES")
def test_a_tab_that_fell_silent_is_forgotten(committed: None, people: People) -> None:
    task, other = make_task(people), make_task(people, 2)
    presence.be_present(people.lead, task.uuid, TAB)
    presence.be_present(people.lead, other.uuid, TAB)
    presence.be_present(people.annotator, other.uuid, OTHER_TAB)
    assert list(Presence.objects.order_by("pk").values_list("task", flat=True)) == [other.pk, other.pk]
    before = HumanTask.objects.get(pk=other.pk).version
    presence.be_present(people.lead, other.uuid, TAB)
    assert HumanTask.objects.get(pk=other.pk).version == before, "nothing new to show"
    assert presence.forget_absent() == 0
    Presence.objects.filter(user=people.lead).update(seen_at="2000-01-01T00:00Z")
    assert presence.forget_absent() == 1
    assert HumanTask.objects.get(pk=other.pk).version == before + 1


@pytest.mark.req("X-PRES")
async def test_a_lead_sees_what_the_holder_types_and_other_annotators_do_not(task: HumanTask, people: People) -> None:
    holder = await Tab.open(people.annotator, TAB, task, alone=True)
    lock = await holder.command("claim", task)
    lead = await Tab.open(people.lead, OTHER_TAB, task, alone=True)
    second = await sync_to_async(person)(Role.ANNOTATOR, "own", people.merchant, people.other)
    colleague = await Tab.open(second, uuid.UUID(int=3), task, alone=True)
    for seq in (1, 2):
        state = {"skus": [{"text": f"typed {seq}"}]}
        await holder.command("draft", task, lock["token"], seq=seq, page_version=1, state=state)
        heard = await lead.hear("rows", kind="draft", user="annotator", v=seq)
        assert heard["rows"][0]["state"] == state
    sync_of_colleague = await sync_to_async(_sync_by_get)(second, task)
    assert [row["kind"] for row in sync_of_colleague["rows"]] == ["task"]
    sync_of_lead = await sync_to_async(_sync_by_get)(people.lead, task)
    assert [row["kind"] for row in sync_of_lead["rows"]] == ["task", "draft"]
    while not colleague.socket.output_queue.empty():
        assert "typed" not in (await colleague.socket.receive_output(1))["text"]
    assert await sync_to_async(Draft.objects.count)() == 1
    for tab in (holder, lead, colleague):
        await tab.close()


def _sync_by_get(user: User, task: HumanTask) -> Any:
    client = Client()
    client.force_login(user)
    return client.get("/tasks/sync/", {"task": str(task.uuid), "alone": "1"}).json()


# --- who may ---------------------------------------------------------------------------------------


@pytest.mark.req("X-MATRIX", "TA-T43")
async def test_every_role_hears_of_its_own_merchants_tasks_alone(task: HumanTask, people: People) -> None:
    for role, place in EVERYBODY:
        user = await sync_to_async(person)(role, place, people.merchant, people.other)
        opened = await sockets.opened_socket(f"/ws/work/?session={uuid.uuid4()}", user)
        if role == Role.UPLOADER:
            assert await closing(opened) == (NO_ACCESS, [])
            continue
        sees = role == Role.ADMIN or place == "own"
        tab = Tab(opened, uuid.uuid4())
        await tab.say(type="show", tasks=[str(task.uuid)], alone=True)
        assert len((await tab.hear("sync"))["rows"]) == sees, (role, place)
        answer = await tab.command("renew" if sees else "claim", task)
        assert answer.get("code", "") == ("" if sees else "task_not_found"), (role, place)
        await sync_to_async(HumanTask.objects.filter(pk=task.pk).update)(**HumanTask.visible_change())
        if sees:
            await tab.hear("rows")
        else:
            with pytest.raises(TimeoutError):
                await tab.hear("rows", 0.3)
        await opened.disconnect()


@pytest.mark.req("X-MATRIX", "TA-AUTH")
async def test_without_a_session_or_from_elsewhere_there_is_no_socket(committed: None, people: People) -> None:
    assert await closing(await sockets.opened_socket(f"/ws/work/?session={TAB}", None)) == (LOGIN_NEEDED, [])
    for query in ("", "?session=", "?session=1", "?session=%00", f"?tab={TAB}"):
        opened = await sockets.opened_socket(f"/ws/work/{query}", people.annotator)
        assert await closing(opened) == (NO_ACCESS, []), query
    for origin in ("", "null", "https://elsewhere.example", "http://localhost:8001"):
        opened = await sync_to_async(sockets.socket)(f"/ws/work/?session={TAB}", people.annotator, origin=origin)
        assert not (await opened.connect())[0], origin


def demote(user: User) -> None:
    User.objects.filter(pk=user.pk).update(role=Role.UPLOADER)


def move_away(user: User) -> None:
    user.merchants.clear()


@pytest.mark.req("TA-DISABLE", "X-MATRIX")
@pytest.mark.parametrize("end", [*ENDS, demote], ids=lambda end: end.__name__)
async def test_a_command_counts_by_the_rights_of_its_moment(
    task: HumanTask, people: People, monkeypatch: pytest.MonkeyPatch, end: Any
) -> None:
    monkeypatch.setattr(admission, "LOOK_EVERY_S", 60)
    tab = await Tab.open(people.annotator, TAB, task)
    await sync_to_async(end)(await sync_to_async(User.objects.get)(pk=people.annotator.pk))
    await tab.socket.send_to(text_data=envelope("claim", task, TAB))
    code, before = await closing(tab.socket)
    assert code in (LOGIN_NEEDED, NO_ACCESS) and not any("answer" in message["text"] for message in before)
    await tab.socket.send_to(text_data=envelope("claim", task, TAB))
    assert await tab.socket.receive_nothing(0.3)
    assert (await fresh(task)).status == "CREATED"


@pytest.mark.req("TA-DISABLE", "X-MATRIX")
async def test_who_no_longer_works_for_a_merchant_hears_no_more_of_its_tasks(
    task: HumanTask, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "VALID_FOR_S", 0)
    tab = await Tab.open(people.annotator, TAB, task)
    await sync_to_async(move_away)(people.annotator)
    await sync_to_async(HumanTask.objects.filter(pk=task.pk).update)(**HumanTask.visible_change())
    code, before = await closing(tab.socket)
    assert code == LOGIN_NEEDED, "whoever is moved signs in anew"
    assert not [row for message in before for row in json.loads(message["text"]).get("rows", [])]


async def test_more_than_a_draft_may_hold_closes_the_socket(committed: None, people: People) -> None:
    opened = await sockets.opened_socket(f"/ws/work/?session={TAB}", people.annotator)
    await opened.send_to(text_data=" " * (WORK.bytes + 1))
    assert (await closing(opened))[0] == consumers.TOO_BIG


async def test_what_is_deeper_than_any_command_closes_the_socket(committed: None, people: People) -> None:
    opened = await sockets.opened_socket(f"/ws/work/?session={TAB}", people.annotator)
    await opened.send_to(text_data="[" * 10_000)
    assert (await closing(opened))[0] == consumers.TOO_BIG
