#!/usr/bin/env bash
# Whether findings of harnesses, printed as tests, compile, and whether Miri shows a bug in them. Prints a row of a Markdown
# table for each package: findings that replay, those of harnesses that are printed, tests that compile, and tests in which Miri
# reports an error in one of 16 seeds. Needs a nightly toolchain with Miri. THE PACKAGES ARE BUILT AND RUN.
# Usage: benches/as_tests.sh BINARY NAME@VERSION...
set -euo pipefail
binary=$(realpath "${1:?usage: benches/as_tests.sh BINARY NAME@VERSION...}")
shift
# shellcheck source=benches/published.sh
source "$(dirname "$(realpath "$0")")/published.sh"
unset RUSTUP_TOOLCHAIN
export CARGO_TARGET_DIR="$work/target" MIRIFLAGS="-Zmiri-many-seeds=0..16 -Zmiri-ignore-leaks -Zmiri-disable-stacked-borrows"

echo "| package | findings | printed | compiled | shown by Miri |"
echo "|---|---|---|---|---|"
for version in "$@"; do
    unpack "$version"
    cd "$work/$name"
    # Its own tests are not needed, and some packages switch other ones off.
    rm -rf tests Cargo.lock
    # What it was locked to may be too old for a new compiler.
    cargo fetch >/dev/null 2>&1 || true
    sed -i '/^autotests *= *false/d' Cargo.toml
    timeout 300 "$binary" check --no-cache >"$work/report" 2>/dev/null || true
    mapfile -t ids < <(grep -oE 'replay: tsvd-check replay [0-9a-f]{6}' "$work/report" | cut -d' ' -f4 | sort -u)
    mkdir tests
    printed=0 compiled=0 shown=0
    for id in "${ids[@]}"; do
        "$binary" replay "$id" --as miri >"$work/test.rs" 2>/dev/null || continue
        printed=$((printed + 1))
        cp "$work/test.rs" "tests/t_$id.rs"
        if cargo +nightly test --no-run --test "t_$id" >"$work/out" 2>&1; then
            compiled=$((compiled + 1))
            timeout 120 cargo +nightly miri test --test "t_$id" >"$work/out" 2>&1 || true
            if grep -qE 'error: (Undefined Behavior|the evaluated program deadlocked)|panicked at' "$work/out"; then
                shown=$((shown + 1))
            fi
        fi
        rm "tests/t_$id.rs"
    done
    echo "| $package | ${#ids[@]} | $printed | $compiled | $shown |"
done
