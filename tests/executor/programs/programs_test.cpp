// Whole programs that check their own results: they must run correctly, without findings, and be profiled.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

/// Returns the file name followed by the nvcc options of the first line.
std::string arguments_of(const fs::path& file) {
  std::string first;
  std::getline(std::ifstream(file) >> std::ws, first);
  const std::string mark = "// nvcc:";
  return file.filename().string() + (first.starts_with(mark) ? first.substr(mark.size()) : "");
}

bool has_toolkit() {
  return fs::exists("/usr/local/cuda/include") || std::system("command -v nvcc >/dev/null") == 0;
}

std::vector<fs::path> programs() {
  std::vector<fs::path> found;
  for (const fs::path& file : sources_in(here / "programs")) {
    if (file.parent_path() != here / "programs/multi_file" && file.stem() != "cub_storage_reused") found.push_back(file);
  }
  return found;
}

class Program : public testing::TestWithParam<fs::path> {};

TEST_P(Program, IsCorrectAndClean) {
  const fs::path file = GetParam(), folder = file.parent_path();
  if (file.stem() == "thrust_vectors" && !has_toolkit()) GTEST_SKIP() << "Thrust's headers come with the CUDA toolkit";
  const std::string words = arguments_of(file);
  // The largest programs take g++ seconds for either form: the plain one is compiled in nightly runs.
  const std::string name = file.stem().string();
  const bool is_large = name.starts_with("cub_") || name.starts_with("libcuxx_") || name == "thrust_vectors" || name == "wmma_shapes";
  if (!is_large || std::getenv("RAFTER_NIGHTLY") != nullptr) {
    const Outcome ran = rafter(folder, "exec " + words);
    EXPECT_EQ(ran.code, 0) << ran.all();
  }
  const Outcome checked = rafter(folder, "check " + words);
  EXPECT_EQ(checked.code, 0) << checked.all();
  EXPECT_TRUE(has(checked.out, "rafter check: nothing found")) << checked.all();
  EXPECT_EQ(rafter(folder, "profile " + words).code, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Program, testing::ValuesIn(programs()), name_of);

/// Programs whose blocks wait for each other: correct under every schedule of blocks and warps, without deadlock.
class Communicating : public testing::TestWithParam<fs::path> {};

TEST_P(Communicating, IsCorrectUnderEverySchedule) {
  const std::string name = GetParam().filename().string();
  for (const char* schedule : {" --schedule 1", " --schedule 2", " --schedule 3"}) {
    const Outcome ran = rafter(here / "programs/between_blocks", "exec " + name + schedule);
    EXPECT_EQ(ran.code, 0) << schedule << "\n" << ran.all();
    const Outcome checked = rafter(here / "programs/between_blocks", "check " + name + schedule);
    EXPECT_EQ(checked.code, 0) << schedule << "\n" << checked.all();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Communicating, testing::ValuesIn(sources_in(here / "programs/between_blocks")), name_of);

/// A block that others wait for may not be scheduled for a long time if there are more OS threads than cores.
TEST(Programs, CommunicatingBlocksAreCorrectOnAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "7"}) {
    const Outcome ran = rafter(here / "programs/between_blocks", std::string("exec --threads ") + threads + " communicating_blocks.cu -- 30");
    EXPECT_EQ(ran.code, 0) << threads << "\n" << ran.all();
  }
}

TEST(Programs, ReusedCubStorageIsARace) {
  const Outcome checked = rafter(here / "programs/groups", "check cub_storage_reused.cu --json");
  EXPECT_EQ(checked.code, 1) << checked.all();
  const json report = checked.report();
  ASSERT_TRUE(report.is_object() && !report["findings"].empty()) << checked.all();
  for (const json& finding : report["findings"]) EXPECT_EQ(finding["kind"], "race");
}

using Files = ToolTest;

TEST_F(Files, CompilesCFilesAsC) {
  file("class.c", "#include <stdlib.h>\nint *class(int n) { int *new = malloc(n * sizeof *new); new[0] = n; return new; }\n");
  file("a.cu",
       "extern \"C\" int* made(int n) asm(\"class\");\n__global__ void k(int n) {}\n"
       "int main() { k<<<1, 1>>>(0); return *made(3) - 3; }\n");
  for (const char* action : {"exec", "check"}) {
    const Outcome ran = rafter(std::string(action) + " a.cu class.c");
    EXPECT_EQ(ran.code, 0) << ran.all();
  }
}

