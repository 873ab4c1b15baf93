"""`manage.py models list|add|open|close|limits|probe`: the language models, their gates, what was spent today."""

import getpass
import json
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from catalogsku.core.errors import ProductError
from processing.llm import gate, money
from processing.llm.keys import SETTINGS, is_ready, key_for
from processing.llm.models import LanguageModel, MediaResolution, Provider, Thinking
from processing.llm.services.language_models import OWN_MODEL, add_model
from processing.llm.services.probes import Probed, probe
from processing.problems import sentence

NONE_GIVEN = object()
# What is written for "the provider's own", or no end.
NONE = "none"
# Name, how it is read, its metavar, what it is.
LIMITS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "qpm": (int, "N", "calls a minute"),
    "tpm": (int, "N", "tokens a minute"),
    "timeout_s": (int, "N", "seconds until a call is given up"),
    "max_tokens": (int, "N", "most tokens of thoughts and answer"),
    "max_image_px": (lambda text: None if text == NONE else int(text), "N", f"longest side of an image, or {NONE}"),
    "thinking_level": (
        lambda text: "" if text == NONE else text, "LEVEL", f"{', '.join(Thinking.values)}, or {NONE}: the model's own"
    ),
    "media_resolution": (
        lambda text: "" if text == NONE else text, "LEVEL",
        f"how closely it looks at images: {', '.join(MediaResolution.values)}, or {NONE}: the model's own",
    ),
    "batch_percent": (
        lambda text: None if text == NONE else int(text), "PERCENT",
        f"of its price, what it costs in batches, or {NONE}: its provider has none for it",
    ),
    "retires_on": (
        lambda text: None if text == NONE else date.fromisoformat(text), "DATE",
        f"day from which on its provider does not have it any more, or {NONE}",
    ),
}  # fmt: skip
SHOWN = ("thinking_level", "media_resolution", "max_tokens", "max_image_px", "temperature", "batch_percent")
SIZES: dict[str, tuple[Callable[[str], Any], str, str]] = {"max_images": (int, "N", "most pictures a call")}
PRICES: dict[str, tuple[str, float | None]] = {
    "price_in": ("USD per million tokens in", 0),
    "price_cached": ("USD per million cached tokens in, which its provider has from an earlier question", None),
    "price_out": ("USD per million tokens out", 0),
}


