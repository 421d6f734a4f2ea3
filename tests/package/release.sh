#!/usr/bin/env bash
# usage: release.sh SOURCES
# tools/release refuses a commit that is not ready, says why, and tags one that is. In a repository of its own, with a CI
# that passes or fails at once.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; cat "$work/out"; exit 1; }
mkdir -p "$work/repo/tools" "$work/repo/.ci"
cp "$1/tools/release" "$work/repo/tools/release"
cd "$work/repo"
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name tester
git config --global user.email tester@example.org
git init -q -b main .

version() { echo "project(rafter VERSION $1 LANGUAGES CXX)" >CMakeLists.txt; }
changelog() { printf '# Changelog\n\nAbout.\n\n%s\n' "$1" >CHANGELOG.md; }
ci() { printf '#!/bin/sh\n%s\n' "$1" >.ci/run; chmod +x .ci/run; }
commit() { git add -A && git commit -q --allow-empty -m change; }
refuses() { # OPTION MESSAGE
  if tools/release "$1" >"$work/out" 2>&1; then fail "tools/release $1 must refuse: $2"; fi
  grep -qF -- "$2" "$work/out" || fail "no message '$2'"
  [ "$(git tag --list)" = "${expected_tags:-}" ] || fail "a refused release changed the tags"
}
good_changelog=$'## 1.0.0 - 2026-01-31\n\n- An entry.\n- Another one.\n\n## 0.9.0 - 2025-12-01\n\n- An old entry.'

version 1.0.0; changelog "$good_changelog"; ci 'exit 0'; commit
refuses "" 'say whether CI has passed'
refuses --force "unknown option '--force'"

echo x >new_file; refuses --tested 'the tree is not clean'; rm new_file
version 1.0; commit; refuses --tested "must be X.Y.Z, is '1.0'"
version 1.0.1; commit; refuses --tested "the first section must be '## 1.0.1 - YYYY-MM-DD', is '## 1.0.0 - 2026-01-31'"
version 1.0.0
changelog $'## Unreleased\n\n- An entry.\n\n## 0.9.0 - 2025-12-01\n\n- An old entry.'; commit
refuses --tested "rename the heading to '## 1.0.0 - "
changelog $'## 1.0.0 - 2026-02-31\n\n- An entry.'; commit; refuses --tested '2026-02-31 is not a date'
changelog $'## 1.0.0 - 2026-01-31\n\n## 0.9.0 - 2025-12-01\n\n- An old entry.'; commit; refuses --tested 'has no entries'
changelog "$good_changelog"
mkdir -p packaging/spack; echo 'version("0.9.0", tag="v0.9.0")' >packaging/spack/package.py; commit
refuses --tested 'package.py has no version("1.0.0", tag="v1.0.0")'
echo 'version("1.0.0", tag="v1.0.0")' >packaging/spack/package.py
mkdir -p packaging/conda; echo '  version: "0.9.0"' >packaging/conda/recipe.yaml; commit
refuses --tested 'recipe.yaml has no version: "1.0.0"'
echo '  version: "1.0.0"' >packaging/conda/recipe.yaml; commit
ci 'exit 1'; commit; refuses --test 'CI failed'
ci 'touch left_behind'; commit; refuses --test 'the tests changed the tree'; rm left_behind

ci 'exit 0'; commit
tools/release --check >"$work/out" 2>&1 || fail 'a commit that is ready is refused'
[ -z "$(git tag --list)" ] || fail '--check created a tag'
tools/release --test >"$work/out" 2>&1 || fail 'a commit that is ready is refused'
[ "$(git cat-file -t v1.0.0)" = tag ] || fail 'the tag is not annotated'
message=$(git for-each-ref --format='%(contents)' refs/tags/v1.0.0)
[ "$message" = $'Rafter 1.0.0\n\n- An entry.\n- Another one.' ] || { echo "$message"; fail 'the message of the tag'; }
expected_tags=v1.0.0
refuses --tested 'the tag v1.0.0 exists already'

version 0.9.9; changelog $'## 0.9.9 - 2026-01-31\n\n- An entry.'; commit
refuses --tested 'the tag v1.0.0 is newer than the version 0.9.9'
echo "tools/release tags what is ready and refuses the rest"
