#!/bin/sh
# Makes .venv and installs a locked set: scripts/bootstrap.sh base|dev|ocr-paddle
# Needs a Python 3.11 or 3.12 and a package registry, nothing else. Every failure is a sentence.
set -eu
cd "$(dirname "$0")/.."
unset VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONSTARTUP PIP_USER PIP_TARGET PIP_PREFIX PIP_REQUIRE_VIRTUALENV

set_name=$1
venv=.venv
needed_mb=1500
log=$(mktemp) || { echo "make: /tmp cannot be written: is the disk full?" >&2; exit 1; }
trap 'rm -f "$log"' EXIT

die() {
    printf '\n%s\n' "make: $*" >&2
    exit 1
}

fits='import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 12)))'

find_python() {
    for candidate in ${PYTHON:-} python3.12 python3.11 python3 python; do
        if "$candidate" -I -c "$fits" >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    found=$(python3 -I -c 'import platform; print("Python", platform.python_version())' 2>/dev/null || echo "no Python")
    die "Python 3.11 or 3.12 is needed, and $found was found. Install python3.11 (Debian 12: apt install python3 python3-venv," \
        "Ubuntu 24.04: the same), or name one: make PYTHON=/path/to/python3.12"
}

check_machine() {
    [ "$(uname -s)" = Linux ] && [ "$(uname -m)" = x86_64 ] && ! ldd --version 2>&1 | grep -qi musl ||
        die "The locked packages are for Linux on x86-64 with glibc (Debian, Ubuntu, Fedora ...); this is $(uname -sm)."
}

check_space() {
    free_mb=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024) }')
    [ "${free_mb:-$needed_mb}" -ge "$needed_mb" ] ||
        die "The disk is nearly full: ${free_mb} MB are free here, about ${needed_mb} MB are needed."
}

venv_is_sound() {
    "$venv/bin/python" -I -c "import pip; $fits" >/dev/null 2>&1 || return 1
    # The programs in a folder that was moved still name the old place.
    [ ! -e "$venv/.place" ] || [ "$(cat "$venv/.place")" = "$(pwd -P)" ]
}

explain_failure() {
    if grep -qi "No space left on device\|Disk quota exceeded" "$log"; then
        die "The disk is full. Free about ${needed_mb} MB and run it again."
    elif grep -qi "read-only file system\|permission denied" "$log"; then
        die "This folder cannot be written by $(id -un): $(grep -i 'read-only\|permission denied' "$log" | tail -n 1)"
    elif grep -qi "DO NOT MATCH THE HASHES" "$log"; then
        die "The registry gave a file that differs from the locked one: $(grep -i '==' "$log" | tail -n 1). Nothing of it was installed."
    elif grep -qi "connection\|resolution\|timed out\|retries exceeded\|No matching distribution\|Could not find a version\|SSLError\|HTTP error\|403\|404\|50[0-9]" "$log"; then
        die "The package registry ($("$venv/bin/python" -m pip config get global.index-url 2>/dev/null || echo "${PIP_INDEX_URL:-https://pypi.org/simple}"))" \
            "did not give what is needed: $(grep -i 'error' "$log" | tail -n 1). Check the network or set PIP_INDEX_URL."
    fi
    tail -n 15 "$log" >&2
    die "Installing failed; the last lines are above."
}

make_venv() {
    check_machine
    check_space
    rm -rf "$venv"
    printf 'Making %s with %s ...\n' "$venv" "$python"
    "$python" -I -m venv "$venv" >"$log" 2>&1 && return
    if grep -qi "ensurepip\|python3.*-venv" "$log"; then
        rm -rf "$venv"
        if command -v virtualenv >/dev/null 2>&1 && virtualenv -q -p "$python" "$venv" >"$log" 2>&1; then return; fi
        rm -rf "$venv"
        if "$python" -I -m virtualenv -q "$venv" >"$log" 2>&1; then return; fi
        version=$("$python" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        die "$python cannot make virtual environments. Install the package python$version-venv (apt install python$version-venv)."
    fi
    explain_failure
}

# Packages that bring cv2 write over each other, so this set replaces what another one has installed of it. It is
# complete without some that others in it ask for, which pip must not fetch.
make_room() {
    "$venv/bin/python" -m pip uninstall --quiet --disable-pip-version-check --yes opencv-python opencv-python-headless \
        >"$log" 2>&1 || explain_failure
}

# The developers' set has uv in it, which fetches many packages at the same time: 20 seconds for pip's 140. It knows nothing of
# the registries that pip is told of, so there, and where it fails, pip does it.
install_at_once() {
    [ "$set_name" = dev ] && [ -z "${PIP_INDEX_URL:-}" ] && ! "$venv/bin/python" -m pip config get global.index-url || return 1
    sed -n '/^uv==/,/[^\\]$/p' requirements/dev.txt >"$venv/uv.txt"
    "$venv/bin/python" -m pip install --quiet --no-input --retries 2 --timeout 20 --require-hashes -r "$venv/uv.txt" &&
        "$venv/bin/uv" pip install --quiet --system-certs --python "$venv/bin/python" --only-binary :all: --require-hashes \
            -r requirements/dev.txt
}

install() {
    whole=
    [ "$set_name" != ocr-paddle ] || { make_room; whole=--no-deps; }
    printf 'Installing %s packages into %s (the first time takes about a minute) ...\n' "$(grep -c == "requirements/$set_name.txt")" "$venv"
    ! install_at_once >"$log" 2>&1 || return 0
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-warn-script-location \
        --retries 2 --timeout 20 --only-binary :all: $whole --require-hashes -r "requirements/$set_name.txt" >"$log" 2>&1 ||
        explain_failure
}

stamp() {
    sha256sum <"requirements/$1.txt"
}

python=
[ -x "$venv/bin/python" ] && venv_is_sound || {
    python=$(find_python)
    make_venv
    pwd -P >"$venv/.place"
}
if [ -e "$venv/.installed-ocr-paddle" ]; then
    [ "$set_name" != dev ] || die "This .venv has PaddleOCR and its cv2, beside which the checks do not run: make clean, then make dev."
    set_name=ocr-paddle  # which contains base
fi
if [ "$(cat "$venv/.installed-$set_name" 2>/dev/null)" != "$(stamp "$set_name")" ]; then
    install
    stamp "$set_name" >"$venv/.installed-$set_name"
    [ "$set_name" = base ] || stamp base >"$venv/.installed-base"  # the other sets contain it
fi
