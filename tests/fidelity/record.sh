#!/usr/bin/env bash
# Records what rustc's programs really print, next to each programs/<area>/<name>.rs and each
# packages/<package>/src/bin/<name>.rs:
#   <name>.out     exact stdout
#   <name>.status  "exit status: N", then stderr; absent when N is 0 and stderr is empty
# Usage: record.sh [--all | programs/<area>/<name>.rs ... | packages/<package>/src/bin/<name>.rs ...]
# Without arguments only programs with no record, or changed since, are recorded.
# A death by signal is recorded as the shell has it, 128 + signal (abort: 134).
# RUSTC overrides the compiler of single files, CARGO that of packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

read -ra rustc <<< "${RUSTC:-rustc +1.95.0}"
read -ra cargo <<< "${CARGO:-cargo +1.95.0}"
unset RUST_BACKTRACE RUST_LIB_BACKTRACE RUST_MIN_STACK RUST_TEST_THREADS
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cwd"

all=false
chosen=()
for arg in "$@"; do
    case $arg in
        --all) all=true ;;
        *packages/*) chosen+=("packages/${arg##*packages/}") ;;
        *) chosen+=("programs/${arg##*programs/}") ;;
    esac
done
if ((${#chosen[@]} == 0)); then
    while IFS= read -r source; do
        if $all || [[ ! -e ${source%.rs}.out || $source -nt ${source%.rs}.out ]]; then
            chosen+=("$source")
        fi
    done < <(find programs packages/*/src/bin -name '*.rs' | sort)
fi

# Thread ids, std's own folder and the backtrace of an abort differ between machines and runs.
normalise() {
    sed -E \
        -e '/^stack backtrace:$/d' -e '/^ +[0-9]+: +(0x[0-9a-f]+ - )?[<_[:alnum:]]/d' -e '/^ +at [./].*:[0-9]+/d' \
        -e '/^note: Some details are omitted/d' \
        -e "s/^(thread '.*') \([0-9]+\) (panicked at|has overflowed)/\1 (TID) \2/" \
        -e 's,[^ ]*/library/(core|alloc|std)/src/,(STD)/\1/src/,g'
}

# run BINARY NAME: leaves NAME.out and NAME.status in $work
run() {
    local status=0
    (cd "$work/cwd" && timeout 20 "$1" > "$2.out" 2> "$2.err" < /dev/null) 2> /dev/null || status=$?
    { echo "exit status: $status"; normalise < "$2.err"; } > "$2.status"
}

# compile SOURCE: leaves $work/program
compile() {
    local folder file edition package
    folder=$(dirname "$1")
    file=$(basename "$1")
    if [[ $1 == packages/* ]]; then
        package=${folder%/src/bin}
        (cd "$package" && "${cargo[@]}" build --quiet --locked --bin "${file%.rs}" --target-dir "$work/target") &&
            cp "$work/target/debug/${file%.rs}" "$work/program"
    else
        edition=$(sed -nE '1s,^//@ edition: *([0-9]{4}).*,\1,p' "$1")
        (cd "$folder" && "${rustc[@]}" --edition "${edition:-2024}" --cap-lints allow \
            -C debug-assertions=on -C overflow-checks=on -C opt-level=0 \
            --crate-name "${file%.rs}" --crate-type bin -o "$work/program" "$file")
    fi
}

failed=0
for source in "${chosen[@]}"; do
    base=${source%.rs}
    if ! compile "$source"; then
        echo "$source: does not compile" >&2
        failed=1
        continue
    fi
    run "$work/program" "$work/first"
    run "$work/program" "$work/second"
    if ! cmp -s "$work/first.out" "$work/second.out" || ! cmp -s "$work/first.status" "$work/second.status"; then
        echo "$source: two runs differ" >&2
        diff "$work/first.out" "$work/second.out" >&2 || true
        diff "$work/first.status" "$work/second.status" >&2 || true
        failed=1
        continue
    fi
    if grep -qE '(^|[^:[:alnum:]])/(root|home|work|tmp|rustc)/' "$work/first.out" "$work/first.status"; then
        echo "$source: prints a path of this machine" >&2
        failed=1
        continue
    fi
    if grep -qx 'exit status: 124' "$work/first.status"; then
        echo "$source: timed out" >&2
        failed=1
        continue
    fi
    cat "$work/first.out" > "$base.out"
    if [[ $(cat "$work/first.status") == "exit status: 0" ]]; then
        rm -f "$base.status"
    else
        cat "$work/first.status" > "$base.status"
    fi
    echo "$source: $(head -1 "$work/first.status")"
done
exit $failed
