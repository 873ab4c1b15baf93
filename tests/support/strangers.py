"""The table of the doors: every address and socket, who may use it how, and people of every role on every side."""

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import HumanTask
from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.accounts.permissions import Action
from catalogsku.profiles.models import PromptVersion, RoutingTable, ThresholdProfile
from ingestion.models import Job
from processing.catalogue.services.entries import catalogue_pages
from processing.models import Edition, EditionChange, EvalReport, Export, ImportRecord, Record, TemplateVersion
from processing.studies.definition import definition_of
from processing.studies.services.templates import make_template
from tests.support.people import People
from tests.support.reports import make_stored_report
from tests.support.rows import make_image, make_job, make_page, make_sku

JOB, PAGE, SKU, IMAGE, TASK = ("job",), ("job", "page"), ("job", "sku"), ("job", "image"), ("task",)
STUDY = ("study",)
METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
UNSAFE = ("post", "put", "patch", "delete")
# Who may, where it is no action: everybody; whoever is signed in; a program that proves itself otherwise.
ANYBODY, SIGNED_IN, PROGRAM = "anybody", "signed in", "program"
Right = Action | str

# Stands in everything that belongs to the document of the matrix, and in nothing else.
SECRET = "Quillwort"
# Belongs to no merchant.
REPORT = uuid.UUID(int=2)


@dataclass(frozen=True)
class Door:
    """``about``: what its arguments name. Methods that are not in ``rights`` are refused for everybody."""

    about: tuple[str, ...]
    rights: Mapping[str, Right]
    tus: bool = False
    lists: bool = field(default=False)  # shows documents without naming one


def page(right: Right, about: tuple[str, ...] = (), *, lists: bool = False) -> Door:
    return Door(about, {"get": right}, lists=lists)


def button(right: Right, about: tuple[str, ...] = ()) -> Door:
    return Door(about, {"post": right})


def form(right: Right) -> Door:
    """Django's form views answer these; put is another word for post, without fields."""
    return Door((), dict.fromkeys(("get", "head", "post", "put", "options"), right))


