"""A page as a person left it: revisions, confirmations, annotations, imports; the token is the judge."""

import json
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.test import Client
from django.utils.translation import override

from annotation.models import Annotation, Draft, HumanTask
from annotation.queue.services import claiming, dispatch
from annotation.tasks.services import locks, settle
from annotation.tasks.services.locks import LockLost
from annotation.workbench.commands import run_command
from annotation.workbench.past import page_past
from annotation.workbench.presenters import bench
from annotation.workbench.services import drafts
from annotation.workbench.services.submitting import Invalid, skip_task, submit_task
from catalogsku.core.errors import Conflict, Refused
from catalogsku.core.models import Transition
from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job, Page
from processing.corrections.services.correcting import GivenCustom, GivenSku, GivenValue, PageState, content_version
from processing.models import Image, ImportRecord, Sku, SkuImage
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku

TAB = UUID(int=1)
pytestmark = pytest.mark.django_db


@pytest.fixture
def task(people: People) -> HumanTask:
    """A page with one SKU that waits for its picture, one without specification, and one that is ready."""
    page = make_page(
        make_job(people.merchant),
        1,
        "HUMAN_QUEUED",
        needs_review=True,
        page_type="B",
        layout_type="L3",
        blockers=[{"code": "low_confidence", "params": {}}],
        sku_count=3,
    )
    waiting = make_sku(page, 1, "VALID", attributes={"size": "9 cm"}, candidates=[{"image_id": "x"}])
    make_sku(page, 2, "PARTIAL", validity="partial")
    make_sku(page, 3, "BOUND", attributes={"price": "$3"}, evidence={"price": {"bbox": [1, 2, 3, 4], "match": 1.0}})
    make_image(page, 1), make_image(page, 2)
    assert waiting.status == "VALID"
    return HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")


def as_it_is(page: Page) -> dict[str, GivenSku]:
    """Every SKU as it stands, by its number."""
    return {
        sku.sku_id[-1]: GivenSku(
            sku.sku_id,
            attributes={key: GivenValue(value) for key, value in sku.attributes.items() if value},
            pictures=tuple(sku.pictures.order_by("rank").values_list("image__image_id", flat=True)),
        )
        for sku in Sku.objects.filter(page=page, superseded=False).order_by("sku_id")
    }


def submit(people: People, task: HumanTask, *skus: GivenSku, submit_id: UUID | None = None, **parts: Any) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    state = PageState(page_type=parts.pop("page_type", "B"), skus=skus, **parts)
    submit_task(people.annotator, task.uuid, lock.token, submit_id or uuid4(), content_version(task.page), state)
    settle.settle_pages([task.page_id])


def active(task: HumanTask) -> dict[str, Sku]:
    return {sku.sku_id[-1]: sku for sku in Sku.objects.filter(page=task.page_id, superseded=False)}


@pytest.mark.req("GR-SIG")
def test_what_nobody_changed_is_confirmed_and_keeps_its_row(task: HumanTask, people: People) -> None:
    before = active(task)
    submit(people, task, *as_it_is(task.page).values())
    after = active(task)
    assert {n: sku.pk for n, sku in after.items()} == {n: sku.pk for n, sku in before.items()}
    assert {sku.status for sku in after.values()} == {"BOUND"}
    assert ImportRecord.objects.filter(page=task.page_id, state="PENDING").count() == 3
    task.refresh_from_db()
    assert (task.status, task.closed_by) == ("COMPLETED", people.annotator) and not Annotation.objects.exists()
    page = Page.objects.get(pk=task.page_id)
    assert (page.status, page.needs_review, page.blockers) == ("HUMAN_COMPLETED", False, [])


