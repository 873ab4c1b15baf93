#!/bin/sh
# Installs a browser and a Chinese font for the browser tests where this machine lets us; otherwise says so loudly.
set -u

has_browser() {
    for name in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && timeout 20 "$name" --version >/dev/null 2>&1 && return 0
    done
    return 1
}

has_chinese_font() {
    command -v fc-list >/dev/null 2>&1 && [ -n "$(fc-list :lang=zh-cn 2>/dev/null | head -n 1)" ]
}

has_browser && has_chinese_font && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium and a Chinese font for the browser tests (apt) ..."
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    # The shell does without windows, at half the processor time a page; not every release has it in a package of its own.
    for browser in chromium-headless-shell chromium; do
        { timeout 120 apt-get -q update &&
            timeout 400 apt-get -q install -y --no-install-recommends "$browser" fontconfig fonts-wqy-zenhei; } \
            >"$log" 2>&1 </dev/null && break
    done || tail -n 3 "$log"
    rm -f "$log"
fi
has_browser || cat <<'TEXT'
************************************************************************************
*  BROWSER TESTS WILL BE SKIPPED: no Chromium here, and none could be installed.    *
*  As root on Debian: apt install chromium-headless-shell fonts-wqy-zenhei,         *
*  or chromium; else set CHROMIUM.                                                  *
************************************************************************************
TEXT
has_browser && ! has_chinese_font && echo "No Chinese font: browser pictures of Chinese pages show boxes."
exit 0
