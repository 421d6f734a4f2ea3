#!/usr/bin/env bash
# usage: deb.sh, in the source tree. Takes minutes, more if there are no packages: a part of ./rafter test --nightly.
# Makes the Debian packages (tools/packages) and uses them in a bare root: installs them with apt, runs the tool with and
# without g++, builds programs with CMake and pkg-config, and removes them. The tool never calls apt-get.
#
#   RAFTER_MADE_PACKAGES=1     tests the packages that build/packages has
set -eu -o pipefail
cd "$(dirname "$0")/../.."
sources=$PWD
fail() { echo "FAILED: $*"; exit 1; }
source tests/package/bare_root.sh
source tests/package/exports.sh
why=$(why_no_bare_root)
[ -z "$why" ] || { echo "skipped: $why"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root

.ci/packages dpkg-shlibdeps=dpkg-dev file=file
[ -n "${RAFTER_MADE_PACKAGES:-}" ] || tools/packages
mapfile -t packages < <(tools/packages --list | sed "s|^|build/packages/|")
[ ${#packages[@]} = 3 ] || fail "expected 3 packages, got ${packages[*]}"
version=$(sed -n 's/^project(rafter VERSION \([^ )]*\).*/\1/p' CMakeLists.txt)
major=${version%%.*}

echo "--- the packages"
mkdir "$work/files"
declare -A file
for package in "${packages[@]}"; do
  name=$(dpkg-deb -f "$package" Package)
  file[$name]=$package
  [ "$(dpkg-deb -f "$package" Version)" = "$version-1" ] || fail "the version of $package"
  dpkg-deb -x "$package" "$work/files/$name"
  for document in copyright changelog.gz changelog.Debian.gz; do
    [ -s "$work/files/$name/usr/share/doc/$name/$document" ] || fail "$name has no $document"
  done
done
depends_on() { dpkg-deb -f "${file[$1]}" "$2" | tr -d ' ' | tr ',' '\n' | grep -q "^$3\((.*\)\?$" || fail "$1: $2 lacks $3"; }
depends_on "librafter$major" Depends libc6
depends_on librafter-dev Depends "librafter$major"
depends_on rafter Depends libfmt[0-9]*
depends_on rafter Recommends g++
depends_on rafter Recommends librafter-dev
shopt -s globstar nullglob
for object in "$work/files/librafter$major"/usr/lib/**/*.so.*; do [ -L "$object" ] || check_exports "$object"; done
while read -r binary; do
  if readelf -d "$binary" 2>/dev/null | grep -E 'RPATH|RUNPATH'; then fail "${binary#"$work/files/"} has an rpath"; fi
done < <(find "$work/files" -type f \( -perm -100 -o -name '*.so*' \))
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error "${packages[@]}" || fail lintian; else echo "skipped: no lintian"; fi

echo "--- a bare root"
make_bare_root "$root" || fail "cannot make a bare root"
mkdir "$root/packages"
cp "${packages[@]}" "$root/packages"
cp -r examples "$root/examples"
cp tests/executor/programs/algorithms/vector_add.cu "$root/examples"
cat >"$root/examples/scale.cu" <<'CUDA'
__global__ void plain(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void wrong_tail(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = 2 * in[i];
}
CUDA
in_root "$root" apt-get update -qq
install() { in_root "$root" apt-get install -qq -y --no-install-recommends "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "apt-get install $*"; }; }
before=$(find "$root" -xdev -not -path "$root/proc/*" -not -path "$root/packages*" -name '*rafter*')
[ -z "$before" ] || fail "the root is not bare: $before"

# From here on nothing may install packages behind our backs: these record their calls.
forbid_apt() {
  local program
  for program in apt-get apt sudo; do
    [ ! -e "$root/usr/bin/$program" ] || mv "$root/usr/bin/$program" "$root/usr/bin/$program.real"
    printf '#!/bin/sh\necho "%s $*" >>/var/tmp/installers\nexit 1\n' $program >"$root/usr/bin/$program"
    chmod 755 "$root/usr/bin/$program"
  done
}
allow_apt() {
  local program
  for program in apt-get apt sudo; do
    rm "$root/usr/bin/$program"
    [ ! -e "$root/usr/bin/$program.real" ] || mv "$root/usr/bin/$program.real" "$root/usr/bin/$program"
  done
  if [ -e "$root/var/tmp/installers" ]; then cat "$root/var/tmp/installers"; fail "the tool tried to install packages"; fi
}
# expect CODE PATTERN COMMAND: runs it as an ordinary user, and looks for PATTERN in what it prints.
expect() {
  local code=0
  as_user "$root" "$3" >"$work/out" 2>&1 || code=$?
  [ $code = "$1" ] && grep -qE -- "$2" "$work/out" || { cat "$work/out"; fail "$3: exit code $code; expected $1 and '$2'"; }
}

echo "--- the tool without a compiler"
install "/packages/$(basename "${file[rafter]}")"
as_user "$root" true
forbid_apt
expect 0 "^rafter $version" 'rafter --version'
expect 0 '-> chunked' 'rafter list sum'
expect 0 'usage|Usage' 'rafter help run'
expect 0 '"verified": true' 'rafter run sum --device simt --size 1000 --rungs last_block --json -'
expect 2 'g\+\+' 'rafter check /examples/vector_add.cu'
for page in man/man1/rafter-run.1.gz zsh/vendor-completions/_rafter fish/vendor_completions.d/rafter.fish; do
  [ -s "$root/usr/share/$page" ] || fail "the package rafter lacks $page"
done
expect 0 'rafter' 'source /usr/share/bash-completion/completions/rafter && complete -p rafter'
allow_apt

echo "--- the tool with g++"
install g++ cmake ninja-build pkg-config
forbid_apt
expect 0 'nothing found in 1 kernel' 'rafter check /examples/vector_add.cu'
expect 0 'Test PASSED' 'rafter exec /examples/vector_add.cu'
bench="rafter bench /examples/scale.cu --reference plain --set n=1000 --grid 'ceil(n/256)' --block 256 --arg in=f32[n]:random --arg out=f32[n]"
expect 0 'plain' "$bench --kernel plain"
expect 1 'wrong_tail' "$bench --kernel wrong_tail"
allow_apt

echo "--- programs with librafter-dev"
install "/packages/$(basename "${file[librafter$major]}")" "/packages/$(basename "${file[librafter-dev]}")"
forbid_apt
expect 0 'librafter.so.1' 'cmake -S /examples -B examples -G Ninja && cmake --build examples -v'
expect 0 'the sum is 500000500000' examples/sums
expect 0 'the sum is 500000500000' examples/c_sums
expect 0 'the answers agree' examples/analytics
expect 0 'the plate kept its heat' 'examples/heat 100 3'
expect 0 'meV per atom' 'examples/dynamics 2 200'
expect 0 'the sum is 500000500000' 'g++ -std=c++20 -o by_pkg_config /examples/sums.cpp $(pkg-config --cflags --libs rafter) && ./by_pkg_config'
expect 0 '=> /(usr/)?lib/.*librafter.so' 'ldd by_pkg_config'
expect 0 'README' 'rafter new workload mine && ls mine'
expect 0 'mine' 'rafter run --load mine --check'
allow_apt

echo "--- removal"
for package in "${!file[@]}"; do in_root "$root" dpkg -L "$package"; done | sort -u >"$work/installed"
[ "$(wc -l <"$work/installed")" -gt 100 ] || fail "dpkg -L lists too few files"
in_root "$root" apt-get purge -qq -y "${!file[@]}" >"$work/log" 2>&1 || { cat "$work/log"; fail "apt-get purge"; }
while read -r path; do
  if [ ! -d "$root$path" ] && { [ -e "$root$path" ] || [ -L "$root$path" ]; }; then fail "$path is left after the removal"; fi
done <"$work/installed"
left=$(find "$root" -xdev -name '*rafter*' -not -path "$root/home/*" -not -path "$root/packages/*")
[ -z "$left" ] || fail "left after the removal: $left"
echo "the packages work in a bare root"