@pytest.mark.req("TA-ANN8", "GR-SIG")
def test_a_changed_value_is_a_revision_with_its_difference(task: HumanTask, people: People) -> None:
    given = as_it_is(task.page)
    old = active(task)["3"]
    given["3"] = GivenSku(
        old.sku_id,
        attributes={"model": GivenValue("M-3"), "price": GivenValue("$4", box=(5, 5, 9, 9))},
        custom=(GivenCustom("Glaze", "matt"),),
    )
    submit(people, task, *given.values())
    new = active(task)["3"]
    assert (new.sku_id, new.revision, new.attributes["price"], new.status) == (old.sku_id, 2, "$4", "BOUND")
    assert new.evidence["price"] == {
        "quote": "$4",
        "page_number": 1,
        "bbox": [5, 5, 9, 9],
        "match": 1.0,
        "method": "person",
    }
    assert new.attribute_source["price"] == "person" and new.normalized["price"]["value"] == "4"
    found = {(a.type, a.field, str(a.before), str(a.after)) for a in Annotation.objects.all()}
    assert ("SKU_ATTRIBUTE", "price", "$3", "$4") in found and any(kind == "CUSTOM_ATTR_CONFIRM" for kind, *_ in found)
    old.refresh_from_db()
    assert (old.status, old.superseded) == ("SUPERSEDED", True)


def test_pictures_are_bound_as_chosen_and_a_new_sku_takes_the_next_number(task: HumanTask, people: People) -> None:
    first, second = Image.objects.filter(page=task.page).order_by("pk")
    given = as_it_is(task.page)
    given["1"] = GivenSku(
        given["1"].sku_id, attributes=given["1"].attributes, pictures=(second.image_id, first.image_id)
    )
    added = GivenSku(attributes={"product_name": GivenValue("Chair"), "size": GivenValue("40 cm")})
    submit(people, task, *given.values(), added)
    bound = SkuImage.objects.filter(sku=active(task)["1"]).order_by("rank").values_list("image_id", "role", "chosen_by")
    assert list(bound) == [(second.pk, "PRODUCT_MAIN", "annotator"), (first.pk, "DETAIL", "annotator")]
    assert active(task)["4"].attributes["product_name"] == "Chair" and active(task)["4"].sku_id.endswith("_004")


def test_a_rejected_sku_is_not_delivered_and_the_page_may_be_empty(task: HumanTask, people: People) -> None:
    given = [GivenSku(sku.sku_id, rejected=True) for sku in as_it_is(task.page).values()]
    submit(people, task, *given, page_type="D")
    assert {sku.status for sku in active(task).values()} == {"REJECTED"}
    assert not ImportRecord.objects.filter(state="PENDING").exists()
    page = Page.objects.get(pk=task.page_id)
    assert (page.page_type, page.import_state) == ("D", "confirmed")


@pytest.mark.req("LX-UNLOCK")
def test_a_value_that_is_not_printed_must_be_confirmed_changed_or_emptied(task: HumanTask, people: People) -> None:
    sku = active(task)["3"]
    Sku.objects.filter(pk=sku.pk).update(evidence={"price": {"bbox": [1, 2, 3, 4], "match": 0.0}})
    given = as_it_is(task.page)
    with pytest.raises(Invalid) as refused:
        submit(people, task, *given.values())
    assert [(f.path, f.code) for f in refused.value.faults] == [("skus[2].attributes.price", "value_locked")]
    given["3"] = GivenSku(sku.sku_id, attributes={**given["3"].attributes, "price": GivenValue("$3", confirmed=True)})
    submit(people, task, *given.values())
    new = active(task)["3"]
    assert new.revision == 2 and new.evidence["price"]["match"] == 1.0


def with_price(task: HumanTask, text: str, confirmed: bool = False) -> list[GivenSku]:
    given = as_it_is(task.page)
    price = {"price": GivenValue(text, confirmed=confirmed)}
    given["3"] = GivenSku(given["3"].sku_id, attributes={**given["3"].attributes, **price})
    return list(given.values())


