// Options of exec, check and profile: those for the compiler, those for the program, and those that change the run.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

using Options = ToolTest;

constexpr const char* echo = R"(#include <cstdio>
__global__ void k(int* out) { *out = 1; }
int main(int argc, char** argv) {
  int *device, host = 0;
  cudaMalloc(&device, sizeof(int));
  k<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 1; i < argc; ++i) std::printf("[%s]", argv[i]);
  std::printf("\n");
  return argc - host;
})";

TEST_F(Options, PassArgumentsAfterTheDashesToTheProgram) {
  file("echo.cu", echo);
  const Outcome ran = rafter("exec echo.cu -- --schedule 'two words' -DX -- ''");
  EXPECT_EQ(ran.out, "[--schedule][two words][-DX][--][]\n") << ran.all();
  EXPECT_EQ(ran.code, 5) << "exec returns the program's exit code";
  const Outcome checked = rafter("check echo.cu");
  EXPECT_EQ(checked.code, 0) << checked.all();
}

TEST_F(Options, PassCompilerOptionsToTheCompiler) {
  file("main.cu", R"(#include <value.h>
#include <cstdio>
#if __cplusplus < 202002L
#error "C++20 is needed"
#endif
template <class T> concept Any = true;
__global__ void k(int* out) { *out = VALUE * FACTOR + OFFSET; }
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\n", *p);
  return cudaFree(p);
})");
  file("headers/value.h", "#define VALUE 4\n");
  const std::string words = "main.cu -I headers -DFACTOR=10 -D OFFSET=2 -std=c++20 -O3 -arch=sm_90 -lineinfo";
  EXPECT_EQ(rafter("exec " + words).out, "42\n") << rafter("exec " + words).all();
  EXPECT_EQ(rafter("check " + words).code, 0);
  EXPECT_EQ(rafter("exec main.cu -Iheaders -DFACTOR=1 -DOFFSET=0 --std=c++20").out, "4\n");
  const Outcome older = rafter("exec main.cu -Iheaders -DFACTOR=1 -DOFFSET=0 -std=c++17");
  EXPECT_EQ(older.code, 2);
  EXPECT_TRUE(has(older.err, "C++20 is needed")) << older.err;
}

TEST_F(Options, AcceptFortifiedLibraryFunctions) {
  file("main.cu",
       "__global__ void k() {}\nvoid fill(int*);\nint main() { int x = 1; k<<<1, 1>>>(); fill(&x); return x; }\n");
  file("fill.cpp", R"(#include <cstring>
#include <cuda_runtime.h>
void fill(int* x) { std::memset(x, 0, sizeof *x); })");
  for (const char* mode : {"check", "exec"}) {
    const Outcome ran = rafter(std::string(mode) + " main.cu fill.cpp -D_FORTIFY_SOURCE=2");
    EXPECT_EQ(ran.code, 0) << ran.all();
  }
}

TEST_F(Options, UserMacrosDoNotAffectTheHeaders) {
  const std::string rest = R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>
#include <cstdio>
__global__ void k(T* out) { out[threadIdx.x] = N * M + K + size; }
int main() {
  T *p, host[N];
  cudaMalloc(&p, sizeof host);
  k<<<1, N>>>(p);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[N - 1] * IS(4, N));
  return cudaFree(p);
}
)";
  file("command_line.cu", rest);
  const std::string words = "command_line.cu -DN=4 -DM=5 -DK=6 -DT=float '-DIS(a,b)=(a==b)' -Dsize=7 -DX -UX";
  EXPECT_EQ(rafter("exec " + words).out, "33\n") << rafter("exec " + words).all();
  EXPECT_EQ(rafter("check " + words).code, 0);
  EXPECT_EQ(rafter("exec " + words + " -Dvalue=1 -UM -DM=1").code, 2) << "-U wins";
  file("source.cu",
       "#define N 4\n#define M 5\n#define K 6\n#define T float\n#define size 7\n"
       "#define IS(a, b) (a == b)\n" +
           rest);
  EXPECT_EQ(rafter("exec source.cu").out, "33\n") << rafter("exec source.cu").all();
  file("asserts.cu",
       "__global__ void k() { assert(false); }\n"
       "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize() != cudaSuccess; }\n");
  EXPECT_EQ(rafter("exec asserts.cu").code, 1);
  EXPECT_EQ(rafter("exec -DNDEBUG asserts.cu").code, 0);
}

