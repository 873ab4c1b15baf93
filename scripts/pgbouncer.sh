#!/bin/sh
# Unpacks PgBouncer beside the virtual environment, for the tests of connections that go through a pooler, where this
# machine has Debian's packages and none of its own. Nothing is installed, and nothing of it runs by itself.
set -u

into=${1:-.venv/pgbouncer}
command -v pgbouncer >/dev/null 2>&1 || [ -x /usr/sbin/pgbouncer ] && exit 0
[ -x "$into/usr/sbin/pgbouncer" ] && exit 0
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1; then
    folder=$(mktemp -d)
    (
        cd "$folder" || exit 1
        timeout 60 apt-get -q download pgbouncer libc-ares2 libevent-2.1-7 >log 2>&1 </dev/null || tail -n 2 log
        mkdir unpacked
        for package in *.deb; do
            [ -f "$package" ] && dpkg-deb -x "$package" unpacked
        done
    )
    if [ -x "$folder/unpacked/usr/sbin/pgbouncer" ]; then
        mkdir -p "$into" && cp -r "$folder/unpacked/usr" "$into/"
    fi
    rm -rf "$folder"
fi
[ -x "$into/usr/sbin/pgbouncer" ] || echo "Tests of a pooler will be skipped: no PgBouncer here, and none could be unpacked."
exit 0
