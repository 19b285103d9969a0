#!/bin/sh
# Runs the loops interpreted and under Miri, and prints nanoseconds an iteration and their ratio.
# Installs a nightly with Miri if there is none.
# What each number is: the processor's time for a long run less that for a short one, divided by the iterations between.
# The machine may have other things to do: both are slowed by them alike.
set -eu
cd "$(dirname "$0")/.."

toolchain=${MIRI_TOOLCHAIN:-nightly}
if ! rustup run "$toolchain" miri --version >/dev/null 2>&1; then
    rustup toolchain install "$toolchain" --profile minimal --component miri,rust-src
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sysroot=$(cargo "+$toolchain" miri setup --print-sysroot 2>"$folder/errors") || {
    cat "$folder/errors" >&2
    exit 2
}
cargo bench --locked --bench loops --no-run 2>"$folder/errors" || {
    cat "$folder/errors" >&2
    exit 2
}
loops=$(sed -n 's/^ *Executable .*(\(.*\))$/\1/p' "$folder/errors")

# Seconds of the processor for a command.
seconds() {
    /usr/bin/time -f '%U %S' -o "$folder/time" "$@" >"$folder/out" 2>&1 || {
        cat "$folder/out" >&2
        exit 2
    }
    awk '{ print $1 + $2 }' "$folder/time"
}

interpreted() {
    seconds "$loops" --bench "$1" --sample-size 1 --sample-count "$2"
}

under_miri() {
    sed "s/^const N: u64 = 1_000;/const N: u64 = $2;/" "benches/loops/$1.rs" >"$folder/$1.rs"
    seconds rustup run "$toolchain" miri --sysroot "$sysroot" --edition 2024 -Zmiri-disable-isolation "$folder/$1.rs"
}

printf '%-12s %12s %12s %8s\n' loop 'here ns' 'Miri ns' ratio
# A loop, how many runs the long one here has more, and how many iterations the long one under Miri.
compare() {
    iterations=$(sed -n "s/.*name: \"$1\", iterations: \([0-9_]*\).*/\1/p" benches/loops.rs | tr -d _)
    echo "$(interpreted "$1" 5) $(interpreted "$1" $((5 + $2))) $(under_miri "$1" 100) $(under_miri "$1" $((100 + $3)))" |
        awk -v name="$1" -v runs="$2" -v iterations="$iterations" -v more="$3" '{
            here = ($2 - $1) / runs / iterations * 1e9
            miri = ($4 - $3) / more * 1e9
            printf "%-12s %12.0f %12.0f %7.0fx\n", name, here, miri, miri / here
        }'
}
compare while_loop 500 100000
compare for_range 200 40000
compare vec_iterate 150 20000
compare hash_map 25 1000
compare strings 100 3000
compare lock 150 3000
