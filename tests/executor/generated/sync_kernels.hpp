// Generates small kernels of several steps: accesses of some threads to elements of one array, and operations that may
// order them: barriers of the block, of a warp, of some of its lanes, of a cluster, of the grid; shuffles and votes,
// which order nothing. The races follow from a vector clock per thread.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generated.hpp"

namespace rafter::simt::test {

/// The action of a step. The barriers come last.
enum class Act { read, write, atomic, block_atomic, shuffle, vote, lanes, warp, block, all };

/// The threads and the element of an access, as text and as a function with the same meaning.
struct ThreadSet {
  std::string_view text;
  bool (*has)(int t);
};
struct Index {
  std::string_view text;
  int (*of)(int t);
};

inline constexpr std::array thread_sets{ThreadSet{"true", [](int) { return true; }},
                                        ThreadSet{"t < 32", [](int t) { return t < 32; }},
                                        ThreadSet{"t >= 32", [](int t) { return t >= 32; }},
                                        ThreadSet{"t % 2 == 0", [](int t) { return t % 2 == 0; }},
                                        ThreadSet{"t % 2 == 1", [](int t) { return t % 2 == 1; }},
                                        ThreadSet{"t % 32 < 16", [](int t) { return t % 32 < 16; }},
                                        ThreadSet{"t % 32 >= 16", [](int t) { return t % 32 >= 16; }},
                                        ThreadSet{"t == 0", [](int t) { return t == 0; }},
                                        ThreadSet{"t == 5", [](int t) { return t == 5; }},
                                        ThreadSet{"t == 40", [](int t) { return t == 40; }}};
inline constexpr std::array indices{
    Index{"t", [](int t) { return t; }},           Index{"t + 1", [](int t) { return t + 1; }},
    Index{"t ^ 1", [](int t) { return t ^ 1; }},   Index{"t ^ 16", [](int t) { return t ^ 16; }},
    Index{"t ^ 32", [](int t) { return t ^ 32; }}, Index{"t / 2", [](int t) { return t / 2; }},
    Index{"95 - t", [](int t) { return 95 - t; }}, Index{"7", [](int) { return 7; }}};

struct Step {
  Act act;
  ThreadSet threads;
  Index index;
  int line = 0;
  bool is_access() const { return act <= Act::block_atomic; }
};

struct SyncKernel {
  std::string name;
  std::string_view type, where;  // of the array: global, shared, dynamic, or of the cluster's first block
  std::string_view launch;       // plain, cluster, cooperative
  int n_blocks, n_threads, n_iterations, bytes;
  std::vector<Step> steps;

  bool is_shared() const { return where != "global"; }
  bool is_remote() const { return where == "remote"; }
  bool has_all_barrier() const { return launch != "plain"; }

  /// The races, according to the clocks.
  struct Races {
    std::set<LinePair> pairs;               // of lines: nothing else may be reported
    std::set<std::set<LinePair>> elements;  // the pairs of each element: one of them must be reported
  };
  Races races() const;
};

/// Vector clocks: for each thread, the last step of every thread that is ordered before its next step.
class ThreadClocks {
 public:
  explicit ThreadClocks(int n)
      : seen_(static_cast<std::size_t>(n), std::vector<int>(static_cast<std::size_t>(n), -1)) {}

  bool knows(int thread, int of, int step) const { return at(thread)[static_cast<std::size_t>(of)] >= step; }
  void synchronise(const std::vector<int>& threads, int step) {
    std::vector<int> all(seen_.size(), -1);
    for (const int t : threads) {
      std::transform(all.begin(), all.end(), at(t).begin(), all.begin(), [](int a, int b) { return std::max(a, b); });
      all[static_cast<std::size_t>(t)] = step;
    }
    for (const int t : threads) seen_[static_cast<std::size_t>(t)] = all;
  }

