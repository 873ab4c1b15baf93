#!/usr/bin/env python3
"""Engines of OCR beside each other: characters right, seconds of a core a page, memory (docs/adr/0022).

    python scripts/compare_ocr.py rapidocr paddleocr:FOLDER rapidocr+paddleocr:FOLDER [--pdf FILE:PAGE ...]

Pages are drawn with known text, clean and as a scanner gives them; a page of a PDF is shown as a scan and compared with
its text layer, or told by its lines and their mean score where it has none. Each engine has a process of its own.
"""

import argparse
import io
import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from processing.engine.reading.ocr import recognise
from processing.engine.reading.ocr_engines import load
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.rendering import draw, within_side
from processing.engine.reading.settings import OcrChoice, ReadingSettings

FONT = "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc"
HAN = (
    "不锈钢合页表面处理电镀型号规格材质颜色包装数量价格办公椅带扶手"
    "可调节升降高度最大承重公斤适用于会议室接待区产品编号保修年"
)
WORDS = (
    *("office", "chair", "with", "arms", "stainless", "steel", "hinge", "surface", "finish", "colour", "pack"),
    *("weight", "model", "size", "for", "use", "in", "meeting", "rooms"),
)
SETTINGS = ReadingSettings()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="+", metavar="ENGINE[+SECOND][:FOLDER]")
    parser.add_argument("--pdf", action="append", default=[], metavar="FILE:PAGE")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        print(json.dumps(measured(asked.engines[0], asked.pdf)))
        return
    for engine in asked.engines:
        pdfs = [f"--pdf={name}" for name in asked.pdf]
        run = [sys.executable, __file__, "--alone", engine, *pdfs]
        done = subprocess.run(run, check=True, stdout=subprocess.PIPE)
        print(
            json.dumps({"engine": engine, **json.loads(done.stdout.splitlines()[-1])}, ensure_ascii=False), flush=True
        )


def measured(named: str, pdfs: list[str]) -> dict[str, Any]:
    engines, _, folder = named.partition(":")
    first, _, second = engines.partition("+")
    choice = OcrChoice(first, second, models=folder)
    began = time.perf_counter()
    load(choice)
    loaded_s, loaded = time.perf_counter() - began, peak_mb()
    pages = {}
    for name, image, truth in [*drawn_pages(), *pdf_pages(pdfs)]:
        began = time.process_time()
        recognition = recognise(image, SETTINGS.ocr_turn_below, choice)
        spent = time.process_time() - began
        text = "".join("".join(line.text.split()) for line in recognition.lines)
        pages[name] = {
            "cpu_s": round(spent, 2),
            "lines": len(recognition.lines),
            "mean_score": round(recognition.mean_score, 4),
            "right": round(share_right(text, truth), 4) if truth else None,
        }
    return {"load_s": round(loaded_s, 1), "loaded_mb": loaded, "peak_mb": peak_mb(), "pages": pages}


def peak_mb() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def share_right(text: str, truth: str) -> float:
    """Of the characters on both sides those that have their like on the other, in whatever order they were read."""
    wanted, got = Counter("".join(truth.split())), Counter(text)
    return 2 * (wanted & got).total() / max(1, wanted.total() + got.total())


def drawn_pages() -> Iterator[tuple[str, Image.Image, str]]:
    """Of A4 at 200 dpi, 11 point, 26 lines: Chinese, English, and codes with figures."""
    chance, font = random.Random(7), ImageFont.truetype(FONT, 31)
    lines = {
        "chinese": ["".join(chance.choices(HAN, k=34)) for _ in range(26)],
        "english": [" ".join(chance.choices(WORDS, k=11)) for _ in range(26)],
        "figures": ["  ".join(code(chance) for _ in range(5)) for _ in range(26)],
    }
    for name, texts in lines.items():
        page = Image.new("RGB", (1654, 2339), "white")
        pen = ImageDraw.Draw(page)
        for n, text in enumerate(texts):
            pen.text((150, 150 + 80 * n), text, fill="black", font=font)
        yield name, page, "".join(texts)
        yield f"{name}, scanned", scanned(page), "".join(texts)


def code(chance: random.Random) -> str:
    letters = "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=2))
    return f"{letters}-{chance.randint(1000, 9999)} {chance.randint(1, 99)}.{chance.randint(10, 99)}"


def scanned(page: Image.Image) -> Image.Image:
    """Half a degree askew, soft, with noise, and through a JPEG of middling quality."""
    askew = page.rotate(0.5, Image.Resampling.BILINEAR, fillcolor="white").filter(ImageFilter.GaussianBlur(1.0))
    noise = np.random.default_rng(7).normal(0, 12, np.asarray(askew).shape)
    noisy = Image.fromarray(np.clip(np.asarray(askew) + noise, 0, 255).astype(np.uint8))
    held = io.BytesIO()
    noisy.save(held, "JPEG", quality=60)
    return Image.open(held).convert("RGB")


def pdf_pages(named: list[str]) -> Iterator[tuple[str, Image.Image, str]]:
    for place in named:
        file, _, number = place.rpartition(":")
        with OpenFile(Path(file), SETTINGS.readers) as documents:
            size = documents[0].size(int(number))
            scale = within_side(size, SETTINGS.ocr_dpi / 72, SETTINGS.ocr_max_side_px)
            image = draw(documents, int(number), scale, SETTINGS.max_render_px)
            truth = "".join(word.text for word in documents[0].words(int(number)) if not word.invisible)
        if image is not None:
            yield f"{Path(file).stem} {number}", scanned(image) if truth else image, truth


if __name__ == "__main__":
    main()
