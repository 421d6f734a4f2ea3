#!/usr/bin/env bash
# Rewrites every golden/*/NAME.expected with the current output of 'rafter check NAME.cu'. Review the difference before
# committing it.
#
#   tests/executor/update_golden.sh [RAFTER]     (default: build/release/rafter)
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
tool=$(realpath -- "${1:-../../build/release/rafter}")
for expected in golden/*/*.expected; do
  source=$(basename "$expected" .expected).cu
  read -ra options < <(sed -n 's,^// options: ,,p' "${expected%.expected}.cu") || true
  code=0
  (cd "$(dirname "$expected")" && "$tool" check "$source" "${options[@]}" >"${source%.cu}.expected") || code=$?
  if [ "$code" -gt 1 ]; then
    echo "$expected: the tool returned $code" >&2
    exit 2
  fi
done
git --no-pager diff --stat -- golden
