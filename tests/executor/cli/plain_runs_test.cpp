// What a plain run reports: results that rely on lanes in lockstep, and kernels that fail while the program does not
// ask for errors.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

class PlainRuns : public ToolTest {};

/// Returns a program that runs a kernel of one block of 64 threads on arrays of ones and zeros.
std::string program(const std::string& kernel) {
  return "#include <cstdio>\n" + kernel + R"(
int main() {
  int *a, *b;
  cudaMallocManaged(&a, 512);
  cudaMallocManaged(&b, 512);
  for (int i = 0; i < 64; ++i) a[i] = 1;
  k<<<1, 64>>>(a, b);
  cudaDeviceSynchronize();
  std::printf("%d\n", b[0]);
})";
}

constexpr const char* last_warp_unrolled = R"(__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    volatile int* v = s;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0) *out = s[0];
})";
constexpr const char* last_warp_loop = R"(__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  volatile int* v = s;
  for (int n = 32; t < 32 && n > 0; n /= 2) v[t] += v[t + n];
  if (t == 0) atomicAdd(out, s[0]);
})";
constexpr const char* scan = R"(__global__ void k(const int* in, int* out) {
  __shared__ volatile int v[64];
  int t = threadIdx.x, lane = t % 32;
  v[t] = in[t];
  if (lane >= 1) v[t] += v[t - 1];
  if (lane >= 2) v[t] += v[t - 2];
  out[t] = v[t];
})";

TEST_F(PlainRuns, NameTheLinesThatRelyOnLockstep) {
  for (const auto& [kernel, line] : {std::pair{last_warp_unrolled, 9}, {last_warp_loop, 8}, {scan, 6}}) {
    file("sum.cu", program(kernel));
    const Outcome outcome = rafter("exec sum.cu");
    EXPECT_EQ(outcome.code, 0) << outcome.all();
    EXPECT_TRUE(has(outcome.err, "kernel k [lockstep]") && has(outcome.err, "--lockstep shows")) << outcome.all();
    EXPECT_TRUE(has(outcome.err, "sum.cu:" + std::to_string(line) + ": thread")) << outcome.all();
  }
  file("sum.cu", program(last_warp_unrolled));
  const Outcome in_step = rafter("exec --lockstep sum.cu");
  EXPECT_EQ(in_step.out, "64\n");
  EXPECT_EQ(in_step.err, "");
}

// Each of these kernels is right on lanes that run in any order.
TEST_F(PlainRuns, AcceptVolatileAccessesThatNeedNoLockstep) {
  for (const char* body :
       {// a reduction with __syncwarp
        "volatile int* v = a; for (int n = 16; n > 0; n /= 2) { int x = v[(t + n) % 64]; __syncwarp(); v[t] += x; "
        "__syncwarp(); }",
        // barriers of the block, and of half of it
        "volatile int* v = a; v[t] = t; __syncthreads(); int x = v[t ^ 1]; __syncthreads(); v[t] = x;",
        "volatile int* v = a; if (t < 32) { v[t] = t; __barrier_sync_count(1, 32); int x = v[t ^ 1]; "
        "__barrier_sync_count(1, 32); v[t] = x; }",
        // flags between warps, and between lanes
        "volatile int* f = b; if (t < 32) f[t] = 1; else while (f[t - 32] == 0) {}",
        "volatile int* f = b; f[t] = 1; while (f[t ^ 1] == 0) {}",
        "volatile int* f = b; f[t] = 1; while (f[t ^ 1] == 0) __nanosleep(20);",
        "volatile int* f = b; while (t > 0 && f[t] == 0) {} f[t + 1] = 1;",
        // lanes take turns
        "volatile int* turn = b; while (*turn != t) {} a[0] += 1; *turn = *turn + 1;",
        "volatile int* n = a; for (int i = 0; i < 2; ++i) for (bool done = false; !done;) "
        "if (atomicExch(b, 1) == 0) { *n = *n + 1; __threadfence(); atomicExch(b, 0); done = true; }",
        // local variables of lanes, which run on one stack
        "volatile int x[4]; for (volatile int i = 0; i < 4; ++i) x[i] = i; b[t] = x[t % 4];"}) {
    file("right.cu", program("__global__ void k(int* a, int* b) { int t = threadIdx.x; " + std::string(body) + " }"));
    const Outcome outcome = rafter("exec right.cu");
    EXPECT_EQ(outcome.err, "") << body;
    EXPECT_EQ(outcome.code, 0) << body;
  }
}

