// Shared objects that a program loads at run time: findings name their shared variables, too.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

using Loaded = ToolTest;

TEST_F(Loaded, SharedVariablesOfLoadedObjectsHaveNames) {
  file("late.cu", R"(extern "C" __global__ void late(int* out) {
  __shared__ int late_tile[64];
  late_tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = late_tile[63 - threadIdx.x] + late_tile[threadIdx.x + 1];
}
extern "C" void run(int* out) { late<<<1, 64>>>(out); }
)");
  file("main.cu", R"(#include <dlfcn.h>
__global__ void early(int* out) {
  __shared__ int early_tile[64];
  early_tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = early_tile[63 - threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  early<<<1, 64>>>(out);
  void* object = dlopen("./liblate.so", RTLD_NOW);
  if (!object) return 3;
  reinterpret_cast<void (*)(int*)>(dlsym(object, "run"))(out);
  early<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
)");
  ASSERT_EQ(rafter("check --nvcc-wrapper tk").code, 0);
  const Outcome built = shell(folder_.path(),
                              "tk/bin/nvcc -shared -Xcompiler -fPIC late.cu -o liblate.so && "
                              "tk/bin/nvcc main.cu -o main -ldl");
  ASSERT_EQ(built.code, 0) << built.all();
  const Outcome checked = rafter("check ./main");
  EXPECT_EQ(checked.code, 1) << checked.all();
  for (const char* words : {"kernel late [race]", "in __shared__ late_tile of 256 bytes, at offset 256", "late.cu:4"})
    EXPECT_TRUE(has(checked.out, words)) << words << "\n" << checked.all();
  EXPECT_FALSE(has(checked.out, "kernel early")) << checked.all();
}

}  // namespace
}  // namespace rafter::simt::test
