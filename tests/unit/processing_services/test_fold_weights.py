"""Weights that were fitted without one maker: where they lie, and what is said where they do not."""

from pathlib import Path

import pytest

from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.records.score import WEIGHTS
from processing.quality.services.fold_weights import check_folds, config_for, weights_path

pytestmark = pytest.mark.req("TA-T49")


def test_each_maker_has_a_file_of_its_own(tmp_path: Path) -> None:
    assert weights_path(tmp_path, "lumo_lamps") == tmp_path / "without-lumo_lamps.bin"
    assert weights_path(tmp_path, "../../etc/passwd").parent == tmp_path


def test_names_every_maker_without_weights_and_what_writes_them(tmp_path: Path) -> None:
    (tmp_path / "without-lumo.bin").write_bytes(WEIGHTS.read_bytes())
    check_folds(tmp_path, ["lumo", "lumo"])
    with pytest.raises(
        ValueError, match=r"no weights without kanda, oak: write them with `python -m tests\.fit folds`"
    ):
        check_folds(tmp_path, ["lumo", "kanda", "kanda", "oak"])


def test_the_analyst_is_given_the_weights_without_the_maker(tmp_path: Path) -> None:
    path = weights_path(tmp_path, "lumo")
    path.write_bytes(WEIGHTS.read_bytes())
    assert config_for(tmp_path, "lumo", AnalystConfig()).weights == path.read_bytes()


@pytest.mark.parametrize("content", [b"", b"[]", b"\x92\xc4\x01x\xc4\x01y", WEIGHTS.read_bytes()[:-100]])
def test_what_is_no_pair_of_forests_is_no_weights(tmp_path: Path, content: bytes) -> None:
    weights_path(tmp_path, "lumo").write_bytes(content)
    with pytest.raises(ValueError, match="without-lumo"):
        check_folds(tmp_path, ["lumo"])
    with pytest.raises(ValueError, match="without-lumo"):
        config_for(tmp_path, "lumo", AnalystConfig())
    with pytest.raises(ValueError, match="without-kanda"):
        config_for(tmp_path, "kanda", AnalystConfig())
