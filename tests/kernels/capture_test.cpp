// Ops in CUDA graphs: they may be captured, and a replay does the work again on what is in memory then.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "core/cuda_check.hpp"
#include "rafter/rafter.hpp"

namespace rafter {
namespace {

class Capture_cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  }

  /// Captures `work`, then calls `between` and replays.
  static void capture_and_replay(const Stream& stream, const std::function<void()>& work,
                                 const std::function<void()>& between) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    core::check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin capture");
    work();
    core::check(cudaStreamEndCapture(stream.handle(), &graph), "end capture");
    core::check(cudaGraphInstantiate(&replay, graph, 0), "instantiate");
    for (int i = 0; i < 3; ++i) {
      between();
      core::check(cudaGraphLaunch(replay, stream.handle()), "launch");
      stream.synchronize();
    }
    core::check(cudaGraphExecDestroy(replay), "destroy");
    core::check(cudaGraphDestroy(graph), "destroy");
  }
};

TEST_F(Capture_cuda, SumIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  Buffer<float> in(stream, std::vector<float>(1000000, 1.f));
  Buffer<float> out(stream, 1);
  capture_and_replay(
      stream, [&] { sum(stream, in, out.data()); }, [&] { in.copy_from(std::vector<float>(1000000, 2.f)); });
  std::vector<float> result(1);
  out.copy_to(result);
  EXPECT_EQ(result[0], 2000000.f);
}

TEST_F(Capture_cuda, RowSumsAreReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  for (const MatrixShape shape : {MatrixShape{1000, 10}, {20000, 1100}, {3, 200000}}) {
    const auto n = static_cast<std::size_t>(shape.n_rows * shape.n_cols);
    Buffer<float> in(stream, std::vector<float>(n, 1.f));
    Buffer<float> out(stream, shape.n_rows);
    capture_and_replay(
        stream, [&] { row_sums(stream, in, shape, out.span()); }, [&] { in.copy_from(std::vector<float>(n, 3.f)); });
    std::vector<float> result(static_cast<std::size_t>(shape.n_rows));
    out.copy_to(result);
    EXPECT_EQ(result, std::vector<float>(result.size(), 3.f * static_cast<float>(shape.n_cols)));
  }
}

TEST_F(Capture_cuda, ScratchCannotGrowInACapture) {
  const Stream stream = Stream::on(Device::cuda);
  core::check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin capture");
  EXPECT_THROW(stream.reserve(std::int64_t{64} << 20), Error);
  cudaGraph_t graph = nullptr;
  core::check(cudaStreamEndCapture(stream.handle(), &graph), "end capture");
  core::check(cudaGraphDestroy(graph), "destroy");
}

}  // namespace
}  // namespace rafter
