// Kernels that are slow for a known reason: the first sentence must name it, and must name another one for the fixed
// version.
#include <cstdlib>
#include <map>

#include "../../executor/tool.hpp"

namespace rafter::simt::test {
namespace {

struct Planted {
  const char* kernel;  ///< KERNEL_slow and KERNEL_fixed
  const char* named;   ///< part of the first sentence on the slow one
};

/// Returns the output of rafter explain for a file of planted kernels. Registers, spills and dependencies need nvcc;
/// NVCC_* variables that affect the code are removed.
json explained(const std::string& words) {
  const Outcome outcome = shell(
      here / "planted",
      "timeout -k 5 900 env -u NVCC_APPEND_FLAGS -u NVCC_PREPEND_FLAGS " RAFTER_TOOL_PATH " explain --json " + words);
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  return outcome.report();
}

bool has_nvcc() { return std::system("command -v nvcc >/dev/null || test -x /usr/local/cuda/bin/nvcc") == 0; }

std::string first_of(const json& report, const std::string& kernel) {
  for (const json& one : report["kernels"]) {
    if (one["kernel"] == kernel) return one["findings"].at(0)["sentence"];
  }
  return "there is no kernel " + kernel;
}

void expect_named(const json& report, std::initializer_list<Planted> all) {
  for (const auto& [kernel, named] : all) {
    const std::string slow = first_of(report, std::string(kernel) + "_slow"),
                      fixed = first_of(report, std::string(kernel) + "_fixed");
    EXPECT_TRUE(has(slow, named)) << kernel << ": " << slow;
    EXPECT_FALSE(has(fixed, named)) << kernel << ", which is fixed: " << fixed;
    EXPECT_FALSE(has(fixed, "there is no kernel")) << fixed;
  }
}

TEST(Planted, FindsMemoryCauses) {
  if (!has_nvcc()) GTEST_SKIP() << "there is no nvcc: bank conflicts are compared with instructions";
  expect_named(explained("memory.cu --blocks 8"), {{"uncoalesced", "Uncoalesced global loads limit it"},
                                                   {"misaligned", "Misaligned global"},
                                                   {"stride", "with a stride of a power of two limit it"},
                                                   {"banks2", "about 2 lanes of a warp access one bank"},
                                                   {"banks32", "about 32 lanes of a warp access one bank"},
                                                   {"atomics", "Atomics on one address limit it"},
                                                   {"reread", "Loading the same data again limits it"}});
}

TEST(Planted, FindsCodeCauses) {
  if (!has_nvcc()) GTEST_SKIP() << "there is no nvcc: registers, spills and dependencies are not known";
  expect_named(explained("code.cu --blocks 4"), {{"divergence", "Divergence limits it"},
                                                 {"spills", "Spilled registers limit it"},
                                                 {"registers", "Low occupancy because of registers"},
                                                 {"shared", "Low occupancy because of shared memory"},
                                                 {"chain", "A chain of dependent instructions limits it: each result"},
                                                 {"chase", "A chain of dependent instructions limits it: each load"},
                                                 {"division", "64-bit index arithmetic limits it"},
                                                 {"barriers", "Barriers limit it"}});
}

TEST(Planted, FindsLaunchCauses) {
  if (!has_nvcc()) GTEST_SKIP() << "there is no nvcc: how long a block takes is not known";
  expect_named(explained("launch.cu --blocks 4"), {{"blocks", "Too few blocks limit it"},
                                                   {"tail", "The last wave limits it"},
                                                   {"starts", "Starting its blocks limits it"},
                                                   {"launches", "The launch itself limits it"}});
}

TEST(Planted, FindsCopies) {
  const json slow = explained("copies.cu --blocks 4"), fixed = explained("copies.cu --blocks 4 -- once");
  EXPECT_TRUE(has(slow["findings"].at(0)["sentence"], "Copies between host and device limit it")) << slow["findings"];
  for (const json& finding : fixed["findings"]) EXPECT_FALSE(has(finding["sentence"], "Copies")) << finding;
}

/// Checks the text: the first sentence, its worth, what to try, the known facts; and that it fits one screen.
TEST(Planted, FitsOneScreen) {
  const Outcome outcome = rafter(here / "planted",
                                 "explain copies.cu --kernel step --grid 1024 --block 256 "
                                 "--arg 'in=f32[262144]' --arg 'out=f32[262144]'");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  for (const char* part :
       {"step  1024 blocks of 256 threads", "limit", "Next:", "Estimate:", "Known:", "Unknown:", "times"})
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.all();
  std::istringstream lines(outcome.out);
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_LE(n, 32);
}

TEST(Planted, DoesNotExplainFailures) {
  const lab::TemporaryFolder folder;
  write(folder.path() / "bad.cu",
        "__global__ void crash(int* x) { *static_cast<int*>(nullptr) = *x; }\n"
        "__global__ void past(float* x) { x[threadIdx.x + 4096] = 1; }\n");
  const Outcome crash = rafter(folder.path(), "explain bad.cu --kernel crash --grid 1 --block 1 --arg x=i32[1]:0");
  EXPECT_EQ(crash.code, 1) << crash.all();
  EXPECT_TRUE(has(crash.err, "failed and is not explained")) << crash.all();
  const Outcome past = rafter(folder.path(), "explain bad.cu --kernel past --grid 1 --block 32 --arg x=f32[32]");
  EXPECT_EQ(past.code, 1) << past.all();
  EXPECT_TRUE(has(past.out, "[out_of_bounds]")) << past.all();
}

TEST(Planted, KernelsLaunchedThroughAPointerKeepTheirNames) {
  const lab::TemporaryFolder folder;
  write(folder.path() / "pointer.cu",
        "__global__ void first(float* x) { x[threadIdx.x] = 1; }\n"
        "__global__ void second(float* x) { x[threadIdx.x] += 1; }\n"
        "template <class Kernel>\n"
        "void run(Kernel kernel, float* x) { kernel<<<4, 32>>>(x); }\n"
        "int main() {\n"
        "  float* x;\n"
        "  cudaMalloc(&x, 4096);\n"
        "  run(first, x);\n"
        "  run(second, x);\n"
        "  void (*all[])(float*) = {second, first};\n"
        "  all[0]<<<1, 32>>>(x);\n"
        "  cudaFree(x);\n"
        "}\n");
  const Outcome outcome = rafter(folder.path(), "explain pointer.cu --json");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  std::map<std::string, double> launches;
  const json report = outcome.report();
  for (const json& kernel : report["kernels"]) launches[kernel["kernel"]] = kernel["launches"];
  EXPECT_EQ(launches, (std::map<std::string, double>{{"first", 1}, {"second", 2}})) << report["kernels"].dump(1);
}

TEST(Planted, KernelsTakeWhatBenchTakes) {
  const lab::TemporaryFolder folder;
  write(folder.path() / "tile.cu",
        "__global__ void copy(const float* in, float* out) {\n"
        "  extern __shared__ float tile[];\n"
        "  tile[threadIdx.x] = in[threadIdx.x];\n"
        "  __syncthreads();\n"
        "  out[threadIdx.x] = in[threadIdx.x] >= 1 && in[threadIdx.x] < 3 ? tile[threadIdx.x] : 0;\n"
        "}\n");
  for (const char* fill : {"uniform(1,3)", "random(1,3)"}) {
    const std::string words =
        std::string("tile.cu --kernel copy --grid 1 --block 32 --shared 60000 --arg out=f32[32] ") +
        "--arg 'in=f32[32]:" + fill + "'";
    const Outcome explained = rafter(folder.path(), "explain " + words);
    EXPECT_EQ(explained.code, 0) << explained.all();
    const Outcome shown = rafter(folder.path(), "exec " + words);
    EXPECT_EQ(shown.code, 0) << shown.all();
    EXPECT_FALSE(has(shown.out, " 0 ")) << "outside of the range: " << shown.out;
  }
  const Outcome empty = rafter(folder.path(),
                               "explain tile.cu --kernel copy --grid 1 --block 32 --arg 'in=f32[32]:uniform(3,1)' "
                               "--arg out=f32[32]");
  EXPECT_EQ(empty.code, 2) << empty.all();
  EXPECT_TRUE(has(empty.err, "the smaller one first, as in uniform(-1,1)")) << empty.all();
}

TEST(Planted, RejectsBadInput) {
  const auto refused = [](const std::string& words, const char* said) {
    const Outcome outcome = rafter(here / "planted", "explain " + words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.all();
    EXPECT_TRUE(has(outcome.err, said)) << words << outcome.all();
  };
  refused("", "nothing to explain was given");
  refused("missing.cu", "there is no file missing.cu");
  refused("copies.cu --kernel stop --grid 1 --block 1", "did you mean 'step'");
  refused("copies.cu --gpu H20O", "did you mean 'H200'");
  refused("copies.cu --blocks none", "--blocks expects a whole number");
  refused("copies.cu --kernel step --grid 1 --block 32 --arg in=f32[32]", "out");
}

}  // namespace
}  // namespace rafter::simt::test
