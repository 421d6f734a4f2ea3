#!/usr/bin/env bash
# usage: subproject.sh SOURCES GENERATOR
# A project that adds Rafter with add_subdirectory() keeps its build type, its kind of libraries and its install rules,
# and its own targets get no options but the include folders and the threads of the system.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
add_subdirectory($1 rafter)
file(WRITE \${PROJECT_BINARY_DIR}/app.cpp "int main() {}")
add_executable(app app.cpp)
target_link_libraries(app PRIVATE rafter::rafter)
add_library(own app.cpp)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
option(BUILD_SHARED_LIBS "the parent's" ON)
option(RAFTER_TOOL "" OFF)
install(TARGETS app)
foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS LINK_OPTIONS)
  get_target_property(value rafter INTERFACE_\${property})
  message(STATUS "interface \${property}: '\${value}'")
endforeach()
CMAKE
cmake -S "$work" -B "$work/build" -G "$2" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cache=$work/build/CMakeCache.txt
expect() { grep -q "$1" "$2" || { echo "FAILED: no line '$1' in $(basename "$2")"; cat "$work/log"; exit 1; }; }
expect '^CMAKE_BUILD_TYPE:STRING=$' "$cache"
expect '^BUILD_SHARED_LIBS:BOOL=ON$' "$cache"
expect '^RAFTER_TOOL:BOOL=OFF$' "$cache"
expect '^RAFTER_TESTS:BOOL=OFF$' "$cache"
expect "interface COMPILE_OPTIONS: 'value-NOTFOUND'" "$work/log"
expect "interface LINK_OPTIONS: 'value-NOTFOUND'" "$work/log"
if grep -rlE 'file\(INSTALL' "$work/build/rafter" --include=cmake_install.cmake; then
  echo "FAILED: the subproject has install rules"; exit 1
fi
echo "the parent project keeps its settings"
