#!/usr/bin/env bash
# Which bugs of benches/realbugs.tsv `check` finds in the package alone, with its default options. For each row: the reports
# at the bug's places in the buggy version (at most 10 lines away), all reports there, and the same for the fixed version, with
# the seconds. A report counts wherever one of its locations is. Prints a Markdown table; benches/realbugs.md has a judgement
# of each row. The packages are fetched from crates.io with all that they need; nothing of them is built.
# Usage: benches/realbugs.sh BINARY [CRATE...]
set -euo pipefail
binary=$(realpath "${1:-target/release/tsvd-check}")
[ $# -gt 0 ] && shift
list=$(dirname "$(realpath "$0")")/realbugs.tsv
# shellcheck source=benches/published.sh
source "$(dirname "$(realpath "$0")")/published.sh"
limit=60

# Reports at the places, all reports, and seconds.
check() {
    rm -rf "${work:?}/${1%@*}"
    unpack "$1"
    cd "$work/$name"
    local start status=0
    start=$(date +%s)
    timeout "$limit" "$binary" check --no-cache --format short >"$work/out" 2>"$work/err" || status=$?
    local seconds=$(($(date +%s) - start))
    [ "$status" != 124 ] || seconds="$limit, cut off"
    # A report is one line: its location, its rule, its message, its other locations.
    awk -v places="$2" -v seconds="$seconds" '
        BEGIN {
            count = split(places, parts, "; ")
            for (i = 1; i <= count; i++) {
                split(parts[i], at, ":")
                lines = split(at[2], numbers, ",")
                for (j = 1; j <= lines; j++) { files[++known] = at[1]; wanted[known] = numbers[j] }
            }
        }
        / (error|warning)\[/ {
            all++
            rest = $0
            while (match(rest, /[^ ():]+\.rs:[0-9]+/)) {
                split(substr(rest, RSTART, RLENGTH), at, ":")
                rest = substr(rest, RSTART + RLENGTH)
                for (i = 1; i <= known; i++) {
                    distance = at[2] - wanted[i]
                    if (at[1] == files[i] && distance <= 10 && distance >= -10) { found[$2 " " at[1] ":" at[2]] = 1 }
                }
            }
        }
        END {
            for (report in found) { text = text (text == "" ? "" : ", ") report }
            gsub(/(error|warning)\[/, "", text); gsub(/\]:/, "", text)
            print (text == "" ? "—" : text) " | " all + 0 " | " seconds
        }' "$work/out"
}

echo "| crate | place | buggy: at the place | all | seconds | fixed: at the place | all | seconds |"
echo "|---|---|---|---|---|---|---|---|"
tail -n +2 "$list" | while IFS=$'\t' read -r crate buggy fixed _ place _; do
    [ $# = 0 ] || [[ " $* " == *" $crate "* ]] || continue
    echo "| $crate $buggy → $fixed | $place | $(check "$crate@$buggy" "$place") | $(check "$crate@$fixed" "$place") |"
done
