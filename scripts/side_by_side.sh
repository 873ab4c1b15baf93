#!/bin/sh
# Runs commands at once, each given as one argument; shows the last as it goes and the others when all have ended.
# Ends with 1 where one failed. An interruption ends all of them.
folder=$(mktemp -d) || exit 1
running=""
trap 'kill $running 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
while [ "$#" -gt 1 ]; do
    sh -c "$1" >"$folder/$#" 2>&1 &
    running="$running $!"
    shift
done
failed=0
sh -c "$1" || failed=1
for one in $running; do
    wait "$one" || failed=1
done
cat "$folder"/*
exit "$failed"
