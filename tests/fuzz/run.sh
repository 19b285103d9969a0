#!/usr/bin/env bash
# Fuzzes one target with libFuzzer (`cargo install --locked cargo-fuzz`): from its seeds, with its dictionary, until something fails
# or the time is over. The code has no `unsafe` of ours, so no sanitizer is needed, nor a nightly toolchain.
# New inputs are kept in tests/fuzz/corpus, failures in tests/fuzz/artifacts.
# Usage: tests/fuzz/run.sh TARGET [SECONDS [OPTIONS-OF-LIBFUZZER..]]; without a target it lists them.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ $# = 0 ]; then
    ls tests/fuzz/seeds
    exit
fi
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "cargo-fuzz is not installed: \`cargo install --locked cargo-fuzz\` installs it" >&2
    exit 2
fi
target=$1 seconds=${2:-600}
shift $(($# < 2 ? $# : 2))
mkdir -p "tests/fuzz/corpus/$target"
exec cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none "$target" "tests/fuzz/corpus/$target" "tests/fuzz/seeds/$target" -- \
    -dict="tests/fuzz/dictionaries/$target.dict" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=6000 "$@"
