// expect: clean
// Host buffers of sufficient size, also parts of one, and memory that was freed and allocated again.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
  fill<<<1, 64>>>(device);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> whole(64 + round);
    cudaMemcpy(whole.data() + round, device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    std::unique_ptr<int[]> own(new int[64]);
    cudaMemcpy(own.get(), device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    char* bytes = static_cast<char*>(std::malloc(100 + round));
    bytes = static_cast<char*>(std::realloc(bytes, 300));
    cudaMemcpy(bytes, device, 256, cudaMemcpyDeviceToHost);
    std::free(bytes);
    std::string text(256, ' ');
    cudaMemcpy(&text[0], device, 256, cudaMemcpyDeviceToHost);
    char* copy = strdup(text.c_str());
    cudaMemcpy(device, copy, 256, cudaMemcpyHostToDevice);
    std::free(copy);
  }
  int local[64];
  cudaMemcpy(local, device, sizeof local, cudaMemcpyDeviceToHost);
  cudaFree(device);
}
