"""Files that this user alone may read: how they are made, and how what is otherwise becomes so.

The root comes first: closed, it keeps others from everything below it. The rest follows in turns of bounded length; a
folder is closed after all it holds, so that one found closed needs no second look, and a million files cost the next
turn nothing.
"""

import logging
import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

FOLDER, FILE = 0o700, 0o600
_OF_OTHERS = 0o077


def make_folder(folder: str | os.PathLike[str]) -> None:
    """And those above it that are missing, all of them closed to others. Raises OSError, also of places like /proc that
    say of a new folder that it is not there."""
    with suppress(FileExistsError):
        try:
            os.mkdir(folder, FOLDER)
        except FileNotFoundError:
            above = os.path.dirname(os.path.abspath(folder))
            if not os.path.isdir(above):
                make_folder(above)
            os.mkdir(folder, FOLDER)


def make_file(path: Path) -> None:
    """Empty, and new."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def close_to_others(folders: Iterable[Path]) -> None:
    """These themselves, whatever is in them; one that belongs to somebody else is left, and told."""
    for folder in folders:
        try:
            if is_open(folder):
                folder.chmod(FOLDER)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("folder not closed to others", extra={"folder": str(folder), "error": repr(error)})


def is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & _OF_OTHERS)


def close_all(root: Path, within_s: float) -> dict[str, int]:
    """One turn: how many files and folders were closed, and whether some are left for the next."""
    turn = _Turn(time.monotonic() + within_s)
    left = not turn.close_below(root)
    return {"files": turn.files, "folders": turn.folders, "left": int(left)}


class _Turn:
    def __init__(self, until_s: float) -> None:
        self._until_s = until_s
        self.files = self.folders = 0

    def close_below(self, folder: str | os.PathLike[str]) -> bool:
        """All it holds, not itself; False where time was over before. What goes away meanwhile is no matter."""
        folders = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if time.monotonic() > self._until_s:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry)
                    elif entry.is_file(follow_symlinks=False):
                        self.files += _closed(entry, FILE)
        except OSError as error:
            log.warning("folder not looked through", extra={"folder": str(folder), "error": repr(error)})
            return True
        done = [self._close(entry) for entry in folders]  # each, also where time is over for the one before
        return all(done)

    def _close(self, entry: "os.DirEntry[str]") -> bool:
        try:
            if not stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode) & _OF_OTHERS:
                return True
        except FileNotFoundError:
            return True
        if not self.close_below(entry.path):
            return False
        self.folders += _closed(entry, FOLDER)
        return True


def _closed(entry: "os.DirEntry[str]", mode: int) -> int:
    try:
        if stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode) & _OF_OTHERS:
            os.chmod(entry.path, mode)
            return 1
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("not closed to others", extra={"path": entry.path, "error": repr(error)})
    return 0