 private:
  const std::vector<int>& at(int thread) const { return seen_[static_cast<std::size_t>(thread)]; }
  std::vector<std::vector<int>> seen_;
};

inline SyncKernel::Races SyncKernel::races() const {
  struct Access {
    int thread, step, line;
    Act act;
  };
  const int n = n_blocks * n_threads;
  ThreadClocks clocks(n);
  std::map<std::pair<int, int>, std::vector<Access>> accesses;  // by block, if shared, and element
  struct Racing {
    std::set<LinePair> pairs;
    bool is_plain = false;           // some pair without an atomic
    bool unordered_atomics = false;  // the checker remembers only the last one
  };
  std::map<std::pair<int, int>, Racing> racing;
  const auto conflict = [&](const Access& a, const Access& b) {
    if (a.act == Act::read && b.act == Act::read) return false;
    if (a.act < Act::atomic || b.act < Act::atomic) return true;
    const bool is_one_block = a.thread / n_threads == b.thread / n_threads;
    return !is_one_block && (a.act == Act::block_atomic || b.act == Act::block_atomic);
  };
  int now = 0;
  for (int iteration = 0; iteration < n_iterations; ++iteration) {
    for (const Step& step : steps) {
      std::map<int, std::vector<int>> groups;  // threads that synchronise with each other
      for (int thread = 0; thread < n; ++thread) {
        const int t = thread % n_threads;
        if (!step.threads.has(t)) continue;
        if (step.is_access()) {
          const std::pair<int, int> element{is_shared() && !is_remote() ? thread / n_threads : 0, step.index.of(t)};
          const Access access{thread, now, step.line, step.act};
          Racing& here = racing[element];
          for (const Access& earlier : accesses[element]) {
            if (earlier.thread == thread || clocks.knows(thread, earlier.thread, earlier.step)) continue;
            const bool is_atomic = earlier.act >= Act::atomic || access.act >= Act::atomic;
            here.unordered_atomics |= earlier.act >= Act::atomic && access.act >= Act::atomic;
            if (!conflict(earlier, access)) continue;
            here.pairs.insert(std::minmax({earlier.line, access.line}));
            here.is_plain |= !is_atomic;
          }
          accesses[element].push_back(access);
        } else if (step.act == Act::lanes || step.act == Act::warp) {
          groups[thread / 32].push_back(thread);
        } else if (step.act == Act::block) {
          groups[thread / n_threads].push_back(thread);
        } else if (step.act == Act::all) {
          groups[0].push_back(thread);
        }
      }
      for (const auto& [key, threads] : groups) clocks.synchronise(threads, now);
      ++now;
    }
  }
  Races all;
  for (const auto& [element, here] : racing) {
    all.pairs.insert(here.pairs.begin(), here.pairs.end());
    if (here.is_plain || (!here.pairs.empty() && !here.unordered_atomics)) all.elements.insert(here.pairs);
  }
  return all;
}

/// Generates a program of such kernels.
class SyncProgram {
 public:
  SyncProgram(int n_kernels, std::uint64_t seed) : random_(seed) {
    text_ = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";
    for (int k = 0; k < n_kernels; ++k) add(made(k));
    text_ += "int main() {\n  void *p, *out;\n" + main_ + "  return cudaDeviceSynchronize() != cudaSuccess;\n}\n";
  }

  const std::string& text() const { return text_; }
  const std::vector<SyncKernel>& kernels() const { return kernels_; }

 private:
  static constexpr int n_elements = 128;  // larger than any index

