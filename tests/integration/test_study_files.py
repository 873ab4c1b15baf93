"""The result file of a study: all that was found and decided, by its published schema, however the paper is."""

import csv
import io
import json
from typing import Any

import jsonschema
import openpyxl
import pytest
from asgiref.sync import async_to_sync

from catalogsku.core.errors import Refused
from ingestion.kinds import CATALOGUE
from ingestion.models import Job
from processing.exports import result_file
from processing.exports.services import exporting, signed_links
from processing.exports.services.exporting import Wish
from processing.management.commands.extract import fit, machines_are_done
from processing.models import Record
from processing.studies.definition import definition_of
from processing.studies.result_file import SCHEMA_FILE
from processing.studies.services import reviewing, templates
from processing.studies.services.reviewing import Answer
from processing.studies.values import Value
from processing.studies.workbook import sheet_name
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_page
from tests.support.studies import add_record, found, make_study, say

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-JSON", "LX-SYS")]

SCHEMA = json.loads(SCHEMA_FILE.read_text())
HOSTILE = "=cmd|'/c calc'!A0\x1b[31m\u202e" + "研究" * 990


def result(job: Job) -> dict[str, Any]:
    told: dict[str, Any] = json.loads("".join(result_file.stream(job)))
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    jsonschema.validate(told, SCHEMA, format_checker=checker)
    return told


def body_of(answer: Any) -> bytes:
    async def sent() -> bytes:
        return b"".join([part async for part in answer.streaming_content])

    return async_to_sync(sent)()


@pytest.fixture
def job(people: People) -> Job:
    job = make_study(people.merchant)
    say(
        Record.objects.get(job=job),
        found("registration_number", "NCT01234567", "registered as NCT01234567"),
        found("n_randomised_total", "92"),
    )
    add_record(job, found("n_randomised", "45", page=2), repeat="per_arm", part="Exercise")
    add_record(job, found("n_randomised", "46", page=2), repeat="per_arm", part="Control")
    return job


def test_all_that_was_found_and_decided_is_told(people: People, job: Job) -> None:
    main = Record.objects.get(job=job, repeat="none")
    reviewing.decide(people.lead, main, "registration_number", Answer("confirmed"))
    reviewing.decide(people.annotator, main, "country", Answer("not_reported"))
    told = result(job)
    assert told["schema_version"] == "study-1.0"
    head = {name: told["job"][name] for name in ("job_id", "kind", "template", "template_version", "status")}
    assert head == {
        "job_id": str(job.uuid), "kind": "study", "template": "rct", "template_version": 1, "status": "PARTIAL_IMPORTED"
    }  # fmt: skip
    fields = {field["key"]: field for field in told["template"]["fields"]}
    assert len(fields) == 49 and (fields["age_mean"]["unit"], fields["age_mean"]["repeat"]) == ("years", "per_arm")
    assert "low" in fields["rob_attrition"]["choices"]
    assert [(one["repeat"], one["part"]) for one in told["records"]] == [
        ("none", ""),
        ("per_arm", "Exercise"),
        ("per_arm", "Control"),
    ]
    number, randomised, country = told["records"][0]["values"]
    assert {name: number[name] for name in ("text", "quote", "page", "grade", "verdict", "method", "decided_by")} == {
        "text": "NCT01234567", "quote": "registered as NCT01234567", "page": 1, "grade": "yellow",
        "verdict": "confirmed", "method": "rules-1", "decided_by": "lead",
    }  # fmt: skip
    assert number["places"] == [{"page": 1, "boxes": [[50.0, 90.0, 200.0, 101.5]]}]
    assert (randomised["verdict"], randomised["decided_by"], randomised["decision"]) == (None, None, 0)
    assert (country["text"], country["verdict"], country["decided_by"]) == ("", "not_reported", "annotator")
    assert told["checks"] == [
        {"check": "arms_sum_to_total", "repeat": "none", "part": "", "least": None, "most": None, "values": [
            {"field": "n_randomised", "part": "Exercise", "text": "45"},
            {"field": "n_randomised", "part": "Control", "text": "46"},
            {"field": "n_randomised_total", "part": "", "text": "92"}]}
    ]  # fmt: skip


def test_a_part_that_was_left_out_is_told_and_not_checked(people: People, job: Job) -> None:
    reviewing.set_rejected(people.lead, Record.objects.get(job=job, part="Control"), rejected=True)
    assert add_record(job, found("n_randomised", "47"), repeat="per_arm", part="Usual care")
    told = result(job)
    assert [one["status"] for one in told["records"]] == ["REVIEW", "REVIEW", "REJECTED", "REVIEW"]
    assert told["checks"] == []
    Record.objects.filter(job=job, part="Control").update(superseded=True)
    assert len(result(job)["records"]) == 3


