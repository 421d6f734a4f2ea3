// The exit codes of exec, check and profile, and their messages.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

constexpr const char* good = R"(
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  fill<<<1, 32>>>(out);
  cudaFree(out);
})";

class ExitCodes : public ToolTest {
 protected:
  /// Expects exit code 2 of all three commands, with an error message that contains `parts`.
  void expect_refusal(const std::string& words, const std::vector<std::string>& parts) const {
    for (const char* action : {"exec ", "check ", "profile "}) {
      const Outcome refused = rafter(action + words);
      EXPECT_EQ(refused.code, 2) << action << refused.all();
      for (const std::string& part : parts)
        EXPECT_TRUE(has(refused.err, part)) << action << part << "\n" << refused.err;
    }
  }
};

TEST_F(ExitCodes, CleanRunReturns0) {
  file("good.cu", good);
  for (const char* action : {"exec", "check", "profile"}) {
    const Outcome outcome = rafter(std::string(action) + " good.cu");
    EXPECT_EQ(outcome.code, 0) << outcome.all();
  }
  const std::string summary = rafter("check good.cu").out;
  EXPECT_TRUE(summary.starts_with("rafter check: nothing found in 1 kernel, 1 launch, 32 threads, ")) << summary;
}

// With an argument, a signal ends the program after half a second of processor time, which the kernel spends spinning.
constexpr const char* interrupted = R"(
#include <csignal>
#include <sys/time.h>
#include <unistd.h>
__global__ void collide(int* out, int forever) {
  *out = threadIdx.x;
  for (volatile int spin = forever; spin;) {}
}
int main(int n, char**) {
  int* out;
  cudaMalloc(&out, sizeof(int));
  itimerval half_a_second{{}, {0, 500000}};
  if (n > 1) setitimer(ITIMER_PROF, &half_a_second, nullptr);
  collide<<<1, 2>>>(out, n > 1);
  kill(getppid(), SIGTERM);
  for (;;) pause();
})";

TEST_F(ExitCodes, ShowsFindingsWhenASignalEndsTheRun) {
  file("stopped.cu", interrupted);
  const Outcome ended = rafter("check stopped.cu");  // the tool gets the signal between launches
  EXPECT_EQ(ended.code, 1) << ended.all();
  EXPECT_TRUE(has(ended.out, "[race]") && has(ended.out, "ended by signal 15")) << ended.all();
}

TEST_F(ExitCodes, ShowsFindingsWhenASignalEndsALaunch) {
  file("stopped.cu",
       std::string(interrupted).replace(std::string(interrupted).find("*out = threadIdx.x"), 4, "out[1]"));
  const Outcome ended = rafter("check stopped.cu -- 1");
  EXPECT_EQ(ended.code, 1) << ended.all();
  EXPECT_TRUE(has(ended.out, "[out_of_bounds]") && has(ended.out, "ended by signal 27")) << ended.all();
}

TEST_F(ExitCodes, FindingsReturn1) {
  std::string bad = good;
  bad.replace(bad.find("1, 32>>>"), 8, "1, 33>>>");
  file("bad.cu", bad);
  const Outcome checked = rafter("check bad.cu");
  EXPECT_EQ(checked.code, 1);
  EXPECT_TRUE(has(checked.out, "bad.cu:2: thread (32,0,0) of block (0,0,0) writes 4 bytes")) << checked.out;
  EXPECT_TRUE(has(checked.out, "allocated as ") && has(checked.out, " at bad.cu:5")) << checked.out;
}

