// Brightens and blurs a small picture; the kernels are in kernels.cu, the reference is in host.cpp.
#include <cstdio>
#include <vector>

#include "host.h"
#include "kernels.cuh"

int main() {
  const int width = 75, height = 41, amount = 20;
  const size_t bytes = size_t(width) * height;
  const auto picture = make_picture(width, height);

  Image in{nullptr, width, height}, out{nullptr, width, height};
  if (cudaMalloc(&in.pixels, bytes) != cudaSuccess) return 2;
  if (cudaMalloc(&out.pixels, bytes) != cudaSuccess) return 2;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(in.pixels, picture.data(), bytes, cudaMemcpyHostToDevice, stream);
  fill<unsigned char><<<(bytes + 255) / 256, 256, 0, stream>>>(out.pixels, 0, static_cast<int>(bytes));
  launch_pipeline(in, out, amount, stream);
  std::vector<unsigned char> got(bytes);
  cudaMemcpyAsync(got.data(), out.pixels, bytes, cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 2;
  cudaStreamDestroy(stream);
  cudaFree(in.pixels);
  cudaFree(out.pixels);

  const bool same = got == reference(picture, width, height, PROJECT_SCALE * amount);
  std::printf("multi_file: %s\n", same ? "ok" : "pictures differ");
  return same ? 0 : 1;
}
