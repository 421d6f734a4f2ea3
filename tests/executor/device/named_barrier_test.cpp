// Named barriers on the executor, and on a GPU where there is one: right answers, no findings, and a race without them.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "executor/device/simt_device.hpp"
#include "hand_round.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"

namespace rafter::test {
namespace {

using HandRound = void (*)(const Stream&, const float*, int, float*, bool);
constexpr int n_tiles = 7;

std::vector<float> run(HandRound hand_round, Device device, bool in_turn) {
  const Stream stream = Stream::on(device);
  std::vector<float> host(n_tiles * 32);
  std::iota(host.begin(), host.end(), 1.f);
  Buffer<float> in(stream, n_tiles * 32), out(stream, 32);
  in.copy_from(host);
  hand_round(stream, in.data(), n_tiles, out.data(), in_turn);
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

TEST_F(NamedBarrier, HandsTilesOver) {
  EXPECT_EQ(run(simt::hand_round, Device::simt, true), expected());
  const auto complaints = core::backend(Device::simt).take_findings();
  EXPECT_FALSE(complaints) << *complaints;
}

TEST_F(NamedBarrier, OutOfTurnItIsARace) {
  run(simt::hand_round, Device::simt, false);
  const auto complaints = core::backend(Device::simt).take_findings();
  ASSERT_TRUE(complaints);
  EXPECT_NE(complaints->find("race in shared memory"), std::string::npos) << *complaints;
  EXPECT_NE(complaints->find("hand_round.cu:"), std::string::npos) << *complaints;
}

#ifdef RAFTER_WITH_CUDA
TEST(NamedBarrierOn_cuda, HandsTilesOver) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  EXPECT_EQ(run(cuda::hand_round, Device::cuda, true), expected());
}
#endif

}  // namespace
}  // namespace rafter::test
