// Compiles device functions (parallel.hpp) for the GPU. A family lists its device functions in a file for nvcc, which
// instantiates the kernels that its cases call:
//
//   extern const DeviceCode scan_device_code{ForTypes<Types, ScanPlace, ScanTypes>{}};
#pragma once

#include <vector>

#include "library/core/cuda/launch.cuh"
#include "rafter/types.hpp"
#include "workbench/lab/data/parallel.hpp"

namespace rafter::lab {

template <class F>
__global__ void run_function(F f, std::int64_t n, ResultAt<F>* results) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  if constexpr (std::is_void_v<ResultAt<F>>) {
    f(i);
  } else {
    results[i] = f(i);
  }
}

template <DeviceFunction F>
void run_on_gpu(const Stream& stream, std::int64_t n, const F& f, ResultAt<F>* results) {
  constexpr int threads = 128;
  core::launch(run_function<F>, ceil_div(n, threads), threads, 0, stream, f, n, results);
}

/// Instantiates the kernels for all functions of some type lists.
class DeviceCode {
 public:
  template <class... Lists>
  explicit DeviceCode(Lists... lists) {
    (add(lists), ...);
  }

 private:
  template <class... F>
  void add(Types<F...>) {
    (functions_.push_back(reinterpret_cast<void (*)()>(&run_on_gpu<F>)), ...);
  }

  std::vector<void (*)()> functions_;  // taking the address of a function forces its instantiation
};

}  // namespace rafter::lab
