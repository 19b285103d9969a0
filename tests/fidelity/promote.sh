#!/usr/bin/env bash
# Takes the programs that are right now out of the known failures: it moves those of programs/known/<area> to
# programs/<area>, and removes those of packages from the package's known.txt.
# Usage: promote.sh [FILTER]   such as known::network, known::packages
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

output=$(cargo test --locked --test fidelity -- "${1:-known::}" || true)
mapfile -t right < <(awk '/^---- .* ----$/ { name = $2 } /^this is right now: / { print name }' <<< "$output")
for name in "${right[@]}"; do
    IFS=: read -ra parts <<< "${name//::/:}"
    if [[ ${parts[1]} == packages ]]; then
        sed -i "/^${parts[3]}\$/d" "packages/${parts[2]}/known.txt"
    else
        from=programs/${name//:://}
        to=programs/$(IFS=/ && echo "${parts[*]:1}")
        mkdir -p "$(dirname "$to")"
        for file in "$from".*; do
            git mv "$file" "$to.${file##*.}"
        done
    fi
    echo "$name"
done
grep '^test result:' <<< "$output"
