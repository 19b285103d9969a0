#!/usr/bin/env bash
# What `test` says of published crates: an oracle that nobody here wrote, as the tests of a published crate pass. Each comes
# from crates.io in one version with what its tests need, in the versions of its own Cargo.lock (benches/coverage/NAME.lock where it
# is published without); nothing of them is built. Prints Markdown, the same bytes for the same binary:
#   benches/coverage.sh target/debug/tsvd-check >benches/coverage.md
# A row for each crate, the median of the shares, the tests that failed. With names only these; COVERAGE_DIR is a folder in which the
# packages are kept from one run to the next (default: a temporary one), and gets a file NAME.out for each with all that was said.
# Needs the network.
# Usage: benches/coverage.sh BINARY [NAME@VERSION...]
set -euo pipefail
binary=$(realpath "${1:-target/release/tsvd-check}")
[ $# -gt 0 ] && shift
locks=$(dirname "$(realpath "$0")")/coverage
sequential=(itertools@0.15.0 smallvec@1.16.5 indexmap@2.14.2 either@1.19.0 semver@1.0.28 petgraph@0.8.3 slab@0.4.12 arrayvec@0.7.8
    bytes@1.12.1 hashbrown@0.17.1 fastrand@2.5.0 textwrap@0.16.4 unicode-width@0.2.3 heck@0.5.0 humantime@2.4.0)
concurrent=(once_cell@1.21.4 crossbeam-utils@0.8.23 crossbeam-channel@0.5.17 crossbeam-deque@0.8.8 flume@0.11.1 dashmap@6.2.1
    parking_lot@0.12.5 arc-swap@1.9.3 concurrent-queue@2.5.0 event-listener@5.4.2)
if [ -n "${COVERAGE_DIR:-}" ]; then
    mkdir -p "$COVERAGE_DIR"
    work=$(realpath "$COVERAGE_DIR")
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
export RUST_BACKTRACE=0
# A toolchain that a package asks for is not needed.
unset CARGO
RUSTUP_TOOLCHAIN=$(rustc --print sysroot)
export RUSTUP_TOOLCHAIN

fetch() {
    mkdir "$work/$name"
    curl --silent --show-error --fail --location "https://static.crates.io/crates/$name/$name-$version.crate" |
        tar --extract --gzip --directory "$work/$name" --strip-components 1
    [ -f "$work/$name/Cargo.lock" ] || [ ! -f "$locks/$name.lock" ] || cp "$locks/$name.lock" "$work/$name/Cargo.lock"
    (cd "$work/$name" && cargo fetch >/dev/null 2>&1) || echo "$name: not all that it needs could be fetched" >&2
}

# One line on standard output: the row. Adds to $work/failed.
row() {
    name=${1%@*} version=${1#*@}
    [ -d "$work/$name" ] || fetch
    status=0
    (cd "$work/$name" && "$binary" test --list) >"$work/$name.out" 2>"$work/$name.list" || status=$?
    folder=$([ -d "$work/$name/tests" ] || echo ", without a folder \`tests\`")
    awk -v crate="$name $version$folder" -v status="$status" -v failed="$work/failed" '
        NR == 1 { passed = $1; unknown = $3; failures = $5; ignored = $7; next }
        / unknown: / {
            count = $1; cause = $0
            sub(/^ *[0-9]+ unknown: /, "", cause); sub(/ \(first: [^()]*\)$/, "", cause)
            if (cause ~ /is not expanded$/ && cause !~ /^`include/) { apart += count }
            else if (causes++ < 3) { said = said (said == "" ? "" : "; ") count " " cause }
            else { others += count }
        }
        /^failed: / { line = $0; sub(/^failed: /, "", line); printf "* %s: %s\n", crate, line >>failed }
        END {
            if (status > 1) { printf "| %s | status %s |\n", crate, status; exit }
            if (others) { said = said "; " others " others" }
            judged = passed + unknown - apart + failures
            share = judged ? 100 * passed / judged : 0
            printf "| %s | %d | %d | %d | %.1f%% | %d | %d | %s |\n", crate, passed, unknown - apart, failures, share, apart, ignored, said
        }
    ' "$work/$name.out"
}

median() {
    awk -F'|' '/%/ { sub(/%/, "", $6); print $6 + 0 }' | sort -n |
        awk '{ all[NR] = $1 } END { if (NR) printf "%.1f%%", (all[int((NR + 1) / 2)] + all[int(NR / 2) + 1]) / 2 }'
}

table() {
    echo "| crate | passed | unknown | failed | share | apart | ignored | why tests are unknown |"
    echo "|---|---|---|---|---|---|---|---|"
    : >"$work/rows"
    for package; do row "$package" | tee -a "$work/rows"; done
    echo
    echo "Median share: $(median <"$work/rows")."
}

: >"$work/failed"
if [ $# -gt 0 ]; then
    table "$@"
else
    cat <<'END'
# Tests of published crates, interpreted

Made by `benches/coverage.sh`; do not edit. Each test gets 50 million steps. *Share* is that of the tests that passed among those that passed, are
unknown or failed. *Not expanded* counts tests that need a procedural macro whose library is missing; no other column includes them. Their cause is
them is that it "is not expanded", be it the attribute that makes a test of an `async fn`. Features are the default ones.

## Sequential

END
    table "${sequential[@]}"
    printf '\n## Concurrent\n\n'
    table "${concurrent[@]}"
    printf '\n## Failed\n\n'
    if [ -s "$work/failed" ]; then cat "$work/failed"; else echo "None."; fi
fi
