// Named barriers on the executor, and on a GPU if there is one: correct results and no findings; a race without them.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "double_buffer.hpp"
#include "executor/device/simt_device.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"

namespace rafter::test {
namespace {

using DoubleBuffer = void (*)(const Stream&, const float*, int, float*, bool);
constexpr int n_tiles = 7;

std::vector<float> run(DoubleBuffer double_buffer, Device device, bool reads_full_buffer) {
  const Stream stream = Stream::on(device);
  std::vector<float> host(n_tiles * 32);
  std::iota(host.begin(), host.end(), 1.f);
  Buffer<float> in(stream, n_tiles * 32), out(stream, 32);
  in.copy_from(host);
  double_buffer(stream, in.data(), n_tiles, out.data(), reads_full_buffer);
  stream.synchronize();
  std::vector<float> host_out(32);
  out.copy_to(host_out);
  return host_out;
}

std::vector<float> expected() {
  std::vector<float> sums(32, 0);
  for (int tile = 0; tile < n_tiles; ++tile) {
    for (int lane = 0; lane < 32; ++lane)
      sums[static_cast<std::size_t>(lane)] += static_cast<float>(32 * tile + 32 - lane);
  }
  return sums;
}

class NamedBarrier : public testing::Test {
 protected:
  void SetUp() override {
    rafter::simt::provide_device();
    core::backend(Device::simt).take_findings();
  }
};

TEST_F(NamedBarrier, OrdersProducerAndConsumer) {
  EXPECT_EQ(run(simt::double_buffer, Device::simt, true), expected());
  const auto findings = core::backend(Device::simt).take_findings();
  EXPECT_FALSE(findings) << *findings;
}

TEST_F(NamedBarrier, ReportsRaceOnTheOtherBuffer) {
  run(simt::double_buffer, Device::simt, false);
  const auto findings = core::backend(Device::simt).take_findings();
  ASSERT_TRUE(findings);
  EXPECT_NE(findings->find("race in shared memory"), std::string::npos) << *findings;
  EXPECT_NE(findings->find("double_buffer.cu:"), std::string::npos) << *findings;
}

#ifdef RAFTER_WITH_CUDA
TEST(NamedBarrierOn_cuda, OrdersProducerAndConsumer) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  EXPECT_EQ(run(cuda::double_buffer, Device::cuda, true), expected());
}
#endif

}  // namespace
}  // namespace rafter::test