class Command(BaseCommand):
    help = (
        "Lists language models with their breaker, minute window and today's spending; adds one; holds a breaker open"
        " or closes it; changes limits and what a model is asked with; asks one tiny question. All of it holds from the"
        " next call on, in every process."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="all models")
        listing.add_argument("--json", action="store_true", help="print JSON")
        self._add_adding(commands.add_parser("add", help="a model of your own, or another one of a provider"))
        for name, text in (("open", "let no call through, until `close`"), ("close", "let calls through again")):
            setting = commands.add_parser(name, help=text)
            setting.add_argument("name", metavar="NAME", help="the model")
        limits = commands.add_parser("limits", help="change what a model may be asked")
        limits.add_argument("name", metavar="NAME", help="the model")
        for limit, (read, metavar, text) in LIMITS.items():
            limits.add_argument(
                f"--{limit.replace('_', '-')}", dest=limit, type=read, metavar=metavar, help=text, default=NONE_GIVEN
            )
        probing = commands.add_parser(
            "probe", help="ask one tiny question with an image; exit code 1 where one does not answer"
        )
        probing.add_argument(
            "name", metavar="NAME", nargs="?", help="the model; all that are asked where it is left out"
        )

    def _add_adding(self, adding: ArgumentParser) -> None:
        adding.add_argument("name", metavar="NAME", help="as its server calls it")
        adding.add_argument("--provider", choices=Provider.values, default=OWN_MODEL["provider"], help="(%(default)s)")
        for price, (text, unsaid) in PRICES.items():
            option = f"--{price.replace('_', '-')}"
            default_text = "as all others" if unsaid is None else unsaid
            adding.add_argument(option, type=float, default=unsaid, metavar="USD", help=f"{text} ({default_text})")
        for figure, (read, metavar, text) in {**LIMITS, **SIZES}.items():
            default_text = f"{text} ({OWN_MODEL[figure]})" if figure in OWN_MODEL else text
            option = f"--{figure.replace('_', '-')}"
            adding.add_argument(option, dest=figure, type=read, metavar=metavar, help=default_text, default=NONE_GIVEN)
        adding.add_argument(
            "--temperature", type=float, metavar="X", help=f"({OWN_MODEL['temperature']})", default=NONE_GIVEN
        )
        adding.add_argument("--shadow-only", action="store_true", help="asked by shadows alone")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["what"] == "list":
                self._list(options["json"])
            elif options["what"] == "add":
                self._add(options)
            elif options["what"] == "limits":
                self._change(options["name"], {n: options[n] for n in LIMITS if options[n] is not NONE_GIVEN})
            elif options["what"] == "probe":
                self._probe([options["name"]] if options["name"] else _asked())
            else:
                self._set(options["name"], "open" if options["what"] == "open" else "closed")
        except LanguageModel.DoesNotExist:
            raise CommandError(f"There is no model {options['name']!r}.", returncode=2) from None

    def _list(self, as_json: bool) -> None:
        rows = {model.name: model for model in LanguageModel.objects.all()}
        models = [{**asdict(state), **_columns(rows.get(state.model))} for state in gate.states()]
        spent = money.spent(None, money.today())
        if as_json:
            self.stdout.write(
                json.dumps({"models": models, "today": asdict(spent)}, ensure_ascii=False, indent=2, default=str)
            )
            return
        for row in models:
            self.stdout.write(
                f"{row['model']:<24} {_state(row):<34} {row['requests']}/{row['qpm']} calls,"
                f" {row['tokens']}/{row['tpm']} tokens this minute"
            )
            if row["unusable"]:
                self.stdout.write(f"  {row['unusable_detail']}")
            if row["enabled"] and 0 < (row["days_left"] or 0) <= gate.ENDS_SOON_DAYS:
                self.stdout.write(f"  its provider takes it offline on {row['retires_on']}, in {row['days_left']} days")
        self.stdout.write(
            "Today: {:.2f} USD spent, {:.2f} reserved, of {:.2f}.".format(
                *(micro / money.MICRO for micro in (spent.settled_micro, spent.reserved_micro, spent.limit_micro))
            )
        )

    def _add(self, options: dict[str, Any]) -> None:
        figures = (*LIMITS, *SIZES, "temperature")
        chosen = {name: options[name] for name in figures if options[name] is not NONE_GIVEN}
        try:
            said = {price: options[price] for price in PRICES if options[price] is not None}
            prices = {f"{price}_micro": round(usd * money.MICRO) for price, usd in said.items()}
        except (OverflowError, ValueError):
            raise CommandError("model_fields: a price is a number of USD.", returncode=2) from None
        try:
            with translation.override("en"):
                columns = {**chosen, **prices, "provider": options["provider"], "shadow_only": options["shadow_only"]}
                row = add_model(options["name"], columns)
        except ProductError as error:
            with translation.override("en"):
                message = sentence(error.code, error.params)
            raise CommandError(f"{error.code}: {message}", returncode=2) from None
        needed = "" if is_ready(row.provider) else f", once a key is set: {SETTINGS[row.provider]}"
        self.stdout.write(f"{row.name} is asked{' by shadows alone' if row.shadow_only else ''}{needed}.")

    def _set(self, name: str, state: Literal["open", "closed"]) -> None:
        gate.set_state(name, state, f"command line: {getpass.getuser()}")
        self.stdout.write(f"{name} is {state}.")

    def _probe(self, names: list[str]) -> None:
        if not names:
            raise CommandError("No model is switched on and can be asked.")
        probes = []
        for name in names:
            probes.append(probe(name, f"command line: {getpass.getuser()}"))
            self.stdout.write(_probed(probes[-1]))
        if any(probed.code for probed in probes):
            raise CommandError("Not every model answers.", returncode=1)

    def _change(self, name: str, limits: dict[str, Any]) -> None:
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


def _asked() -> list[str]:
    """Also those that shadows alone ask."""
    return [model.name for model in LanguageModel.objects.in_service().order_by("name") if is_ready(model.provider)]


def _columns(model: LanguageModel | None) -> dict[str, Any]:
    """Of its row."""
    keys, ready = (len(key_for(model.provider)), is_ready(model.provider)) if model else (0, False)
    return {**{name: getattr(model, name, None) for name in SHOWN}, "keys": keys, "ready": ready}


def _probed(probed: Probed) -> str:
    if not probed.code:
        return f"{probed.model} answers: {probed.latency_ms / 1000:.1f} s, {probed.cost_micro / money.MICRO:.6f} USD"
    return f"{probed.model} does not answer: {probed.code}{f' ({probed.detail})' if probed.detail else ''}"


def _state(row: dict[str, Any]) -> str:
    if not row["enabled"]:
        return "disabled"
    if row["days_left"] is not None and row["days_left"] <= 0:
        return f"taken offline by its provider on {row['retires_on']}"
    if not row["ready"]:
        return f"{row['state']}, no key"
    if row["held_open"]:
        return f"open, by {row['set_by']}"
    if row["unusable"]:
        return f"unusable ({row['unusable']}), tried again in {row['probe_in_s']:.0f} s"
    return f"{row['state']}, trial in {row['trials_in_s']:.0f} s" if row["state"] == "open" else str(row["state"])