TEST_F(Options, HeadersInOtherFoldersMayLaunch) {
  file("lib/launch.cuh", R"(#pragma once
template <class T> __global__ void shift(T* p, T by) {
  extern __shared__ T staged[];
  staged[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x + 1] = staged[threadIdx.x] + by;
}
template <class T> void run(T* p, int n) { shift<T><<<1, n, n * sizeof(T)>>>(p, T(2)); })");
  file("src/main.cu", R"(#include "../lib/launch.cuh"
int main() {
  float* p;
  cudaMalloc(&p, 64 * sizeof(float));
  cudaMemset(p, 0, 64 * sizeof(float));
  run(p, 64);
  cudaFree(p);
})");
  const json report = rafter("check --json src/main.cu").report();
  bool is_found = false;
  for (const json& finding : report["findings"]) {
    if (finding["kind"] != "out_of_bounds") continue;
    is_found = true;
    EXPECT_EQ(finding["sides"][0]["place"]["file"], "lib/launch.cuh");
    EXPECT_EQ(finding["sides"][0]["place"]["line"], 5);
  }
  EXPECT_TRUE(is_found) << report.dump(2);
}

TEST_F(Options, JsonIsAloneOnStandardOutput) {
  file("echo.cu", echo);
  for (const char* action : {"check", "profile"}) {
    const Outcome outcome = rafter(std::string(action) + " echo.cu --json -- one");
    const json report = outcome.report();
    ASSERT_TRUE(report.is_object()) << outcome.all();
    EXPECT_EQ(report["kernels"][0]["name"], "k");
    EXPECT_EQ(report["kernels"][0]["threads"], 1);
    EXPECT_TRUE(has(outcome.err, "[one]")) << outcome.err;
  }
}

TEST_F(Options, ReportLeaksOnRequest) {
  file("echo.cu", echo);
  const Outcome silent = rafter("check echo.cu"), checked = rafter("check echo.cu --leaks");
  EXPECT_EQ(silent.code, 0) << silent.all();
  EXPECT_EQ(checked.code, 1);
  EXPECT_TRUE(has(checked.out, "[leak]")) << checked.out;
  EXPECT_TRUE(has(checked.out, "echo.cu:5")) << checked.out;
}

TEST_F(Options, LockstepRunsWarpSynchronousCodeCorrectly) {
  file("in_step.cu", R"(#include <cstdio>
__global__ void sum(const int* in, int* out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) *out = s[0];
}
int main() {
  int *in, *out, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(in, out);
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(in);
  cudaFree(out);
})");
  EXPECT_EQ(rafter("exec in_step.cu --lockstep").out, "2016\n");
  EXPECT_NE(rafter("exec in_step.cu").out, "2016\n") << "otherwise the test does not depend on lockstep";
  const Outcome checked = rafter("check in_step.cu --lockstep");
  EXPECT_EQ(checked.code, 1) << "still a race";
  EXPECT_TRUE(checked.out.starts_with("2016\n")) << checked.out;
}

TEST_F(Options, ProfileFits100Columns) {
  file("a_rather_long_name_for_a_file_of_kernels.cu", R"(#include <cstdio>
namespace some_library::with_nested_names {
template <class Value, int Unrolled> __global__ void a_kernel_with_a_long_name(const Value* in, Value* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] + Unrolled;
}
}
int main() {
  double* p;
  cudaMalloc(&p, 1000000 * sizeof(double));
  cudaMemset(p, 0, 1000000 * sizeof(double));
  for (int i = 0; i < 3; ++i)
    some_library::with_nested_names::a_kernel_with_a_long_name<double, 4><<<10, 256>>>(p, p + 500000, 100000);
  cudaFree(p);
})");
  const Outcome outcome = rafter("profile a_rather_long_name_for_a_file_of_kernels.cu");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    if (has(line, " | ")) continue;  // source lines are not cut
    EXPECT_LE(line.size(), 100u) << line;
  }
  EXPECT_TRUE(has(outcome.out, "global load")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "8.00 / 8.00 sectors")) << outcome.out;
}

}  // namespace
}  // namespace rafter::simt::test