def test_whatever_a_paper_says_is_told_as_it_is(people: People) -> None:
    job = make_study(people.merchant)
    say(Record.objects.get(job=job), found("study_id", HOSTILE, HOSTILE), found("country", "中国"))
    add_record(job, repeat="per_arm", part="=1+1\u202e")
    values = result(job)["records"][0]["values"]
    assert (values[0]["text"], values[0]["quote"], values[1]["text"]) == (HOSTILE, HOSTILE, "中国")


@pytest.mark.parametrize("status", ["PARTIAL_IMPORTED", "CANCELLED", "PROCESSING"])
def test_a_study_without_a_value_has_a_file_too(people: People, status: str) -> None:
    told = result(make_study(people.merchant, status=status))
    assert (told["job"]["status"], told["records"][0]["values"], told["checks"]) == (status, [], [])


def test_a_program_fetches_it_and_is_told_when_it_has_changed(people: People, job: Job) -> None:
    program = Program(people.uploader)
    first = program("get", f"/jobs/{job.uuid}/result")
    assert json.loads(body_of(first)) == result(job)
    assert program("get", f"/jobs/{job.uuid}/result", if_none_match=first["ETag"]).status_code == 304
    reviewing.decide(
        people.lead, Record.objects.get(job=job, part="Control"), "n_randomised", Answer("corrected", "47")
    )
    again = program("get", f"/jobs/{job.uuid}/result", if_none_match=first["ETag"])
    assert again.status_code == 200 and again["ETag"] != first["ETag"]
    assert Program(people.other_uploader)("get", f"/jobs/{job.uuid}/result").status_code == 404


def test_memory_does_not_hold_all_records(people: People, job: Job, django_assert_max_num_queries: Any) -> None:
    for n in range(150):
        add_record(job, found("events_control", str(n)), repeat="per_outcome", part=f"Outcome {n}")
    with django_assert_max_num_queries(8):
        assert len(result(job)["records"]) == 153


# --- the command ----------------------------------------------------------------------------------


def test_machines_are_done_with_a_study_once_it_waits_for_people(people: People) -> None:
    """Its pages are delivered nowhere."""
    job = make_study(people.merchant)
    make_page(job, 1, "AI_COMPLETED", import_state="none")
    assert machines_are_done(job)
    job.stage = "EXTRACT"
    assert not machines_are_done(job)
    book = make_job(people.merchant, status="PARTIAL_IMPORTED", kind=CATALOGUE.key)
    make_page(book, 1, "AI_COMPLETED", import_state="none")
    assert not machines_are_done(book), "a catalogue waits until its products are"


def test_a_terminal_obeys_no_paper() -> None:
    assert fit("a\x1b[31mb\u202ec\nd", 12) == "a [31mb c d "


def test_a_value_of_the_person_alone_has_no_grade(people: People, job: Job) -> None:
    main = Record.objects.get(job=job, repeat="none")
    reviewing.decide(people.lead, main, "follow_up", Answer("corrected", "12 months"))
    value = result(job)["records"][0]["values"][-1]
    assert (value["grade"], value["page"], value["method"], value["reason"]) == (None, None, "person", "no_quote")
    assert Value("x").grade == ""


# --- exports --------------------------------------------------------------------------------------


def made(people: People, job: Job | None, kind: str, **wish: Any) -> bytes:
    export = exporting.ask_for(people.uploader, people.merchant, job, Wish(kind, **wish))
    exporting.make_export(export.pk)
    export.refresh_from_db()
    assert export.status == "DONE", export.code
    with exporting.storage.open_file(export.storage_key) as file:
        content: bytes = file.read()
    return content


def book_of(people: People, job: Job | None, **wish: Any) -> Any:
    return openpyxl.load_workbook(io.BytesIO(made(people, job, "xlsx", **wish)))


def csv_of(people: People, job: Job | None, **wish: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made(people, job, "csv", **wish).decode("utf-8-sig"), newline="")))


