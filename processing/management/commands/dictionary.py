"""`manage.py dictionary list|show|set|import|export|try|discover`: a merchant's own words."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from catalogsku.accounts.models import Merchant
from catalogsku.core.errors import ProductError
from catalogsku.profiles.dictionaries import KINDS, Word
from catalogsku.profiles.gate import PROBLEMS as PROFILE_PROBLEMS
from catalogsku.profiles.models import MerchantDictionary
from catalogsku.profiles.services import dictionary_of, draft_of, set_dictionary, with_word
from ingestion.models import Job
from processing.dictionaries import files
from processing.dictionaries.services import trying
from processing.dictionaries.services.discovering import discover
from processing.problems import sentence


class Command(BaseCommand):
    help = (
        "Lists, shows and changes the words that a merchant's catalogues print beside those that are built in: labels,"
        " keywords, units and patterns. A change is a new version and holds for documents from then on; `try` shows on"
        " stored pages what it would do. Exit code 2: not found, 1: refused."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="all dictionaries in force")
        listing.add_argument("--json", action="store_true", help="print JSON")
        showing = commands.add_parser("show", help="the words of one, or those that hold for a category with it")
        setting = commands.add_parser("set", help="one word, in the place of what it meant")
        setting.add_argument("kind", choices=KINDS)
        setting.add_argument("word")
        setting.add_argument("means", nargs="?", default="", help="as docs/dictionaries.md lists; left out: remove it")
        importing = commands.add_parser("import", help="all words from a file, in the place of those there are")
        importing.add_argument("file", help="CSV (kind,word,means) or JSON; - for standard input")
        exporting = commands.add_parser("export", help="write it to a file")
        exporting.add_argument("file", help="its ending says the format: .csv or .json; - for CSV on standard output")
        trial = commands.add_parser("try", help="what a file of words would change on stored pages")
        trial.add_argument("file", help="CSV or JSON; - for standard input")
        trial.add_argument("--job", required=True, metavar="UUID", help="a document of the merchant")
        trial.add_argument("--pages", default="", metavar="1,2,5-8", help="at most 50; left out: the first ten")
        trial.add_argument("--json", action="store_true", help="print JSON")
        finding = commands.add_parser("discover", help="heads and labels of stored pages that no dictionary knows")
        finding.add_argument("--json", action="store_true", help="print JSON")
        for command in (showing, setting, importing, exporting, trial, finding):
            command.add_argument("--merchant", required=True, metavar="NAME", help="name or id")
            command.add_argument("--category", default="", help="of documents; left out: of all")
        for command in (setting, importing):
            command.add_argument("--reason", default="", help="kept with the version")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "list":
            return self._list(options["json"])
        merchant = _merchant(options["merchant"])
        try:
            getattr(self, f"_{options['what']}")(merchant, options)
        except ProductError as refused:
            raise CommandError(_sentence(refused), returncode=1) from refused
        return None

    def _list(self, as_json: bool) -> None:
        rows = MerchantDictionary.objects.filter(active=True).select_related("merchant").order_by("key")
        told = [
            {
                "merchant": row.merchant.name,
                "category": row.category,
                "version": row.version,
                "words": len(row.entries),
                "reason": row.reason,
            }
            for row in rows
        ]
        if as_json:
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))
        for row in () if as_json else told:
            of = f"{row['merchant']:<24} {row['category'] or '*':<16}"
            self.stdout.write(f"{of} v{row['version']:<4} {row['words']:>4} {row['reason']}")

    def _show(self, merchant: Merchant, options: dict[str, Any]) -> None:
        for entry in _entries(merchant, options):
            self.stdout.write(f"{entry['kind']:<8} {entry['word']:<40} {entry['means']}")

    def _set(self, merchant: Merchant, options: dict[str, Any]) -> None:
        word = Word(options["kind"], options["word"].strip(), options["means"])
        entries = with_word(_entries(merchant, options), word if word.means else None, word)
        self._save(merchant, options, entries)

    def _import(self, merchant: Merchant, options: dict[str, Any]) -> None:
        self._save(merchant, options, files.read(_bytes(options["file"])))

    def _save(self, merchant: Merchant, options: dict[str, Any], entries: Any) -> None:
        row = set_dictionary(merchant, options["category"], entries, None, options["reason"])
        self.stdout.write(f"{row} has {len(row.entries)} words and holds for documents from now on.")

    def _export(self, merchant: Merchant, options: dict[str, Any]) -> None:
        name = options["file"]
        text = files.written(_entries(merchant, options), "json" if name.endswith(".json") else "csv")
        if name == "-":
            self.stdout.write(text, ending="")
        else:
            Path(name).write_text(text, encoding="utf-8", newline="")

    def _try(self, merchant: Merchant, options: dict[str, Any]) -> None:
        draft = draft_of(merchant, options["category"], files.read(_bytes(options["file"])))
        try:
            job = Job.objects.select_related("profile", "schema").get(uuid=options["job"], merchant=merchant)
        except (Job.DoesNotExist, ValidationError):
            raise CommandError(f"{merchant} has no document {options['job']!r}.", returncode=2) from None
        tried = trying.try_words(draft, job, trying.numbers_to_try(job, _numbers(options["pages"]), trying.PAGES_MOST))
        if options["json"]:
            self.stdout.write(json.dumps(trying.told(tried), ensure_ascii=False, indent=2))
            return
        for page in tried.changed:
            self.stdout.write(f"page {page.number}: {len(page.before.products)} -> {len(page.after.products)} products")
            for name in page.difference.gained:
                self.stdout.write(f"  + {name}")
            for name in page.difference.lost:
                self.stdout.write(f"  - {name}")
            for value in page.difference.changed:
                self.stdout.write(f"  {value.product} {value.key}: {value.before!r} -> {value.after!r}")
        self.stdout.write(" ".join(f"{name}={n}" for name, n in tried.counts.items()))

    def _discover(self, merchant: Merchant, options: dict[str, Any]) -> None:
        found = discover(merchant, options["category"])
        labels = [
            {"label": one.name, "pages": one.pages, "documents": len(one.documents), "samples": one.samples}
            for one in found.labels
        ]
        if options["json"]:
            told = {"pages": found.pages, "labels": labels, "categories": dict(found.categories)}
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))
            return
        for one in found.labels:
            samples = " | ".join(one.samples)
            self.stdout.write(f"{one.pages:>4} {len(one.documents):>4} {one.name:<40} {samples}")
        for name, documents in found.categories:
            self.stdout.write(f"category {name!r} of {documents} documents is not described")


def _merchant(name: str) -> Merchant:
    found = Merchant.objects.filter(name=name).first()
    if found is None and name.isdecimal() and len(name) < 10:
        found = Merchant.objects.filter(pk=int(name)).first()
    if found is None:
        raise CommandError(f"There is no merchant {name!r}.", returncode=2)
    return found


def _entries(merchant: Merchant, options: dict[str, Any]) -> list[dict[str, Any]]:
    row = dictionary_of(merchant.pk, options["category"])
    return list(row.entries) if row else []


def _bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(files.BYTES_MOST + 1)
    try:
        with Path(name).open("rb") as file:
            return file.read(files.BYTES_MOST + 1)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=2) from None


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal() and len(part) < 16):
            raise CommandError(f"No page numbers: {text!r}", returncode=2)
        numbers += range(int(first), min(int(last or first), int(first) + trying.PAGES_MOST) + 1)
    return numbers


def _sentence(refused: ProductError) -> str:
    if refused.code in PROFILE_PROBLEMS:
        return str(PROFILE_PROBLEMS[refused.code][1]) % refused.params
    return sentence(refused.code, refused.params)
