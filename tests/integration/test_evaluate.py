"""`manage.py evaluate` on a sample: real sandboxes, real reading, a truth that is right and truths that are not."""

import io
import json
import re
import shutil
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, Sum
from PIL import Image

from catalogsku.core import storage
from catalogsku.core.errors import Refused
from catalogsku.core.sandbox import Limits, Outcome, Sandbox
from catalogsku.profiles.models import PromptVersion, ThresholdProfile
from catalogsku.profiles.services import activate
from processing.engine.quality.report import Report, decode_report
from processing.engine.understanding.records.score import WEIGHTS
from processing.models import EvalReport, LanguageModel, ModelCall
from processing.quality.services.golden_sets import find_golden
from processing.sandboxed.errands import MOST_FAILURES, Errand, Finished, finish_pages, patient
from processing.sandboxed.sandboxes import READING
from tests.support.catalogues import blank_pdf, scanned_pdf, tables_pdf, text_pdf
from tests.support.model_server import ModelServer, Mood
from tests.support.reading_model import ReadingModel

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE = PROJECT / "samples" / "fasteners.pdf"
pytestmark = [pytest.mark.req("TA-T49", "GR-GATE"), pytest.mark.timeout(300)]

Truth = dict[str, Any]


@pytest.fixture(scope="module")
def sample() -> Truth:
    """The sample's own truth in the shape of golden sets: its first two pages, each a table of prices by quantity."""
    kept = json.loads(SAMPLE.with_suffix(".truth.json").read_text(encoding="utf-8"))
    pages = [{"page_number": p["page_number"], "page_type": p["page_type"]} for p in kept["pages"][:2]]
    pages[1]["continues"] = 1
    skus = [
        {"page_number": sku["page_number"], "attributes": sku["attributes"], "tiers": sku["price_tiers"],
         "custom_attributes": sku["custom_attributes"], "images": [],
         "optional": {"brand": kept["brand"], "currency": "元"}}
        for sku in kept["skus"] if sku["page_number"] <= 2
    ]  # fmt: skip
    job = {"source_file": "catalog/fasteners.pdf", "total_pages": len(kept["pages"]), "category": "hardware"}
    return {"schema_version": "1.0", "job": job, "pages": pages, "skus": skus, "images": []}


def put(folder: Path, truth: Truth, *, with_pdf: bool = True) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fasteners.truth.json").write_text(json.dumps(truth), encoding="utf-8")
    if with_pdf:
        shutil.copy(SAMPLE, folder / "fasteners.pdf")
    return folder


def run(*arguments: Any) -> tuple[str, str, int]:
    """What the command prints, what it complains of, and its exit code."""
    said, complained = io.StringIO(), io.StringIO()
    try:
        call_command("evaluate", *map(str, arguments), stdout=said, stderr=complained)
    except CommandError as error:
        return said.getvalue(), complained.getvalue() + str(error), error.returncode
    return said.getvalue(), complained.getvalue(), 0


def altered(truth: Truth, change: Callable[[dict[str, Any]], object]) -> Truth:
    copy: Truth = json.loads(json.dumps(truth))
    for sku in copy["skus"]:
        change(sku)
    return copy


def test_a_sample_is_read_as_its_truth_says_and_passes_the_gate(sample: Truth, tmp_path: Path) -> None:
    folder, kept = put(tmp_path / "golden", sample), tmp_path / "kept" / "report.json"
    printed, complained, code = run("--golden", folder, "--gate", "--json", "--output", kept)
    report = json.loads(printed)
    assert (code, complained) == (0, "") and json.loads(kept.read_text()) == report
    total = report["total"]
    assert (total["f1"], total["cross_page_recall"], total["page_type_accuracy"]) == (1, 1, 1)
    assert total["attribute_accuracy"] >= 0.95 and total["hallucination_rate"] == 0 and total["seconds"] > 0
    assert total["counts"]["pages"] == 2 and total["counts"]["matched"] == len(sample["skus"])
    (file,) = report["files"]
    assert file["file"]["name"] == "golden/fasteners" and file["file"]["read_pages"] == 3
    assert list(report["by_category"]) == ["hardware"]
    assert sum(sum(row.values()) for row in total["routes"].values()) == 2 and total["route_interval"][0] > 0
    assert total["reading_order"] == 1 and total["table_fidelity"] > 0.9 and total["asked_share"] == 0
    assert report["c_doc"]["documents"] == 1 and file["file"]["c_doc"] == report["c_doc"]["mean"] > 0
    tables, _, _ = run("--golden", folder)
    assert "the way that was right (column)" in tables and "route accuracy" in tables and "C_doc" in tables
    assert "TOTAL" in tables and "golden/fasteners" in tables and "passed          f1" in tables


