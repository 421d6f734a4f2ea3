// Small kernels that read or write one element per thread, each in one line, in one of many ways; what they touch is
// known.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::simt::test {

struct ElementType {
  std::string_view name;
  int bytes;
};

/// One way to touch `AT`, an element of type T; `i` is its index in `base`.
struct Form {
  std::string_view name, text;
  bool writes;
};

enum class Plan { clean, past_end, one_element, unwritten };

struct AccessKernel {
  std::string name;
  ElementType type;
  Form form;
  std::string_view space;  // as reports name it
  std::string_view where;  // global, shared, dynamic, variable
  Plan plan;
  int line = 0;  // of the access

  /// What a check must say of that line; empty: nothing.
  std::string hazard() const {
    switch (plan) {
      case Plan::clean: return "";
      case Plan::past_end: return "out_of_bounds";
      case Plan::one_element: return form.writes ? "race" : "";
      case Plan::unwritten: return form.writes ? "" : "uninitialised";
    }
    return "";
  }
};

inline constexpr std::array element_types{
    ElementType{"signed char", 1}, ElementType{"short", 2},  ElementType{"int", 4},     ElementType{"float", 4},
    ElementType{"double", 8},      ElementType{"float2", 8}, ElementType{"float3", 12}, ElementType{"float4", 16},
    ElementType{"Pair", 8},        ElementType{"Odd", 3},    ElementType{"Padded", 16}, ElementType{"Row", 28},
    ElementType{"Bits", 4},        ElementType{"Nested", 40}};

inline constexpr std::array forms{
    Form{"assigned", "AT = value<T>(t);", true},
    Form{"returned", "AT = made<T>(t);", true},
    Form{"returned_by_lambda", "AT = [&]() __attribute__((noinline)) { return value<T>(t); }();", true},
    Form{"copied_from_local", "T v = value<T>(t); memcpy(&AT, &v, sizeof(T));", true},
    Form{"moved_from_local", "T v = value<T>(t); __builtin_memmove(&AT, &v, sizeof(T));", true},
    Form{"std_copy_from_local", "T v = value<T>(t); std::copy(&v, &v + 1, &AT);", true},
    Form{"std_fill", "std::fill(&AT, &AT + 1, value<T>(t));", true},
    Form{"filled", "memset(&AT, t, sizeof(T));", true},
    Form{"chosen", "if (t % 2) AT = value<T>(t); else AT = made<T>(t + 1);", true},
    Form{"exchanged", "T v = value<T>(t); T& to = AT; to = std::move(v);", true},
    Form{"loaded", "T v = AT; seen = taken(v);", false},
    Form{"passed", "seen = taken(AT);", false},
    Form{"passed_to_pointer", "int (*f)(T) = choose<T>(t); seen = f(AT);", false},
    Form{"copied_to_local", "T v; memcpy(&v, &AT, sizeof(T)); seen = taken(v);", false},
    Form{"std_copy_to_local", "T v; std::copy(&AT, &AT + 1, &v); seen = taken(v);", false},
    Form{"compared", "T v = value<T>(t); seen = memcmp(&AT, &v, sizeof(T));", false},
    Form{"cached_load", "seen = taken(__ldg(&AT));", false},
    Form{"captured", "seen = [v = AT]() __attribute__((noinline)) { return taken(v); }();", false}};

inline constexpr std::string_view prelude = R"(#include <algorithm>
#include <cstring>
struct Pair { int a, b; };
struct Odd { char c[3]; };
struct Padded { double d; int i; };
struct Row { int v[7]; };
struct Bits { unsigned a : 3, b : 13, c : 16; };
struct Nested { Row row; float3 end; };
template <class T> __device__ T value(int t) { T v; memset(&v, t + 1, sizeof(T)); return v; }
template <class T> __device__ __noinline__ T made(int t) { return value<T>(t); }
template <class T> __device__ __noinline__ int taken(T v) { return reinterpret_cast<char*>(&v)[sizeof(T) / 2]; }
template <class T> __device__ __noinline__ auto choose(int t) { return t < 0 ? nullptr : &taken<T>; }
)";

/// Kernels with a program around them; it launches each with one block of 32 threads.
class AccessProgram {
 public:
  AccessProgram(int n_kernels, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](const auto& all) { return all[random() % std::size(all)]; };
    constexpr std::array<std::string_view, 4> places{"global", "shared", "dynamic", "variable"};
    constexpr std::array plans{Plan::clean, Plan::past_end, Plan::one_element, Plan::unwritten};
    text_ = prelude;
    for (int k = 0; k < n_kernels; ++k) {
      AccessKernel kernel{"k" + std::to_string(k), pick(element_types), pick(forms), "", pick(places), pick(plans)};
      kernel.space = kernel.where == "shared" || kernel.where == "dynamic" ? "shared" : "global";
      // Variables in device memory begin as zeros, and all kernels of a type would share them.
      if (kernel.where == "variable" && kernel.plan == Plan::unwritten) kernel.plan = Plan::clean;
      add(kernel);
    }
    text_ += "int main() {\n" + main_ + "  return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
  }

  const std::string& text() const { return text_; }
  const std::vector<AccessKernel>& kernels() const { return kernels_; }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  void add(AccessKernel kernel) {
    const bool is_short = kernel.plan == Plan::past_end;
    const std::string size = is_short ? "31" : "32", type(kernel.type.name);
    const std::string index = kernel.plan == Plan::one_element ? "[0]" : "[t]";
    if (kernel.where == "variable") line("__device__ " + type + " variable_" + kernel.name + "[" + size + "];");
    line("__global__ void " + kernel.name + "(" + type + "* global, int* out) {");
    line("  using T = " + type + "; const int t = threadIdx.x; int seen = 0;");
    if (kernel.where == "shared") line("  __shared__ T base[" + size + "];");
    if (kernel.where == "dynamic") line("  extern __shared__ char bytes[]; T* base = reinterpret_cast<T*>(bytes);");
    if (kernel.where == "global") line("  T* base = global;");
    if (kernel.where == "variable") line("  T* base = variable_" + kernel.name + ";");
    const bool is_filled = !kernel.form.writes && kernel.plan != Plan::unwritten && kernel.where != "variable";
    if (is_filled) line("  if (t < " + size + ") base[t] = value<T>(t);\n  __syncthreads();");
    std::string access(kernel.form.text);
    for (std::size_t at = 0; (at = access.find("AT", at)) != std::string::npos;) access.replace(at, 2, "base" + index);
    kernel.line = static_cast<int>(std::count(text_.begin(), text_.end(), '\n')) + 1;
    line("  " + access);
    if (kernel.form.writes && !is_short) line("  __syncthreads();\n  seen = taken(base" + index + ");");
    line("  out[t] = seen;\n}");
    main_ += "  { void *p, *out; cudaMalloc(&p, " + size + " * sizeof(" + type + ")); cudaMalloc(&out, 128); " +
             kernel.name + "<<<1, 32, " + size + " * sizeof(" + type + ")>>>((" + type + "*)p, (int*)out); }\n";
    kernels_.push_back(kernel);
  }

  std::string text_, main_;
  std::vector<AccessKernel> kernels_;
};

}  // namespace rafter::simt::test