// The argument selects how the kernel ends.
constexpr const char* dying = R"(__global__ void k(int* p, int how) {
  if (how == 1) __trap();
  if (how == 2) p = nullptr;
  p[threadIdx.x] = 1;
}
int main(int n, char**) {
  int* p;
  cudaMalloc(&p, 128);
  k<<<1, n == 4 ? 2000 : 32>>>(p, n - 1);
})";

TEST_F(PlainRuns, ReportFailedLaunchesThatTheProgramDoesNotAskFor) {
  file("dying.cu", dying);
  EXPECT_EQ(rafter("exec dying.cu").all(), "exit code 0\n");
  const Outcome trapped = rafter("exec dying.cu -- x");
  EXPECT_TRUE(has(trapped.err, "dying.cu:2: thread (0,0,0) of block (0,0,0) calls __trap")) << trapped.all();
  EXPECT_TRUE(has(trapped.err, "kernel k failed: launch failure")) << trapped.all();
  const Outcome fault = rafter("exec dying.cu -- x x");
  EXPECT_TRUE(has(fault.err, "dying.cu:4: ") && has(fault.err, "a null pointer")) << fault.all();
  EXPECT_TRUE(has(fault.err, "kernel k failed: illegal address")) << fault.all();
  const Outcome refused = rafter("exec dying.cu -- x x x");
  EXPECT_TRUE(has(refused.err, "kernel k failed: the launch was refused: 2000 threads per block")) << refused.all();
}

TEST_F(PlainRuns, ReportToTheStandardErrorWithoutTheTool) {
  file("dying.cu", dying);
  file("sum.cu", program(last_warp_unrolled));
  ASSERT_EQ(rafter("exec --nvcc-wrapper toolkit").code, 0);
  const Outcome built = shell(folder_.path(), "toolkit/bin/nvcc -o dying dying.cu && toolkit/bin/nvcc -o sum sum.cu");
  ASSERT_EQ(built.code, 0) << built.all();
  EXPECT_EQ(shell(folder_.path(), "./dying").all(), "exit code 0\n");
  const Outcome trapped = shell(folder_.path(), "./dying x");
  EXPECT_TRUE(has(trapped.err, "rafter: trap in kernel k\n")) << trapped.all();
  EXPECT_TRUE(has(trapped.err, "dying.cu:2: thread (0,0,0) of block (0,0,0) calls __trap")) << trapped.all();
  EXPECT_TRUE(has(trapped.err, "rafter: kernel k failed: launch failure\n")) << trapped.all();
  const Outcome summed = shell(folder_.path(), "./sum");
  EXPECT_TRUE(has(summed.err, "rafter: lockstep in kernel k\n") && has(summed.err, "sum.cu:9: ")) << summed.all();
}

/// A host compiler links C code with the replacements in the wrapper's folder; `exec` finds them without flags.
TEST_F(PlainRuns, LibrariesOfCudaAreFoundAndLinked) {
  file("sum.c",
       "#include <cublas_v2.h>\n#include <curand.h>\n#include <stdio.h>\nint main(void) {\n"
       "  const float values[] = {1, -2, 3};\n  float *x, sum = 0;\n  unsigned word;\n  cublasHandle_t handle;\n"
       "  curandGenerator_t generator;\n  cublasCreate(&handle);\n  cudaMalloc((void**)&x, sizeof values);\n"
       "  cublasSetVector(3, sizeof(float), values, 1, x, 1);\n  cublasSasum(handle, 3, x, 1, &sum);\n"
       "  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);\n"
       "  curandGenerate(generator, &word, 1);\n  printf(\"%g %08x\\n\", sum, word);\n  return 0;\n}\n");
  ASSERT_EQ(rafter("exec --nvcc-wrapper toolkit").code, 0);
  const Outcome linked =
      shell(folder_.path(), "gcc sum.c -o sum -Itoolkit/include -Ltoolkit/lib64 -lcublas -lcurand -lcudart && ./sum");
  EXPECT_EQ(linked.code, 0) << linked.all();
  EXPECT_EQ(linked.out, "6 6627e8d5\n");
  const Outcome built = shell(folder_.path(), "toolkit/bin/nvcc -x cu sum.c -o again -lcublas -lcurand && ./again");
  EXPECT_EQ(built.out, "6 6627e8d5\n") << built.all();
}

}  // namespace
}  // namespace rafter::simt::test