  int one_of(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  template <class All>
  auto pick(const All& all) {
    return all[random_() % std::size(all)];
  }
  int line(const std::string& text) {
    text_ += text + "\n";
    return static_cast<int>(std::count(text_.begin(), text_.end(), '\n'));
  }

  SyncKernel made(int k) {
    constexpr std::array<std::pair<std::string_view, int>, 5> types{
        {{"signed char", 1}, {"short", 2}, {"int", 4}, {"double", 8}, {"float2", 8}}};
    constexpr std::array<std::string_view, 3> places{"global", "shared", "dynamic"};
    constexpr std::array<std::string_view, 6> launches{"plain", "plain", "plain", "plain", "cluster", "cooperative"};
    const auto [type, bytes] = pick(types);
    SyncKernel kernel{"k" + std::to_string(k), type,          pick(places),
                      pick(launches),          1 + one_of(2), 32 * (1 + one_of(3)),
                      1 + one_of(2),           bytes,         {}};
    if (kernel.has_all_barrier()) kernel.n_blocks = 2;
    if (kernel.launch == "cluster" && one_of(2) > 0) kernel.where = "remote";
    for (int n = 2 + one_of(6); n > 0; --n) {
      kernel.steps.push_back(step(kernel));
      if (one_of(3) > 0) kernel.steps.push_back(barrier(kernel));
    }
    return kernel;
  }

  Step step(const SyncKernel& kernel) {
    constexpr std::array acts{Act::read, Act::read, Act::write, Act::write, Act::atomic, Act::block_atomic};
    const Act act = acts[static_cast<std::size_t>(one_of(kernel.type == "int" ? 6 : 4))];
    return {act, pick(thread_sets), pick(indices)};
  }

  Step barrier(const SyncKernel& kernel) {
    constexpr std::array acts{Act::shuffle, Act::vote,  Act::lanes, Act::warp,
                              Act::warp,    Act::block, Act::block, Act::all};
    const Act act = acts[static_cast<std::size_t>(one_of(kernel.has_all_barrier() ? 8 : 7))];
    return {act, act == Act::lanes ? thread_sets[static_cast<std::size_t>(5 + one_of(2))] : thread_sets[0], indices[0]};
  }

  std::string body(const SyncKernel& kernel, const Step& step) {
    const std::string element = "data[" + std::string(step.index.text) + "]";
    switch (step.act) {
      case Act::read: return "sum += number(" + element + ");";
      case Act::write: return element + " = value<T>(++count * 256 + me);";
      case Act::atomic: return "atomicAdd(&" + element + ", 1);";
      case Act::block_atomic: return "atomicAdd_block(&" + element + ", 1);";
      case Act::shuffle: return "sum += __shfl_xor_sync(~0u, sum, 1);";
      case Act::vote: return "sum += __any_sync(~0u, sum > 0);";
      case Act::lanes:
        return step.threads.text == thread_sets[5].text ? "__syncwarp(0xffffu);" : "__syncwarp(0xffff0000u);";
      case Act::warp: return "__syncwarp();";
      case Act::block: return "__syncthreads();";
      case Act::all: return kernel.launch == "cluster" ? "cg::this_cluster().sync();" : "cg::this_grid().sync();";
    }
    return "";
  }

  void add(SyncKernel kernel) {
    const std::string type(kernel.type), size = std::to_string(n_elements);
    if (kernels_.empty()) {
      line("template <class T> __device__ T value(int v) { return T(v); }");
      line("template <> __device__ float2 value(int v) { return {float(v), float(v)}; }");
      line("template <class T> __device__ int number(T v) { return int(v); }");
      line("template <> __device__ int number(float2 v) { return int(v.x + v.y); }");
    }
    const std::string cluster = kernel.launch == "cluster" ? "__cluster_dims__(2) " : "";
    line("__global__ void " + cluster + kernel.name + "(" + type + "* global, int* out) {");
    line("  using T = " + type + "; const int t = threadIdx.x; int sum = t, count = 0;");
    line("  const int me = blockIdx.x * blockDim.x + t;");
    if (kernel.where == "shared") line("  __shared__ T data[" + size + "];");
    if (kernel.is_remote()) {
      line("  __shared__ T own[" + size + "];\n  T* data = cg::this_cluster().map_shared_rank(own, 0);");
      line("  for (int i = t; i < " + size + "; i += blockDim.x) own[i] = T{};\n  cg::this_cluster().sync();");
    }
    if (kernel.where == "dynamic") line("  extern __shared__ double bytes[]; T* data = reinterpret_cast<T*>(bytes);");
    if (kernel.where == "global") line("  T* data = global;");
    if (kernel.is_shared() && !kernel.is_remote())
      line("  for (int i = t; i < " + size + "; i += blockDim.x) data[i] = T{};\n  __syncthreads();");
    line("  for (int iteration = 0; iteration < " + std::to_string(kernel.n_iterations) + "; ++iteration) {");
    for (Step& step : kernel.steps) {
      const std::string condition = step.threads.text == "true" ? "" : "if (" + std::string(step.threads.text) + ") ";
      step.line = line("    " + condition + body(kernel, step));
    }
    line("  }\n  out[me] = sum + count;");
    line(kernel.is_remote() ? "  cg::this_cluster().sync();\n}" : "}");
    const std::string shape = std::to_string(kernel.n_blocks) + ", " + std::to_string(kernel.n_threads);
    const std::string bytes = std::to_string(kernel.where == "dynamic" ? n_elements * kernel.bytes : 0);
    main_ += "  cudaMalloc(&p, " + size + " * 8), cudaMalloc(&out, 1024), cudaMemset(p, 0, " + size + " * 8);\n";
    if (kernel.launch == "cooperative") {
      main_ += "  { void* arguments[]{&p, &out}; cudaLaunchCooperativeKernel((void*)" + kernel.name + ", " +
               std::to_string(kernel.n_blocks) + ", " + std::to_string(kernel.n_threads) + ", arguments, " + bytes +
               ", 0); }\n";
    } else {
      main_ += "  " + kernel.name + "<<<" + shape + ", " + bytes + ">>>((" + type + "*)p, (int*)out);\n";
    }
    kernels_.push_back(std::move(kernel));
  }

  std::mt19937_64 random_;
  std::string text_, main_;
  std::vector<SyncKernel> kernels_;
};

}  // namespace rafter::simt::test