@pytest.mark.parametrize(
    ("text", "code"), [("1,86O.00", "figures_mixed"), ("on the moon", "price_unclear")], ids=["a letter", "words"]
)
def test_a_price_of_no_type_is_refused_until_a_person_says_that_it_is_printed_so(
    task: HumanTask, people: People, text: str, code: str
) -> None:
    with pytest.raises(Invalid) as refused:
        submit(people, task, *with_price(task, text))
    assert [(f.path, f.code) for f in refused.value.faults] == [("skus[2].attributes.price", code)]
    assert not ImportRecord.objects.exists(), "nothing was delivered"
    submit(people, task, *with_price(task, text, confirmed=True))
    new = active(task)["3"]
    assert (new.attributes["price"], new.attribute_source["price"]) == (text, "person")
    assert "price" not in new.normalized, "no amount is made of it"
    (noted,) = Transition.objects.filter(trigger="as_printed")
    assert (noted.actor, noted.entity_id) == (people.annotator.username, task.page_id)
    assert noted.reason["as_printed"] == [{"sku": new.sku_id, "key": "price", "value": text}]
    assert text in " ".join(event.why for event in page_past(HumanTask.objects.get(pk=task.pk)))


def test_only_what_a_person_typed_is_asked_about_but_for_prices(task: HumanTask, people: People) -> None:
    Sku.objects.filter(sku_id__endswith="3").update(attributes={"model": "M-3", "moq": "a few", "currency": "shells"})
    given = as_it_is(task.page)
    typed = {**given["3"].attributes, "moq": GivenValue("some")}
    with pytest.raises(Invalid) as refused:
        submit(people, task, *[*list(given.values())[:2], GivenSku(given["3"].sku_id, attributes=typed)])
    assert [(f.path, f.code) for f in refused.value.faults] == [("skus[2].attributes.moq", "number_missing")]
    submit(people, task, *given.values())


def test_a_number_of_the_category_is_judged_by_its_type(people: People, task: HumanTask) -> None:
    Job.objects.filter(pk=task.job_id).update(schema=CategorySchema.get_active("lighting"))
    added = GivenSku(attributes={"model": GivenValue("L-1"), "power": GivenValue("1O0 W")})
    with pytest.raises(Invalid) as refused:
        submit(people, HumanTask.objects.get(pk=task.pk), *as_it_is(task.page).values(), added)
    assert [(f.path, f.code) for f in refused.value.faults] == [("skus[3].attributes.power", "figures_mixed")]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "A letter stands among the figures"), ("zh-hans", "数字中混有字母")]
)
def test_a_draft_is_kept_and_its_answer_names_the_field_and_the_reason(
    task: HumanTask, people: People, language: str, words: str
) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)

    def saved(seq: int, skus: Any) -> dict[str, Any]:
        body = {"seq": seq, "page_version": content_version(task.page), "state": {"page_type": "", "skus": skus}}
        told = {"id": str(uuid4()), "name": "draft", "task": str(task.uuid), "token": lock.token, "session": str(TAB)}
        with override(language):
            status, answer = run_command(people.annotator, json.dumps({**told, "body": body}))
        assert status == 200
        return answer

    plain = [msgspec.to_builtins(sku) | {"accepted": True} for sku in with_price(task, "1,86O.00")]
    (problem,) = saved(1, plain)["problems"]
    assert (problem["path"], problem["code"]) == ("skus[2].attributes.price", "figures_mixed")
    assert words in problem["message"] and "1,86O.00" in problem["message"]
    assert Draft.objects.get().body["skus"][2]["attributes"]["price"]["text"] == "1,86O.00"
    confirmed = [msgspec.to_builtins(sku) for sku in with_price(task, "1,86O.00", confirmed=True)]
    assert saved(2, confirmed)["problems"] == []
    assert saved(3, "no page at all")["problems"] == [], "a draft may be anything"


