#!/bin/sh
# Runs the loops under Miri and beside it interpreted, and prints nanoseconds an iteration and their ratio.
# Needs a nightly with Miri: rustup component add miri rust-src --toolchain nightly
# What each of Miri's numbers is: the time of a long run less that of a short one, divided by the iterations between.
set -eu
cd "$(dirname "$0")/.."

toolchain=${MIRI_TOOLCHAIN:-nightly}
sysroot=$(cargo "+$toolchain" miri setup --print-sysroot 2>/dev/null) || {
    echo "no Miri in the toolchain $toolchain" >&2
    exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

seconds() {
    sed "s/^const N: u64 = 1_000;/const N: u64 = $2;/" "benches/loops/$1.rs" >"$folder/$1.rs"
    # Of the processor, for the machine may have other things to do.
    /usr/bin/time -f '%U %S' -o "$folder/time" rustup run "$toolchain" miri --sysroot "$sysroot" --edition 2024 \
        -Zmiri-disable-isolation "$folder/$1.rs" >/dev/null
    awk '{ print $1 + $2 }' "$folder/time"
}

# Fastest runs, as "name ns".
ours=$(cargo bench --bench loops 2>/dev/null | awk '
    / ns|µs|ms| s / && /├─|╰─/ {
        for (i = 1; i <= NF; i++) if ($i ~ /^[a-z_]+$/ && !name) name = $i
        for (i = 1; i <= NF; i++) if ($i == "ns" || $i == "µs" || $i == "ms" || $i == "s") {
            unit["ns"] = 1; unit["µs"] = 1e3; unit["ms"] = 1e6; unit["s"] = 1e9
            print name, $(i - 1) * unit[$i]; break
        }
        name = ""
    }')

printf '%-12s %12s %12s %8s\n' loop 'Miri ns' 'ours ns' ratio
compare() {
    iterations=$(sed -n "s/.*name: \"$1\", iterations: \([0-9_]*\).*/\1/p" benches/loops.rs | tr -d _)
    short=$(seconds "$1" 100)
    long=$(seconds "$1" "$2")
    printf '%s\n' "$ours" | awk -v name="$1" -v n="$iterations" -v short="$short" -v long="$long" -v miri="$2" '
        $1 == name {
            theirs = (long - short) / (miri - 100) * 1e9
            printf "%-12s %12.0f %12.1f %7.0fx\n", name, theirs, $2 / n, theirs / ($2 / n)
        }'
}
compare while_loop 100100
compare for_range 40100
compare vec_iterate 20100
compare hash_map 1100
compare strings 3100
compare lock 3100