TEST_F(ExitCodes, CompileErrorNamesTheUsersFileAndLine) {
  file("src/broken.cu",
       "#include \"part.cuh\"\n\n__global__ void k(int* p) {\n  p[0] = undeclared_name;\n}\nint main() {}\n");
  file("src/part.cuh", "");
  expect_refusal("src/broken.cu", {"src/broken.cu:4", "undeclared_name"});
  file("src/part.cuh", "#pragma once\nint f() { return missing_semicolon }\n");
  file("src/broken.cu", "#include \"part.cuh\"\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
  expect_refusal("src/broken.cu", {"src/part.cuh:2"});
}

TEST_F(ExitCodes, NamesAnUndefinedFunction) {
  file("undefined.cu", "void elsewhere();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); elsewhere(); }\n");
  expect_refusal("undefined.cu", {"elsewhere"});
}

TEST_F(ExitCodes, NamesUnsupportedFeaturesWithTheirLine) {
  const std::string tail = "\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
  file("sparse.cu", "#include <cstdio>\n#include <cusparse.h>" + tail);
  expect_refusal("sparse.cu", {"sparse.cu:2", "cuSPARSE"});
  file("blas.cu", "#include <cublas_v2.h>\nvoid f() {\n  cublasSgelsBatched();\n}" + tail);
  expect_refusal("blas.cu", {"blas.cu:3", "cublasSgelsBatched: not implemented by the executor"});
  file("texture.cu",
       "\n\ntexture<float, 2> image;\n__global__ void t(float* out) { *out = tex2D(image, 0, 0); }" + tail);
  expect_refusal("texture.cu", {"texture.cu:3", "texture references", "cudaCreateTextureObject"});
  file("ptx.cu",
       "__global__ void p(int* o) {\n  int l;\n  asm(\"mov.u32 %0, %%envreg1;\" : \"=r\"(l));\n  *o = l;\n}" + tail);
  expect_refusal("ptx.cu", {"ptx.cu:3", "inline PTX", "mov.u32"});
  file("shared.cu",
       "\n__global__ void s(int* o) {\n  __shared__ int big[60 << 20];\n  *o = big[threadIdx.x];\n}" + tail);
  expect_refusal("shared.cu", {"shared.cu:3", "too much shared memory: big is larger than 48 KiB"});
  file("cluster.cu", "\n__global__ void __cluster_dims__(2) c(int*);\n__global__ void c(int*) {}" + tail);
  expect_refusal("cluster.cu", {"cluster.cu:2", "__cluster_dims__ on a declaration without a body"});
  file("header.cu", "#include \"deep.cuh\"" + tail);
  file("deep.cuh", "\ninline void f() { cudaUnbindTexture(0); }\n");
  expect_refusal("header.cu", {"deep.cuh:2", "texture references"});
}

/// Headers of a CUDA toolkit include each other from their folder, also those that the executor replaces.
TEST_F(ExitCodes, NamesUnsupportedToolkitLibrariesInHostCode) {
  file("toolkit/cuda_runtime_api.h", "#pragma once\n#include \"vector_types.h\"\n");
  file("toolkit/vector_types.h", "#pragma once\nstruct char1 { signed char x; };\nstruct uchar1 { char x; };\n");
  file("toolkit/cufft.h", "#pragma once\n#include \"cuda_runtime_api.h\"\n");
  file("toolkit/cuda_gl_interop.h", "#pragma once\n#include \"cuda_runtime_api.h\"\n");
  file("toolkit/nvfancy.h", "#pragma once\n#include \"vector_types.h\"\n");
  file("good.cu", good);
  file("transform.hpp", "#include <cuda_runtime.h>\n#include <cufft.h>\n");
  file("host.cpp", "// a transform\n#include \"transform.hpp\"\n");
  expect_refusal("good.cu host.cpp -I toolkit", {"transform.hpp:2: cuFFT: the executor does not implement it"});
  file("picture.cpp", "#include <cuda_runtime.h>\n#include <cuda_gl_interop.h>\n");
  expect_refusal("good.cu picture.cpp -I toolkit",
                 {"picture.cpp:2: OpenGL interoperation: the executor does not implement it"});
  file("fancy.cpp", "#include <cuda_runtime.h>\n#include <nvfancy.h>\n");
  expect_refusal("good.cu fancy.cpp -I toolkit", {"fancy.cpp:2: nvfancy.h: the executor does not implement it"});
}

TEST_F(ExitCodes, ProgramWithoutLaunchesReturns2) {
  file("idle.cu", "__global__ void k() {}\nint main() { return 0; }\n");
  const Outcome checked = rafter("check idle.cu");
  EXPECT_EQ(checked.code, 2) << checked.all();
  EXPECT_TRUE(has(checked.err, "nothing was checked: the program launched no kernel")) << checked.all();
  EXPECT_FALSE(has(checked.out, "nothing found"));
  EXPECT_EQ(rafter("profile idle.cu").code, 2);
  EXPECT_EQ(rafter("exec idle.cu").code, 0);
}

TEST_F(ExitCodes, HostCrashReturns2) {
  std::string crash = good;
  crash.insert(crash.find("  cudaFree"), "  *(volatile int*)8 = 1;\n");
  file("crash.cu", crash);
  for (const char* action : {"check", "profile"}) {
    const Outcome crashed = rafter(std::string(action) + " crash.cu");
    EXPECT_EQ(crashed.code, 2) << crashed.all();
    EXPECT_TRUE(has(crashed.out + crashed.err, "signal 11")) << crashed.all();
  }
  EXPECT_EQ(rafter("exec crash.cu").code, 128 + 11);
  file("abort.cu", "#include <cstdlib>\n__global__ void k() {}\nint main() { std::abort(); }\n");
  EXPECT_EQ(rafter("check abort.cu").code, 2);
}

TEST_F(ExitCodes, ShowsFindingsAfterAHostCrash) {
  std::string crash = good;
  crash.replace(crash.find("1, 32>>>"), 8, "1, 33>>>");
  crash.insert(crash.find("  cudaFree"), "  *(volatile int*)8 = 1;\n");
  file("crash.cu", crash);
  std::string abort = good;
  abort.insert(abort.find("  cudaFree"), "  cudaFree(out);\n");
  abort.insert(abort.rfind("}"), "  abort();\n");
  file("abort.cu", abort);
  for (const auto& [name, what] : {std::pair{"crash.cu", "[out_of_bounds]"}, std::pair{"abort.cu", "[double_free]"}}) {
    const Outcome crashed = rafter(std::string("check ") + name);
    EXPECT_EQ(crashed.code, 1) << crashed.all();
    EXPECT_TRUE(has(crashed.out, what) && has(crashed.out, "the program was ended by signal")) << crashed.all();
  }
}

TEST_F(ExitCodes, FailedProgramReturns1) {
  std::string wrong = good;
  wrong.insert(wrong.find("  cudaFree"), "  return 3;\n");
  file("wrong.cu", wrong);
  EXPECT_EQ(rafter("exec wrong.cu").code, 3) << "exec returns the program's exit code";
  const Outcome checked = rafter("check wrong.cu");
  EXPECT_EQ(checked.code, 1);
  EXPECT_TRUE(has(checked.out, "the program returned 3")) << checked.out;
}

TEST_F(ExitCodes, EndsAKernelWithoutProgress) {
  file("endless.cu", R"(
__device__ int n;
__global__ void spin() { if (threadIdx.x == 5) while (true) {} }
__global__ void count() { for (volatile int i = 0;; ++i) n += i; }
int main(int argc, char**) {
  argc == 1 ? spin<<<2, 64>>>() : count<<<2, 64>>>();
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 9;
})");
  for (const char* action : {"exec", "check", "profile", "check --lockstep"}) {
    for (const auto& [arguments, line] : {std::pair{"", "endless.cu:3"}, std::pair{" -- count", "endless.cu:4"}}) {
      const Outcome stopped = rafter(std::string(action) + " --time-limit 0.2 endless.cu" + arguments);
      EXPECT_EQ(stopped.code, std::string(action) == "exec" ? 0 : 1) << action << stopped.all();
      EXPECT_TRUE(has(stopped.out + stopped.err, "[no_progress]")) << action << stopped.all();
      EXPECT_TRUE(has(stopped.out + stopped.err, line)) << action << stopped.all();
    }
  }
}

TEST_F(ExitCodes, EndsAKernelThatRunsForever) {
  file("busy.cu", R"(
__global__ void write(int* a) { for (;;) a[threadIdx.x] += 1; }
__global__ void give_way(int* a) { for (;;) { a[threadIdx.x] = 1; __nanosleep(10); } }
__global__ void meet(int* a) { for (;;) { a[threadIdx.x] += 1; __syncthreads(); } }
__global__ void vote(int* a) { while (!__any_sync(~0u, a[threadIdx.x] == 77)) {} }
int main(int, char** arguments) {
  int* a;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  switch (arguments[1][0]) {
    case '2': write<<<1, 64>>>(a); break;
    case '3': give_way<<<1, 64>>>(a); break;
    case '4': meet<<<1, 64>>>(a); break;
    default: vote<<<1, 64>>>(a);
  }
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 9;
})");
  for (const char* action : {"exec", "check"}) {
    for (const char* line : {"2", "3", "4", "5"}) {
      const Outcome stopped = rafter(std::string(action) + " --time-limit 0.2 busy.cu -- " + line);
      EXPECT_EQ(stopped.code, std::string(action) == "exec" ? 0 : 1) << action << stopped.all();
      EXPECT_TRUE(has(stopped.out + stopped.err, "[no_progress]")) << action << stopped.all();
      EXPECT_TRUE(has(stopped.out + stopped.err, std::string("busy.cu:") + line + ": thread (")) << stopped.all();
    }
  }
}

TEST_F(ExitCodes, PlainRunNamesTheBlockOfAnIllegalAddress) {
  file("null.cu", R"(
__global__ void k(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 40) a[i] = 1; }
int main() { k<<<2, 32>>>(nullptr); return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 9; })");
  const Outcome loop = rafter("exec null.cu");
  EXPECT_EQ(loop.code, 0) << loop.all();
  EXPECT_TRUE(has(loop.out + loop.err, "null.cu:2: a thread of block (1,0,0) accesses")) << loop.all();
  file("row.cu", R"(
__global__ void k(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 40) a[i] = 1; }
int main() { k<<<4096, 32>>>(nullptr); return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 9; })");
  const Outcome row = rafter("exec --threads 1 row.cu");
  EXPECT_EQ(row.code, 0) << row.all();
  EXPECT_TRUE(has(row.out + row.err, "row.cu:2: a thread of blocks (1,0,0) to (")) << row.all();
  const Outcome one_by_one = rafter("exec --time-limit 9 null.cu");
  EXPECT_TRUE(has(one_by_one.out + one_by_one.err, "null.cu:2: thread (9,0,0) of block (1,0,0) accesses"))
      << one_by_one.all();
}

TEST_F(ExitCodes, PlainRunNamesTheThreadThatDoesNotEnd) {
  file("one.cu", R"(
__global__ void wait(volatile int* a) { if (threadIdx.x == 33) while (a[1] == 0) {} }
int main() {
  int* a;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  wait<<<1, 64>>>(a);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 9;
})");
  const Outcome stopped = rafter("exec --time-limit 0.5 one.cu");
  EXPECT_EQ(stopped.code, 0) << stopped.all();
  EXPECT_TRUE(has(stopped.err, "one.cu:2: thread (33,0,0) of block (0,0,0)")) << stopped.all();
  EXPECT_FALSE(has(stopped.err, "more thread")) << stopped.all();
}

TEST_F(ExitCodes, NamesMissingFiles) {
  expect_refusal("nowhere.cu", {"nowhere.cu"});
  expect_refusal("", {"no CUDA source was given"});
  file("data.txt", "");
  expect_refusal("data.txt", {"no CUDA source was given"});
}

TEST_F(ExitCodes, RejectsUnknownOptions) {
  file("good.cu", good);
  expect_refusal("good.cu --shedule 3", {"there is no option '--shedule'"});
}

}  // namespace
}  // namespace rafter::simt::test
