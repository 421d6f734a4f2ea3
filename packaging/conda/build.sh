#!/usr/bin/env bash
# Run by rattler-build in the sources: installs the shared library into $PREFIX.
set -eu
options=()
if [ "${cuda_compiler_version:-None}" != None ]; then options+=(-DRAFTER_CUDA=ON); fi
# shellcheck disable=SC2086
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DBUILD_SHARED_LIBS=ON -DRAFTER_TOOL=OFF -DRAFTER_TESTS=OFF -DRAFTER_EXAMPLES=OFF -DRAFTER_ISA_LEVELS=all "${options[@]}"
cmake --build build/conda
cmake --install build/conda