def test_a_stored_report_has_pictures_of_its_worst_pages_and_is_the_profiles_verdict(
    sample: Truth, tmp_path: Path, committed: None
) -> None:
    other = altered(sample, lambda sku: sku["attributes"].update(model="none", product_name="something else"))
    folder = put(tmp_path / "golden", other)
    _, complained, code = run("--golden", folder, "--store", "--profile", "default@1")
    (report,) = EvalReport.objects.all()
    assert code == 0 and f"/quality/{report.uuid}/" in complained
    assert (report.golden, report.passed, str(report.profile)) == ("golden", False, "default v1")
    assert [one["page_number"] for one in report.pictures] == [one.page_number for one in content_of(report).worst]
    for one in report.pictures:
        with storage.open_file(one["key"]) as file:
            assert Image.open(file).width / Image.open(file).height == pytest.approx(
                one["width_pt"] / one["height_pt"], rel=0.01
            )
    verdict = ThresholdProfile.get_active("default").verdicts.latest("pk")
    assert (verdict.report, verdict.passed) == (report.uuid, False) and "f1" in verdict.failed
    assert run("--golden", folder, "--profile", "nobody")[1:] == ("There is no profile 'nobody'.", 2)


def content_of(report: EvalReport) -> Report:
    return decode_report(zlib.decompress(report.content))


def test_the_gate_fails_where_the_truth_is_another(sample: Truth, tmp_path: Path) -> None:
    """Another model and another name: nothing on the pages is what it says."""
    other = altered(sample, lambda sku: sku["attributes"].update(model="none", product_name="something else"))
    folder = put(tmp_path / "golden", other)
    printed, complained, code = run("--golden", folder, "--gate", "--json")
    report = json.loads(printed)
    assert code == 1 and "The gate has failed: f1" in complained
    assert report["total"]["f1"] == 0 and report["worst"][0]["name"] == "golden/fasteners"
    assert run("--golden", folder)[2] == 0, "without --gate the figures are only told"


def test_an_altered_value_is_told_with_its_page_and_product(sample: Truth, tmp_path: Path) -> None:
    first = sample["skus"][0]["attributes"]["model"]

    def double(sku: dict[str, Any]) -> None:
        if sku["attributes"]["model"] == first:
            sku["attributes"]["weight"] = "99.99"

    before, after = tmp_path / "before.json", tmp_path / "after.json"
    run("--golden", put(tmp_path / "a" / "golden", sample), "--output", before)
    run("--golden", put(tmp_path / "b" / "golden", altered(sample, double)), "--output", after)
    printed, _, code = run("--compare", before, after, "--json")
    comparison = json.loads(printed)
    (page,) = comparison["pages"]
    assert code == 0 and (page["page_number"], page["direction"]) == (1, "worse")
    assert page["slips_now"] == [f"{first} weight different {sample['skus'][0]['attributes']['weight']}"]
    worst, _, _ = run("--golden", tmp_path / "b" / "golden", "--worst", "1")
    slip = f"{first} weight different: '{sample['skus'][0]['attributes']['weight']}' instead of '99.99'"
    assert "golden/fasteners page 1: 1 of" in worst and slip in worst
    tables, _, _ = run("--compare", before, after)
    assert "worse           attribute_accuracy" in tables and f"slips now: {first} weight" in tables


def test_a_truth_without_its_pdf_is_skipped_loudly_and_shows_nothing(sample: Truth, tmp_path: Path) -> None:
    folder = put(tmp_path / "golden", sample, with_pdf=False)
    printed, complained, code = run("--golden", folder, "--gate")
    assert "SKIPPED golden/fasteners: catalog/fasteners.pdf is not beside" in complained
    assert "NOT JUDGED golden/fasteners" in printed and code == 1 and "no page was judged" in printed


def test_a_pdf_may_lie_in_the_folder_of_real_catalogues(sample: Truth, tmp_path: Path) -> None:
    (tmp_path / "corpus" / "catalog").mkdir(parents=True)
    shutil.copy(SAMPLE, tmp_path / "corpus" / "catalog" / "fasteners.pdf")
    folder = put(tmp_path / "golden", {**sample, "pages": sample["pages"][:1], "skus": []}, with_pdf=False)
    printed, _, _ = run("--golden", folder, "--corpus", tmp_path / "corpus", "--json")
    assert json.loads(printed)["total"]["counts"]["pages"] == 1


