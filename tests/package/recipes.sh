#!/usr/bin/env bash
# usage: recipes.sh SOURCES VERSION
# The recipes of packaging/ and .devcontainer fit the tree: the files, stages, steps and options that they name exist, they
# have its version, and they parse. With RAFTER_NIGHTLY rattler-build also renders conda's recipe; "skipped" where Python or
# the network is missing.
set -eu -o pipefail
cd "$1"
version=$2
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The Dockerfiles: files, stages and steps.
check_dockerfile() { # DOCKERFILE
  local instruction words name stages=' '
  while read -r instruction words; do
    read -ra words <<<"$words"
    case $instruction in
      FROM)
        [ "${words[0]}" = '${BASE}' ] || [[ $stages = *" ${words[0]} "* ]] || fail "$1: there is no stage ${words[0]}"
        stages+="${words[2]:-} " ;;
      COPY)
        if [[ ${words[0]} = --from=* ]]; then
          [[ $stages = *" ${words[0]#--from=} "* ]] || fail "$1: COPY ${words[0]}: no such stage"
        else
          for name in "${words[@]:0:${#words[@]}-1}"; do [ -e "$name" ] || fail "$1 copies $name, which does not exist"; done
        fi ;;
      RUN)
        [[ ${words[0]} = */steps ]] && grep -q "^  ${words[1]})" packaging/docker/steps || fail "$1: unknown step: ${words[*]}" ;;
      ''|'#'*|ARG|ENV|WORKDIR|CMD) ;;
      *) fail "$1: unknown instruction $instruction" ;;
    esac
  done <"$1"
}
check_dockerfile packaging/docker/Dockerfile
check_dockerfile packaging/docker/Dockerfile.cuda
sed 's/^FROM build AS packages/FROM nothing AS packages/' packaging/docker/Dockerfile >"$work/planted"
if (check_dockerfile "$work/planted") >/dev/null; then fail "a stage that does not exist was accepted"; fi

# .devcontainer: its file and stage.
cat >"$work/json.cmake" <<'CMAKE'
file(READ .devcontainer/devcontainer.json json)
foreach(key dockerfile context target)
  string(JSON value GET "${json}" build ${key})  # fails if it is not JSON
  file(APPEND ${OUT} "${value}\n")
endforeach()
CMAKE
cmake -DOUT="$work/json" -P "$work/json.cmake"
{ read -r dockerfile; read -r context; read -r target; } <"$work/json"
[ -e ".devcontainer/$dockerfile" ] || fail ".devcontainer names $dockerfile, which does not exist"
[ "$(realpath ".devcontainer/$context")" = "$(realpath .)" ] || fail ".devcontainer: the context must be the source tree, is $context"
grep -q "^FROM .* AS $target\$" ".devcontainer/$dockerfile" || fail ".devcontainer: $dockerfile has no stage $target"

# Every option of the build that a recipe sets exists.
options=$(grep -ohE '\bRAFTER_[A-Z_]+\b' packaging/spack/package.py packaging/conda/* packaging/docker/* tools/packages | grep -v _$ | sort -u)
for option in $options; do
  peer=${option#RAFTER_} peer=${peer%_*}  # rafter_find_peer(TARGET NAME ...) defines RAFTER_NAME_INCLUDE and _LIBRARY
  grep -rqE "\b$option\b|rafter_find_peer\(\S* $peer " cmake rafter src --include='*.cmake' --include=CMakeLists.txt --include=rafter ||
    fail "there is no option $option"
done

grep -qF "version(\"$version\", tag=\"v$version\")" packaging/spack/package.py || fail "packaging/spack/package.py has no version $version"
grep -qF "version: \"$version\"" packaging/conda/recipe.yaml || fail "packaging/conda/recipe.yaml has no version $version"
for script in packaging/conda/build.sh packaging/docker/steps tools/packages tests/package/*.sh; do bash -n "$script"; done
if command -v python3 >/dev/null; then
  python3 -c 'import ast; ast.parse(open("packaging/spack/package.py").read())'
else
  echo "skipped: package.py needs Python"
fi

if [ -n "${RAFTER_NIGHTLY:-}" ]; then
  if python3 -m venv "$work/venv" >/dev/null 2>&1 && "$work/venv/bin/pip" -q install py-rattler-build >"$work/pip" 2>&1; then
    "$work/venv/bin/python" tests/package/render_conda.py packaging/conda/recipe.yaml "$version"
  else
    echo "skipped: rattler-build needs python3-venv and a network"
  fi
fi
echo "the recipes fit the tree"
