#!/usr/bin/env bash
# wheel.sh ROOT [OPTION OF PIP...]: builds a wheel, installs it into an empty virtual environment, and uses it in another
# folder: ops without a compiler on the PATH, the tool, a kernel of a .cu file, and the library from CMake. It takes minutes
# and a network, so it is a part of the nightly tests.
set -e -o pipefail
root=$(cd "$1" && pwd); shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/build" "$work/clean"
"$work/build/bin/python" -m pip wheel -q --no-deps -w "$work" "$@" "$root"
"$work/clean/bin/python" -m pip install -q "$work"/rafter-*.whl
cd "$work"

PATH=/nowhere "$work/clean/bin/python" -c "
import numpy, rafter
assert rafter.sum(numpy.ones(1000)) == 1000
print('ops run without a compiler:', rafter.__version__)"

"$work/clean/bin/rafter" --version | grep -q '^rafter '
cat >twice.cu <<'END'
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
END
"$work/clean/bin/python" -c "
import numpy, rafter
x = numpy.arange(4, dtype=numpy.float32)
rafter.load_module('twice.cu').twice(x, block=4, check=True)
assert x.tolist() == [0, 2, 4, 6]
print('a kernel runs on the executor')"

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(rafter REQUIRED)
add_executable(user user.cpp)
target_link_libraries(user PRIVATE rafter::rafter)
END
cat >user.cpp <<'END'
#include <cstdio>
#include <rafter/rafter.hpp>
#include <vector>
int main() {
  const std::vector<double> values(10, 2.0);
  double total = 0;
  rafter::sum(rafter::Stream::cpu(), values, &total);
  std::printf("%g\n", total);
}
END
prefix=$("$work/clean/bin/python" -c "import rafter; print(rafter.cmake_prefix())")
cmake -S . -B out -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >cmake.log || { cat cmake.log; exit 1; }
ninja -C out >ninja.log || { cat ninja.log; exit 1; }
[ "$(out/user)" = 20 ]
echo "a C++ program links the wheel's library"
