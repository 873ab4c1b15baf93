"""A copy of a file without scripts, actions and attachments: made in the sandbox, kept beside the original."""

from pathlib import Path

from catalogsku.core import storage
from catalogsku.core.sandbox import Outcome
from ingestion.models import Job
from ingestion.services.steps import Copy
from processing.engine.inspection import CLEANING, COPY
from processing.pages.services.reading import password_of
from processing.sandboxed import sandboxes
from processing.sandboxed.metered import Metered


def make_copy(job: Job, metered: Metered, source: Path, folder: Path) -> tuple[Outcome, Path | None]:
    """How the child ended, and the copy in ``folder`` where it has made one: no more trusted than the original."""
    request = {"path": str(source), "out": str(folder), "password": password_of(job)}
    limits = sandboxes.COPYING
    outcome = metered.run(CLEANING, request, [1], folder, [source], limits, turn_s=limits.wall_s)
    path = folder / COPY
    return outcome, path if outcome.ok and sandboxes.is_own_file(path) else None


def keep_copy(job: Job, path: Path) -> Copy:
    """Store it in the original's folder, named by its own content."""
    sha256 = storage.sha256_of(path)
    key = f"{storage.file_prefix(job.merchant_id, job.file_sha256)}/copy-{sha256[:16]}.pdf"
    storage.link_file(key, path)
    return Copy(key, sha256)
