# What the lanes share. A lane begins with `. "$(dirname "$0")/common.sh"`; it then runs in the folder of the repository.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$PWD
# What is installed stays there for the next run.
tools=$root/target/tools/clients
# A folder for this lane alone.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$tools"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# needs PROGRAM PACKAGE: installs a package of Debian if the program is not there.
needs() {
    command -v "$1" > /dev/null && return
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$2" > /dev/null
}

# expect STATUS TEXT COMMAND..: runs a command, which must end with the status and print the text.
expect() {
    local wanted=$1 text=$2 status=0 output
    shift 2
    output=$("$@" 2>&1) || status=$?
    if [ "$status" != "$wanted" ] || [[ $output != *"$text"* ]]; then
        printf '%s\n' "$output" >&2
        fail "\`$*\` ended with $status; expected $wanted and the text \`$text\`"
    fi
    echo "ok: status $status${text:+ and \`$text\`}: ${*: -2}"
}

# package FOLDER NAME: makes a package with a deadlock.
package() {
    mkdir -p "$1/src"
    printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2024"\n' "$2" > "$1/Cargo.toml"
    cp corpus/deadlock/order_two/bug.rs "$1/src/main.rs"
}

# Makes the folder a repository with everything in it.
commit() {
    git -C "$1" init --quiet
    git -C "$1" add .
    git -C "$1" -c user.name=t -c user.email=t@example.com -c commit.gpgsign=false commit --quiet --message=first
}

# Installs pre-commit, sets `pre_commit`, and gives it a cache of its own.
install_pre_commit() {
    [ -d "$tools/pre-commit" ] || python3 -m venv "$tools/pre-commit"
    "$tools/pre-commit/bin/pip" install --quiet --disable-pip-version-check pre-commit==4.7.0
    pre_commit=$tools/pre-commit/bin/pre-commit
    export PRE_COMMIT_HOME=$work/pre-commit PRE_COMMIT_COLOR=never GIT_CONFIG_GLOBAL=/dev/null
}

# try_hook: in a new package, the hook of the configuration in standard input stops a deadlock and lets the repaired version pass.
try_hook() {
    package "$work/shop" shop
    cat > "$work/shop/.pre-commit-config.yaml"
    commit "$work/shop"
    (
        cd "$work/shop"
        expect 1 'error[deadlock]' "$pre_commit" run --all-files
        cp "$root/corpus/deadlock/order_two/fixed.rs" src/main.rs
        git add .
        expect 0 Passed "$pre_commit" run
    )
}

# copy_of_repository FOLDER: the repository as it is now, as a repository of one commit.
copy_of_repository() {
    mkdir -p "$1"
    # shellcheck disable=SC2016 # the inner shell expands it
    git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for it; do [ ! -e "$it" ] || printf "%s\0" "$it"; done' sh |
        tar --create --null --files-from=- | tar --extract --directory="$1"
    commit "$1"
}

# minimal_toolchain: a home of rustup with the toolchain of this repository, which has no sources of std, as its default.
minimal_toolchain() {
    channel=$(sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml)
    export RUSTUP_HOME=$tools/rustup
    unset RUSTUP_TOOLCHAIN
    mkdir -p "$RUSTUP_HOME"
    (
        cd /
        rustup set auto-self-update disable 2> /dev/null || true
        rustup toolchain install --no-self-update --profile minimal "$channel"
        rustup default "$channel"
    ) > "$work/rustup.log" 2>&1 || { cat "$work/rustup.log" >&2; fail "no minimal toolchain"; }
}
