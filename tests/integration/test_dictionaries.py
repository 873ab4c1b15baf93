"""Dictionaries of merchants: what a document keeps of them, whose pages they change, and that none is lost or mixed."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection

from catalogsku.core.errors import Conflict, Refused
from catalogsku.profiles.asking import changing
from catalogsku.profiles.models import CategorySchema, ConfigChange, MerchantDictionary, ThresholdProfile
from catalogsku.profiles.services import dictionaries_for, set_dictionary, words_in
from ingestion.models import Job
from processing.dictionaries.services import trying
from processing.dictionaries.services.discovering import discover
from processing.engine.understanding.config import AnalystConfig
from processing.models import Sku
from processing.sandboxed import frozen
from tests.support.own_words import SHEET, WORDS
from tests.support.people import People
from tests.support.rows import make_job
from tests.support.stages import as_worker, process

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-DICT", "TA-FREEZE")]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    as_worker(monkeypatch)


def saved(people: People, entries: list[dict[str, str]], category: str = "", **more: Any) -> MerchantDictionary:
    return set_dictionary(people.merchant, category, entries, people.admin, "read by hand", **more)


def prices(job: Job) -> list[str | None]:
    return list(Sku.objects.filter(job=job).order_by("pk").values_list("attributes__price", flat=True))


@pytest.mark.usefixtures("worker")
def test_words_hold_for_the_merchants_next_documents_and_for_nobody_elses(people: People, tmp_path: Path) -> None:
    path = tmp_path / "lista.pdf"
    before = process(people, path, [SHEET])
    row = saved(people, WORDS)
    after = process(people, path, [SHEET], key="again")
    theirs = process(replace(people, merchant=people.other), path, [SHEET])
    assert (before.dictionaries, after.dictionaries, theirs.dictionaries) == ([], [row.pk], [])
    assert prices(after) == ["12,50", "99,00", "49,00"]
    assert prices(before) == prices(theirs) != prices(after)


def test_a_document_keeps_the_versions_that_it_began_with(people: People) -> None:
    first = saved(people, WORDS[:1])
    job = make_job(people.merchant, dictionaries=dictionaries_for(people.merchant.pk, ""))
    second = saved(people, [{**WORDS[0], "means": "brand"}])
    assert [w.means for w in frozen.analyst_config(job).words] == ["model"]
    assert (second.version, second.previous, MerchantDictionary.objects.get(pk=first.pk).active) == (2, first, False)
    assert dictionaries_for(people.merchant.pk, "") == [second.pk]


def test_a_category_takes_over_what_stands_above_it_and_may_take_it_back(people: People) -> None:
    saved(people, WORDS)
    saved(people, [{**WORDS[0], "means": "brand"}], "home")
    saved(people, [{**WORDS[1], "means": "built_in"}], "furniture")
    set_dictionary(people.other, "furniture", [{**WORDS[2], "means": "weight"}], None, "")

    def means(category: str) -> list[str]:
        return [word.means for word in words_in(dictionaries_for(people.merchant.pk, category))]

    assert means("") == means("apparel") == ["model", "product_name", "price"]
    assert means("home") == ["brand", "product_name", "price"] and means("furniture") == ["brand", "price"]


def test_a_label_of_the_categorys_own_attribute_becomes_one_of_its_synonyms(people: People) -> None:
    saved(people, [{"kind": "label", "word": "Alt. assento", "means": "seat_height"}], "furniture")
    schema = CategorySchema.get_active("furniture")
    kept = dictionaries_for(people.merchant.pk, "furniture")
    job = make_job(people.merchant, category="furniture", schema=schema, dictionaries=kept)
    config = frozen.analyst_config(job)
    (entry,) = [entry for entry in config.attributes if entry.key == "seat_height"]
    assert entry.synonyms[-1] == "Alt. assento" and config.words == ()
    with pytest.raises(Refused) as refused:
        saved(people, [{"kind": "label", "word": "Alt. assento", "means": "seat_height"}])
    assert refused.value.params["fault"] == "bad_meaning"


def test_without_words_the_engine_is_told_what_it_was_before(people: People) -> None:
    job = make_job(people.merchant)
    assert frozen.analyst_config(job).words == () and job.dictionaries == []
    with connection.cursor() as cursor:  # as a row of an older release, whose program names no such column
        cursor.execute(
            "SELECT column_default FROM information_schema.columns"
            " WHERE table_name = 'ingestion_job' AND column_name = 'dictionaries'"
        )
        assert "[]" in cursor.fetchone()[0]


def test_what_cannot_be_is_refused_and_nothing_is_stored(people: People) -> None:
    for entries, fault in (
        ([{"kind": "pattern", "word": "(a+)+(", "means": "model"}], "pattern_not_closed"),
        ([WORDS[0], WORDS[0]], "word_twice"),
        ("Ref", "not_a_list"),
    ):
        with pytest.raises(Refused) as refused:
            saved(people, entries)  # type: ignore[arg-type]
        assert (refused.value.code, refused.value.params["fault"]) == ("dictionary_invalid", fault)
    with pytest.raises(Refused) as refused:
        saved(people, WORDS, "spaceships")
    assert refused.value.params["fault"] == "no_category" and not MerchantDictionary.objects.exists()


def test_who_saves_over_anothers_version_is_told(people: People) -> None:
    saved(people, WORDS[:1], expected=0)
    with pytest.raises(Conflict, match="version_taken"):
        saved(people, WORDS, expected=0)
    assert saved(people, WORDS, expected=1).version == 2


def test_every_version_is_in_the_log_with_who_and_why(people: People) -> None:
    with changing(people.lead):
        set_dictionary(people.merchant, "", WORDS[:1], people.lead, "heads of the autumn list")
    change = ConfigChange.objects.filter(model="profiles.merchantdictionary").latest("pk")
    assert (change.by, change.why) == ("lead", "heads of the autumn list") and change.after["entries"] == WORDS[:1]


def test_with_the_merchant_all_versions_go(people: People) -> None:
    for number in range(3):
        saved(people, WORDS[: number + 1])
    people.merchant.users.clear()
    people.merchant.delete()
    assert not MerchantDictionary.objects.exists()


# --- tried before it is saved -------------------------------------------------------------------------


@pytest.mark.usefixtures("worker")
def test_a_trial_says_what_would_change_and_keeps_nothing(people: People, tmp_path: Path) -> None:
    job = process(people, tmp_path / "lista.pdf", [SHEET])
    draft = MerchantDictionary(merchant=people.merchant, category="", entries=WORDS)
    tried = trying.try_words(draft, job, [1, 7])
    assert tried.unread == [7] and [page.number for page in tried.changed] == [1]
    assert {product.get("price") for product in tried.pages[0].after.products} == {"12,50", "99,00", "49,00"}
    assert not MerchantDictionary.objects.exists() and prices(job) != ["12,50", "99,00", "49,00"]
    elsewhere = MerchantDictionary(merchant=people.merchant, category="furniture", entries=WORDS)
    assert not (kept := trying.try_words(elsewhere, job, [1])).holds and not kept.changed
    with pytest.raises(ValueError, match="another"):
        trying.try_words(MerchantDictionary(merchant=people.other, entries=WORDS), job, [1])


# --- by command ---------------------------------------------------------------------------------------


def out(*arguments: Any) -> str:
    written = io.StringIO()
    call_command("dictionary", *arguments, stdout=written)
    return written.getvalue()


def refusal(*arguments: Any) -> tuple[int, str]:
    with pytest.raises(CommandError) as told:
        out(*arguments)
    return told.value.returncode, str(told.value)


def test_the_command_sets_lists_shows_and_removes(people: People) -> None:
    out("set", "--merchant", "North", "--reason", "spring", "label", "Ref. forn.", "model")
    out("set", "--merchant", "North", "unit", "pol", "in")
    out("set", "--merchant", "North", "label", "Ref. forn.", "brand")
    shown = out("show", "--merchant", str(people.merchant.pk)).split()
    assert shown == ["unit", "pol", "in", "label", "Ref.", "forn.", "brand"]
    (told,) = json.loads(out("list", "--json"))
    assert (told["merchant"], told["category"], told["version"], told["words"]) == ("North", "", 3, 2)
    assert "North" in out("list")
    out("set", "--merchant", "North", "label", "Ref. forn.")
    assert "Ref." not in out("show", "--merchant", "North") and out("show", "--merchant", "South") == ""


@pytest.mark.parametrize("name", ["words.csv", "words.json"])
def test_what_is_exported_is_imported(people: People, tmp_path: Path, name: str) -> None:
    entries = [*WORDS, {"kind": "keyword", "word": '=siehe, "Liste"', "means": "on_request"}]
    entries.append({"kind": "pattern", "word": r"-?[A-Z]{2}\d+", "means": "model"})
    saved(people, entries)
    out("export", "--merchant", "North", str(tmp_path / name))
    assert name.endswith("json") or "'=siehe" in (tmp_path / name).read_text()
    out("import", "--merchant", "South", "--category", "furniture", str(tmp_path / name))
    (theirs,) = MerchantDictionary.objects.filter(merchant=people.other)
    assert (theirs.category, theirs.entries) == ("furniture", entries)


def test_the_command_refuses_with_a_code(people: People, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("kind,word\nlabel,x\n")
    assert refusal("show", "--merchant", "West")[0] == 2
    assert refusal("import", "--merchant", "North", str(tmp_path / "none.csv"))[0] == 2
    assert refusal("import", "--merchant", "North", str(tmp_path / "x.csv"))[0] == 1
    status, words = refusal("set", "--merchant", "North", "pattern", "(a", "model")
    assert status == 1 and "pattern_not_closed" in words
    job = make_job(people.other)
    (tmp_path / "x.json").write_text(json.dumps(WORDS))
    trial = ("try", "--merchant", "North", str(tmp_path / "x.json"), "--job")
    assert refusal(*trial, str(job.uuid))[0] == 2 and refusal(*trial, "x")[0] == 2  # another's, or none


@pytest.mark.usefixtures("worker")
def test_the_command_tries_a_file(people: People, tmp_path: Path) -> None:
    job = process(people, tmp_path / "lista.pdf", [SHEET])
    (tmp_path / "x.json").write_text(json.dumps(WORDS))
    trial = ("try", "--merchant", "North", str(tmp_path / "x.json"), "--job", str(job.uuid))
    first = {"model": "AB-10", "product_name": "Cadeira de jantar", "price": "12,50"}
    told = json.loads(out(*trial, "--json", "--pages", "1-3"))
    assert (told["pages"], told["changed_pages"], told["holds"]) == (1, 1, True)
    assert told["pages_changed"][0]["after"][0] == first
    assert "+ AB-10" in out(*trial) and not MerchantDictionary.objects.exists()


# --- what no dictionary knows -------------------------------------------------------------------------


@pytest.mark.usefixtures("worker")
def test_heads_that_stand_on_several_pages_are_offered_until_they_are_known(people: People, tmp_path: Path) -> None:
    job = process(people, tmp_path / "lista.pdf", [SHEET, SHEET])
    theirs = [["Quillwort", "Preis", "Rand"], *SHEET[1:]]
    process(replace(people, merchant=people.other), tmp_path / "theirs.pdf", [theirs, theirs])
    found = discover(people.merchant)
    told = {one.name: (one.pages, len(one.documents), one.samples) for one in found.labels}
    assert told["Ref. forn."] == (2, 1, ["AB-10"]) and "Quillwort" not in told and found.pages == 2
    saved(people, WORDS[:1])
    assert "Ref. forn." not in {one.name for one in discover(people.merchant).labels}
    assert not discover(people.merchant, "furniture").pages  # the document is of no category
    Job.objects.filter(pk=job.pk).update(category="spaceships")
    assert discover(people.merchant).categories == [("spaceships", 1)]
    told = json.loads(out("discover", "--merchant", "North", "--json"))
    assert told["categories"] == {"spaceships": 1} and "Nome prod." in {one["label"] for one in told["labels"]}
    assert "Nome prod." in out("discover", "--merchant", "North")


# --- limits of a profile ------------------------------------------------------------------------------


@pytest.mark.req("TA-T84", "TA-RULES")
def test_a_profile_says_how_far_pictures_lie_and_what_is_doubtful(people: People) -> None:
    profile = ThresholdProfile.get_active("default")
    assert frozen.analyst_config_of(profile) == AnalystConfig() and profile.limits == {}
    profile.limits = {"gap_l2": 140, "max_skus": 80, "coverage_min": 0.5}
    config = frozen.analyst_config_of(cast(ThresholdProfile, profile.add_version()))
    assert config.binding.gap_pt == {"L1": 200.0, "L2": 140.0, "L3": 150.0, "L4": 80.0}
    assert (config.rules.max_skus, config.rules.coverage_min, config.rules.invalid_share) == (80, 0.5, 0.3)
    for wrong in ({"gap_l2": -1}, {"max_skus": 0}, {"max_skus": 1.5}, {"gap_l9": 1}, []):
        profile.limits = wrong  # type: ignore[assignment]
        with pytest.raises(ValidationError):
            profile.add_version()
