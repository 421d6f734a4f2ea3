// Generates small kernels in which two threads access one word, ordered by a flag, by a lock or not at all, with or
// without fences. The expected finding is known.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::simt::test {

enum class Fenced { no, block, device };
enum class By { nothing, atomic_flag, volatile_flag, order_of_flag, lock };

/// One of the two threads: its kind of access, and its fences around the section that the flag or lock guards.
struct Accessor {
  bool writes, is_volatile;
  Fenced before, after;
};

struct OrderKernel {
  std::string name;
  By by;
  bool in_one_block;
  Accessor first, second;
  bool fences_after_flag = false;  // by the first thread: too late
  int lines[2] = {0, 0};           // of the accesses

  bool reaches(Fenced fence) const { return fence == Fenced::device || (in_one_block && fence == Fenced::block); }
  bool is_released() const { return by != By::nothing && reaches(first.after) && !fences_after_flag; }
  bool is_acquired() const {
    const bool both_volatile = first.is_volatile && second.is_volatile;
    if (by == By::lock) return reaches(second.before) && reaches(first.before);
    return both_volatile || reaches(second.before);
  }

  /// Returns the hazard that --strict must report; empty: none.
  std::string hazard() const {
    if (!first.writes && !second.writes) return "";
    if (!is_released()) return first.is_volatile && second.is_volatile ? "unordered_volatile" : "race";
    return is_acquired() ? "" : "missing_acquire";
  }
};

/// Generates a program of such kernels.
class OrderProgram {
 public:
  OrderProgram(int n_kernels, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto one_of = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    const auto accessor = [&] {
      return Accessor{one_of(3) > 0, one_of(2) > 0, static_cast<Fenced>(one_of(3)), static_cast<Fenced>(one_of(3))};
    };
    text_ = "#include <cuda/atomic>\n";
    for (int k = 0; k < n_kernels; ++k) {
      OrderKernel kernel{"k" + std::to_string(k), static_cast<By>(one_of(5)), one_of(2) > 0, accessor(), accessor()};
      kernel.fences_after_flag = one_of(6) == 0 && kernel.by != By::lock;
      // A memory order on the flag acts as a device-scope fence on its side.
      if (kernel.by == By::order_of_flag) {
        kernel.fences_after_flag = false;
        kernel.first.after = kernel.first.after == Fenced::device ? Fenced::device : Fenced::no;
        kernel.second.before = kernel.second.before == Fenced::device ? Fenced::device : Fenced::no;
      }
      add(kernel);
    }
    text_ += "int main() {\n  int *p;\n" + main_ + "  return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
  }

  const std::string& text() const { return text_; }
  const std::vector<OrderKernel>& kernels() const { return kernels_; }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  static std::string fence(Fenced fence) {
    return fence == Fenced::no ? "" : fence == Fenced::block ? "__threadfence_block();" : "__threadfence();";
  }

  int access(const Accessor& accessor, int value) {
    const std::string word = accessor.is_volatile ? "*(volatile int*)data" : "*data";
    line(accessor.writes ? "    " + word + " = " + std::to_string(value) + ";"
                         : "    out[" + std::to_string(value) + "] = " + word + ";");
    return static_cast<int>(std::count(text_.begin(), text_.end(), '\n'));
  }

  void first(OrderKernel& kernel) {
    if (kernel.by == By::lock) line("    while (atomicCAS(flag, 0, 1) != 0) {}\n    " + fence(kernel.first.before));
    kernel.lines[0] = access(kernel.first, 1);
    std::string set = "*(volatile int*)flag = 1;";
    if (kernel.by == By::atomic_flag) set = "atomicExch(flag, 1);";
    if (kernel.by == By::lock) set = "atomicExch(flag, 0);";
    if (kernel.by == By::nothing) set = "";
    if (kernel.by == By::order_of_flag) {
      const bool releases = kernel.first.after == Fenced::device;
      line("    Flag(*flag).store(1, cuda::memory_order_" + std::string(releases ? "release" : "relaxed") + ");");
    } else if (kernel.fences_after_flag) {
      line("    " + set + " " + fence(kernel.first.after));
    } else {
      line("    " + fence(kernel.first.after) + " " + set);
    }
  }

  void second(OrderKernel& kernel) {
    const bool acquires = kernel.second.before == Fenced::device;
    switch (kernel.by) {
      case By::nothing: break;
      case By::atomic_flag: line("    while (atomicAdd(flag, 0) == 0) {}"); break;
      case By::volatile_flag: line("    while (*(volatile int*)flag == 0) {}"); break;
      case By::order_of_flag:
        line("    while (Flag(*flag).load(cuda::memory_order_" + std::string(acquires ? "acquire" : "relaxed") +
             ") == 0) {}");
        break;
      case By::lock: line("    while (atomicCAS(flag, 0, 1) != 0) {}"); break;
    }
    if (kernel.by != By::order_of_flag) line("    " + fence(kernel.second.before));
    kernel.lines[1] = access(kernel.second, 2);
    if (kernel.by == By::lock) line("    " + fence(kernel.second.after) + " atomicExch(flag, 0);");
  }

  void add(OrderKernel kernel) {
    line("__global__ void " + kernel.name + "(int* data, int* flag, int* out) {");
    line("  using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;");
    const std::string me = kernel.in_one_block ? "threadIdx.x / 32" : "blockIdx.x";
    line("  if (threadIdx.x % 32 == 0 && " + me + " == 0) {");
    first(kernel);
    line("  } else if (threadIdx.x % 32 == 0 && " + me + " == 1) {");
    second(kernel);
    line("  }\n}");
    main_ += "  cudaMalloc(&p, 64), cudaMemset(p, 0, 64), " + kernel.name +
             (kernel.in_one_block ? "<<<1, 64>>>" : "<<<2, 32>>>") + "(p, p + 1, p + 2);\n";
    kernels_.push_back(kernel);
  }

  std::string text_, main_;
  std::vector<OrderKernel> kernels_;
};

}  // namespace rafter::simt::test
