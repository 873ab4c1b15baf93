"""`manage.py shadows list|start|stop`: what looks at a share of the pages beside the results, and what it found."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from catalogsku.profiles.models import PromptVersion
from catalogsku.profiles.services import find_prompt
from processing.llm.models import LanguageModel
from processing.llm.money import MICRO
from processing.shadows.models import Shadow
from processing.shadows.presenters import ShadowRow, shadow_rows


class Command(BaseCommand):
    help = (
        "Lists shadows: a second reader, prompt version or model that looks at a share of the pages, always the same"
        " ones, and changes no result; starts one, and stops it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="all shadows and what they found otherwise")
        listing.add_argument("--json", action="store_true", help="print JSON")
        starting = commands.add_parser("start", help="a new shadow, for pages that are understood from now on")
        of = starting.add_mutually_exclusive_group(required=True)
        of.add_argument("--reader", default="", metavar="NAME", help="reads first: pymupdf, pdfplumber, pypdfium2")
        of.add_argument("--prompt", metavar="KEY@VERSION", help="in place of that prompt of the documents")
        of.add_argument("--model", metavar="NAME", help="is asked all questions; may be asked by shadows alone")
        starting.add_argument("--share", type=int, default=5, metavar="PERCENT", help="of the pages (5)")
        starting.add_argument("--usd-a-day", type=float, default=1.0, metavar="USD", help="then it rests (1)")
        starting.add_argument("--reason", default="", help="kept with it")
        stopping = commands.add_parser("stop", help="it looks at no further page")
        stopping.add_argument("id", type=int, metavar="ID", help="as `list` shows it")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "list":
            self._list(options["json"])
        elif options["what"] == "start":
            self._start(options)
        elif not Shadow.objects.filter(pk=options["id"]).update(running=False):
            raise CommandError(f"There is no shadow {options['id']}.", returncode=2)

    def _list(self, as_json: bool) -> None:
        rows = shadow_rows()
        if as_json:
            self.stdout.write(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
        for row in () if as_json else rows:
            self.stdout.write(_line(row))

    def _start(self, options: dict[str, Any]) -> None:
        try:
            row = Shadow(
                reader=options["reader"],
                prompt=find_prompt(options["prompt"]) if options["prompt"] else None,
                model=LanguageModel.objects.get(name=options["model"]) if options["model"] else None,
                share=options["share"],
                limit_micro=round(options["usd_a_day"] * MICRO),
                reason=options["reason"][:200],
                running=True,
            )
            row.full_clean()
        except (PromptVersion.DoesNotExist, LanguageModel.DoesNotExist):
            name = options["prompt"] or options["model"]
            raise CommandError(f"There is no prompt or model {name!r}.", returncode=2) from None
        except ValidationError as error:
            raise CommandError("; ".join(error.messages), returncode=2) from None
        row.save()
        self.stdout.write(f"{row.pk}: {row} looks at {row.share} % of the pages.")


def _line(row: ShadowRow) -> str:
    state = "running" if row.running else "stopped"
    return (
        f"{row.id:>4}  {row.name:<32} {row.share:>3} % {state}  {row.differing} of {row.pages} pages otherwise:"
        f" {row.gained} products gained, {row.lost} lost, {row.changed} values changed;"
        f" {row.usd:.4f}/{row.own_usd:.4f} USD and {row.seconds:.1f}/{row.own_seconds:.1f} s a page;"
        f" {row.waiting} waiting, {row.without} without an answer"
    )
