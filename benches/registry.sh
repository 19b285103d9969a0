#!/usr/bin/env bash
# What `check` makes of the crates in cargo's local registry cache: whether anything panicked, was caught and counted, took too
# long or too much memory. Each crate is copied elsewhere and checked with its defaults, offline and without building anything.
# RESULTS is a folder: `log` has a line for each crate (name, outcome, seconds, MiB, status, what there is to say), and for those
# that were not as they should be or had findings their output is kept beside it. A crate that the log has is not checked again,
# so a run can be stopped and continued, with other numbers too; the table that is printed at the end is of the whole log.
# Seconds are those of the processor, so that other work on the machine does not count.
# Needs /usr/bin/time of GNU, and prlimit. JOBS crates are checked at once (default 1).
# Usage: benches/registry.sh BINARY RESULTS [EACH [FIRST [SECONDS [GIGABYTES]]]]: from the FIRSTth on each EACHth crate by name.
set -euo pipefail
binary=$(realpath "$1")
results=$(mkdir -p "$2" && realpath "$2")
each=${3:-1} first=${4:-1} seconds=${5:-120} gigabytes=${6:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A toolchain that a package asks for is not needed.
unset CARGO
RUSTUP_TOOLCHAIN=$(rustc --print sysroot)
export RUSTUP_TOOLCHAIN CARGO_NET_OFFLINE=true XDG_CACHE_HOME="$work/cache" RUST_BACKTRACE=1
touch "$results/log"

check_one() {
    folder=$1 name=$(basename "$1") status=0
    mkdir "$work/$name"
    cp -r "$folder" "$work/$name/crate"
    (
        cd "$work/$name/crate"
        exec /usr/bin/time --quiet --format "TIME %U %S %M" --output ../time prlimit --as=$((gigabytes << 30)) \
            --cpu="$seconds:$((seconds + 5))" timeout $((seconds * 20)) "$binary" check --no-cache --format short . >../out 2>../err
    ) || status=$?
    read -r took mib < <(awk '$1 == "TIME" { print $2 + $3, int($4 / 1024) }' "$work/$name/time") || true
    # The places of panics.
    places=$(grep -oE "\([^() ]+\.rs:[0-9]+\)$" "$work/$name/err" | tr -d '()' | sort -u |
        awk '{ printf "%spanics at %s", (NR > 1 ? "; " : ""), $1 }') || true
    case $status in
    0 | 1)
        outcome=clean
        if [ -n "$places" ] || grep -qE "^([0-9]+ )?internal error" "$work/$name/err"; then outcome=caught; fi
        [ "$status" = 0 ] || places="$(wc -l <"$work/$name/out") findings${places:+; $places}"
        ;;
    2) outcome=refused places=$(tail -n 1 "$work/$name/err") ;;
    # Ended by `timeout`, which ends what waits forever without working, or by the signal XCPU.
    124 | 152) outcome=late ;;
    *)
        outcome=died places=${places:-$(tail -n 1 "$work/$name/err")}
        if grep -q "memory allocation of .* failed" "$work/$name/err"; then outcome=large; fi
        ;;
    esac
    if [ $outcome != clean ] || [ $status != 0 ]; then
        for of in out err; do cp "$work/$name/$of" "$results/$name.$of"; done
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" $outcome "${took:-$seconds}" "${mib:-0}" "$status" "$places" >>"$results/log"
    rm -rf "${work:?}/$name"
}
export -f check_one
export work results seconds gigabytes binary

find "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/ -mindepth 1 -maxdepth 1 -type d | sort |
    awk -v each="$each" -v first="$first" '(NR - first) % each == 0 && NR >= first' |
    awk -F/ -v log_file="$results/log" '
        BEGIN { while ((getline line <log_file) > 0) { split(line, column, "\t"); seen[column[1]] } }
        !($NF in seen)' |
    xargs -P "${JOBS:-1}" -I{} bash -euo pipefail -c 'check_one "$1"' check_one {}

awk -F'\t' '$2 != "clean" || $5 != 0 { print $1 ": " $2 ", " $3 " s, " $4 " MiB: " $6 }' "$results/log" | sort
echo
echo "| crates | no panic | with findings | internal errors, caught and counted | ended by one | over $seconds s | over $gigabytes GB of addresses | nothing to check | seconds: median, longest | most memory |"
echo "|---|---|---|---|---|---|---|---|---|---|"
sort -t "$(printf '\t')" -k3,3n "$results/log" | awk -F'\t' '
    { many[$2]++; found += $5 == 1; took[NR] = $3; if ($4 > most) most = $4 }
    END { printf "| %d | %d | %d | %d | %d | %d | %d | %d | %s, %s | %d MiB |\n", NR, many["clean"], found, many["caught"],
        many["died"], many["late"], many["large"], many["refused"], took[int((NR + 1) / 2)], took[NR], most }'
