"""A custom attribute that people confirmed often is offered to its category's schema, and one click takes it in."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, AttributeProposal, HumanTask
from annotation.proposals import services
from catalogsku.core.errors import Conflict, Refused
from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.services import schema_for
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-BR21")]


def confirm(people: People, name: str, products: int, category: str = "furniture", **columns: Any) -> None:
    """As though a person had confirmed it for that many products of a document; ``columns``: of the task."""
    job = make_job(people.merchant, schema=schema_for(category))
    page = make_page(job)
    task = HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", **{"status": "COMPLETED", **columns})
    Annotation.objects.bulk_create(
        Annotation(
            task=task,
            page=page,
            annotator=people.annotator,
            type="CUSTOM_ATTR_CONFIRM",
            sku_id=f"{job.hash8}_{n}",
            field=name,
            after={"value": f"{40 + n % 5} cm", "confirmed": True},
        )
        for n in range(products)
    )


def proposed() -> list[tuple[str, str, int]]:
    services.propose_attributes()
    rows = AttributeProposal.objects.filter(state="open").order_by("category", "folded")
    return [(row.category, row.name, row.confirmed) for row in rows]


def test_twenty_products_of_one_category_propose_it_whoever_prints_it_how(people: People) -> None:
    confirm(people, "Knee room", 12)
    confirm(people, "KNEE ROOM", 7)
    confirm(people, "Knee room", 30, category="lighting", status="SKIPPED")
    confirm(people, "Knee room", 30, category="lighting", purpose="honeypot")
    confirm(people, "Seat height", 25)  # which furniture has already
    assert proposed() == []
    confirm(people, "knee room", 1)
    assert proposed() == [("furniture", "Knee room", 20)]
    confirm(people, "Knee room", 5)
    assert proposed() == [("furniture", "Knee room", 25)], "the count goes on, the proposal is the same"
    row = AttributeProposal.objects.get()
    assert (row.key, row.type, row.unit, row.names["KNEE ROOM"]) == ("knee_room", "measure", "cm", 7)


def test_the_same_product_twice_is_one(people: People) -> None:
    confirm(people, "Knee room", 19)
    Annotation.objects.bulk_create(Annotation(**vars_of(one)) for one in Annotation.objects.all())
    assert proposed() == []


def vars_of(one: Annotation) -> dict[str, Any]:
    names = ("task_id", "page_id", "annotator_id", "type", "sku_id", "field", "after")
    return {name: getattr(one, name) for name in names}


def test_one_click_of_an_administrator_makes_it_an_attribute(client: Client, people: People) -> None:
    confirm(people, "Knee room", 20)
    confirm(people, "膝部空间", 21)
    proposed()
    client.force_login(people.admin)
    client.cookies["django_language"] = "en"
    address = reverse("attribute_proposals")
    told = client.get(address).content.decode()
    assert "Knee room" in told and "膝部空间" in told and "44 cm" in told
    before = schema_for("furniture")
    row = AttributeProposal.objects.get(folded="kneeroom")
    answer = client.post(reverse("attribute_decide", args=[row.pk]), {"do": "accept"})
    assert (answer.status_code, answer["Location"]) == (302, address)
    after = schema_for("furniture")
    assert after.version == before.version + 1 and after.created_by == people.admin
    wanted = {"key": "knee_room", "label_en": "Knee room", "type": "measure", "unit": "cm"}
    assert after.attributes == [*before.attributes, wanted]
    assert "furniture v" in client.get(address).content.decode()
    other = AttributeProposal.objects.get(folded="膝部空间")
    client.post(reverse("attribute_decide", args=[other.pk]), {"do": "accept", "into": "knee_room"})
    entries = {entry["key"]: entry for entry in schema_for("furniture").resolved_attributes}
    assert entries["knee_room"]["synonyms"] == ["膝部空间"]
    assert "No attribute is proposed" in client.get(address).content.decode()
    confirm(people, "Knee room", 20)
    assert proposed() == [], "what was decided is not asked again"
    with pytest.raises(Conflict, match="proposal_decided"):
        services.accept(people.admin, row.pk)


def test_what_is_declined_stays_a_custom_attribute(people: People) -> None:
    confirm(people, "Knee room", 20)
    proposed()
    row = AttributeProposal.objects.get()
    with pytest.raises(Refused, match="promote_forbidden"):
        services.accept(people.lead, row.pk)
    services.decline(people.admin, row.pk)
    assert proposed() == [] and CategorySchema.objects.filter(key="furniture").count() == 1


def test_a_refused_schema_leaves_the_proposal_open(people: People) -> None:
    confirm(people, "Knee room", 20)
    proposed()
    row = AttributeProposal.objects.get()
    schema = schema_for("home")  # its label comes from above, after the proposal was made
    schema.attributes = [{"key": "legs", "label_en": "Knee room"}]
    schema.add_version()
    with pytest.raises(Refused, match="schema_invalid"):
        services.accept(people.admin, row.pk)
    row.refresh_from_db()
    assert row.state == "open"
    assert proposed() == [], "it is an attribute now"


def test_the_command_lists_what_is_proposed(people: People) -> None:
    confirm(people, "Knee room", 20)
    out = StringIO()
    call_command("promote", "--json", stdout=out)
    assert [(one["category"], one["name"], one["confirmed"]) for one in json.loads(out.getvalue())] == [
        ("furniture", "Knee room", 20)
    ]
