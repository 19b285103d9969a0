#!/usr/bin/env bash
# What `check` makes of the crates in cargo's local registry cache: whether anything panicked, was caught and counted, took too
# long or too much memory. Each crate is copied elsewhere and checked with its defaults, offline and without building anything.
# Prints a line for each that was not as it should be, then a table. Needs /usr/bin/time of GNU, and prlimit.
# Usage: benches/registry.sh BINARY [EACH [FIRST [SECONDS [GIGABYTES]]]]: from the FIRSTth on each EACHth crate by name.
set -euo pipefail
binary=$(realpath "${1:-target/release/tsvd-check}")
each=${2:-1} first=${3:-1} seconds=${4:-120} gigabytes=${5:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A toolchain that a package asks for is not needed.
unset CARGO
RUSTUP_TOOLCHAIN=$(rustc --print sysroot)
export RUSTUP_TOOLCHAIN CARGO_NET_OFFLINE=true XDG_CACHE_HOME="$work/cache" RUST_BACKTRACE=1

checked=0 clean=0 failed=0 late=0 large=0 died=0 refused=0
longest=0 most=0
for folder in $(find "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/ -mindepth 1 -maxdepth 1 -type d | sort |
    awk -v each="$each" -v first="$first" '(NR - first) % each == 0 && NR >= first'); do
    name=$(basename "$folder")
    rm -rf "$work/crate"
    cp -r "$folder" "$work/crate"
    cd "$work/crate"
    status=0
    prlimit --as=$((gigabytes << 30)) timeout "$seconds" /usr/bin/time --format "TIME %e %M" --output "$work/time" \
        "$binary" check --no-cache --format short . >"$work/out" 2>"$work/err" || status=$?
    cd - >/dev/null
    checked=$((checked + 1))
    took=$(awk '$1 == "TIME" { print int($2) }' "$work/time") mib=$(awk '$1 == "TIME" { print int($3 / 1024) }' "$work/time")
    took=${took:-$seconds} mib=${mib:-0}
    [ "$took" -gt "$longest" ] && longest=$took
    [ "$mib" -gt "$most" ] && most=$mib
    # The places of panics, each once with how often.
    places=$(grep -oE "panicked at [^ ]+:[0-9]+:[0-9]+" "$work/err" | sed 's|panicked at .*/registry/src/[^/]*/||; s|panicked at ||' |
        sort | uniq -c | awk '{ printf "%s%s times at %s", (NR > 1 ? "; " : ""), $1, $2 }') || true
    case $status in
    0 | 1)
        if grep -q "^internal failure" "$work/err" || [ -n "$places" ]; then
            failed=$((failed + 1))
            echo "$name: $took s, $mib MiB: caught: $places"
        else
            clean=$((clean + 1))
        fi
        ;;
    2) refused=$((refused + 1)) && echo "$name: refused: $(tail -n 1 "$work/err")" ;;
    124) late=$((late + 1)) && echo "$name: more than $seconds s, $mib MiB${places:+; $places}" ;;
    *)
        if grep -q "memory allocation of .* failed" "$work/err"; then
            large=$((large + 1)) && echo "$name: more than $gigabytes GB"
        else
            died=$((died + 1)) && echo "$name: status $status: ${places:-$(tail -n 1 "$work/err")}"
        fi
        ;;
    esac
done
echo
echo "| crates | no panic | internal failures, caught and counted | ended by one | over $seconds s | over $gigabytes GB of addresses | nothing to check | longest | most memory |"
echo "|---|---|---|---|---|---|---|---|---|"
echo "| $checked | $clean | $failed | $died | $late | $large | $refused | $longest s | $most MiB |"
