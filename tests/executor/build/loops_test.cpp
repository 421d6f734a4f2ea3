// Selection of the kernels that become loops over their threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plain_build.hpp"

namespace rafter::simt::build {
namespace {

std::string rewritten(const std::string& text) { return test::rewritten_for_plain_builds(text); }

bool is_loop(const std::string& text) { return rewritten(text).find("for_threads(") != std::string::npos; }

/// Returns the kind of guards that the loop is given.
std::string guards_of(const std::string& body) {
  const std::string text = rewritten("__global__ void k(int* p, int n, unsigned m) { " + body + " }");
  for (const char* name : {"unguarded", "interval_guards", "guarded"}) {
    if (text.find(std::string("::rafter_simt::") + name + ",") != std::string::npos) return name;
  }
  return "no loop";
}

std::string kernel(const std::string& body) { return "__global__ void k(int* p, int n) { " + body + " }\n"; }
const std::string store = "p[threadIdx.x] = 1;";

TEST(Loops, AreMadeOfKernelsWithIndependentThreads) {
  for (const std::string& text : std::vector<std::string>{
           kernel(store), kernel("if (n) return; " + store), kernel("for (int i = 0; i < n; ++i) p[i] = sqrtf(i);"),
           "__device__ int f(int x) { return x * x; }\n" + kernel("p[threadIdx.x] = f(n);"),
           "#define SQUARE(x) ((x) * (x))\n" + kernel("p[threadIdx.x] = SQUARE(n);"),
           "struct S { __device__ int operator()(int x) { return x; } };\n"
           "template <class F> __global__ void k(int* p, F f) { p[threadIdx.x] = f(3); }\n",
           "__device__ int index() { return threadIdx.x; }\n" + kernel(store),
           "extern \"C\" __global__ void __launch_bounds__(64) k(int* p) { " + store + " }\n",
           "struct Timer { ~Timer() {} };\ntemplate <class T> __global__ void k(T* p, const T* q) { p[threadIdx.x] = "
           "*q; "
           "}\n",
           kernel("#pragma unroll\nfor (int i = 0; i < 4; ++i) p[i] = n;\n")}) {
    EXPECT_TRUE(is_loop(text)) << text;
  }
}

TEST(Loops, AreNotMadeOfKernelsThatMayWait) {
  for (const std::string& text : std::vector<std::string>{
           kernel(store + "__syncthreads();"), kernel("__shared__ int s[4]; " + store), kernel("atomicAdd(p, 1);"),
           kernel("p[0] = __shfl_down_sync(~0u, n, 1);"), kernel("volatile int* q = p; while (!*q) {}"),
           kernel("assert(n);"), kernel("asm(\"nop\");"), kernel("int* q = new int; delete q;"),
           kernel("for (;;) ++*p;"), kernel("unknown(p);"), kernel("p->wait();"), kernel("static int calls; ++calls;"),
           kernel("auto f = [](int x) { return x + threadIdx.x; }; p[0] = f(1);"),
           // A callee waits, or depends on which thread runs.
           "__device__ void meet() { __syncthreads(); }\n__device__ void f() { meet(); }\n" + kernel("f();"),
           "__device__ int index() { return threadIdx.x; }\n" + kernel("p[index()] = 1;"),
           "#define TID threadIdx.x\n__device__ int index() { return TID; }\n" + kernel("p[index()] = 1;"),
           "#define SYNC __syncthreads()\n" + kernel(store + " SYNC;"),
           "#define STOP(c) if (c) return\n" + kernel("STOP(n); " + store),
           // A callee may do so without being named.
           "struct S { __device__ S() { __syncthreads(); } };\n" + kernel(store),
           "__device__ int index() { return threadIdx.x; }\ntypedef int (*F)();\n"
           "__global__ void k(int* p, F f) { p[0] = f(); }\n",
           "typedef volatile int Flag;\n__global__ void k(Flag* f) { while (!*f) {} }\n",
           // A copy of the argument would be destroyed inside the kernel.
           "struct Owner { ~Owner(); };\n__global__ void k(int* p, Owner o) { " + store + " }\n",
           "__global__ void __cluster_dims__(2, 1, 1) k(int* p) { " + store + " }\n",
           "#define KERNEL(name) __global__ void name(int* p) { " + store + " }\nKERNEL(k)\n"}) {
    EXPECT_FALSE(is_loop(text)) << text << rewritten(text);
  }
}

TEST(Loops, AreMadeInPlainBuildsOnly) {
  EXPECT_EQ(rewrite(kernel(store), "a.cu").text.find("for_threads"), std::string::npos);
}

TEST(Loops, RecogniseIntervalGuards) {
  const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x; ";
  for (const std::string& body : std::vector<std::string>{
           i + "if (i < n) p[i] = 1;", i + "if (i >= n) return; p[i] = 1;", i + "if (n > i) { p[i] = 1; p[i] = 2; }",
           std::string("if (threadIdx.x + 256 * blockIdx.x >= m) return; p[0] = 1;"),
           i + "if (i < 1 || i >= n - 1 || n == 7) return; p[i] = 1;",
           "int y = blockIdx.y * blockDim.y + threadIdx.y; " + i + "if (i < n && y != n) p[i] = 1;"}) {
    EXPECT_EQ(guards_of(body), "interval_guards") << body;
  }
  for (const std::string& body : std::vector<std::string>{
           i + "if (i % 2 == 0 && i < n) p[i] = 1;", i + "if (i == n) return; p[i] = 1;",
           i + "if (i < n || i > 7) p[i] = 1;", i + "int k = i * n; if (k < n) p[i] = 1;",
           i + "if (i < n && i != 3) p[i] = 1;", std::string("if (threadIdx.x * m < n) p[0] = 1;")}) {
    EXPECT_EQ(guards_of(body), "guarded") << body;
  }
  // Conditions that read memory, or come after a side effect, cannot be evaluated in advance.
  for (const std::string& body :
       std::vector<std::string>{i + "if (p[i] < n) p[i] = 1;", i + "p[i] = 0; if (i < n) p[i] = 1;",
                                i + "if (i < n) p[i] = 1; else p[i] = 2;", i + "if (i < n) p[i] = 1; p[0] = 2;",
                                i + "if (i++ < n) p[i] = 1;"}) {
    EXPECT_EQ(guards_of(body), "unguarded") << body;
  }
}

/// Returns the kind of index that the loop uses.
std::string index_of(const std::string& body, const std::string& before = "") {
  const std::string text = rewritten(before + "__global__ void k(int* p, int n) { " + body + " }");
  for (const char* name : {"index_of_block", "index_of_grid_only", "index_of_grid"}) {
    if (text.find(std::string("::rafter_simt::") + name + ",") != std::string::npos) return name;
  }
  return "no loop";
}

TEST(Loops, RecogniseKernelsThatUseTheGridIndexOnly) {
  for (const char* body :
       {"int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = n;", "p[threadIdx.x + blockDim.x * blockIdx.x] = 1;",
        "const int i = (blockIdx.x * blockDim.x) + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; p[y * n + "
        "i] = 1;",
        "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; p[i] = 1;",
        "p[n + blockIdx.x * blockDim.x + threadIdx.x - 1] = 1;",
        "for (int i = threadIdx.x + (blockIdx.x * blockDim.x); i < n; i += blockDim.x * gridDim.x) p[i] = 1;"})
    EXPECT_EQ(index_of(body), "index_of_grid_only") << body;
  for (const char* body :
       {"int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = threadIdx.x;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = blockIdx.x;",
        "p[blockIdx.x * blockDim.x + threadIdx.x * 2] = 1;", "p[n - blockIdx.x * blockDim.x + threadIdx.x] = 1;",
        "p[2 * blockIdx.x * blockDim.x + threadIdx.x] = 1;", "p[threadIdx.x + blockIdx.x * blockDim.x * 2] = 1;",
        "p[2 * (blockIdx.x * blockDim.x) + threadIdx.x] = 1;", "p[abs(blockIdx.x * blockDim.x) + threadIdx.x] = 1;",
        "int i = (float)blockIdx.x * blockDim.x + threadIdx.x; p[i] = 1;",
        "int i = (char)(blockIdx.x * blockDim.x) + threadIdx.x; p[i] = 1;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; auto t = threadIdx; p[i] = t.x;"})
    EXPECT_EQ(index_of(body), "index_of_grid") << body;
  EXPECT_EQ(index_of("p[blockIdx.x * 256 + threadIdx.x] = 1;"), "index_of_block");
  EXPECT_EQ(
      index_of("int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = LANE;", "#define LANE (threadIdx.x % 32)\n"),
      "index_of_grid");
}

TEST(Loops, CallVectorisableMathFunctions) {
  const std::string text = rewritten(
      "__device__ float f(float x) { return expf(x); }\nfloat g(float x) { return expf(x); }\n"
      "__global__ void k(float* p) { p[threadIdx.x] = logf(f(1)); }\n");
  EXPECT_NE(text.find("{ return ::rafter_simt::lane_expf(x); }\nfloat g(float x) { return expf(x); }"),
            std::string::npos);
  EXPECT_NE(text.find("::rafter_simt::lane_logf(f(1))"), std::string::npos);
  EXPECT_EQ(rewritten("__device__ float expf(float x) { return x; }\n" + kernel("p[0] = expf(n);")).find("lane_expf"),
            std::string::npos);
}

}  // namespace
}  // namespace rafter::simt::build
