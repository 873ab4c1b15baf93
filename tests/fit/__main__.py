"""``python -m tests.fit weights`` or ``folds DIR``, from the catalogues that the environment names."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import django

# Weight of a page of each set: real catalogues that nobody had seen say most of what the next one will be like. For the
# drawn styles and the first real documents the rules were written, so that these say too much good of them; but the
# manuals and reports among the latter are real. Styles held back are held back here too.
_REAL, _SMALL, _STYLES, _CORPUS = 1.0, 0.6, 0.2, 0.2
_GRAMMAR, _MANUALS = 0.1, 0.05
_SEED, _COUNT = 7, {"grammar": 440, "manuals": 70}
# Makers are left out in so many groups: what is fitted without a group is fitted without each of it.
_GROUPS = 8


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.fit")
    parser.add_argument("what", choices=("weights", "folds"))
    parser.add_argument("out", type=Path, nargs="?", help="folds: the folder they go to")
    parser.add_argument("--keep", type=Path, default=Path("var/fit"), help="folder of what was drawn and read before")
    asked = parser.parse_args()
    asked.keep = asked.keep.resolve()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
    django.setup()
    from processing.engine.understanding.records.score import WEIGHTS
    from processing.quality.services.fold_weights import weights_path
    from tests.fit.examples import examples, pages_of
    from tests.fit.fitting import Weighed, fit_weights, folds

    given = [
        Weighed(example, weight)
        for folder, weight, files in _sets(asked.keep)
        for example in examples(list(pages_of(folder, asked.keep / "read", files)))
    ]
    print(f"{len(given)} pages, {sum(len(one.example.options) for one in given)} proposals")
    if asked.what == "weights":
        WEIGHTS.parent.mkdir(exist_ok=True)
        WEIGHTS.write_bytes(fit_weights(given))
        return
    asked.out.mkdir(parents=True, exist_ok=True)
    makers = {one.example.maker for one in given if one.weight == _REAL}
    for left_out in folds(makers, _GROUPS):
        fitted = fit_weights([one for one in given if one.example.maker not in left_out])
        for maker in left_out:
            weights_path(asked.out, maker).write_bytes(fitted)
        print("without", *sorted(left_out), flush=True)


def _sets(keep: Path) -> Iterator[tuple[Path, float, Path | None]]:
    """Folders of truths, the weight of their pages, and where their PDFs are if not beside them."""
    strangers, golden = Path(os.environ["STRANGERS_DIR"]), Path(__file__).parents[1] / "golden"
    yield strangers / "real", _REAL, None
    yield golden / "public", _REAL, Path(os.environ["PUBLIC_CATALOGUES_DIR"])
    yield strangers / "small", _SMALL, None
    yield strangers / "bugs", _SMALL, None
    yield golden / "real", _CORPUS, Path(os.environ["CORPUS_DIR"])
    yield _drawn(keep / "grammar", "grammar"), _GRAMMAR, None
    yield _drawn(keep / "manuals", "manuals"), _MANUALS, None
    yield _drawn(keep / "styles", "styles"), _STYLES, None


def _drawn(folder: Path, what: str) -> Path:
    """Drawn once."""
    from tests.fit.grammar import catalogue, manual
    from tests.golden.styles import SEEN

    if not folder.is_dir():
        folder.mkdir(parents=True)
        if what == "styles":
            every = (style.draw() for style in SEEN)
        else:
            every = map(
                catalogue if what == "grammar" else manual, range(_SEED * 100_000, _SEED * 100_000 + _COUNT[what])
            )
        for drawn in every:
            drawn.save(folder)
    return folder


if __name__ == "__main__":
    main()
