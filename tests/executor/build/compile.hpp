// Compiles rewritten text with a substitute for the executor's headers that runs launches as plain loops.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/files.hpp"

namespace rafter::simt::build::test {

/// The substitute for the header that is included first, reduced to what these tests need.
inline constexpr const char* stand_in = R"(#line 1 "stand_in"
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
struct CUstream_st; typedef CUstream_st* cudaStream_t;
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
namespace rafter_simt {
inline char shared_memory[4096];
inline void* dynamic_shared() { return shared_memory; }
template <class T> struct DynamicShared {
  operator T*() const { return (T*)dynamic_shared(); }
  T* operator+() const { return *this; }
};
struct Shape {
  dim3 grid, block;
  Shape(dim3 g, dim3 b, std::size_t = 0, CUstream_st* = nullptr) : grid(g), block(b) {}
};
template <class Callee> const char* name_of(const Callee&, const char* text) { return text; }
inline const char* last_name = "";
template <class Body> int launch(const char* name, const Shape& shape, Body body) {
  last_name = name;
  const dim3 g = shape.grid, b = shape.block;
  for (unsigned i = 0; i < g.x * g.y * g.z * b.x * b.y * b.z; ++i) body();
  return 0;
}
enum class Lists { arguments };
template <class Body> int launch(const char* name, const Shape& shape, Body body, Lists) { return launch(name, shape, body); }
template <class... T> struct Pack {
  std::tuple<T...> values;
  template <class Function> void apply(Function function) { std::apply(function, values); }
};
template <class... T> Pack<T...> make_pack(T... values) { return {{values...}}; }
template <class... Arguments> void leaving(unsigned, const Arguments&...) {}
template <class... Arguments> std::true_type are_plain(const Arguments&...);
template <class... Arguments> int taking(const Arguments&...);
template <class Taking, class Name, class Call, class Plainly> void call_with_bytes(Name, Call, Plainly plainly) {
  plainly();
}
struct Extents { unsigned x, y, z; };
struct RunThread { static constexpr bool is_test = false, is_active = false; };
constexpr int unguarded = 0, guarded = 1, interval_guards = 2, index_of_block = 0, index_of_grid = 1;
template <class Body> void for_threads(int, int, Body body) {
  body(uint3{0, 0, 0}, uint3{0, 0, 0}, Extents{1, 1, 1}, Extents{1, 1, 1}, RunThread());
}
}
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ static thread_local
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define RAFTER_SIMT_DEVICE_VARIABLE __attribute__((section("rafter_device")))
#define RAFTER_SIMT_CONSTANT_VARIABLE __attribute__((section("rafter_constant")))
#define RAFTER_SIMT_MANAGED_VARIABLE __attribute__((section("rafter_managed")))
#define RAFTER_SIMT_LIST(...) static_cast<void>(0)
#define EXPECT(x) do { if (!(x)) { std::printf("%s:%d: %s\n", __FILE__, __LINE__, #x); std::exit(1); } } while (0)
)";

struct Run {
  int status;
  std::string output;
};

inline Run shell(const std::string& command) {
  Run run{};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) run.output.append(buffer, n);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

/// Compiles and runs; the status is the program's, or the compiler's if it failed.
inline Run compile_and_run(const std::filesystem::path& folder, const std::string& text) {
  base::write_file(folder / "stand_in.hpp", stand_in);
  base::write_file(folder / "rewritten.cpp", text);
  const std::string base = folder.string();
  Run run = shell("g++ -std=gnu++17 -DRAFTER_SIMT_NO_LANES -fpermissive -w -fno-strict-aliasing -include " + base +
                  "/stand_in.hpp " + base + "/rewritten.cpp -o " + base + "/program");
  return run.status != 0 ? run : shell(base + "/program");
}

}  // namespace rafter::simt::build::test
