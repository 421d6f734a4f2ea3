// Generates small kernels with one access per thread, each in one line, in one of many forms; the accessed bytes are
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

/// One form of access to `AT`, an element of type T, or a part of it.
struct Form {
  std::string_view name, text;
  bool writes;
  std::string_view only = "";  // for this type only; empty: for all
  int bytes = 0;               // accessed bytes; 0: all of the element
  bool is_atomic = false, reads_too = false;
};

enum class Plan { clean, past_end, one_element, unwritten };

struct AccessKernel {
  std::string name;
  ElementType type;
  Form form;
  std::string_view space;  // its name in reports
  std::string_view where;  // global, shared, dynamic, variable, local
  Plan plan;
  int line = 0;  // of the access

  /// Returns the hazard that a check must report for that line; empty: none.
  std::string hazard() const {
    switch (plan) {
      case Plan::clean: return "";
      case Plan::past_end: return "out_of_bounds";
      case Plan::one_element: return form.writes && !form.is_atomic ? "race" : "";
      case Plan::unwritten: return form.writes && !form.is_atomic && !form.reads_too ? "" : "uninitialised";
    }
    return "";
  }
  int bytes() const { return form.bytes > 0 ? form.bytes : type.bytes; }
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
    Form{"captured", "seen = [v = AT]() __attribute__((noinline)) { return taken(v); }();", false},
    Form{"in_a_loop", "for (int round = 0; round < 1; ++round) AT = value<T>(t + round);", true},
    Form{"summed", "for (T *p = &AT, *end = p + 1; p != end; ++p) seen += taken(*p);", false},
    Form{"member", "AT.y = t;", true, "float4", 4},
    Form{"member_read", "seen = AT.z;", false, "float3", 4},
    Form{"as_other_vector", "*reinterpret_cast<int4*>(&AT) = make_int4(t, t, t, t);", true, "float4"},
    Form{"as_other_vector_read", "seen = reinterpret_cast<int2*>(&AT)->y;", false, "float2", 4},
    Form{"array_member", "AT.v[t % 7] = t;", true, "Row", 4},
    Form{"deep_member_read", "seen = AT.row.v[t % 7];", false, "Nested", 4},
    Form{"bit_field_read", "seen = AT.b;", false, "Bits", 2},
    Form{"byte_of_it", "reinterpret_cast<signed char*>(&AT)[1] = 2 * t + 1;", true, "int", 1},
    Form{"atomic", "seen = atomicAdd(&AT, t);", true, "int", 4, true},
    Form{"atomic_of_block", "seen = atomicMax_block(&AT, t);", true, "int", 4, true},
    Form{"compare_and_swap", "seen = atomicCAS(&AT, 1, t);", true, "int", 4, true},
    Form{"float_atomic", "seen = atomicAdd(&AT, 1.0f);", true, "float", 4, true},
    Form{"increment", "++AT;", true, "int", 4, false, true},
    Form{"added_to", "AT += t;", true, "double", 8, false, true}};

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

/// Generates a program that launches each kernel with one block of 32 threads.
class AccessProgram {
 public:
  AccessProgram(int n_kernels, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](const auto& all) { return all[random() % std::size(all)]; };
    constexpr std::array<std::string_view, 5> places{"global", "shared", "dynamic", "variable", "local"};
    constexpr std::array plans{Plan::clean, Plan::past_end, Plan::one_element, Plan::unwritten};
    text_ = prelude;
    for (int k = 0; k < n_kernels; ++k) {
      AccessKernel kernel{"k" + std::to_string(k), pick(element_types), pick(forms), "", pick(places), pick(plans)};
      for (const ElementType& type : element_types) {
        if (type.name == kernel.form.only) kernel.type = type;
      }
      add(possible(kernel));
    }
    text_ += "int main() {\n" + main_ + "  return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
  }

  const std::string& text() const { return text_; }
  const std::vector<AccessKernel>& kernels() const { return kernels_; }

 private:
  /// Replaces the plan or the place if such a kernel is impossible.
  static AccessKernel possible(AccessKernel kernel) {
    // A thread's local array is not shared, its initialisation is not tracked, and a write past its end would end the
    // launch. The compiler knows the array when a number is read.
    if (kernel.where == "local") {
      const bool is_number = kernel.type.name == "int" || kernel.type.name == "float" || kernel.type.name == "double";
      if (kernel.plan != Plan::past_end || kernel.form.name != "loaded" || !is_number) kernel.plan = Plan::clean;
    }
    // Variables in device memory are zero-initialised, and all kernels of a type would share them.
    if (kernel.where == "variable" && kernel.plan == Plan::unwritten) kernel.plan = Plan::clean;
    // The kernel reads what it wrote, and more than a part.
    const bool is_part = kernel.form.writes && kernel.bytes() < kernel.type.bytes;
    if (is_part && kernel.plan == Plan::unwritten) kernel.plan = Plan::clean;
    kernel.space = kernel.where == "shared" || kernel.where == "dynamic" ? "shared" : "global";
    if (kernel.where == "local") kernel.space = "local";
    return kernel;
  }
  void line(const std::string& text) { text_ += text + "\n"; }

  void add(AccessKernel kernel) {
    const bool is_short = kernel.plan == Plan::past_end;
    const std::string size = is_short ? "31" : "32", type(kernel.type.name);
    const std::string index = kernel.plan == Plan::one_element ? "[0]" : "[t]";
    if (kernel.where == "variable") line("__device__ " + type + " variable_" + kernel.name + "[" + size + "];");
    line("__global__ void " + kernel.name + "(" + type + "* global, int* out) {");
    line("  using T = " + type + "; const int t = threadIdx.x; int seen = 0;");
    if (kernel.where == "shared") line("  __shared__ T base[" + size + "];");
    if (kernel.where == "local") line("  T base[" + size + "];");
    if (kernel.where == "dynamic") line("  extern __shared__ char bytes[]; T* base = reinterpret_cast<T*>(bytes);");
    if (kernel.where == "global") line("  T* base = global;");
    if (kernel.where == "variable") line("  T* base = variable_" + kernel.name + ";");
    // An element that is only written in part, or updated, is read before or after.
    const bool is_read = !kernel.form.writes || kernel.form.bytes > 0;
    const bool is_filled = is_read && kernel.plan != Plan::unwritten && kernel.where != "variable";
    if (kernel.where == "local") {
      line("  for (int i = 0; i < " + size + "; ++i) base[i] = value<T>(i);");
    } else if (is_filled) {
      line("  if (t < " + size + ") base[t] = value<T>(t);\n  __syncthreads();");
    }
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
