#!/usr/bin/env bash
# usage: docker.sh [DOCKERFILE...], in the source tree. Takes as long as making the packages: a part of ./rafter test --nightly.
# Performs the Dockerfiles' instructions without Docker, with bare roots as images, and uses the tool in the last one. For
# Dockerfile.cuda the root has this machine's CUDA toolkit; without one it is skipped.
#
#   RAFTER_MADE_PACKAGES=1     the stage `packages` takes those of build/packages instead of making them
set -eu -o pipefail
cd "$(dirname "$0")/../.."
sources=$PWD
fail() { echo "FAILED: $*"; exit 1; }
source tests/package/bare_root.sh
why=$(why_no_bare_root)
[ -z "$why" ] || { echo "skipped: $why"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# What the images' build context contains: everything but the folders of .dockerignore.
copy_context() { # SOURCE... DESTINATION
  local destination=${*: -1} name exclude=()
  while read -r name; do exclude+=(--exclude="./$name"); done <.dockerignore
  for name in "${@:1:$#-1}"; do
    if [ "$name" = . ]; then
      mkdir -p "$destination" && tar -c "${exclude[@]}" . | tar -x -C "$destination"
    else
      [ -e "$name" ] || fail "$dockerfile copies $name, which does not exist"
      mkdir -p "$(dirname "$destination")" && cp -r "$name" "$destination"
    fi
  done
}

run_step() { # COMMAND...
  if [ -n "${RAFTER_MADE_PACKAGES:-}" ] && [[ $* = */steps\ packages ]]; then
    mkdir -p "$root/rafter/build/packages" && cp build/packages/*.deb "$root/rafter/build/packages"
  else
    in_root "$root" env "${environment[@]}" bash -c "$*" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "$dockerfile: RUN $*"; }
  fi
}

# perform: follows $dockerfile, with $base as BASE; the image is afterwards the folder $root.
perform() {
  local instruction rest words stage=0
  environment=() root=
  while read -r instruction rest; do
    read -ra words <<<"$rest"
    case $instruction in
      ''|'#'*|ARG|CMD) ;;
      FROM)
        stage=$((stage + 1)) environment=()
        root=$work/$stage
        if [ "${words[0]}" = '${BASE}' ]; then
          cp -a "$base" "$root"
        else
          [ -e "$work/stage-${words[0]}" ] || fail "$dockerfile: there is no stage ${words[0]}"
          cp -a "$(readlink "$work/stage-${words[0]}")" "$root"
        fi
        [ "${words[1]:-}" != AS ] || ln -sfn "$root" "$work/stage-${words[2]}" ;;
      COPY)
        if [[ ${words[0]} = --from=* ]]; then
          from=$(readlink "$work/stage-${words[0]#--from=}") || fail "$dockerfile: COPY $rest: no such stage"
          mkdir -p "$root${words[2]}"
          cp -r "$from"${words[1]} "$root${words[2]}"
        else
          copy_context "${words[@]:0:${#words[@]}-1}" "$root${words[-1]}"
        fi ;;
      ENV) environment+=("$rest") ;;
      WORKDIR) mkdir -p "$root$rest" ;;
      RUN) echo "$dockerfile: RUN $rest"; run_step "$rest" ;;
      *) fail "$dockerfile: unknown instruction $instruction" ;;
    esac
  done <"$dockerfile"
}

make_bare_root "$work/base" || fail "cannot make a bare root"
dockerfiles=("$@")
[ $# -gt 0 ] || dockerfiles=(packaging/docker/Dockerfile packaging/docker/Dockerfile.cuda)
for dockerfile in "${dockerfiles[@]}"; do
  base=$work/base
  if [[ $dockerfile = *.cuda ]]; then
    if ! [ -x /usr/local/cuda/bin/nvcc ]; then echo "skipped: $dockerfile needs /usr/local/cuda"; continue; fi
    mkdir -p "$base/usr/local/cuda"  # in_root mounts the toolkit there
  fi
  perform
  as_user "$root" 'rafter --version && rafter list sum' >"$work/out" || { cat "$work/out"; fail "$dockerfile: the tool does not run"; }
  cp tests/executor/programs/algorithms/vector_add.cu "$root/work"
  as_user "$root" 'rafter check /work/vector_add.cu' | grep -q 'nothing found in 1 kernel' || fail "$dockerfile: rafter check"
  if [[ $dockerfile = *.cuda ]]; then grep -q 'CUDA.*for' "$work/out" || { cat "$work/out"; fail "the tool has no CUDA kernels"; }; fi
  rm -rf --one-file-system "$work"/[0-9]* "$work"/stage-*
done
echo "the Dockerfiles' steps work in bare roots"
