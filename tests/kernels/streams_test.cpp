// Ops on streams that are shared by host threads or private to each.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "kernels/all_ops.hpp"

namespace rafter {
namespace {

constexpr int n_threads = 4;
constexpr int n_rounds = 5;

class Streams : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
  /// Returns a stream. On the CPU it has two threads, because ops of several host threads run concurrently.
  static Stream make() { return GetParam() == Device::cpu ? Stream::cpu(2) : Stream::on(GetParam()); }

  static void in_threads(const std::function<void(int thread)>& body) {
    std::vector<std::thread> threads;
    for (int t = 0; t < n_threads; ++t) threads.emplace_back(body, t);
    for (std::thread& thread : threads) thread.join();
  }
};

TEST_P(Streams, ThreadsShareAStream) {
  const Stream stream = make();
  in_threads([&](int thread) {
    AllOps ops(stream, 20000 + 5000 * thread, thread + 1);
    for (int i = 0; i < n_rounds; ++i) {
      ops.enqueue(stream);
      ops.check();
    }
  });
}

TEST_P(Streams, ThreadsHaveOneStreamEach) {
  in_threads([&](int thread) {
    const Stream stream = make();
    AllOps ops(stream, 20000 + 5000 * thread, thread + 1);
    for (int i = 0; i < n_rounds; ++i) {
      ops.enqueue(stream);
      ops.check();
    }
  });
}

TEST_P(Streams, ScratchGrowsBetweenOps) {
  const Stream stream = make();
  std::vector<AllOps> all;
  for (int i = 0; i < n_rounds; ++i) all.emplace_back(stream, std::int64_t{1000} << (2 * i), 1);
  for (AllOps& ops : all) ops.enqueue(stream);  // without waiting in between
  for (AllOps& ops : all) ops.check();
}

INSTANTIATE_TEST_SUITE_P(Devices, Streams, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

}  // namespace
}  // namespace rafter
