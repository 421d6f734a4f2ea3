// The head of a program of generated kernels: inputs, and `run`, which compares a kernel with the host function.
#pragma once

namespace rafter::simt::test {

inline constexpr const char* lane_program_head = R"(#include <cuda_runtime.h>
#include <cmath>
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
// Equal bits, or both NaN, whose sign and payload C++ leaves open.
inline bool same(float a, float b) { return memcmp(&a, &b, 4) == 0 || (a != a && b != b); }
template <class T>
bool same(T a, T b) { return a == b; }
template <class T>
struct Output {
  std::vector<T> values;
  T* device;
  explicit Output(unsigned n) : values(n) {
    for (unsigned i = 0; i < n; ++i) values[i] = (T)i;
    device = on_device(values);
  }
  void compare(const char* kernel, const char* name) const {
    std::vector<T> got(values.size());
    cudaMemcpy(got.data(), device, sizeof(T) * got.size(), cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < got.size(); ++i) {
      if (same(got[i], values[i])) continue;
      std::printf("%s: %s[%u] is %.9g, expected %.9g\n", kernel, name, i, (double)got[i], (double)values[i]);
      exit(1);
    }
  }
};
template <class Kernel, class Host>
void run(const char* name, Kernel kernel, Host host, dim3 block, unsigned k) {
  std::vector<unsigned> in(256);
  std::vector<uint2> pairs(256);
  std::vector<Record> records(256);
  std::vector<signed char> small(256);
  std::vector<float> reals(256);
  std::vector<unsigned char> bytes(256);
  std::vector<short> shorts(256);
  std::vector<double> doubles(256);
  std::vector<long long> longs(256);
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, -1.5f};
  for (unsigned i = 0; i < 256; ++i) {
    in[i] = mix(i, k);
    pairs[i] = {in[i] + 1, in[i] * 3};
    records[i] = {'c', {in[i] + 5, in[i] ^ 77}};
    small[i] = (signed char)(in[i] >> 8);
    reals[i] = in[i] % 16 < 8 ? special[in[i] % 16] : (float)(in[i] % 1000) / 7;
    bytes[i] = (unsigned char)(in[i] >> 5);
    shorts[i] = (short)(in[i] >> 9);
    doubles[i] = (double)in[i] / 3 - 5e8;
    longs[i] = (long long)mix(in[i], 7) * 3037000493ll * (i % 2 == 0 ? 1 : -1);
  }
  Output<unsigned> out(2000);
  Output<float> sums(2000);
  Output<short> narrow(2000);
  Output<long long> wides(2000);
  kernel<<<3, block>>>(on_device(in), on_device(pairs), on_device(records), on_device(small), on_device(reals),
                       on_device(bytes), on_device(shorts), on_device(doubles), on_device(longs), out.device,
                       sums.device, narrow.device, wides.device, k);
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError())), exit(1);
  for (uint3 b{0, 0, 0}; b.x < 3; ++b.x)
    for (uint3 t{0, 0, 0}; t.y < block.y; ++t.y)
      for (t.x = 0; t.x < block.x; ++t.x)
        host(in.data(), pairs.data(), records.data(), small.data(), reals.data(), bytes.data(), shorts.data(),
             doubles.data(), longs.data(), out.values.data(), sums.values.data(), narrow.values.data(),
             wides.values.data(), k, t, b, block);
  out.compare(name, "out");
  sums.compare(name, "sums");
  narrow.compare(name, "narrow");
  wides.compare(name, "wides");
}
)";

}  // namespace rafter::simt::test
