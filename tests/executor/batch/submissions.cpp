#include "submissions.hpp"

#include <fmt/format.h>

#include <array>

#include "../tool.hpp"

namespace rafter::simt::test {

namespace {

constexpr const char* headers =
    "#include <dlfcn.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
    "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <stdexcept>\n#include <string>\n"
    "#include <thread>\n#include <vector>\n";

/// Bodies of right kernels: `x` is the element of the thread, 0 beyond the end.
constexpr std::array bodies{
    "  if (x != 0) atomicAdd(dest, x);\n",
    "  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);\n"
    "  if (threadIdx.x % 32 == 0) atomicAdd(dest, x);\n",
    "  __shared__ float tile[1024];\n  tile[threadIdx.x] = x;\n  __syncthreads();\n"
    "  for (int n = blockDim.x / 2; n > 0; n /= 2) {\n"
    "    if (threadIdx.x < n) tile[threadIdx.x] += tile[threadIdx.x + n];\n    __syncthreads();\n  }\n"
    "  if (threadIdx.x == 0) atomicAdd(dest, tile[0]);\n",
    "  for (int d = 1; d < 32; d *= 2) x += __shfl_xor_sync(0xffffffffu, x, d);\n"
    "  if (threadIdx.x % 32 == 31) atomicAdd(dest, x);\n",
    "  __shared__ float sums[32];\n  x = warp_sum(x);\n"
    "  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;\n  __syncthreads();\n"
    "  if (threadIdx.x >= 32) return;\n  x = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);\n"
    "  if (threadIdx.x == 0) atomicAdd(dest, x);\n",
    "  unsigned* bits = reinterpret_cast<unsigned*>(dest);\n  unsigned before = atomicAdd(bits, 0u), assumed = "
    "~before;\n"
    "  while (before != assumed) {\n    assumed = before;\n"
    "    before = atomicCAS(bits, assumed, __float_as_uint(__uint_as_float(assumed) + x));\n  }\n",
    "  __shared__ float sum;\n  if (threadIdx.x == 0) sum = 0;\n  __syncthreads();\n  atomicAdd(&sum, x);\n"
    "  __syncthreads();\n  if (threadIdx.x == 0) atomicAdd(dest, sum);\n",
};
constexpr const char* warp_sum =
    "__device__ float warp_sum(float x) {\n"
    "  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);\n  return x;\n}\n";

/// Ways to get the element of a thread.
constexpr std::array loads{
    "  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;\n  float x = i < size ? inp[i] : 0;\n",
    "  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;\n  float x = 0;\n"
    "  if (i < size) x = __ldg(inp + i);\n",
    "  float x = 0;\n  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < size;\n"
    "       i += int64_t{gridDim.x} * blockDim.x)\n    x += inp[i];\n",
    "  const float* at = inp + int64_t{blockIdx.x} * blockDim.x + threadIdx.x;\n"
    "  float x = at < inp + size ? *at : 0.F;\n",
};
constexpr std::array signatures{
    "__global__ void sum_atomic(const float* inp, float* dest, int64_t size) {\n",
    "__global__ void sum_atomic(const float* __restrict__ inp, float* __restrict__ dest, const long size) {\n",
    "extern \"C\" __global__ void sum_atomic(float const* inp, float* dest, int64_t size) {\n",
    "__launch_bounds__(1024) __global__ void sum_atomic(const float* inp, float* dest, long long size) {\n",
    "namespace {\nconstexpr int warp = 32;\nstatic_assert(warp == 32);\n}\n"
    "__global__ void sum_atomic(const float* inp, float* dest, std::int64_t size) {\n",
};

std::vector<Submitted> right_submissions() {
  std::vector<Submitted> all;
  for (std::size_t i = 0; i < bodies.size() * loads.size() * signatures.size(); ++i) {
    const std::size_t body = i % bodies.size(), load = i / bodies.size() % loads.size();
    const std::size_t signature = i / bodies.size() / loads.size();
    all.push_back(
        {fmt::format("right_{}_{}_{}", body, load, signature),
         fmt::format("#include <cstdint>\n{}{}{}{}}}\n", warp_sum, signatures[signature], loads[load], bodies[body]),
         true});
  }
  return all;
}

/// The variants of a file in try/wrong or try/subtle, each as a file of its own.
void add_variants(std::vector<Submitted>& all, const std::string& folder, int last) {
  std::string text = text_of(here / "try" / folder / "sums.cu");
  text = text.substr(text.find('\n') + 1);  // without the #include of variant.hpp
  for (int variant = 1; variant <= last; ++variant) {
    const std::string chosen = fmt::format(
        "#include <cmath>\n#include <cstdint>\n__device__ inline bool is(int mistake) {{ return mistake == {}; }}\n"
        "__device__ inline float rounded(float x) {{ return roundf(8 * x) / 8; }}\n",
        variant);
    all.push_back({fmt::format("{}_{}", folder, variant), chosen + text, false});
  }
}

struct Attack {
  const char *name, *code;  ///< Runs in a constructor, unless it is at file scope.
  bool is_at_file_scope = false;
};
constexpr std::array attacks{
    Attack{"fork_bomb", "for (;;) if (fork() < 0) usleep(1000);"},
    Attack{"fills_scratch",
           "static char block[1 << 20];\n    for (int i = 0;; ++i) {\n"
           "      std::FILE* file = std::fopen((\"junk\" + std::to_string(i)).c_str(), \"w\");\n"
           "      if (!file) break;\n      for (int k = 0; k < 4096 && std::fwrite(block, 1, sizeof block, file); ++k) "
           "{}\n"
           "      std::fclose(file);\n      if (i > 8) break;\n    }"},
    Attack{"kills",
           "kill(-1, SIGKILL);\n    kill(getppid(), SIGKILL);\n    for (int p = 2; p < 40000; ++p) "
           "if (p != getpid()) kill(p, SIGKILL);"},
    Attack{"prints",
           "static char block[1 << 20];\n    std::memset(block, 'x', sizeof block);\n"
           "    for (int i = 0; i < 256; ++i) if (write(i % 2 + 1, block, sizeof block) < 0) break;"},
    Attack{"exits", "_Exit(0);"},
    Attack{"forges",
           "for (const char* path : {\"report.json\", \"arrays\", \"arrays.part\", \"signature\"}) {\n"
           "      std::FILE* file = std::fopen(path, \"w\");\n"
           "      if (file) std::fputs(\"{\\\"findings\\\": [], \\\"ended\\\": true, \\\"kernels\\\": "
           "[{\\\"name\\\": \\\"sum_atomic\\\", \\\"launches\\\": 1}]}\", file), std::fclose(file);\n    }\n"
           "    syscall(SYS_exit_group, 0);"},
    Attack{"outlives",
           "if (fork() == 0) {\n      setsid();\n      for (;;) {\n        remove(\"arrays\");\n"
           "        remove(\"report.json\");\n        usleep(1000);\n      }\n    }"},
    Attack{"eats_memory", "for (;;) std::memset(std::malloc(1 << 26), 1, 1 << 26);"},
    Attack{"never_starts", "for (volatile int i = 0;; ++i) {}"},
    Attack{"switches_checks_off",
           "if (void* f = dlsym(RTLD_DEFAULT, \"rafter_simt_configure\"))\n"
           "      reinterpret_cast<void (*)(const char*)>(f)(\"mode=plain\");"},
    Attack{"throws", "throw std::runtime_error(\"no\");"},
    Attack{"crashes", "raise(SIGSEGV);"},
    Attack{"links",
           "for (const char* path : {\"report.json\", \"arrays\", \"arrays.part\", \"plan\", \"signature\"})\n"
           "      if (symlink(\"/etc/passwd\", path) < 0) continue;"},
    Attack{"spins", "for (int i = 0; i < 16; ++i) std::thread([] { for (;;) sched_yield(); }).detach();"},
    Attack{"closes", "for (int fd = 0; fd < 1024; ++fd) close(fd);"},
    Attack{"runs_first",
           "int take(int, char**, char**) { return 0; }\n__attribute__((used, section(\".preinit_array\"))) "
           "int (*first)(int, char**, char**) = take;\n",
           true},
    Attack{"replaces", "extern \"C\" int memcmp(const void*, const void*, size_t) { return 0; }\n", true},
    Attack{"ends_late",
           "struct Late { ~Late() { if (std::FILE* f = std::fopen(\"report.json\", \"w\")) "
           "std::fputs(\"{}\", f); } } late;\n",
           true},
};

void add_attacks(std::vector<Submitted>& all) {
  constexpr const char* kernels[] = {
      "  if (i < size) *dest += inp[i];\n",             // a race
      "  if (i < size - 1) atomicAdd(dest, inp[i]);\n"  // without the last element
  };
  for (const Attack& attack : attacks) {
    for (int k = 0; k < 2; ++k) {
      const std::string code =
          attack.is_at_file_scope
              ? std::string(attack.code)
              : fmt::format("struct Attack {{\n  Attack() {{\n    {}\n  }}\n}} attack;\n", attack.code);
      all.push_back({fmt::format("{}_{}", attack.name, k),
                     fmt::format("{}__global__ void sum_atomic(const float* inp, float* dest, long size) {{\n"
                                 "  const long i = blockIdx.x * long{{blockDim.x}} + threadIdx.x;\n{}}}\n{}",
                                 headers, kernels[k], code),
                     false});
    }
  }
}

}  // namespace

std::vector<Submitted> all_submissions() {
  std::vector<Submitted> right = right_submissions(), others, all;
  add_attacks(others);
  add_variants(others, "wrong", 11);
  add_variants(others, "subtle", 13);
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (i * others.size() / right.size() > (all.size() - i)) all.push_back(others[all.size() - i]);
    all.push_back(right[i]);
  }
  while (all.size() - right.size() < others.size()) all.push_back(others[all.size() - right.size()]);
  return all;
}

}  // namespace rafter::simt::test
