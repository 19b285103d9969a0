#!/usr/bin/env bash
# Builds the release of the last commit twice, from two copies of the source in two folders, and compares what comes out byte for
# byte. Paths are mapped to names that do not depend on the machine, and C code gets the time of the commit as its build time;
# nothing else is set, so who builds with the same flags and toolchain gets the same program. Takes two release builds: a quarter of an hour on two idle cores.
# Ends with 0 if both are the same and name no folder of this machine, with 1 if not.
# Usage: benches/reproducible.sh [OPTIONS-OF-CARGO-BUILD..], such as `-p interp` for the machine alone.
set -euo pipefail
cd "$(dirname "$0")/.."
# Both are of this commit, whatever is committed meanwhile.
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo_home=$(realpath "${CARGO_HOME:-$HOME/.cargo}")
# The same flags for both builds: cargo makes them part of the names of symbols.
flags="--remap-path-prefix=$cargo_home=/cargo"
for build in one two; do flags+=" --remap-path-prefix=$work/$build=/source"; done

for build in one two; do
    mkdir "$work/$build"
    git archive "$commit" | tar -x -C "$work/$build"
    (
        cd "$work/$build"
        # C code of dependencies is told the same.
        CFLAGS="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$work/$build=/source" \
            RUSTFLAGS="$flags" CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$work/$build/target" cargo build --release --locked "$@"
    )
done

mapfile -t files < <(cd "$work/one/target/release" && find . -maxdepth 1 -type f ! -name '*.d' ! -name '.*' | sort)
if [ ${#files[@]} = 0 ]; then
    echo "the build left no file to compare" >&2
    exit 1
fi
status=0
for file in "${files[@]}"; do
    one=$work/one/target/release/$file two=$work/two/target/release/$file
    if cmp "$one" "$two"; then
        echo "the same: ${file#./} $(sha256sum <"$one" | cut -d ' ' -f 1)"
    else
        echo "different: ${file#./}" >&2
        status=1
    fi
    for folder in "$work" "$cargo_home"; do
        if leaks=$(grep -a -o "${folder}[[:graph:]]\{0,80\}" "$one" | sort -u | head -n 5) && [ -n "$leaks" ]; then
            printf '%s names folders of this machine:\n%s\n' "${file#./}" "$leaks" >&2
            status=1
        fi
    done
done
exit $status
