#!/bin/sh
# Part of `make check`: unit tests of static/js, which need Node alone, then eslint and the types by tsc, which npm installs here.
# Without Node, npm or a registry that step is skipped with a sentence; BROWSER_CODE=required makes that a failure.
set -u
cd "$(dirname "$0")/../.." || exit 1
here=scripts/js
installed=$here/node_modules/.installed
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

skip() {
    echo "browser code: $*"
    [ "${BROWSER_CODE:-}" != required ]
    exit
}

# From 20.19 on, Node tells by itself that a file is a module, and eslint runs.
fits='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
node -e "$fits" 2>/dev/null || skip "skipped, for no Node of 20.19 or later is here."
node --test --test-reporter=dot tests/browser/test_*.mjs >"$log" 2>&1 || {
    node --test --test-reporter=spec tests/browser/test_*.mjs
    echo "browser code: its unit tests fail; alone they are run by: node --test tests/browser/test_*.mjs"
    exit 1
}

locked=$(cksum "$here/package-lock.json")
if [ "$(cat "$installed" 2>/dev/null)" != "$locked" ]; then
    command -v npm >/dev/null 2>&1 || skip "unit tests pass; eslint and tsc are skipped, for no npm is here."
    if npm ci --prefix "$here" --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=20000 >"$log" 2>&1 </dev/null; then
        echo "$locked" >"$installed"
    elif grep -Eq 'E(NOTFOUND|CONN|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH)|E[45][0-9][0-9]|network|socket|certificate|ENOTCACHED' "$log"; then
        skip "unit tests pass; eslint and tsc are skipped, for the npm registry did not give them: $(grep -m 1 'npm error' "$log")"
    else
        cat "$log"
        exit 1
    fi
fi
failed=0
node $here/node_modules/eslint/bin/eslint.js --config $here/eslint.config.js --max-warnings 0 static/js tests/browser || failed=1
$here/node_modules/.bin/tsc -p $here/tsconfig.json || failed=1
[ $failed = 0 ] && echo "browser code: unit tests, eslint and types pass."
exit $failed