# A new address without a line here fails test_every_address_has_a_line_in_the_table.
ADDRESSES: dict[str, Door] = {
    "documents": page(Action.SEE_JOBS, lists=True),
    "upload_create": Door((), {"post": Action.UPLOAD, "options": SIGNED_IN}, tus=True),
    "upload": Door(
        ("upload",), dict.fromkeys(("head", "patch", "delete"), Action.UPLOAD) | {"options": SIGNED_IN}, tus=True
    ),
    "job": page(Action.SEE_JOBS, JOB),
    "job_region": page(Action.SEE_JOBS, JOB),
    "job_sync": page(Action.SEE_JOBS, JOB),
    "job_cancel": button(Action.CANCEL_JOB, JOB),
    "job_retry": button(Action.RETRY, JOB),
    "job_models": button(Action.UPLOAD, JOB),
    "job_password": button(Action.UPLOAD, JOB),
    "job_copy": button(Action.READ_COPY, JOB),
    "file_rule": Door((), dict.fromkeys(("get", "post"), Action.READ_COPY)),
    "keeping": Door((), dict.fromkeys(("get", "post"), Action.OPERATE)),
    "keeping_delete": button(Action.OPERATE),
    "personal_data": Door((), dict.fromkeys(("get", "post"), Action.SUPERVISE)),
    "notices": page(Action.SEE_JOBS, lists=True),
    "notices_unread": page(Action.SEE_JOBS),
    "notices_read": button(Action.SEE_JOBS),
    "notices_mail": button(Action.SEE_JOBS),
    "notice": page(Action.SEE_JOBS, ("notice",)),
    "page_rerun": button(Action.RETRY, PAGE),
    "page_thumb": page(Action.SEE_JOBS, PAGE),
    "page_image": page(Action.SEE_JOBS, PAGE),
    "all_results": page(Action.SEE_RESULTS, lists=True),
    "catalogue": page(Action.SEE_RESULTS, lists=True),
    "results": page(Action.SEE_RESULTS, JOB),
    "list_columns": button(Action.SEE_RESULTS),
    "sku": page(Action.SEE_RESULTS, SKU),
    "sku_also_in": page(Action.SEE_RESULTS, SKU),
    "picture": page(Action.SEE_RESULTS, IMAGE),
    "export": page(Action.EXPORT, ("job", "kind")),
    "reports": page(Action.REPORT),
    "sku_report": button(Action.REPORT, JOB),
    "sku_correct": Door(SKU, dict.fromkeys(("get", "post"), Action.CORRECT)),
    "sku_correct_undo": button(Action.CORRECT, SKU),
    "correction_rule": Door((), dict.fromkeys(("get", "post"), Action.SUPERVISE)),
    "export_panel": page(Action.EXPORT),
    "export_make": button(Action.EXPORT),
    "layout_save": button(Action.EXPORT),
    "export_link": page(Action.EXPORT, ("export",)),
    "export_file": Door(("token",), dict.fromkeys(("get", "head"), PROGRAM)),
    "tasks": page(Action.SEE_TASKS, lists=True),
    "task": page(Action.SEE_TASKS, TASK),
    "task_print": page(Action.SEE_TASKS, TASK),
    "task_around": page(Action.SEE_TASKS, TASK),
    "task_past": page(Action.SEE_TASKS, TASK),
    "task_next": page(Action.SEE_TASKS, TASK),
    "tasks_next": page(Action.SEE_TASKS, lists=True),
    "tasks_closed": page(Action.SUPERVISE, lists=True),
    "attribute_proposals": page(Action.OPERATE),
    "attribute_decide": button(Action.OPERATE, ("proposal",)),
    "calibration": page(Action.SEE_QUALITY),
    "calibration_run": button(Action.OPERATE),
    "calibration_decide": button(Action.OPERATE, ("proposal",)),
    "people": page(Action.SEE_TASKS),
    "tasks_supervise": button(Action.SUPERVISE),
    "task_comment": button(Action.SEE_TASKS, TASK),
    "tasks_sync": page(Action.SEE_TASKS, lists=True),
    "work_command": button(Action.SEE_TASKS),
    "operations": page(Action.SUPERVISE, lists=True),
    "figures": page(Action.SUPERVISE),
    "figures_file": page(Action.SUPERVISE),
    "operations_retry": button(Action.SUPERVISE),
    "operations_requeue": button(Action.SUPERVISE),
    "evaluation": page(Action.SEE_JOBS, JOB),
    "page_models": page(Action.SEE_JOBS, PAGE),
    "job_imports": page(Action.SEE_RESULTS, JOB),
    "imports_hold": button(Action.SUPERVISE, JOB),
    "edition": page(Action.SEE_RESULTS, JOB),
    "edition_declare": button(Action.APPROVE, JOB),
    "edition_undo": button(Action.APPROVE, JOB),
    "edition_choose": button(Action.APPROVE, JOB),
    "edition_choose_undo": button(Action.APPROVE, JOB),
    "edition_rename": button(Action.APPROVE, JOB),
    "edition_approve": button(Action.APPROVE, JOB),
    "edition_change": page(Action.SEE_RESULTS, ("job", "change")),
    "imports": page(Action.SUPERVISE, lists=True),
    "imports_retry": button(Action.SUPERVISE),
    "imports_try": button(Action.SUPERVISE),
    "webhooks": Door((), dict.fromkeys(("get", "post"), Action.CONNECT), lists=True),
    "webhook": page(Action.CONNECT, ("hook",)),
    "webhook_act": button(Action.CONNECT, ("hook",)),
    "webhook_secret": button(Action.CONNECT, ("hook",)),
    "models": page(Action.SUPERVISE),
    "asking": Door((), dict.fromkeys(("get", "post"), Action.UPLOAD)),
    "dictionary": Door((), dict.fromkeys(("get", "post"), Action.SUPERVISE), lists=True),
    "dictionary_file": page(Action.SUPERVISE),
    "study_templates": page(Action.SUPERVISE, lists=True),
    "study_template": Door(("template",), dict.fromkeys(("get", "post"), Action.SUPERVISE)),
    "study_template_clone": button(Action.SUPERVISE, ("template",)),
    "study_template_archive": button(Action.SUPERVISE, ("template",)),
    "study_template_file": page(Action.SUPERVISE, ("template",)),
    "studies": page(Action.SEE_RESULTS, lists=True),
    "study": page(Action.SEE_RESULTS, STUDY),
    "study_sync": page(Action.SEE_RESULTS, STUDY),
    "study_fields": page(Action.SEE_RESULTS, STUDY),
    "study_compare": page(Action.SEE_RESULTS, STUDY),
    "study_decide": button(Action.REVIEW, STUDY),
    "study_part": button(Action.REVIEW, STUDY),
    "study_approve": button(Action.REVIEW, STUDY),
    "study_page": page(Action.SEE_RESULTS, ("study", "page")),
    "model_gate": button(Action.OPERATE),
    "model_probe": button(Action.OPERATE),
    "prompt_try": Door(("prompt",), dict.fromkeys(("get", "post"), Action.OPERATE), lists=True),
    "profile_effect": button(Action.OPERATE, ("profile",)),
    "routing_effect": button(Action.OPERATE, ("routing",)),
    "quality": page(Action.SEE_QUALITY),
    "quality_run": button(Action.OPERATE),
    "quality_report": page(Action.SEE_QUALITY, ("report",)),
    "quality_picture": page(Action.SEE_QUALITY, ("report", "picture")),
    "login": form(ANYBODY),
    "logout": Door((), {"post": ANYBODY, "options": ANYBODY}),
    "set_language": button(ANYBODY),
    "password_change": form(SIGNED_IN),
    "healthz": page(ANYBODY),
    "readyz": page(ANYBODY),
    "metrics": page(PROGRAM),
}
# Addresses of the REST API have a table of their own (tests/integration/test_api_strangers.py).
API = ("api:", "api_")
FILES = ("page_thumb", "page_image", "picture")
ABOUT_A_JOB = sorted(name for name, door in ADDRESSES.items() if {"job", "task", "export", "study"} & set(door.about))