TEST_F(Files, RuntimeApiCanBeUsedInC) {
  file("host.c", R"(#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <vector_types.h>
#include <stdio.h>
#include <string.h>
_Static_assert(sizeof(float3) == 12 && sizeof(float4) == 16 && sizeof(dim3) == 12, "sizes");
void fill(int* p, cudaStream_t stream);
int main(void) {
  struct cudaDeviceProp properties;
  enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
  const dim3 grid = {2, 3, 4};
  const float4 v = make_float4(1, 2, 3, 4);
  struct cudaExtent extent = make_cudaExtent(1, 2, 3);
  cudaStream_t stream;
  int *device, host = 0;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.major != 9) return 2;
  if (cudaStreamCreate(&stream) || cudaMalloc((void**)&device, sizeof(int))) return 3;
  fill(device, stream);
  cudaMemcpyAsync(&host, device, sizeof(int), back, stream);
  cudaStreamSynchronize(stream);
  cudaFree(device);
  cudaStreamDestroy(stream);
  if (strcmp(cudaGetErrorString(cudaGetLastError()), "no error") != 0) return 4;
  return host == 42 && grid.z == 4 && v.w == 4 && extent.depth == 3 ? 0 : 1;
}
)");
  file("kernel.cu",
       "__global__ void k(int* p) { *p = 42; }\n"
       "extern \"C\" void fill(int* p, cudaStream_t stream) { k<<<1, 1, 0, stream>>>(p); }\n");
  file("all.c", "#include <cuda_runtime.h>\nint count(void) { int n = 0; cudaGetDeviceCount(&n); return n; }\n");
  for (const char* action : {"exec", "check"}) {
    const Outcome ran = rafter(std::string(action) + " host.c all.c kernel.cu");
    EXPECT_EQ(ran.code, 0) << ran.all();
  }
}

/// The first block is suspended for the second one, resumes, and then its assertion ends the launch.
TEST_F(Files, ReportsAssertionInASuspendedBlock) {
  file("a.cu",
       "#include <cassert>\n"
       "__global__ void k(int* flag) {\n"
       "  if (blockIdx.x == 1) { atomicExch(flag, 1); return; }\n"
       "  while (atomicAdd(flag, 0) == 0) {}\n"
       "  assert(*flag == 2);\n"
       "}\n"
       "int main() {\n"
       "  int* flag;\n  cudaMalloc(&flag, 4);\n  cudaMemset(flag, 0, 4);\n  k<<<2, 8>>>(flag);\n"
       "  return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;\n"
       "}\n");
  for (const char* words : {"exec --threads 1 a.cu", "exec a.cu", "exec --schedule 2 a.cu"}) {
    const Outcome ran = rafter(words);
    EXPECT_EQ(ran.code, 0) << words << "\n" << ran.all();
    EXPECT_TRUE(has(ran.err, "Assertion `*flag == 2` failed.")) << words << "\n" << ran.all();
  }
}

TEST_F(Files, AcceptsAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  file("k.cuh", mark + "#pragma once\n__global__ void k(int* out) { *out = 1; }\n");
  file("a.cu", mark + "#include \"k.cuh\"\nint main() { int* o; cudaMalloc(&o, 4); k<<<1, 1>>>(o); return 0; }\n");
  const Outcome ran = rafter("check a.cu");
  EXPECT_EQ(ran.code, 0) << ran.all();
}

/// A library whose function for host and device has two sides, and a program that may have some, too.
class TwoSidedFiles : public ToolTest {
 protected:
  void SetUp() override {
    file("library.cu",
         "__host__ __device__ int side(int x) {\n#ifdef __CUDA_ARCH__\n  return x + 1;\n#else\n  return x + 2;\n#endif\n}\n"
         "__device__ int only_for_device() { return side(0); }\n"
         "__device__ int total;\n__constant__ int weights[4] = {1, 2, 3, 4};\n");
    file("main.cu",
         "#include <cstdio>\n"
         "__host__ __device__ int side(int x);\nextern __device__ int only_for_device();\n"
         "extern __device__ int total;\nextern __constant__ int weights[4];\n"
         "#include \"own.cuh\"\n"
         "__global__ void k(int* out) { *out = side(10) + 100 * only_for_device() + 1000 * own(); total += weights[3]; }\n"
         "int main() {\n"
         "  int *out, found, sum;\n  cudaMalloc(&out, 4);\n  k<<<1, 1>>>(out);\n"
         "  cudaMemcpy(&found, out, 4, cudaMemcpyDeviceToHost);\n  cudaMemcpyFromSymbol(&sum, total, 4);\n"
         "  std::printf(\"%d %d %d %d\\n\", found, sum, side(10), own());\n  cudaFree(out);\n}\n");
  }
};

