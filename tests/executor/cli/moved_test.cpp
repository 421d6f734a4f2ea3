// A build folder moved together with its sources uses its files at the new place.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

using Moved = ToolTest;

TEST_F(Moved, MovedBuildUsesItsOwnFiles) {
  const fs::path sources = fs::path(RAFTER_SIMT_TESTS).parent_path().parent_path();
  const fs::path build = fs::path(RAFTER_TOOL_PATH).parent_path();
  const fs::path place = build.lexically_relative(sources);
  if (place.empty() || *place.begin() == "..") GTEST_SKIP() << "the build folder is outside of the source tree";
  const fs::path moved = folder_.path() / "elsewhere";
  const auto copy = [&](const fs::path& part) {
    fs::create_directories((moved / part).parent_path());
    fs::copy(sources / part, moved / part, fs::copy_options::recursive);
  };
  copy("src/executor/include");
  for (const char* part : {"rafter", "libexec/rafter-executor", "src/executor/librafter_simt.so",
                           "src/executor/librafter_simt_blas.so", "simt_tools/as"})
    copy(place / part);
  std::ofstream(moved / "src/executor/include/cuda_runtime.h", std::ios::app) << "#define RAFTER_TEST_MOVED 1\n";
  file("where.cu", R"(#include <cuda_runtime.h>
#include <cstdio>
#include <dlfcn.h>
__global__ void k(int* out) { *out = RAFTER_TEST_MOVED; }
int main() {
  int* p;
  cudaMalloc(&p, sizeof(int));
  k<<<1, 1>>>(p);
  Dl_info runtime;
  dladdr(reinterpret_cast<void*>(&cudaDeviceSynchronize), &runtime);
  std::printf("%s\n", runtime.dli_fname);
})");
  const Outcome ran = shell(folder_.path(), (moved / place / "rafter").string() + " exec where.cu");
  EXPECT_EQ(ran.code, 0) << ran.all();
  EXPECT_TRUE(has(ran.out, moved.string())) << ran.out;
}

}  // namespace
}  // namespace rafter::simt::test
