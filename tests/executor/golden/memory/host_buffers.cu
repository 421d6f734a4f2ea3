// expect: out_of_bounds kernel=- line=15
// expect: out_of_bounds kernel=- line=17
// expect: out_of_bounds kernel=- line=18
// Host buffers that are smaller than what is copied.
#include <cstdlib>
#include <vector>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
  fill<<<1, 64>>>(device);
  std::vector<int> small(60);
  cudaMemcpy(small.data(), device, 61 * sizeof(int), cudaMemcpyDeviceToHost);
  char* bytes = static_cast<char*>(std::malloc(240));
  cudaMemcpy(device, bytes, 244, cudaMemcpyHostToDevice);
  cudaMemcpy(device, bytes + 200, 41, cudaMemcpyHostToDevice);
  std::free(bytes);
  cudaFree(device);
}