def found_names(*given: Path) -> list[str]:
    found, skipped = find_golden(given, None, ())
    assert not skipped
    return [file.name for file in found]


def test_files_have_the_same_names_alone_and_in_their_set(sample: Truth, tmp_path: Path) -> None:
    golden, other = put(tmp_path / "golden", sample), put(tmp_path / "other" / "golden", sample)
    put(golden / "deeper", sample)
    assert found_names(golden) == ["golden/deeper/fasteners", "golden/fasteners"]
    assert found_names(golden / "fasteners.truth.json") == ["golden/fasteners"]
    assert found_names(golden / "fasteners.truth.json", golden / "deeper" / "fasteners.truth.json") == [
        "golden/fasteners",
        "deeper/fasteners",
    ]
    assert len(set(found_names(golden, other))) == 3, "sets of one name are told apart"
    with pytest.raises(ValueError, match="no truth file"):
        found_names(golden / "fasteners.pdf")


def test_only_the_categories_that_are_asked_for(sample: Truth, tmp_path: Path) -> None:
    folder = put(tmp_path / "golden", sample)
    printed, _, _ = run("--golden", folder, "--category", "lighting", "--json")
    assert json.loads(printed)["total"]["counts"]["pages"] == 0


def test_pages_that_cannot_be_read_fail_in_the_report_and_not_the_run(sample: Truth, tmp_path: Path) -> None:
    folder = put(tmp_path / "golden", sample)
    (folder / "fasteners.pdf").write_bytes(b"%PDF-1.7\nnothing that a reader could open")
    printed, _, code = run("--golden", folder, "--gate", "--json")
    report = json.loads(printed)
    assert code == 1 and (report["total"]["recall"], report["total"]["human_share"]) == (0, 1)
    assert all(page["failure"].startswith("read: ") for page in report["files"][0]["file"]["pages"])


def judged(folder: Path, pdf: bytes, *pages: dict[str, Any], total: int = 1) -> dict[str, Any]:
    """The report on a drawn file without products."""
    folder.mkdir()
    (folder / "drawn.pdf").write_bytes(pdf)
    job = {"source_file": "drawn.pdf", "total_pages": total}
    (folder / "drawn.truth.json").write_text(json.dumps({"schema_version": "1.0", "job": job, "pages": pages}))
    printed, complained, code = run("--golden", folder, "--json")
    assert (complained, code) == ("", 0)
    report: dict[str, Any] = json.loads(printed)
    return report


def test_a_blank_page_is_one_without_products_and_is_not_read(tmp_path: Path) -> None:
    report = judged(tmp_path / "golden", blank_pdf(2), {"page_number": 2, "page_type": "D"}, total=2)
    assert report["total"]["confusion"] == {"D": {"D": 1}} and report["total"]["human_share"] == 0
    assert report["files"][0]["file"]["read_pages"] == 0


def test_a_continued_table_has_the_header_of_a_page_that_nobody_judges(tmp_path: Path) -> None:
    rows = [[f"AX-{n}", f"Wall hook {n}", f"{n} x 40 mm", f"{n}.20"] for n in range(100, 130)]
    pdf = tables_pdf([[["Item No.", "Description", "Dimensions", "FOB USD"], *rows[:20]], rows[20:]])
    (tmp_path / "golden").mkdir()
    (tmp_path / "golden" / "hooks.pdf").write_bytes(pdf)
    skus = [
        {
            "page_number": 2,
            "images": [],
            "attributes": {"model": m, "product_name": n, "size": s, "price": p, "currency": "USD"},
        }
        for m, n, s, p in rows[20:]
    ]
    truth = {
        "schema_version": "1.0", "job": {"source_file": "hooks.pdf", "total_pages": 2}, "skus": skus,
        "pages": [{"page_number": 2, "page_type": "A", "continues": 1}],
    }  # fmt: skip
    (tmp_path / "golden" / "hooks.truth.json").write_text(json.dumps(truth))
    total = json.loads(run("--golden", tmp_path / "golden", "--json")[0])["total"]
    assert (total["cross_page_recall"], total["counts"]["continued"], total["counts"]["pages"]) == (1, 10, 1)
    assert total["attribute_accuracy"] == 1


