#!/usr/bin/env bash
# What `check` says of published packages, as they come from crates.io with all that they need, and of a service of our own (a
# folder instead of a name and version); nothing of them is built. Prints
# a Markdown table: entries and schedules, sites reached, findings, seconds of the processor, peak memory, the most frequent
# causes of unknown values. Needs the network, and /usr/bin/time of GNU.
# Usage: benches/packages.sh BINARY [NAME@VERSION|FOLDER...]
set -euo pipefail
binary=$(realpath "${1:-target/release/tsvd-check}")
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ripgrep@14.1.1 fd-find@10.5.0 hyperfine@1.20.0 tokei@12.1.2 bat@0.25.0 crossbeam-channel@0.5.17 \
    crossbeam-deque@0.8.8 dashmap@6.2.1 flume@0.11.1 parking_lot@0.12.5 lazy_static@1.4.0 threadpool@1.8.1 \
    scheduled-thread-pool@0.2.8 "$(dirname "$(realpath "$0")")/service"
# shellcheck source=benches/published.sh
source "$(dirname "$(realpath "$0")")/published.sh"

echo "| package | entries and schedules | reached | findings | seconds | MB | top causes of unknowns |"
echo "|---|---|---|---|---|---|---|"
for package; do
    unpack "$package"
    cd "$work/$name"
    status=0
    timeout 900 /usr/bin/time --format "TIME %U %S %M" --output "$work/time" \
        "$binary" check --no-cache --format short >"$work/out" 2>"$work/err" || status=$?
    awk -v package="$package" -v status="$status" '
        FILENAME ~ /time$/ { if ($1 == "TIME") { seconds = $2 + $3; megabytes = $4 / 1024 } next }
        / entr(y|ies) \(/ && / schedules?/ { line = $0; sub(/^[^.]*\. /, "", line); entries = line; sub(/^[^:]*: /, ""); found = $0; sub(/\. .*/, "", found) }
        /^ +reached / || /^ +no locks, / { line = $0; sub(/^ +(reached )?/, "", line); gsub(/ concurrently/, " concurrently", line); reached = line }
        /^ +uninterpreted: / { listing = 1; sub(/^ +uninterpreted: /, "") }
        /not built: |unknown, taken as|left out, / { listing = 0 }
        listing { line = $0; sub(/^ +/, "", line); sub(/ \([^()]*[0-9]:[0-9].*/, "", line); causes = causes (causes == "" ? "" : "; ") line }
        listing && / more cause/ { listing = 0 }
        END { printf "| %s | %s | %s | %s | %.0f | %.0f | %s |\n", package, entries, reached, (status > 1 ? "status " status : found), seconds, megabytes, causes }
    ' "$work/time" "$work/err"
    cat "$work/out" >&2
    cd - >/dev/null
done
