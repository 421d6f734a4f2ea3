// A program with copies that take longer than its kernels; with an argument it copies only once.
#include <vector>

constexpr int n = 1 << 18;

__global__ void step(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 256; ++k) x = x * 0.999f + 1.0f;
  out[i] = x;
}

int main(int argc, char**) {
  const bool copies_once = argc > 1;
  std::vector<float> host(n);
  float *a, *b;
  cudaMalloc(&a, sizeof(float) * n);
  cudaMalloc(&b, sizeof(float) * n);
  cudaMemcpy(a, host.data(), sizeof(float) * n, cudaMemcpyHostToDevice);
  for (int round = 0; round < (copies_once ? 400 : 20); ++round) {
    if (!copies_once) cudaMemcpy(a, host.data(), sizeof(float) * n, cudaMemcpyHostToDevice);
    step<<<n / 256, 256>>>(a, b);
    if (!copies_once) cudaMemcpy(host.data(), b, sizeof(float) * n, cudaMemcpyDeviceToHost);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