@pytest.mark.req("LX-SYS")
def test_a_workbook_has_a_sheet_a_group_and_the_proof_beside_each_value(people: People, job: Job) -> None:
    main, control = Record.objects.get(job=job, repeat="none"), Record.objects.get(job=job, part="Control")
    reviewing.decide(people.lead, main, "country", Answer("not_reported"))
    reviewing.decide(people.lead, control, "n_randomised", Answer("confirmed"))
    reviewing.decide(people.lead, control, "age_mean", Answer("corrected", "61.50"))
    book = book_of(people, job, headings="en")
    assert book.sheetnames == [
        "Identification", "Population", "Arms", "Risk of bias", "Outcomes", "Time to event", "Events",
        "Continuous outcomes", "Checks",
    ]  # fmt: skip
    rows = [[cell.value for cell in row] for row in book["Arms"].iter_rows()]
    assert rows[0][:2] == ["Study", "Arm or outcome"] and "Age, mean or median (years)" in rows[0]
    at = rows[0].index("Randomised")
    assert rows[0][at : at + 3] == ["Randomised", "Randomised: Quote", "Randomised: Page"]
    assert [(row[1], *row[at : at + 3]) for row in rows[1:]] == [("Exercise", 45, "45", 2), ("Control", 46, "46", 2)]
    fills = [row[at].fill.fgColor.rgb for row in book["Arms"].iter_rows(min_row=2)]
    assert fills == ["FFFFF2CC", "FFA9D08E"], "not decided on, and confirmed"
    age = book["Arms"].cell(3, rows[0].index("Age, mean or median (years)") + 1)
    assert (age.value, age.number_format) == (61.5, "0.00"), "as many decimals as were printed"
    first = list(book["Identification"].iter_rows(min_row=1, max_row=2))
    cells = {head.value: cell for head, cell in zip(*first, strict=True)}
    assert (cells["Registration number"].value, cells["Registration number"].number_format) == ("NCT01234567", "@")
    country = cells["Country or countries"], cells["Country or countries: Quote"]
    assert (country[0].value, country[0].fill.fgColor.rgb, country[1].value) == (None, "FFD9D9D9", "not reported")
    assert [cell.value for cell in book["Checks"][2]][1:4] == [
        None,
        "The arms add up to the total",
        "Exercise, Randomised: 45; Control, Randomised: 46; Randomised in all: 92",
    ]


def test_headings_are_of_programs_or_in_either_language(people: People, job: Job) -> None:
    chinese, keys = book_of(people, job, headings="zh-hans"), book_of(people, job)
    assert chinese.sheetnames[:3] == ["研究信息", "研究人群", "各组情况"] and chinese.sheetnames[-1] == "核对"
    assert [cell.value for cell in chinese["各组情况"][1]][:5] == [
        "研究",
        "组别或结局",
        "组别",
        "组别: 原文",
        "组别: 页",
    ]
    assert keys.sheetnames[:1] == ["identification"] and keys.sheetnames[-1] == "checks"
    assert [cell.value for cell in keys["identification"][1]][:4] == [
        "study", "study_id", "study_id_quote", "study_id_page"
    ]  # fmt: skip
    assert keys["checks"]["C2"].value == "arms_sum_to_total"


def test_csv_has_a_row_a_value(people: People, job: Job) -> None:
    main = Record.objects.get(job=job, repeat="none")
    reviewing.decide(people.lead, main, "registration_number", Answer("confirmed"))
    rows = csv_of(people, job)
    assert list(rows[0]) == [
        "study", "repeat", "part", "record_status", "field", "label", "value", "unit", "quote", "page", "grade",
        "verdict", "decided_by",
    ]  # fmt: skip
    assert [(row["part"], row["field"], row["value"], row["verdict"], row["decided_by"]) for row in rows] == [
        ("", "registration_number", "NCT01234567", "confirmed", "lead"), ("", "n_randomised_total", "92", "", ""),
        ("Exercise", "n_randomised", "45", "", ""), ("Control", "n_randomised", "46", "", ""),
    ]  # fmt: skip
    assert csv_of(people, job, headings="zh-hans")[1]["字段名称"] == "随机总人数"
    assert list(csv_of(people, job, columns=["value", "job_id"])[0].values()) == ["NCT01234567", str(job.uuid)]
    told = json.loads(made(people, job, "json"))
    assert (told["schema_version"], len(told["values"]), told["values"][3]["value"]) == ("study-table-1.0", 4, "46")
    assert [check["check"] for check in told["checks"]] == ["arms_sum_to_total"]


def test_a_table_is_sent_at_once(people: People, job: Job) -> None:
    program = Program(people.uploader)
    tables = [body_of(program("get", f"/jobs/{job.uuid}/export/{kind}")) for kind in ("csv", "xlsx")]
    assert [row["value"] for row in csv.DictReader(io.StringIO(tables[0].decode("utf-8-sig")))][:2] == [
        "NCT01234567",
        "92",
    ]
    assert openpyxl.load_workbook(io.BytesIO(tables[1])).sheetnames[0] == "identification"
    refused = program("get", f"/jobs/{job.uuid}/export/csv?filter=show%3Dopen")
    assert (refused.status_code, refused.json()["code"]) == (400, "export_of_products")


