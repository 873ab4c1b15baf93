#!/bin/sh
# Unpacks promtool of Debian's package prometheus (Apache-2.0) beside the Python of the tests, which try the alert rules
# with it. Nothing is installed and no service started; where it cannot be had, that test is skipped.
set -u

folder=${1:-.venv/bin}
{ command -v promtool || [ -x "$folder/promtool" ]; } >/dev/null 2>&1 && exit 0
command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || exit 0
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT

fetch() {
    (cd "$aside" && timeout 60 apt-get -q download prometheus) >"$aside/log" 2>&1 </dev/null
}

fetch || { [ "$(id -u)" = 0 ] && timeout 60 apt-get -q update >/dev/null 2>&1 </dev/null && fetch; } ||
    { tail -n 1 "$aside/log"; exit 0; }
dpkg-deb -x "$aside"/prometheus_*.deb "$aside/all" && "$aside/all/usr/bin/promtool" --version >/dev/null 2>&1 &&
    mv "$aside/all/usr/bin/promtool" "$folder/promtool" && echo "promtool is in $folder."
exit 0
