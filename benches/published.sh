# shellcheck shell=bash
# For scripts that check published packages: sets `work`, a folder that goes away at the end, and has `unpack`. Needs curl.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" RUST_BACKTRACE=0
# A toolchain that a package asks for is not needed.
unset CARGO
RUSTUP_TOOLCHAIN=$(rustc --print sysroot)
export RUSTUP_TOOLCHAIN

# Puts a package, a folder or NAME@VERSION from crates.io, with all that it needs into $work/$name; sets `name` and `package`, as
# tables show it.
unpack() {
    package=$1
    if [ -d "$package" ]; then
        name=$(basename "$package")
        cp -r "$package" "$work/$name"
        package=$name
    else
        name=${package%@*}
        mkdir -p "$work/$name"
        curl --silent --show-error --fail --location "https://static.crates.io/crates/$name/$name-${package#*@}.crate" |
            tar --extract --gzip --directory "$work/$name" --strip-components 1
    fi
    (cd "$work/$name" && cargo fetch >/dev/null 2>&1) || echo "$name: not all that it needs could be fetched" >&2
}
