"""Images without an engine: a Containerfile's lines carried out in root file systems of mmdebstrap, and containers as
compose.yaml has them, by namespaces of this kernel. Needs root, mmdebstrap, and a network while it builds.

For the image that the Containerfile builds on stands Debian with its own Python. What else of an engine is missing: its
filter of system calls, its limits, and the network between containers.
"""

import fnmatch
import json
import os
import re
import shlex
import shutil
import string
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

RELEASE = "bookworm"
# What the official image of Python has beside Debian's smallest set, in its own way or as these packages.
OF_BASE = ("ca-certificates", "netbase", "tzdata", "python3", "python3-venv")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What a builder gives its steps of this machine and leaves out of the image: registries, proxies, and who is trusted.
OF_BUILDER = ("http_proxy", "https_proxy", "no_proxy", "PIP_INDEX_URL", "PIP_CERT")
LENT = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt")
# Words of a Containerfile that only an engine heeds.
OF_ENGINE = {"ARG", "EXPOSE", "STOPSIGNAL"}
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


@dataclass
class Image:
    root: Path
    workdir: str = "/"
    user: str = "0:0"
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    command: list[str] = field(default_factory=list)

    def place(self, name: str) -> Path:
        return self.root / os.path.join(self.workdir, name).lstrip("/")

    def made(self, name: str) -> Path:
        self.place(name).mkdir(parents=True, exist_ok=True)
        return self.place(name)


def instructions(containerfile: Path) -> Iterator[tuple[str, str]]:
    """Each word with what follows it, over the ends of lines and without comments."""
    lines = [line for line in containerfile.read_text().splitlines() if line and not line.startswith("#")]
    for line in re.sub(r"\s*\\\n\s*", " ", "\n".join(lines)).splitlines():
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


def build(containerfile: Path, context: Path, folder: Path) -> Image:
    """The last stage, in ``folder``/last. KeyError: a word that is not known; RuntimeError: a RUN that failed."""
    building = _Building(context, folder, unignored(containerfile, context))
    for word, rest in instructions(containerfile):
        if word not in OF_ENGINE:
            WORDS[word](building, rest)
    return building.image


@dataclass
class _Building:
    context: Path
    folder: Path
    files: Sequence[str]
    stages: dict[str, Image] = field(default_factory=dict)

    @property
    def image(self) -> Image:
        return list(self.stages.values())[-1]

    def begin(self, rest: str) -> None:
        name = rest.partition(" AS ")[2] or "last"
        base, root = self.folder / "debian", self.folder / name
        if not base.exists():
            _make_debian(base)
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", base, root], check=True)
        self.stages[name] = Image(root)

    def enter(self, rest: str) -> None:
        self.image.workdir = rest
        self.image.made(".")

    def run(self, script: str) -> None:
        root, step = self.image.root, f"cd {self.image.workdir} && {script}"
        lines = [f"touch {root}{file} && mount --bind {file} {root}{file}" for file in LENT]
        lines += [f"mount -t proc proc {root}/proc", f"exec chroot {root} /bin/sh -c {shlex.quote(step)}"]
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "sh", "-c", " && ".join(lines)],
            env=self.image.environment | {name: os.environ[name] for name in OF_BUILDER if name in os.environ},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"{script[:80]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

    def copy(self, rest: str) -> None:
        stage = ""
        if rest.startswith("--from="):
            stage, _, rest = rest.removeprefix("--from=").partition(" ")
        *names, place = shlex.split(rest)
        target = self.image.made(place)
        for name in names:
            if stage:
                subprocess.run(["cp", "-a", f"{self.stages[stage].place(name)}/.", target], check=True)
            else:
                self._copy_files(name, target)

    def _copy_files(self, name: str, target: Path) -> None:
        for path in self.files:
            if name == "." or path == name or path.startswith(f"{name}/"):
                inner = os.path.basename(path) if path == name else os.path.relpath(path, name)
                (target / inner).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.context / path, target / inner)

    def set(self, rest: str) -> None:
        known = dict(self.image.environment)
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            self.image.environment[name] = string.Template(value).safe_substitute(known)

    def become(self, rest: str) -> None:
        self.image.user = rest

    def command(self, rest: str) -> None:
        self.image.command = json.loads(rest)


WORDS = {
    "FROM": _Building.begin,
    "WORKDIR": _Building.enter,
    "RUN": _Building.run,
    "COPY": _Building.copy,
    "ENV": _Building.set,
    "USER": _Building.become,
    "CMD": _Building.command,
}


def _make_debian(root: Path) -> None:
    packages = f"--include={','.join(OF_BASE)}"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", packages, RELEASE, root], check=True)
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")


def unignored(containerfile: Path, context: Path) -> list[str]:
    """The files that the builder sends: the last line of the .dockerignore that fits a path, or a folder above it, says
    whether it goes."""
    rules = [line for line in Path(f"{containerfile}.dockerignore").read_text().splitlines() if line]

    def goes(path: str) -> bool:
        parts = path.split("/")
        above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        fits = [rule for rule in rules if any(_fits(place, rule.lstrip("!")) for place in above)]
        return not fits or fits[-1].startswith("!")

    found = []
    for folder, folders, files in os.walk(context):
        at = os.path.relpath(folder, context)
        folders[:] = [name for name in folders if at != "." or goes(name)]
        found += [path for name in files if goes(path := os.path.normpath(os.path.join(at, name)))]
    return found


def _fits(path: str, pattern: str) -> bool:
    if pattern.startswith("**/"):
        return fnmatch.fnmatch(path.rpartition("/")[2], pattern[3:])
    return path.count("/") == pattern.count("/") and fnmatch.fnmatch(path, pattern)


def contained(
    image: Image, name: str, command: Sequence[str], environment: Mapping[str, str], volumes: Mapping[str, Path]
) -> list[str]:
    """The program that runs ``command`` (the image's own where empty) in a container of that name: a root that is only
    read, no capabilities, processes and a network of its own. ``volumes``: folders here by their places in there."""
    root, (user, group) = image.root, image.user.split(":")
    lines = [f"hostname {name}", "ip link set lo up"]
    lines += [f"mount --bind {root} {root}", f"mount -o remount,bind,ro {root}", f"mount -t proc proc {root}/proc"]
    lines += [f"mount -t tmpfs -o mode=1777 tmpfs {root}/tmp", f"mount -t tmpfs -o mode=755 tmpfs {root}/dev"]
    for device in DEVICES:
        lines += [f"touch {root}/dev/{device}", f"mount --bind /dev/{device} {root}/dev/{device}"]
    lines += [f"ln -s /proc/self/fd {root}/dev/fd", f"mkdir {root}/dev/shm"]
    lines += [f"mount -t tmpfs -o mode=1777,size=64m tmpfs {root}/dev/shm"]
    lines += [f"mount --bind {shlex.quote(str(here))} {root}{there}" for there, here in volumes.items()]
    variables = [f"{name}={value}" for name, value in {**image.environment, **environment}.items()]
    inside = ["chroot", str(root), "env", "-i", *variables, "setpriv", f"--reuid={user}", f"--regid={group}"]
    inside += ["--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    inside += ["env", f"--chdir={image.workdir}", *(command or image.command)]
    lines.append(f"exec {shlex.join(inside)}")
    spaces = ["--mount", "--pid", "--uts", "--ipc", "--net"]
    return ["unshare", *spaces, "--fork", "--kill-child", "sh", "-c", " && ".join(lines)]
