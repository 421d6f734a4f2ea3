// Helpers of these programs: device arrays, and expectations that count failures.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

inline int& n_failed() {
  static int count = 0;
  return count;
}

inline void expect(bool holds, const char* what) {
  if (holds) return;
  ++n_failed();
  std::printf("FAILED: %s\n", what);
}

template <class A, class B>
void expect_equal(const std::vector<A>& got, const std::vector<B>& want, const char* what) {
  bool same = got.size() == want.size() && !want.empty();
  for (std::size_t i = 0; same && i < want.size(); ++i) {
    if (got[i] == static_cast<A>(want[i])) continue;
    std::printf("%s: at %zu got %g, expected %g\n", what, i, static_cast<double>(got[i]), static_cast<double>(want[i]));
    same = false;
  }
  expect(same, what);
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : n_(n) {
    cudaMalloc(&data_, n * sizeof(T));
    cudaMemset(data_, 0, n * sizeof(T));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> host(n_);
    expect(cudaDeviceSynchronize() == cudaSuccess, "the kernel ends well");
    cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t n_;
};

/// Calls a device-wide CUB function twice: for the size of its temporary storage, then for the work.
template <class Call>
void with_storage(Call call) {
  std::size_t bytes = 0;
  expect(call(nullptr, bytes) == cudaSuccess, "asking for storage succeeds");
  expect(bytes > 0, "some storage is asked for");
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  expect(call(storage, bytes) == cudaSuccess, "the call succeeds");
  expect(cudaDeviceSynchronize() == cudaSuccess, "the work succeeds");
  cudaFree(storage);
}

inline int report() {
  if (n_failed() == 0) std::puts("ok");
  return n_failed() == 0 ? 0 : 1;
}
