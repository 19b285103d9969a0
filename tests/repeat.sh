#!/bin/sh
# The same input gives the same bytes: checks programs 100 times each, in turn on one core and on all, also two at once,
# and compares what is printed. Usage: tests/repeat.sh BINARY [PROGRAM...]
set -eu
cd "$(dirname "$0")/.."
binary=${1:-target/release/tsvd-check}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- corpus/deadlock/order_two/bug.rs corpus/race/unsafe_sync/bug.rs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

check() { # how, program, output
    status=0
    $1 "$binary" check --no-cache "$2" >"$3" 2>&1 || status=$?
    echo "status $status" >>"$3"
}

for program; do
    check "" "$program" "$work/first"
    i=0
    while [ $i -lt 50 ]; do
        check "taskset -c 0" "$program" "$work/one" &
        check "" "$program" "$work/all"
        wait $!
        cmp "$work/first" "$work/one"
        cmp "$work/first" "$work/all"
        i=$((i + 1))
    done
    echo "$program: 100 times the same"
done