TEST_F(TwoSidedFiles, CallTheSideOfEachOtherThatTheyAreOn) {
  for (const char* own : {"inline __host__ __device__ int own() { return 1; }\n",
                          "inline __host__ __device__ int own() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#else\n  return 2;\n#endif\n}\n"}) {
    file("own.cuh", own);
    const std::string right = std::string("1111 4 12 ") + (std::string(own).find('#') == std::string::npos ? "1\n" : "2\n");
    for (const char* action : {"exec", "check"}) {
      const Outcome ran = rafter(std::string(action) + " -rdc=true main.cu library.cu");
      EXPECT_EQ(ran.code, 0) << ran.all();
      EXPECT_TRUE(has(ran.out, right)) << ran.all();
    }
  }
}

TEST_F(TwoSidedFiles, AreLinkedByOtherCompilers) {
  file("own.cuh", "inline __host__ __device__ int own() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#else\n  return 2;\n#endif\n}\n");
  ASSERT_EQ(rafter("exec --nvcc-wrapper cuda").code, 0);
  for (const char* command :
       {"cuda/bin/nvcc -dc -MD -MF main.d main.cu -o main.o", "cuda/bin/nvcc -rdc=true -lib library.cu -o library.a",
        "g++ main.o library.a -Lcuda/lib64 -lcudart -Wl,-rpath,cuda/lib64 -o program", "./program > said"}) {
    const Outcome ran = shell(folder_.path(), command);
    EXPECT_EQ(ran.code, 0) << command << "\n" << ran.all();
  }
  EXPECT_EQ(text_of(folder_.path() / "said"), "1111 4 12 2\n");
  const std::string dependencies = text_of(folder_.path() / "main.d");
  EXPECT_TRUE(has(dependencies, "main.o:") && has(dependencies, "own.cuh")) << dependencies;
}

TEST_F(Files, RefusesKernelsThatOnlyTheHostCompiles) {
  const std::string launch = "  k<<<1, 1>>>(0);\n", kernel = "template <class T> __global__ void k(T) {}\n";
  file("a.cu", kernel + "int main() {\n#ifndef __CUDA_ARCH__\n" + launch + "#endif\n}\n");
  const Outcome refused = rafter("exec a.cu");
  EXPECT_EQ(refused.code, 2) << refused.all();
  EXPECT_TRUE(has(refused.err, "a.cu: the kernel 'void k<int>(int)' is compiled for the host only")) << refused.all();
  file("a.cu", kernel + "int main() {\n#ifndef __CUDA_ARCH__\n#endif\n" + launch + "}\n");
  EXPECT_EQ(rafter("exec a.cu").code, 0);
}

TEST_F(Files, NamesAnErrorOfTwoSidesOnce) {
  file("a.cu", "#ifdef __CUDA_ARCH__\n#endif\nint main() { return missing; }\n");
  const Outcome ran = rafter("exec a.cu");
  EXPECT_EQ(ran.code, 2);
  const std::size_t first = ran.err.find("a.cu:3: error: 'missing' was not declared");
  EXPECT_TRUE(first != std::string::npos && ran.err.find("'missing'", first + 40) == std::string::npos) << ran.all();
}

/// A copy of the project of several files.
class Project : public ToolTest {
 protected:
  void SetUp() override {
    fs::copy(here / "programs/multi_file", folder_.path(), fs::copy_options::recursive);
    for (const char* action : {"exec", "check"}) {
      const Outcome made = rafter(std::string(action) + " --nvcc-wrapper for_" + action);
      ASSERT_EQ(made.code, 0) << made.all();
    }
  }
  /// Runs a build command with the nvcc wrapper of `action` first in PATH.
  Outcome build(const std::string& action, const std::string& command) const {
    const fs::path bin = folder_.path() / ("for_" + action) / "bin";
    return shell(folder_.path(), "PATH=" + bin.string() + ":$PATH; " + command);
  }
};

TEST_F(Project, BuildsFromItsSources) {
  for (const char* action : {"exec", "check"}) {
    const Outcome ran = rafter(std::string(action) + " main.cu kernels.cu host.cpp -I. -DPROJECT_SCALE=2 -std=c++17");
    EXPECT_EQ(ran.code, 0) << ran.all();
  }
}

TEST_F(Project, BuildsWithMake) {
  for (const char* action : {"exec", "check"}) {
    const Outcome made = build(action, "make clean && make run");
    EXPECT_EQ(made.code, 0) << made.all();
    const Outcome ran = rafter(std::string(action) + " ./multi_file");
    EXPECT_EQ(ran.code, 0) << ran.all();
  }
}

TEST_F(Project, BuildsWithCMake) {
  const Outcome made = build("exec", "cmake -S . -B build && cmake --build build && ctest --test-dir build");
  EXPECT_EQ(made.code, 0) << made.all();
}

TEST_F(Project, RejectsAProjectNotBuiltForChecking) {
  ASSERT_EQ(build("exec", "make").code, 0);
  const Outcome refused = rafter("check ./multi_file");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "rafter check --nvcc-wrapper")) << refused.all();
}

}  // namespace
}  // namespace rafter::simt::test
