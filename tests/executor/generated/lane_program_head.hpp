// What a program of generated kernels for lanes begins with: inputs, and `run`, which holds a kernel against the
// function for the host.
#pragma once

namespace rafter::simt::test {

inline constexpr const char* lane_program_head = R"(#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>
#ifdef RAFTER_SIMT_NO_LANES
#error "lanes do not compile"
#endif
struct Part { unsigned a, b; };
struct Record { char c; Part part; };
__host__ __device__ unsigned mix(unsigned a, unsigned b) { return (a ^ (b >> 3)) * 2654435761u + 1u; }
template <class T>
T* on_device(const std::vector<T>& values) {
  T* copy;
  cudaMalloc(&copy, sizeof(T) * values.size());
  cudaMemcpy(copy, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice);
  return copy;
}
template <class Kernel, class Host>
void run(const char* name, Kernel kernel, Host host, dim3 block, unsigned k) {
  std::vector<unsigned> in(256), out(2000);
  std::vector<uint2> pairs(256);
  std::vector<Record> records(256);
  std::vector<signed char> small(256);
  std::vector<float> reals(256), sums(2000);
  for (unsigned i = 0; i < 256; ++i) {
    in[i] = mix(i, k);
    pairs[i] = {in[i] + 1, in[i] * 3};
    records[i] = {'c', {in[i] + 5, in[i] ^ 77}};
    small[i] = (signed char)(in[i] >> 8);
    reals[i] = (float)(in[i] % 1000) / 8;
  }
  for (unsigned i = 0; i < 2000; ++i) out[i] = i, sums[i] = i;
  unsigned* device_out = on_device(out);
  float* device_sums = on_device(sums);
  kernel<<<3, block>>>(on_device(in), on_device(pairs), on_device(records), on_device(small), on_device(reals), device_out,
                       device_sums, k);
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError())), exit(1);
  for (uint3 b{0, 0, 0}; b.x < 3; ++b.x)
    for (uint3 t{0, 0, 0}; t.y < block.y; ++t.y)
      for (t.x = 0; t.x < block.x; ++t.x)
        host(in.data(), pairs.data(), records.data(), small.data(), reals.data(), out.data(), sums.data(), k, t, b, block);
  std::vector<unsigned> got(2000);
  std::vector<float> got_sums(2000);
  cudaMemcpy(got.data(), device_out, 8000, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_sums.data(), device_sums, 8000, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 2000; ++i) {
    if (got[i] != out[i]) std::printf("%s: out[%u] is %u, expected %u\n", name, i, got[i], out[i]), exit(1);
    if (memcmp(&got_sums[i], &sums[i], 4) != 0)
      std::printf("%s: sums[%u] is %g, expected %g\n", name, i, got_sums[i], sums[i]), exit(1);
  }
}
)";

}  // namespace rafter::simt::test
