"""`manage.py models list|open|close|limits`: the language models, their gates, and what was spent today."""

import getpass
import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from processing.llm import gate, money
from processing.llm.keys import key_for
from processing.models import LanguageModel

LIMITS = {"qpm": "calls a minute", "tpm": "tokens a minute", "timeout_s": "seconds until a call is given up"}


class Command(BaseCommand):
    help = (
        "Lists language models with their breaker, minute window and today's spending; holds a breaker open or closes"
        " it; changes limits. All of it holds from the next call on, in every process."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="all models")
        listing.add_argument("--json", action="store_true", help="print JSON")
        for name, text in (("open", "let no call through, until `close`"), ("close", "let calls through again")):
            setting = commands.add_parser(name, help=text)
            setting.add_argument("name", metavar="NAME", help="the model")
        limits = commands.add_parser("limits", help="change what a model may be asked")
        limits.add_argument("name", metavar="NAME", help="the model")
        for limit, text in LIMITS.items():
            limits.add_argument(f"--{limit.replace('_', '-')}", type=int, metavar="N", help=text)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["what"] == "list":
                self._list(options["json"])
            elif options["what"] == "limits":
                self._change(options["name"], {name: options[name] for name in LIMITS if options[name] is not None})
            else:
                self._set(options["name"], "open" if options["what"] == "open" else "closed")
        except LanguageModel.DoesNotExist:
            raise CommandError(f"There is no model {options['name']!r}.", returncode=2) from None

    def _list(self, as_json: bool) -> None:
        keys = {model.name: len(key_for(model.provider)) for model in LanguageModel.objects.all()}
        found = [{**asdict(one), "keys": keys.get(one.model, 0)} for one in gate.states()]
        spent = money.spent(None, money.today())
        if as_json:
            self.stdout.write(
                json.dumps({"models": found, "today": asdict(spent)}, ensure_ascii=False, indent=2, default=str)
            )
            return
        for row in found:
            self.stdout.write(
                f"{row['model']:<24} {_state(row):<34} {row['requests']}/{row['qpm']} calls,"
                f" {row['tokens']}/{row['tpm']} tokens this minute"
            )
            if row["unusable"]:
                self.stdout.write(f"  {row['unusable_detail']}")
        self.stdout.write(
            "Today: {:.2f} USD spent, {:.2f} reserved, of {:.2f}.".format(
                *(micro / money.MICRO for micro in (spent.settled_micro, spent.reserved_micro, spent.limit_micro))
            )
        )

    def _set(self, name: str, state: Literal["open", "closed"]) -> None:
        gate.set_state(name, state, f"command line: {getpass.getuser()}")
        self.stdout.write(f"{name} is {state}.")

    def _change(self, name: str, limits: dict[str, int]) -> None:
        if not limits:
            raise CommandError("Name a limit to change.", returncode=2)
        model = LanguageModel.objects.get(name=name)
        for limit, value in limits.items():
            setattr(model, limit, value)
        try:
            model.full_clean()
        except ValidationError as error:
            raise CommandError("; ".join(error.messages), returncode=2) from None
        model.save(update_fields=list(limits))
        self.stdout.write(f"{name}: {', '.join(f'{limit} {value}' for limit, value in limits.items())}")


def _state(row: dict[str, Any]) -> str:
    if not row["enabled"]:
        return "disabled"
    if not row["keys"]:
        return f"{row['state']}, no key"
    if row["held_open"]:
        return f"open, by {row['set_by']}"
    if row["unusable"]:
        return f"unusable ({row['unusable']}), tried again in {row['probe_in_s']:.0f} s"
    return f"{row['state']}, trial in {row['trials_in_s']:.0f} s" if row["state"] == "open" else str(row["state"])
