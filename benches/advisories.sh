#!/usr/bin/env bash
# Known vulnerabilities of what Cargo.lock names, by the RustSec advisory database (`cargo install --locked cargo-deny`).
# Ends with 0 if there are none, with 1 if there are some, and with 2, and a word why, if nothing was checked.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo deny --version >/dev/null 2>&1; then
    echo "NOT CHECKED: cargo-deny is not installed; \`cargo install --locked cargo-deny\` installs it" >&2
    exit 2
fi
if ! cargo deny fetch db; then
    echo "NOT CHECKED: the advisory database cannot be fetched, as said above; nothing is known about vulnerabilities" >&2
    exit 2
fi
# The database is the one that was just fetched.
if cargo deny check --disable-fetch advisories; then exit 0; fi
exit 1
