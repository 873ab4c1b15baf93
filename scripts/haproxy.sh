#!/bin/sh
# Unpacks HAProxy beside the virtual environment, for the tests of several machines behind one address, where this
# machine has Debian's packages and none of its own. Nothing is installed, and nothing of it runs by itself.
set -u

into=${1:-.venv/haproxy}
command -v haproxy >/dev/null 2>&1 || [ -x /usr/sbin/haproxy ] && exit 0
[ -x "$into/usr/sbin/haproxy" ] && exit 0
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1; then
    folder=$(mktemp -d)
    (
        cd "$folder" || exit 1
        timeout 60 apt-get -q download haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1 >log 2>&1 </dev/null ||
            tail -n 2 log
        mkdir unpacked
        for package in *.deb; do
            [ -f "$package" ] && dpkg-deb -x "$package" unpacked
        done
    )
    if [ -x "$folder/unpacked/usr/sbin/haproxy" ]; then
        mkdir -p "$into" && cp -r "$folder/unpacked/usr" "$into/"
    fi
    rm -rf "$folder"
fi
[ -x "$into/usr/sbin/haproxy" ] || echo "Tests of several machines will be skipped: no HAProxy here, and none could be unpacked."
exit 0
