// Compares every wrapper of src/library/ptx with plain loops: on the executor, without findings, and on a GPU if
// available.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "executor/device/simt_device.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "wrappers.hpp"

namespace rafter::test {

class PtxWrappers : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    rafter::simt::provide_device();
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
    if (on_executor()) core::backend(Device::simt).take_findings();
  }
  void TearDown() override {
    if (on_executor()) {
      EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");
    }
  }
  static bool on_executor() { return GetParam() == Device::simt; }
  static Stream stream() { return Stream::on(GetParam()); }

#ifdef RAFTER_WITH_CUDA
#define RAFTER_OF_DEVICE(call) (on_executor() ? simt::call() : cuda::call())
#else
#define RAFTER_OF_DEVICE(call) simt::call()
#endif
  static CopyWrappers copies() { return RAFTER_OF_DEVICE(copy_wrappers); }
  static MatrixWrappers matrices() { return RAFTER_OF_DEVICE(matrix_wrappers); }
  static WgmmaWrappers wgmmas() { return RAFTER_OF_DEVICE(wgmma_wrappers); }
  static ConvertWrappers<Half> conversions(Half) { return RAFTER_OF_DEVICE(half_wrappers); }
  static ConvertWrappers<Bfloat16> conversions(Bfloat16) { return RAFTER_OF_DEVICE(bfloat16_wrappers); }
  static ClusterWrappers clusters() { return RAFTER_OF_DEVICE(cluster_wrappers); }
  static OrderWrappers orders() { return RAFTER_OF_DEVICE(order_wrappers); }

 public:
  template <class T>
  static std::vector<T> counted(std::size_t n) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i * 7 + 1);
    return x;
  }
  template <class T>
  static std::vector<T> read(const Buffer<T>& buffer) {
    std::vector<T> x(static_cast<std::size_t>(buffer.size()));
    buffer.copy_to(x);
    return x;
  }
};

}  // namespace rafter::test
