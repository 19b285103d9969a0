#!/usr/bin/env bash
# What `check` reaches of published applications, with its default options. For each package a row: the sites of each kind that
# runs reached, of all in the source (concurrently); the share of all kinds together; seconds of the clock and of the
# processor; what stopped the runs that did not end by themselves. Prints a Markdown table, which benches/reach.md keeps.
# A package is a folder, or NAME@VERSION, which is fetched from crates.io with all that it needs. Nothing of it is built, unless
# REACH_TRUSTED=1 asks for the same with `--trusted`: then its build scripts and macros run. REACH_OPTIONS are further options.
# Needs jq and GNU's /usr/bin/time.
# Usage: benches/reach.sh BINARY [NAME@VERSION|FOLDER...]
set -euo pipefail
binary=$(realpath "${1:-target/release/tsvd-check}")
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- fd-find@10.3.0 mini-redis@0.4.1 rathole@0.5.0 dufs@0.47.0 gping@1.21.0 du-dust@1.2.4 \
    simple-http-server@0.8.0 "$(dirname "$(realpath "$0")")/service"
# shellcheck source=benches/published.sh
source "$(dirname "$(realpath "$0")")/published.sh"
options=()
[ "${REACH_TRUSTED:-}" != 1 ] || options+=(--trusted)
[ -z "${REACH_OPTIONS:-}" ] || read -ra more <<<"$REACH_OPTIONS"
options+=(${more[@]+"${more[@]}"})

echo "| package | sites reached (concurrently) | reached | beside another | schedules | findings | seconds | of the processor | what stopped it |"
echo "|---|---|---|---|---|---|---|---|---|"
for package; do
    unpack "$package"
    cd "$work/$name"
    status=0
    timeout 1200 /usr/bin/time --format "%e %U %S" --output "$work/time" \
        "$binary" check --no-cache ${options[@]+"${options[@]}"} --format json >"$work/out" 2>"$work/err" || status=$?
    read -r seconds user system <<<"$(tail -n 1 "$work/time")"
    [ "$status" -le 1 ] || echo "$name: ended with $status: $(tail -n 1 "$work/err")" >&2
    jq --raw-output --arg package "$package" --arg seconds "$seconds" --argjson cpu "$user" --argjson system "$system" '
        def share(part; whole): if whole == 0 then "" else "\(part * 100 / whole | floor)%" end;
        [.parts[].packages[].summary] as $all
        | [$all[].sites[]] | group_by(.kind)
        | map({kind: .[0].kind, existing: (map(.existing) | add), reached: (map(.reached) | add), concurrent: (map(.concurrent) | add)}) as $sites
        | ($sites | map("\(.reached) of \(.existing) \(.kind) (\(.concurrent))") | join(", ")) as $kinds
        | ($sites | map(.existing) | add // 0) as $existing
        | ([$all[].bounds[]] | group_by(.reason)
            | map({reason: .[0].reason, schedules: (map(.schedules) | add)}) | sort_by(-.schedules) | .[:3]
            | map("\(.reason | sub("not followed to the end(, after uninterpreted values)?: "; "") | sub(" at /[^ ]*"; "")) (\(.schedules))")
            | join("; ")) as $ends
        | "| \($package) | \($kinds) | \(share($sites | map(.reached) | add // 0; $existing)) | \(share($sites | map(.concurrent) | add // 0; $existing)) | \($all | map(.schedules) | add) | \($all | map(.bugs) | add) | \($seconds | tonumber | round) | \($cpu + $system | round) | \($ends) |"
    ' "$work/out" || echo "| $package | no report (status $status) | | | | | $seconds | | |"
    [ -z "${REACH_KEEP:-}" ] || { mkdir -p "$REACH_KEEP" && cp "$work/out" "$REACH_KEEP/$name.json" && cp "$work/err" "$REACH_KEEP/$name.txt"; }
    cd - >/dev/null
done
