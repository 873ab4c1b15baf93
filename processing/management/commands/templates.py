"""`manage.py templates list|show|clone|export|import`: what is asked of studies, in versions."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.utils import translation

from catalogsku.accounts.models import Merchant
from catalogsku.core.errors import NotFound, ProductError
from processing.problems import sentence
from processing.studies import files, selectors
from processing.studies.faults import TemplateInvalid, problems_of
from processing.studies.models import Template, TemplateVersion
from processing.studies.services import templates

Told = dict[str, Any]


class Command(BaseCommand):
    help = (
        "Lists, shows and clones the templates that say what is read out of studies, and takes them to files and back."
        " Those without a merchant come with the product: a merchant clones one and changes the clone. KEY names the"
        " newest version, KEY@NUMBER any. Exit code 2: not found, 1: refused."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="templates with their newest versions")
        listing.add_argument("--archived", action="store_true", help="those too that are put away")
        showing = commands.add_parser("show", help="the fields and checks of one")
        cloning = commands.add_parser("clone", help="make one the merchant's own")
        exporting = commands.add_parser("export", help="write one to a file")
        importing = commands.add_parser("import", help="the next version of the merchant's template, or its first")
        for command in (showing, cloning, exporting):
            command.add_argument("template", metavar="KEY[@NUMBER]")
        for command in (exporting, importing):
            command.add_argument("file", help="JSON; - for standard input or output")
        for command in (cloning, importing):
            command.add_argument("--merchant", required=True, metavar="NAME", help="name or id")
            command.add_argument("--key", default="", help="its key there; left out: from its name, or the file's")
            command.add_argument("--name", default="", help="what it is called there; left out: as it was")
        for command in (listing, showing, exporting):
            command.add_argument("--merchant", metavar="NAME", help="name or id; left out: all, or the shipped ones")
        for command in (listing, showing, cloning, importing):
            command.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        merchant = _merchant(options["merchant"]) if options["merchant"] else None
        with translation.override("en"):
            try:
                getattr(self, f"_{options['what']}")(merchant, options)
            except TemplateInvalid as refused:
                lines = [f"{one['path'] or 'template'}: {one['message']}" for one in problems_of(refused.faults)]
                raise CommandError("\n".join(lines), returncode=1) from refused
            except NotFound as missing:
                raise CommandError(f"There is no template {options['template']!r} here.", returncode=2) from missing
            except ProductError as refused:
                raise CommandError(sentence(refused.code, refused.params), returncode=1) from refused

    def _list(self, merchant: Merchant | None, options: Told) -> None:
        rows = selectors.with_newest(Template.objects.select_related("merchant"))
        rows = rows if merchant is None else rows.filter(Q(merchant=merchant) | Q(merchant=None))
        rows = rows if options["archived"] else rows.filter(archived=False)
        told = [
            {
                "merchant": row.merchant.name if row.merchant else None,
                "key": row.key,
                "name": row.name,
                "version": row.newest,
                "archived": row.archived,
            }
            for row in rows.order_by("merchant__name", "key")
        ]
        if options["json"]:
            return self._print(told)
        for one in told:
            of, put_away = one["merchant"] or "*", "  archived" if one["archived"] else ""
            self.stdout.write(f"{of:<24} {one['key']:<32} v{one['version']:<4} {one['name']}{put_away}")
        return None

    def _show(self, merchant: Merchant | None, options: Told) -> None:
        version = _version(merchant, options["template"])
        if options["json"]:
            return self._print(told_of(version))
        for group in (definition := selectors.definition_in(version)).groups:
            self.stdout.write(group.labels.en or group.labels.zh)
            for field in group.fields:
                kind = " ".join(filter(None, [field.type, field.unit, "" if field.repeat == "none" else field.repeat]))
                mark = "*" if field.required else " "
                self.stdout.write(f" {mark} {field.key:<32} {kind:<24} {field.labels.en or field.labels.zh}")
        self.stdout.write(f"{version}: {len(definition.fields)} fields, {len(definition.checks)} checks")
        return None

    def _clone(self, merchant: Merchant, options: Told) -> None:
        source = _version(merchant, options["template"])
        self._made(templates.clone_template(source, merchant, None, key=options["key"], name=options["name"]), options)

    def _export(self, merchant: Merchant | None, options: Told) -> None:
        version = _version(merchant, options["template"])
        of = version.template
        text = files.written(of.key, of.name, of.name_zh, selectors.definition_in(version))
        if options["file"] == "-":
            self.stdout.write(text, ending="")
        else:
            Path(options["file"]).write_text(text, encoding="utf-8")

    def _import(self, merchant: Merchant, options: Told) -> None:
        file, definition = files.read(_bytes(options["file"]))
        version = templates.import_template(
            merchant,
            options["key"] or file.key,
            options["name"] or file.name,
            definition,
            None,
            name_zh="" if options["name"] else file.name_zh,
        )
        self._made(version, options)

    def _made(self, version: TemplateVersion, options: Told) -> None:
        if options["json"]:
            return self._print(told_of(version))
        self.stdout.write(
            f"{version} of {version.template.merchant} asks for {len(selectors.definition_in(version).fields)} fields."
        )
        return None

    def _print(self, told: Any) -> None:
        self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))


def told_of(version: TemplateVersion) -> Told:
    of = version.template
    return {
        "merchant": of.merchant.name if of.merchant else None,
        "key": of.key,
        "name": of.name,
        "version": version.number,
        "definition": version.definition,
    }


def _version(merchant: Merchant | None, name: str) -> TemplateVersion:
    """Raises NotFound."""
    key, at, number = name.partition("@")
    template = selectors.named_template(merchant, key)
    if template is None or (at and not (number.isdecimal() and len(number) < 10)):
        raise NotFound("not_found")
    return selectors.get_version(template, int(number) if at else None)


def _merchant(name: str) -> Merchant:
    found = Merchant.objects.filter(name=name).first()
    if found is None and name.isdecimal() and len(name) < 10:
        found = Merchant.objects.filter(pk=int(name)).first()
    if found is None:
        raise CommandError(f"There is no merchant {name!r}.", returncode=2)
    return found


def _bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(files.FILE_BYTES_MOST + 1)
    try:
        with Path(name).open("rb") as file:
            return file.read(files.FILE_BYTES_MOST + 1)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=2) from None
