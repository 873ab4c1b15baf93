#!/bin/sh
# scripts/unpack.sh PROGRAM [PACKAGE ...]: unpacks a server of Debian's, with packages it needs, beside the virtual environment,
# for the tests that have one in between, where this machine has none of its own. Nothing is installed, and nothing of it
# runs by itself. Where it cannot be had, those tests are skipped.
set -u

program=$1
into=.venv/$program
command -v "$program" >/dev/null 2>&1 || [ -x "/usr/sbin/$program" ] || [ -x "$into/usr/sbin/$program" ] && exit 0
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1; then
    folder=$(mktemp -d)
    (
        cd "$folder" || exit 1
        timeout 60 apt-get -q download "$@" >log 2>&1 </dev/null || tail -n 2 log
        mkdir unpacked
        for package in *.deb; do
            [ -f "$package" ] && dpkg-deb -x "$package" unpacked
        done
    )
    if [ -x "$folder/unpacked/usr/sbin/$program" ]; then
        mkdir -p "$into" && cp -r "$folder/unpacked/usr" "$into/"
    fi
    rm -rf "$folder"
fi
[ -x "$into/usr/sbin/$program" ] || echo "Tests with $program will be skipped: there is none here, and none could be unpacked."
exit 0