@pytest.mark.req("X-REDTEAM")
def test_nothing_of_a_paper_is_run(people: People) -> None:
    job = make_study(people.merchant)
    say(
        Record.objects.get(job=job),
        found("study_id", HOSTILE, HOSTILE),
        found("country", "中国"),
        found("n_randomised_total", "=92"),
    )
    add_record(job, found("difference_value", "-0.5"), repeat="per_outcome", part="@SUM(A1)")
    rows = csv_of(people, job)
    assert rows[0]["value"].startswith("'=cmd") and "\x1b" not in rows[0]["value"] and rows[1]["value"] == "中国"
    assert (rows[2]["value"], rows[3]["value"], rows[3]["part"]) == ("'=92", "-0.5", "'@SUM(A1)")
    book = book_of(people, job)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert next(cell for cell in cells if cell.value == -0.5).number_format == "0.0"
    assert json.loads(made(people, job, "json"))["values"][0]["value"] == HOSTILE


@pytest.mark.parametrize("kind", ["xlsx", "csv", "json"])
def test_a_study_without_values_is_exported_too(people: People, kind: str) -> None:
    assert made(people, make_study(people.merchant, status="CANCELLED"), kind)


def test_all_studies_of_a_template_are_one_export(people: People, job: Job) -> None:
    other = make_study(people.merchant, status="FULL_IMPORTED")
    say(Record.objects.get(job=other), found("registration_number", "NCT2", grade="green"))
    Record.objects.filter(job=other).update(subject="Berg 2019", status="APPROVED")
    for row in (make_study(people.merchant, status="CANCELLED"), make_study(people.other)):
        say(Record.objects.get(job=row), found("registration_number", "NCT3"))
    left_out = add_record(other, found("n_randomised", "9"), repeat="per_arm", part="Left out", status="REJECTED")
    asked = exporting.ask_for(people.uploader, people.merchant, None, Wish("csv", listed="template=rct"))
    assert signed_links.file_name(asked).startswith(f"{people.merchant} (rct) "), (
        "named as what it is, all of a template"
    )
    rows = csv_of(people, None, listed="template=rct")
    assert [(row["study"], row["value"]) for row in rows if row["field"] == "registration_number"] == [
        ("Okoro 2021", "NCT01234567"),
        ("Berg 2019", "NCT2"),
    ]
    assert left_out.part not in {row["part"] for row in rows}
    sheet = book_of(people, None, listed="template=rct")["identification"]
    assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ["Okoro 2021", "Berg 2019"]
    assert "sku_id" in made(people, None, "csv").decode(), "without a filter it is products, as ever"


def test_versions_of_a_template_stand_in_one_workbook(people: People) -> None:
    labels = {"en": "G"}
    fields = [{"key": key, "labels": {"en": key.upper()}} for key in ("a", "b", "c")]
    first = definition_of({"groups": [{"key": "g", "labels": labels, "fields": fields[:2]}]})
    later = definition_of({"groups": [{"key": "g", "labels": labels, "fields": fields[1:]}]})
    one = templates.make_template(people.merchant, "own", "Own", first, people.lead)
    two = templates.save_version(one.template, later, people.lead)
    for version, field in ((one, "a"), (two, "c")):
        say(Record.objects.get(job=make_study(people.merchant, version=version)), found(field, field * 3))
    sheet = book_of(people, None, listed="template=own")["g"]
    heads = [cell.value for cell in sheet[1]]
    assert heads == ["study", *(f"{key}{end}" for key in "bca" for end in ("", "_quote", "_page"))]
    assert (sheet.cell(2, heads.index("a") + 1).value, sheet.cell(3, heads.index("c") + 1).value) == ("aaa", "ccc")


@pytest.mark.req("TA-ERRMAP")
@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"kind": "zip"}, "export_kind"),
        ({"kind": "csv", "with_pictures": True}, "export_of_products"),
        ({"kind": "csv", "full_only": True}, "export_of_products"),
        ({"kind": "csv", "columns": ["sku_id"]}, "unknown_columns"),
        ({"kind": "csv", "listed": "show=open"}, "export_of_products"),
    ],
)
def test_what_studies_have_not_is_refused(people: People, job: Job, wish: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused, match=code):
        exporting.ask_for(people.uploader, people.merchant, job, Wish(**wish))


def test_studies_of_a_template_that_there_is_not_are_refused(people: People, job: Job) -> None:
    with pytest.raises(Refused, match="unknown_template") as refused:
        exporting.ask_for(people.uploader, people.merchant, None, Wish("csv", listed="template=none"))
    assert refused.value.params["known"] == "rct"
    with pytest.raises(Refused, match="export_of_products"):
        exporting.ask_for(people.uploader, people.merchant, None, Wish("csv", listed="template=rct&show=open"))


def test_sheets_have_names_that_excel_takes() -> None:
    taken: set[str] = set()
    names = [sheet_name(label, taken) for label in ("A/B: [x]", "a b x", "History", "", "'", "长" * 40, "长" * 40)]
    assert names == ["A B x", "a b x 2", "History 2", "-", "- 2", "长" * 31, "长" * 29 + " 2"]
