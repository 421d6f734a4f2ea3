#!/usr/bin/env bash
# usage: sbom.sh BUILD VERSION, in any folder
# The bills of materials of a build are complete, and the check finds documents that are not. With RAFTER_NIGHTLY they are
# also read by spdx-tools, in an environment of its own; "skipped" where Python or the network is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
list() { find "$@" -maxdepth 0 2>/dev/null | paste -sd ';'; }
programs=$(list "$1/rafter" "$1"/libexec/rafter-*) libraries=$(list "$1"/src/library/librafter*.so)
check() { cmake -DDOCUMENT="$1" -DVERSION="$2" -DPROGRAMS="$3" -P "$here/check_sbom.cmake"; }
for document in "$1"/sbom/*.spdx.json; do
  [ -e "$document" ] || fail "$1 has no bill of materials"
  case $document in */rafter.spdx.json) own=$programs ;; *) own=$libraries ;; esac
  check "$document" "$2" "$own"
done

refuses() { # SED-SCRIPT MESSAGE
  sed "$1" "$document" >"$work/planted.json"
  if check "$work/planted.json" "$2" "$programs" >"$work/out" 2>&1; then fail "accepted: sed '$1'"; fi
  tr '\n' ' ' <"$work/out" | tr -s ' ' | grep -qF -- "$3" || { cat "$work/out"; fail "no message '$3'"; }
}
document=$1/sbom/rafter.spdx.json
if [ -e "$document" ]; then
  refuses 's/SPDX-2.3/SPDX-2.2/' "$2" 'spdxVersion must match'
  refuses 's/"name": "libstdc++[^"]*"/"name": "another"/' "$2" 'is linked with libstdc++'
  refuses 's/"SPDXRef-Package-cli11", "name"/"SPDXRef-Package-other", "name"/' "$2" 'names SPDXRef-Package-cli11, which is not in'
  refuses '/DESCRIBES/d' "$2" 'no package is described'
  refuses 's/"licenseDeclared": "MIT"/"licenseDeclared": ""/' "$2" 'licenseDeclared'
  refuses '' 9.9.9 'the version of the first package'
fi

if [ -n "${RAFTER_NIGHTLY:-}" ]; then
  if python3 -m venv "$work/venv" >/dev/null 2>&1 && "$work/venv/bin/pip" -q install 'spdx-tools>=0.8,<0.9' >"$work/pip" 2>&1; then
    for document in "$1"/sbom/*.spdx.json; do
      "$work/venv/bin/pyspdxtools" -i "$document" || fail "spdx-tools refuses $document"
    done
    echo "spdx-tools accepts all documents"
  else
    echo "skipped: spdx-tools needs python3-venv and a network"
  fi
fi