def test_a_list_of_what_has_pages_of_its_own_is_no_page_of_products(tmp_path: Path) -> None:
    """Only the facts of the whole document tell this page from a table of products."""
    codes = [f"DX-{n}" for n in range(100, 106)]
    index = tables_pdf([[["Item No.", "Description"], *([code, f"Chair {code}"] for code in codes)]])
    with (
        pymupdf.open(stream=index) as document,
        pymupdf.open(stream=text_pdf(*(f"{c}\n\nOak, oiled by hand" for c in codes))) as sheets,
    ):
        document.insert_pdf(sheets)
        whole = document.tobytes()
    alone = judged(tmp_path / "alone", index, {"page_number": 1, "page_type": "D"})
    assert alone["total"]["confusion"] == {"D": {"A": 1}}
    report = judged(tmp_path / "golden", whole, {"page_number": 1, "page_type": "D"}, total=7)
    assert report["total"]["confusion"] == {"D": {"D": 1}} and report["files"][0]["file"]["read_pages"] == 7


@pytest.mark.slow
def test_a_scan_is_recognised_as_in_the_product(tmp_path: Path) -> None:
    words = "Delivery takes ten days\nThe warranty ends after two years"
    page = {"page_number": 1, "page_type": "D", "text": words}
    report = judged(tmp_path / "golden", scanned_pdf(words), page)
    assert report["total"]["counts"]["ocr_pages"] == 1 and list(report["by_text"]) == ["recognised"]
    assert report["total"]["text_read"] == 1


def counted(folder: Path, *files: str, **of_file: Any) -> Path:
    """Truths counted by eye beside drawn price lists of two pages, of which the second is counted."""
    folder.mkdir()
    rows = [[f"AX-{n}", f"Wall hook number {n}", f"{n} x 40 mm", f"{n}.20"] for n in range(100, 130)]
    pdf = tables_pdf([[["Item No.", "Description", "Dimensions", "FOB USD"], *rows[:20]], rows[20:]])
    products = [
        {
            "model": m.replace("-", " "),
            "name": n.upper(),
            "price": f"US$ {p}",
            "size": s,
            "material": None,
            "pictures": None,
        }
        for m, n, s, p in rows[20:]
    ]
    for name in files:
        truth = {"file": f"{name}.pdf", "pages": [{"page": 2, "products": products}], **of_file}
        (folder / f"{name}.truth.json").write_text(json.dumps(truth), encoding="utf-8")
        (folder / f"{name}.pdf").write_bytes(pdf)
    return folder


def test_a_folder_that_was_counted_by_eye_is_measured_leniently_and_by_makers(tmp_path: Path) -> None:
    folder, kept = counted(tmp_path / "strangers", "first", "second"), tmp_path / "report.json"
    tables, complained, code = run("--golden", folder, "--output", kept)
    report = decode_report(kept.read_bytes())
    assert (complained, code, report.makers) == ("", 0, 2)
    total = report.total
    assert (total.f1, total.attribute_accuracy, total.counts.pages) == (1, 1, 2) and total.confusion == {"P": {"P": 2}}
    assert report.files[0].file.read_pages == 2, "the product itself counted the pages"
    assert report.intervals["f1"] == (1, 1) and "resamples of 2 makers" in tables
    assert re.search(r"unseen_wrong +0\.000   0\.000 - 0\.000", tables)
    told, _, _ = run("--compare", kept, kept)
    assert re.search(r"same +f1 +1\.000 -> +1\.000   within 1\.000 - 1\.000, now 1\.000 - 1\.000", told)


def test_what_is_kept_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, keep = counted(tmp_path / "strangers", "first"), tmp_path / "kept"
    tasks: list[str] = []
    works = Sandbox.run

    def noted(self: Sandbox, task: str, *arguments: Any, **named: Any) -> Outcome:
        tasks.append(task.rpartition(":")[2])
        return works(self, task, *arguments, **named)

    monkeypatch.setattr(Sandbox, "run", noted)

    def measured() -> dict[str, Any]:
        tasks.clear()
        found = json.loads(run("--golden", folder, "--keep", keep, "--json")[0])
        total: dict[str, Any] = found["total"]
        return {key: value for key, value in total.items() if key != "seconds"}

    first = measured()
    assert tasks == ["count_pages", "prescan_file", "read_and_assess", "understand_pages"] and first["f1"] == 1
    assert measured() == first and tasks == ["understand_pages"]
    (file,) = keep.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert measured() == first and len(tasks) == 4, "a damaged file is as none"
    with (folder / "first.pdf").open("ab") as pdf:
        pdf.write(b"% another file")
    assert measured()["f1"] == 1 and len(tasks) == 4 and len(list(keep.iterdir())) == 2


