"""The templates that the product ships, as files beside the code: whoever migrates a database brings it up to them."""

import logging
from pathlib import Path

from processing.studies import files
from processing.studies.services.templates import add_shipped

FOLDER = Path(__file__).parents[1] / "shipped"

log = logging.getLogger(__name__)


def load_shipped() -> list[str]:
    """Names of the versions that were added: what a file of this release asks otherwise than the newest version. Run
    again it adds none."""
    added = []
    for path in sorted(FOLDER.glob("*.json")):
        file, definition = files.read(path.read_bytes())
        if (version := add_shipped(file.key, file.name, file.name_zh, definition)) is not None:
            added.append(str(version))
            log.info("template shipped", extra={"template": str(version)})
    return added
