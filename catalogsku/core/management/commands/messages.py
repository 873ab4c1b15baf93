"""`manage.py messages`: translations without gettext installed. English is the source, locale/ holds the others.

Plain: put what code and templates say into the .po files. --check: fail on anything not translated. --compile: .mo.
"""

import io
import os
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

_PLAIN, _PLURAL, _CONTEXT, _CONTEXT_PLURAL = None, (1, 2), ((1, "c"), 2), ((1, "c"), 2, 3)
_KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), _PLAIN),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _PLURAL),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _CONTEXT),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), _CONTEXT_PLURAL),
}
_SOURCE = "en"
_SOURCES = ("catalogsku", "ingestion", "processing", "annotation", "templates")
_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}")


class Command(BaseCommand):
    help = "Collects, checks or compiles the translated messages."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--check", action="store_true", help="fail where one is missing, unused or not translated")
        what.add_argument("--compile", action="store_true", help="write the .mo files that are older than their .po")

    def handle(self, *args: Any, **options: Any) -> None:
        files = catalogue_files()
        if options["compile"]:
            compiled = [compile_file(file) for file in files]
            self.stdout.write(f"{sum(compiled)} of {len(files)} compiled")
            return
        collected = collect(settings.BASE_DIR)
        if options["check"]:
            complaints = [f"{file}: {line}" for file in files for line in complain(collected, read(file))]
            if complaints:
                raise CommandError("\n".join(complaints) + "\nRun `make messages` and translate what is new.")
            self.stdout.write(f"{len(collected)} messages, complete in {len(files)} languages")
            return
        for file in files:
            self.stdout.write(f"{file}: {renew(file, collected)}")


def catalogue_files() -> list[Path]:
    """One .po for each offered language but the source's own."""
    root = Path(settings.LOCALE_PATHS[0])
    return [root / to_locale(code) / "LC_MESSAGES" / "django.po" for code, _ in settings.LANGUAGES if code != _SOURCE]


def collect(project: Path) -> Catalog:
    """Every message of code and templates, with the files that use it."""
    catalog = Catalog()
    for top in _SOURCES:
        for file in sorted((project / top).rglob("*")):
            if file.suffix in (".py", ".html", ".txt") and "migrations" not in file.parts:
                for function, texts in _texts(file):
                    _add(catalog, function, texts, str(file.relative_to(project)))
    return catalog


def _texts(file: Path) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    source = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        # In brackets line ends and indents mean nothing, so what is left of a template reads as Python.
        source = f"({templatize(source, origin=str(file))}\n)"
    for _, function, texts, _ in extract_python(io.BytesIO(source.encode()), _KEYWORDS, (), {"encoding": "utf-8"}):
        if function in _KEYWORDS:
            yield function, tuple(texts) if isinstance(texts, tuple | list) else (texts,)


def _add(catalog: Catalog, function: str, texts: tuple[str | None, ...], file: str) -> None:
    """Arguments that are no literals (``_(name)``) are not ours to collect."""
    context = texts[0] if function.startswith(("pgettext", "npgettext")) else None
    words = texts[1:] if context is not None else texts
    plural = "n" in function.split("gettext")[0]
    wanted = words[: 2 if plural else 1]
    if not all(wanted) or (plural and len(wanted) < 2):
        return
    identity = tuple(str(word) for word in wanted) if plural else str(wanted[0])
    catalog.add(identity, context=context, locations=[(file, None)])  # type: ignore[list-item]


def read(file: Path) -> Catalog:
    """The translations in ``file``; none where it does not exist yet."""
    if not file.exists():
        return Catalog(
            locale=file.parent.parent.name,
            project="CatalogSKU",
            header_comment="# Messages of CatalogSKU.",
            fuzzy=False,
        )
    with file.open("rb") as source:
        return read_po(source, locale=file.parent.parent.name)


def complain(collected: Catalog, translated: Catalog) -> Iterator[str]:
    """One line for each message that is missing, unused, unsure, empty, or whose placeholders differ."""
    keys = {_key(message) for message in collected if message.id}
    for message in collected:
        if message.id and translated.get(_first(message), message.context) is None:
            yield f"missing: {_first(message)!r} ({', '.join(str(place[0]) for place in message.locations)})"
    for message in translated:
        if not message.id:
            continue
        text = repr(_first(message))
        strings = message.string if isinstance(message.string, tuple | list) else (message.string,)
        words = [word or "" for word in strings]
        if _key(message) not in keys:
            yield f"unused: {text}"
        elif message.fuzzy:
            yield f"unsure (fuzzy): {text}"
        elif not all(words):
            yield f"not translated: {text}"
        elif any(_placeholders(word) != _placeholders(_last(message)) for word in words):
            yield f"other placeholders: {text}"
    for obsolete in translated.obsolete.values():
        yield f"obsolete: {_first(obsolete)!r}"


def renew(file: Path, collected: Catalog) -> str:
    """Add what is new, drop what is gone, keep what is translated. The file is untouched where nothing changed."""
    known = read(file)
    before = {_key(message) for message in known}
    known.update(collected, no_fuzzy_matching=True)
    had_obsolete = bool(known.obsolete)
    known.obsolete.clear()
    for message in known:
        message.locations = sorted({(place[0], None) for place in message.locations})  # type: ignore[misc]
    after = {_key(message) for message in known}
    text = io.BytesIO()
    write_po(text, known, width=110, include_lineno=False)
    if before != after or had_obsolete:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.getvalue())
    return f"{len(after - before)} new, {len(before - after)} gone"


def compile_file(file: Path) -> bool:
    """Write the .mo beside the .po in one step, where it is older or missing; whether it was."""
    compiled = file.with_suffix(".mo")
    if not file.exists() or (compiled.exists() and compiled.stat().st_mtime_ns >= file.stat().st_mtime_ns):
        return False
    part = compiled.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as target:
        write_mo(target, read(file))
    part.replace(compiled)
    return True


def _first(message: Message) -> str:
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


def _last(message: Message) -> str:
    return str(message.id[-1] if isinstance(message.id, tuple | list) else message.id)


def _key(message: Message) -> tuple[str | None, str]:
    return message.context, _first(message)


def _placeholders(text: str) -> list[str]:
    return sorted(_PLACEHOLDER.findall(text))