def test_each_maker_is_judged_by_weights_that_were_fitted_without_it(tmp_path: Path) -> None:
    folder, weights = counted(tmp_path / "strangers", "first"), tmp_path / "weights"
    asked = ("--golden", folder, "--leave-one-maker-out")
    _, complained, code = run(*asked)
    assert code == 2 and "needs --weights DIR: run `python -m tests.fit folds DIR`" in complained
    weights.mkdir()
    (weights / "without-another.bin").write_bytes(WEIGHTS.read_bytes())
    _, complained, code = run(*asked, "--weights", weights)
    assert code == 2 and "no weights without first" in complained
    (weights / "without-first.bin").write_bytes(WEIGHTS.read_bytes())
    printed, complained, code = run(*asked, "--weights", weights, "--json")
    assert (code, complained) == (0, "") and json.loads(printed)["versions"]["weights"] == "leave one maker out"
    assert json.loads(printed)["files"][0]["file"]["maker"] == "first"
    counted(tmp_path / "of one", "first", "second", maker="another")
    assert run("--golden", tmp_path / "of one", "--leave-one-maker-out", "--weights", weights)[2] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--keep", "kept", "--store"], "--store goes without --keep"),
        (["--weights", "weights"], "--weights goes with --leave-one-maker-out"),
    ],
)
def test_refuses_what_does_not_go_together(options: list[str], words: str, tmp_path: Path) -> None:
    _, complained, code = run("--golden", tmp_path, *options)
    assert code == 2 and words in complained
    assert "--keep goes with --golden" in run("--compare", tmp_path, tmp_path, "--keep", tmp_path)[1]


class Scripted(Sandbox):
    """Ends as it is told to, child after child, and keeps what it was asked for."""

    def __init__(self, *ends: tuple[str, list[int]]) -> None:
        self.ends, self.asked = list(ends), list[list[int]]()

    def run(self, task: str, request: Any, numbers: Any, out_dir: Path, *_: Any, **__: Any) -> Outcome:
        self.asked.append(list(numbers))
        reason, finished = self.ends.pop(0)
        return Outcome({n: b"page %d" % n for n in finished}, None, reason, "why", wall_s=1.0)


def finish(sandbox: Scripted, numbers: list[int], folder: Path) -> Finished:
    return finish_pages(sandbox, Errand("read", "a:b", lambda left: {"pages": left}, [], Limits()), numbers, folder)


def test_only_the_page_that_ends_its_child_fails(tmp_path: Path) -> None:
    sandbox = Scripted(("memory_limit", [1]), ("finished", [3, 4]))
    done = finish(sandbox, [1, 2, 3, 4], tmp_path)
    assert sandbox.asked == [[1, 2, 3, 4], [3, 4]]
    assert (done.pages, done.wall_s) == ({n: b"page %d" % n for n in (1, 3, 4)}, 2.0)
    assert done.failures == {2: "read: memory_limit why"}


def test_a_limit_that_the_pages_before_have_used_up_is_not_the_next_pages_fault(tmp_path: Path) -> None:
    done = finish(Scripted(("wall_limit", [1]), ("wall_limit", []), ("finished", [3])), [1, 2, 3], tmp_path)
    assert (sorted(done.pages), list(done.failures)) == ([1, 3], [2])


def test_a_file_is_given_up_after_many_failures(tmp_path: Path) -> None:
    numbers = list(range(1, MOST_FAILURES + 10))
    sandbox = Scripted(*(("raised", []) for _ in numbers))
    failures = finish(sandbox, numbers, tmp_path).failures
    assert sorted(failures) == numbers and len(sandbox.asked) == MOST_FAILURES + 1
    assert failures[numbers[-1]] == "read: given up"


def test_a_sandbox_that_is_lost_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(InterruptedError, match="sandbox_lost"):
        finish(Scripted(("sandbox_lost", [])), [1], tmp_path)


def test_clocks_are_patient_and_memory_is_not() -> None:
    limits = patient(READING)
    assert (limits.wall_s, limits.page_s) == (READING.wall_s * 4, READING.page_s * 4)
    assert (limits.memory_bytes, limits.cpu_s) == (READING.memory_bytes, READING.cpu_s)