@pytest.mark.parametrize(
    ("sku", "code"),
    [
        (GivenSku("nobody"), "unknown_sku"),
        (GivenSku(None, attributes={"size": GivenValue("9 cm")}), "identity_missing"),
        (GivenSku(None, attributes={"model": GivenValue("A"), "price": GivenValue("cheapest one")}), "price_unclear"),
        (GivenSku(None, attributes={"model": GivenValue("A"), "colour of moon": GivenValue("x")}), "unknown_key"),
        (GivenSku(None, attributes={"model": GivenValue("A" * 4001)}), "too_long"),
        (GivenSku(None, attributes={"model": GivenValue("A")}, pictures=("img",)), "unknown_picture"),
        (GivenSku(None, attributes={"model": GivenValue("A")}, custom=(GivenCustom(" ", "x"),)), "name_missing"),
    ],
)
def test_what_an_import_would_refuse_is_refused_here(task: HumanTask, people: People, sku: GivenSku, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        submit(people, task, *as_it_is(task.page).values(), sku)
    assert code in {fault.code for fault in refused.value.faults}
    assert active(task)["1"].status == "VALID", "nothing of it is kept"


@pytest.mark.req("X-FENCE")
def test_an_old_token_submits_nothing_and_its_draft_stays(task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    drafts.save_draft(people.annotator, task.uuid, lock.token, 1, 0, {"a": 1})
    locks.take_over(people.lead, task.uuid, UUID(int=2))
    state, version = PageState(page_type="B", skus=tuple(as_it_is(task.page).values())), content_version(task.page)
    with pytest.raises(LockLost):
        submit_task(people.annotator, task.uuid, lock.token, uuid4(), version, state)
    with pytest.raises(LockLost):
        skip_task(people.annotator, task.uuid, lock.token, uuid4(), "unreadable")
    assert Draft.objects.count() == 1 and active(task)["1"].status == "VALID"


@pytest.mark.req("X-FENCE")
def test_the_same_submit_twice_is_one_and_an_expired_lease_that_nobody_took_counts(
    task: HumanTask, people: People
) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    HumanTask.objects.filter(pk=task.pk).update(lease_until="2000-01-01T00:00Z")
    locks.free_expired()
    given = as_it_is(task.page)
    given["3"] = GivenSku(given["3"].sku_id, attributes={"model": GivenValue("M-33"), "price": GivenValue("$3")})
    state, version, submit_id = (
        PageState(page_type="B", skus=tuple(given.values())),
        content_version(task.page),
        uuid4(),
    )
    for _ in range(2):
        submit_task(people.annotator, task.uuid, lock.token, submit_id, version, state)
    assert active(task)["3"].revision == 2
    with pytest.raises(LockLost):
        submit_task(people.annotator, task.uuid, lock.token, uuid4(), version, state)


def test_a_page_that_changed_meanwhile_is_not_written_over(task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    state = PageState(page_type="B", skus=tuple(as_it_is(task.page).values()))
    version = content_version(task.page)
    make_sku(task.page, 9)
    with pytest.raises(Conflict, match="page_changed"):
        submit_task(people.annotator, task.uuid, lock.token, uuid4(), version, state)


def test_one_submit_does_all_that_was_asked_about_the_page_and_names_the_next_task(
    task: HumanTask, people: People
) -> None:
    elsewhere = make_page(task.job, 2, "HUMAN_QUEUED", needs_review=True)
    following = HumanTask.objects.create(job=task.job, page=elsewhere, type="PAGE_REVIEW", priority="HIGH")
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    state = PageState(page_type="B", skus=tuple(as_it_is(task.page).values()))
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(task.page), state)
    assert not HumanTask.objects.filter(page=task.page, purpose="work", closed_at=None).exists()
    assert dispatch.next_task(people.annotator) == following.uuid


def test_a_skipped_page_says_why(task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    with pytest.raises(Refused, match="reason_missing"):
        skip_task(people.annotator, task.uuid, lock.token, uuid4(), "  ")
    skip_task(people.annotator, task.uuid, lock.token, uuid4(), "torn page")
    settle.settle_pages([task.page_id])
    task.refresh_from_db()
    assert task.status == "SKIPPED" and Page.objects.get(pk=task.page_id).status == "SKIPPED"


def send(people: People, task: HumanTask, name: str, body: Any = None, **parts: Any) -> tuple[int, dict[str, Any]]:
    text = {"id": str(uuid4()), "name": name, "task": str(task.uuid), "session": str(TAB), "body": body or {}, **parts}
    return run_command(people.annotator, json.dumps(text))


def test_commands_have_one_envelope_and_say_what_is_wrong(task: HumanTask, people: People) -> None:
    status, lock = send(people, task, "claim")
    assert status == 200 and lock["ok"] and lock["token"] == 1
    token = lock["token"]
    assert send(people, task, "renew", token=token)[1]["lost"] is False
    assert send(people, task, "draft", {"seq": 1, "page_version": 0, "state": {"a": 1}}, token=token)[1]["seq"] == 1
    state = {"page_type": "B", "page_version": content_version(task.page), "skus": [{"sku_id": "nobody"}]}
    status, answer = send(people, task, "submit", state, token=token)
    assert (status, answer["code"]) == (400, "invalid") and answer["problems"][0]["path"] == "skus[0]"
    assert answer["problems"][0]["message"]
    assert send(people, task, "release", token=token)[0] == 200
    status, answer = send(people, task, "release", token=token)
    assert (status, answer["code"]) == (409, "lock_lost") and answer["message"]
    for wrong in (
        "",
        "[",
        "{}",
        '{"id": 1}',
        json.dumps({"id": str(uuid4()), "name": "x", "task": "y"}),
        "[" * 30,
    ):
        assert run_command(people.annotator, wrong)[0] == 400
    status, answer = run_command(people.annotator, "[" * 100_000)
    assert (status, answer["code"]) == (413, "json_too_large")
    assert send(people, task, "submit", {"page_type": "Z"}, token=token)[0] == 400


@pytest.mark.req("LX-UNLOCK")
def test_the_next_task_is_in_the_tabs_hands_with_the_end_of_the_one_before(task: HumanTask, people: People) -> None:
    following, last = (
        HumanTask.objects.create(
            job=task.job,
            page=make_page(task.job, number, "HUMAN_QUEUED", needs_review=True),
            type="PAGE_REVIEW",
            priority=priority,
        )
        for number, priority in ((2, "HIGH"), (3, "NORMAL"))
    )
    token, ended = locks.claim_task(people.annotator, task.uuid, TAB).token, str(uuid4())
    for _ in range(2):  # the answer was lost, so that the command comes again
        status, answer = send(people, task, "skip", {"reason": "torn"}, token=token, id=ended, onward=True)
        assert (status, answer["next"]) == (200, str(following.uuid))
    following.refresh_from_db(), last.refresh_from_db()
    assert (following.status, following.locked_by, following.lock_session) == ("PROCESSING", people.annotator, TAB)
    assert last.status == "CREATED"
    shown = bench(people.annotator, following)["holder"]
    assert (shown["tab"], shown["token"]) == (str(TAB), 1)
    told = send(people, following, "skip", {"reason": "torn too"}, token=1)[1]["next"]
    last.refresh_from_db()
    assert (told, last.status) == (str(last.uuid), "CREATED"), "who only asks is told, and nothing is taken"


def test_others_who_are_faster_do_not_undo_what_was_done(
    task: HumanTask, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    def always_late(*_: object) -> None:
        raise locks.TaskHeld("task_held", by="Li", since="")

    monkeypatch.setattr(claiming, "claim_next", always_late)
    token = locks.claim_task(people.annotator, task.uuid, TAB).token
    status, answer = send(people, task, "skip", {"reason": "torn"}, token=token, onward=True)
    task.refresh_from_db()
    assert (status, answer["next"], task.status) == (200, None, "SKIPPED")


def test_commands_come_over_post(task: HumanTask, people: People, client: Client) -> None:
    client.force_login(people.annotator)
    text = {"id": str(uuid4()), "name": "claim", "task": str(task.uuid), "session": str(TAB)}
    answer = client.post("/work/", json.dumps(text), content_type="application/json")
    assert answer.status_code == 200 and answer.json()["token"] == 1