SOCKETS: dict[str, Door] = {
    "ws_job": page(Action.SEE_JOBS, JOB),
    "ws_study": page(Action.SEE_RESULTS, STUDY),
    "ws_work": page(Action.SEE_TASKS, lists=True),
}

# --- what exists -----------------------------------------------------------------------------------


def entries(resolver: URLResolver | None = None, prefix: str = "", route: str = "/") -> Iterator[tuple[str, str]]:
    """(name, route) of every address, the admin's with their namespace."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            yield from entries(entry, f"{entry.namespace}:" if entry.namespace else prefix, route + str(entry.pattern))
        elif isinstance(entry, URLPattern):
            yield prefix + (entry.name or str(entry.pattern)), route + str(entry.pattern)


def admin_urls(document: "Document", user: User) -> list[str]:
    """An address for every pattern of the admin site, about a row that exists."""
    rows = {"job": document.job.pk, "page": document.job.pages.get().pk, "merchant": document.job.merchant_id}
    found = []
    for name, route in entries():
        if name.startswith("admin:"):
            row = next((pk for model, pk in rows.items() if f"_{model}_" in name), user.pk)
            route = route.replace("^(?P<app_label>", "ingestion/").split("auth|", 1)[0].removesuffix("(?P<url>.*)$")
            route = route.replace("<int:content_type_id>", "1").replace("<path:url>", "nowhere")
            found.append(re.sub(r"<(?:\w+:)?\w+>", str(row), route))
    return found


# --- people of every role on every side -------------------------------------------------------------

PLACES = ("own", "other", "none")
EVERYBODY = [(role, place) for role in Role.values for place in PLACES]


def person(role: str, place: str, own: Merchant, other: Merchant) -> User:
    user = User.objects.create(username=f"{role}-{place}", role=role, language="en")
    user.merchants.set({"own": [own], "other": [other], "none": []}[place])
    return user


def sees(role: str, place: str) -> bool:
    """The document of the matrix belongs to the merchant ``own``; admins see all."""
    return role == Role.ADMIN or place == "own"


def methods(name: str, role: str, place: str) -> Sequence[str]:
    """What to ask an address by. A method that it does not have is refused before anybody asks who comes: one who may
    all and one who is nobody show it."""
    shows_it = (role, place) in ((Role.ADMIN, "own"), ("", ""))
    return METHODS if shows_it else tuple(ADDRESSES[name].rights)


def browser(user: User | None, **options: Any) -> Client:
    client = Client(**options)
    if user is not None:
        client.force_login(user)
    return client


# --- the document that is nobody else's business ------------------------------------------------------


@dataclass(frozen=True)
class Document:
    job: Job

    def url(self, name: str, job_id: Any = None) -> str:
        """The address about this document, or about another id."""
        about_it, here = ("job", "task", "export", "study"), job_id in (None, self.job.uuid)
        told = self._parts if here else {**self._parts, **dict.fromkeys(about_it, job_id)}
        return reverse(name, args=[told[part] for part in ADDRESSES[name].about])

    @cached_property
    def _parts(self) -> dict[str, Any]:
        """Asked for once: there are four thousand addresses in a test."""
        return {
            "job": self.job.uuid, "page": 1, "task": HumanTask.objects.get(job=self.job).uuid,
            "sku": f"{self.job.hash8}_p01_001", "kind": "csv", "change": f"{self.job.hash8}_p01_001",
            "image": f"img_{self.job.hash8}_01_001", "upload": uuid.UUID(int=1),
            "study": Job.objects.get(kind="study", merchant=self.job.merchant_id).uuid,
            "export": Export.objects.get(job=self.job).uuid, "token": "none", "report": REPORT,
            "hook": uuid.UUID(int=4), "template": uuid.UUID(int=9), "picture": 0, "proposal": 1, "notice": 1,
            "profile": ThresholdProfile.objects.get(key="default", version=1).pk,
            "routing": RoutingTable.objects.get(key="default", version=1).pk,
            "prompt": PromptVersion.objects.get(key="read_page", version=1).pk,
        }  # fmt: skip


def make_document(merchant: Merchant, uploader: User) -> Document:
    """A job with one page, a SKU, pictures whose files exist, and a task, and a template; SECRET stands in all."""
    job = make_job(merchant, uploader=uploader, total_pages=1)
    job.source_name = f"{SECRET}.pdf"
    job.save(update_fields=["source_name"])
    keys = {name: f"tests/{job.pk}/{name}.jpg" for name in ("thumb", "screen", "picture")}
    for key in keys.values():
        default_storage.save(key, ContentFile(b"\xff\xd8\xff" + SECRET.encode()))
    one = make_page(
        job, 1, "HUMAN_QUEUED", import_state="confirmed", thumbnail_key=keys["thumb"], screenshot_key=keys["screen"]
    )
    sku = make_sku(one, attributes={"model": SECRET, "product_name": SECRET})
    ImportRecord.objects.create(
        target="local",
        merchant=merchant,
        job=job,
        page=one,
        sku=sku,
        sku_key=sku.sku_id,
        generation=1,
        state="REFUSED",
        payload=b"{}",
        payload_hash="0" * 64,
        response=f"HTTP 422: {SECRET} has no category",
    )
    make_image(one, storage_key=keys["picture"])
    before = make_job(merchant, "FULL_IMPORTED", uploader=uploader)
    edition = Edition.objects.create(job=job, predecessor=before, origin="declared", compared=1, tally={"added": 1})
    EditionChange.objects.create(edition=edition, key=sku.sku_id, kind="added", later=sku, rank=2)
    catalogue_pages(job, [one.pk])
    HumanTask.objects.create(job=job, page=one, type="PAGE_REVIEW")
    Export.objects.create(merchant=merchant, job=job, kind="csv", columns=["model"], status="DONE")
    fields = [{"key": "n", "labels": {"en": SECRET}, "instruction": SECRET}]
    asked = definition_of({"groups": [{"key": "g", "labels": {"en": SECRET}, "fields": fields}]})
    make_template(merchant, "own", SECRET, asked, uploader)
    make_study(merchant, uploader)
    if not EvalReport.objects.filter(uuid=REPORT).exists():
        make_stored_report(uuid=REPORT)
    return Document(job)


def make_study(merchant: Merchant, uploader: User) -> Job:
    """A paper with one page whose picture exists, to be reviewed; SECRET stands in what it says."""
    job = make_job(merchant, "PARTIAL_IMPORTED", uploader=uploader, total_pages=1, kind="study", template="own/1")
    version = TemplateVersion.objects.get(template__merchant=merchant, template__key="own")
    make_page(job, 1, "AI_COMPLETED", import_state="confirmed", screenshot_key=f"tests/{job.pk}/screen.jpg")
    said = {"field": "n", "text": SECRET, "quote": SECRET, "page": 1, "grade": "yellow", "reason": "offered"}
    row = {"job": job, "template_version": version, "subject": SECRET, "status": "REVIEW"}
    Record.objects.create(**row, values=[said], pages=[1])
    return job


TUS = {"Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": "filename YS5wZGY=,key c29tZS1rZXktMQ=="}


def ask(client: Client, method: str, name: str, url: str, **options: Any) -> Any:
    headers = {**(TUS if ADDRESSES[name].tus else {}), **options.pop("headers", {})}
    return client.generic(method.upper(), url, headers=headers, **options)


def told(response: Any) -> str:
    """All that an answer says: headers, cookies and body."""
    body = b"".join(response) if response.streaming and not response.is_async else _body(response)
    return f"{response.headers} {response.cookies} {body.decode(errors='replace')}"


def _body(response: Any) -> bytes:
    if not response.streaming:
        return bytes(response.content)
    from asgiref.sync import async_to_sync

    async def collect() -> bytes:
        return b"".join([part async for part in response])

    return async_to_sync(collect)()


@pytest.fixture
def cheap_passwords(settings: Any) -> None:
    """The sums behind a stored password take half a second each, on purpose; not what these tests look at."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(name="document")
def own_document(people: People, settings: Any, tmp_path: Any) -> Document:
    """A document of the first merchant, whose files exist."""
    local = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.MEDIA_ROOT = str(tmp_path)
    settings.STORAGES = {**settings.STORAGES, "default": local}
    return make_document(people.merchant, people.uploader)
