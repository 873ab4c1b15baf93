"""Leave one maker out: each maker's catalogues are judged with weights that were fitted without any of them."""

import zlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from catalogsku.core.text import safe_file_name
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.records.propose import ALL_PROPOSERS
from processing.engine.understanding.records.score import forests

FITTED_BY = "python -m tests.fit folds"


def weights_path(folder: Path, maker: str) -> Path:
    """Where the weights lie that were fitted without this maker."""
    return folder / f"without-{safe_file_name(maker)}.bin"


def config_for(folder: Path, maker: str, config: AnalystConfig) -> AnalystConfig:
    """What the analyst is given for this maker's catalogues: all proposers, and these weights. Raises ValueError where
    its weights cannot be used."""
    return msgspec.structs.replace(config, proposers=ALL_PROPOSERS, weights=_weights(weights_path(folder, maker)))


def check_folds(folder: Path, makers: Iterable[str]) -> None:
    """Before the first page is read. Raises ValueError with every maker that has no weights of its own."""
    paths = {maker: weights_path(folder, maker) for maker in makers}
    if missing := [maker for maker, path in paths.items() if not path.is_file()]:
        raise ValueError(f"{folder} has no weights without {', '.join(missing)}: write them with `{FITTED_BY}`.")
    for path in paths.values():
        _weights(path)


def _weights(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        forests(data or b"\0")  # none would mean those that ship
    except (OSError, ValueError, zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(f"{path} has no weights: {error}") from error
    return data