@pytest.mark.parametrize(
    ("text", "words"), [("{x", "malformed"), ('{"schema_version": "2.0"}', "schema_version"), (None, "no truth file")]
)
def test_refuses_truths_that_cannot_be_used(text: str | None, words: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "a.truth.json").write_text(text)
    printed, complained, code = run("--golden", tmp_path)
    assert (printed, code) == ("", 2) and words in complained
    assert text is None or "a.truth.json" in complained


def test_refuses_reports_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    _, complained, code = run("--compare", tmp_path / "a.json", tmp_path / "a.json")
    assert code == 2 and "a.json: no report of golden sets" in complained


@pytest.mark.req("X-CANARY", "GR-GATE", "LA-PROMPT")
def test_a_prompt_passes_its_gate_by_a_run_in_which_models_answered_with_it(
    sample: Truth, tmp_path: Path, committed: None, reading_models: ModelServer, settings: Any
) -> None:
    old = PromptVersion.objects.get(key="read_page", active=True)

    def version(words: str) -> PromptVersion:
        texts = {name: f"{getattr(old, name)}\n\n{words}" for name in ("text_zh", "text_en")}
        return PromptVersion(key=old.key, reason="a test", **texts).add_version(active=False)  # type: ignore[return-value]

    new = version("Read row by row.")
    folder, name = put(tmp_path / "golden", sample), f"{new.key}@{new.version}"
    with pytest.raises(Refused, match="gate_prompt_unmeasured"):
        activate(new, None)
    _, complained, code = run("--golden", folder, "--prompt", name, "--store")
    (report,) = EvalReport.objects.all()
    told = content_of(report).versions
    assert code == 0 and told["prompt"] == name and told["answered"] == "2 of 2", complained
    prompted = [call.request for call in reading_models.calls if "Read row by row." in "\n".join(call.request.texts)]
    assert {request.operation for request in prompted} == {"PageAnswer"} and len(prompted) == 2
    assert content_of(report).total.f1 == 1 and new.verdicts.get().passed == report.passed
    assert set(ModelCall.objects.values_list("merchant__name", "job", "page")) == {("Golden sets", None, None)}
    made = len(reading_models.calls)
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    said, *_ = run("--golden", folder, "--prompt", name, "--output", before)
    assert len(reading_models.calls) == made, "the answers are kept"
    spent = decode_report(before.read_bytes()).spending
    assert spent is not None and spent == content_of(report).spending, "and count as when they were given"
    sums = ModelCall.objects.aggregate(n=Count("pk"), tokens=Sum("tokens_in") + Sum("tokens_out"))
    assert (spent.calls, spent.tokens) == (sums["n"], sums["tokens"]) and spent.cost_micro > 0
    assert decode_report(before.read_bytes()).spending_by_category == {"hardware": spent}
    assert content_of(report).total.asked_share == 1 and "Cost of models by category" in said
    assert content_of(report).total.skus_right == 0, "the reading model tells no prices by quantity"
    assert (
        f"Models: {spent.calls} calls, {spent.tokens:,} tokens, {spent.cost_micro / 1e6:.4f} USD, no right SKU" in said
    )

    run("--golden", folder, "--prompt", name, "--routing", "product", "--output", after)
    assert len(reading_models.calls) == made, "no person would have to look at these pages"
    said, *_ = run("--compare", before, after)
    assert "tokens saved:  100.0%" in said and "0 calls, 0 tokens, 0.0000 USD" in said
    models = {call.model for call in reading_models.calls}
    run("--golden", folder, "--prompt", name, "--routing", "strong")
    strong = LanguageModel.objects.order_by("-price_out_micro")[0].name
    assert strong not in models and {call.model for call in reading_models.calls[made:]} == {strong}

    good = ReadingModel()
    other = version("Be brief.")
    reading_models.answer = lambda request: replace(
        good(request), mood=Mood.UNAUTHORISED if request.operation == "PageAnswer" else Mood.OK
    )
    _, complained, code = run("--golden", folder, "--prompt", f"{other.key}@{other.version}", "--store")
    assert code == 2 and "0 of 2 questions" in complained and not other.verdicts.exists()
    assert run("--golden", folder, "--prompt", "evaluate_document@1")[2] == 2
    assert run("--golden", folder, "--prompt", "nothing@1")[2] == 2
    settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = ""
    assert "No model can be asked" in run("--golden", folder, "--prompt", name)[1]
