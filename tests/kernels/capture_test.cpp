// Ops in CUDA graphs: they can be captured, and a replay repeats the work on the current contents of memory.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "library/core/stream/cuda_check.hpp"
#include "rafter/rafter.hpp"
#include "workbench/lab/expect_error.hpp"

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
    stream.reserve();
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
      stream, [&] { sum(stream, in, out); }, [&] { in.copy_from(std::vector<float>(1000000, 2.f)); });
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

TEST_F(Capture_cuda, GatherIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  const Buffer<float> table(stream, std::vector<float>{1.f, 2.f});
  Buffer<std::int64_t> indices(stream, std::vector<std::int64_t>(100000, 0));
  Buffer<float> out(stream, indices.size());
  Buffer<BadIndices> bad(stream, 1);
  std::vector<std::int64_t> others(100000, 1);
  others[70] = 2;
  others[90000] = -1;
  capture_and_replay(
      stream, [&] { gather(stream, table, indices, OutOfRange::report(bad), out.span()); },
      [&] { indices.copy_from(others); });
  std::vector<float> result(100000);
  std::vector<BadIndices> report(1);
  out.copy_to(result);
  bad.copy_to(report);
  EXPECT_EQ(result[99999], 2.f);
  EXPECT_EQ(report[0].count, 2);  // of the last replay only
  EXPECT_EQ(report[0].first, 70);
}

TEST_F(Capture_cuda, ScanIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  for (const std::size_t n : {1000u, 100000u, 5000000u}) {
    Buffer<std::int32_t> in(stream, std::vector<std::int32_t>(n, 1));
    Buffer<std::int32_t> out(stream, in.size());
    capture_and_replay(
        stream, [&] { inclusive_sum(stream, in, out.span()); }, [&] { in.copy_from(std::vector<std::int32_t>(n, 3)); });
    std::vector<std::int32_t> result(n);
    out.copy_to(result);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result[i], static_cast<std::int32_t>(3 * (i + 1))) << n;
  }
}

TEST_F(Capture_cuda, FilterIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  for (const FilterOrder order : {FilterOrder::preserved, FilterOrder::any}) {
    for (const std::size_t n : {1000u, 5000000u}) {
      Buffer<float> in(stream, std::vector<float>(n, 1.f));
      Buffer<float> out(stream, in.size());
      Buffer<std::int64_t> count(stream, 1);
      capture_and_replay(
          stream,
          [&] {
            filter(stream, in, {CompareOp::less, 1.f}, order, out.span(), count);
          },
          [&] { in.copy_from(std::vector<float>(n, 0.5f)); });
      std::vector<float> result(n);
      std::vector<std::int64_t> n_kept(1);
      out.copy_to(result);
      count.copy_to(n_kept);
      EXPECT_EQ(n_kept[0], static_cast<std::int64_t>(n));
      EXPECT_EQ(result, std::vector<float>(n, 0.5f));
    }
  }
}

TEST_F(Capture_cuda, ConvIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  constexpr ConvShape shape{
      .batch = 5, .channels = 1, .height = 30, .width = 32, .maps = 4, .kernel_height = 7, .kernel_width = 7};
  const auto n = static_cast<std::size_t>(shape.batch * shape.image());
  const Buffer<float> kernels(stream, std::vector<float>(4 * 49, 1.f));
  for (const auto precision : {ConvPrecision::fp32, ConvPrecision::fp16}) {
    for (const MaxPool pool : {MaxPool{}, MaxPool{3, 3, true}}) {
      Buffer<float> in(stream, std::vector<float>(n, 1.f));
      Buffer<float> out(stream, shape.batch * shape.maps * pool.out(shape.out_height()) * pool.out(shape.out_width()));
      const ConvOptions<float> options{.precision = precision, .pool = pool};
      capture_and_replay(
          stream, [&] { conv(stream, in, kernels, shape, options, out.span()); },
          [&] { in.copy_from(std::vector<float>(n, 3.f)); });
      std::vector<float> result(static_cast<std::size_t>(out.size()));
      out.copy_to(result);
      EXPECT_EQ(result, std::vector<float>(result.size(), 3.f * 49));
    }
  }
}

TEST_F(Capture_cuda, ScatterIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  constexpr std::int64_t n = 100000;
  for (const std::int64_t n_keys : {1, 100, 50000}) {
    std::vector<std::int64_t> host_keys(n);
    for (std::size_t i = 0; i < host_keys.size(); ++i) host_keys[i] = static_cast<std::int64_t>(i) * n_keys / n;
    const Buffer<std::int64_t> keys(stream, host_keys);
    const ScatterPlan plan(stream, keys, n_keys);
    Buffer<float> values(stream, std::vector<float>(n, 1.f));
    Buffer<float> sums(stream, n_keys);
    Buffer<float> sorted(stream, n_keys);
    Buffer<float> planned(stream, n_keys);
    Buffer<float> gradient(stream, n);
    const auto work = [&] {
      scatter(stream, keys, values, {Reduction::sum, KeyOrder::unsorted}, sums.span());
      scatter(stream, keys, values, {Reduction::sum, KeyOrder::sorted}, sorted.span());
      scatter(stream, plan, values, Reduction::sum, planned.span());
      scatter_gradient(stream, keys, {}, planned, gradient.span());
    };
    capture_and_replay(stream, work, [&] { values.copy_from(std::vector<float>(n, 3.f)); });
    const std::vector<float> expected(static_cast<std::size_t>(n_keys), 3.f * static_cast<float>(n / n_keys));
    for (const Buffer<float>* out : {&sums, &sorted, &planned}) {
      std::vector<float> result(expected.size());
      out->copy_to(result);
      EXPECT_EQ(result, expected) << n_keys;
    }
    std::vector<float> fetched(n);
    gradient.copy_to(fetched);
    EXPECT_EQ(fetched, std::vector<float>(n, expected[0])) << n_keys;
  }
}

TEST_F(Capture_cuda, FillAndMulAddAreReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  constexpr std::size_t n = 100003;
  Buffer<float> a(stream, std::vector<float>(n, 1.f));
  Buffer<float> b(stream, std::vector<float>(n, 1.f));
  capture_and_replay(
      stream,
      [&] {
        fill(stream, 3.f, b.span());
        mul_add(stream, a, b, b, b.span());
      },
      [&] { a.copy_from(std::vector<float>(n, 5.f)); });
  std::vector<float> result(n);
  b.copy_to(result);
  EXPECT_EQ(result, std::vector<float>(n, 18.f));
}

TEST_F(Capture_cuda, TransposeIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  for (const MatrixShape shape : {MatrixShape{1000, 10}, {10, 1000}, {300, 200}}) {
    const auto n = static_cast<std::size_t>(shape.n_rows * shape.n_cols);
    std::vector<int> fresh(n);
    for (std::size_t i = 0; i < n; ++i) fresh[i] = static_cast<int>(i);
    Buffer<int> in(stream, std::vector<int>(n, 1));
    Buffer<int> out(stream, std::ssize(fresh));
    capture_and_replay(
        stream, [&] { transpose<int>(stream, in, shape, out.span()); }, [&] { in.copy_from(fresh); });
    std::vector<int> result(n);
    out.copy_to(result);
    EXPECT_EQ(result[1], static_cast<int>(shape.n_cols));
    EXPECT_EQ(result[static_cast<std::size_t>(shape.n_rows)], 1);
  }
}

TEST_F(Capture_cuda, HeatIsReplayedOnNewData) {
  const Stream stream = Stream::on(Device::cuda);
  for (const int order : {2, 8}) {
    const HeatProblem problem{.shape = {30, 45, 64}, .order = order};
    const auto n = static_cast<std::size_t>(problem.shape.n_cells());
    Buffer<float> in(stream, std::vector<float>(n, 1.f));
    Buffer<float> out(stream, in.size());
    Buffer<float> work(stream, in.size());
    capture_and_replay(
        stream, [&] { heat_advance(stream, in, problem, 3, out.span(), work.span()); },
        [&] { in.copy_from(std::vector<float>(n, 3.f)); });
    std::vector<float> result(n);
    out.copy_to(result);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(result[i], 3.f, 1e-5f) << order << " at " << i;
  }
}

class ForceFieldCapture_cuda : public Capture_cuda {
 protected:
  static MoleculeBatch batch_of(const Stream& stream, std::int64_t n_molecules, std::int64_t size) {
    return {stream, std::vector<std::int64_t>(static_cast<std::size_t>(n_molecules), size),
            std::vector<std::int32_t>(static_cast<std::size_t>(n_molecules * size), 1)};
  }
  static ForceField field_on(const Stream& stream) {
    return {stream, random_forcefield_weights({.model = ForceFieldModel::painn,
                                               .features = 16,
                                               .layers = 2,
                                               .radial = 8,
                                               .elements = 20,
                                               .readout = {8},
                                               .cutoff = 3},
                                              3)};
  }
  /// Returns atoms in a row.
  static std::vector<float> row(std::int64_t n, float step) {
    std::vector<float> positions(static_cast<std::size_t>(3 * n));
    for (std::size_t i = 0; i < positions.size(); i += 3) positions[i] = static_cast<float>(i / 3) * step;
    return positions;
  }
};

TEST_F(ForceFieldCapture_cuda, SmallMoleculesAreReplayedOnNewPositions) {
  const Stream stream = Stream::on(Device::cuda);
  const ForceField field = field_on(stream);
  for (const std::int64_t n_molecules : {3, 500}) {  // one block per multiprocessor, and two
    constexpr std::int64_t size = 7;
    const MoleculeBatch batch = batch_of(stream, n_molecules, size);
    Buffer<float> positions(stream, row(n_molecules * size, 1.1F)), forces(stream, positions.size());
    Buffer<double> energies(stream, n_molecules);
    const auto taken = [&] {
      std::pair found{std::vector<double>(static_cast<std::size_t>(n_molecules)),
                      std::vector<float>(static_cast<std::size_t>(forces.size()))};
      energies.copy_to(found.first);
      forces.copy_to(found.second);
      return found;
    };
    const auto compute = [&] {
      field.compute(stream, batch, positions, ForceFieldResults<float>{energies.span(), forces.span()});
    };
    capture_and_replay(stream, compute, [&] { positions.copy_from(row(n_molecules * size, 1.3F)); });
    const auto replayed = taken();
    compute();
    EXPECT_EQ(replayed, taken());
    EXPECT_NE(replayed.first[0], 0);
  }
}

TEST_F(ForceFieldCapture_cuda, RefusesNeighbourListsAndTheCaptureContinues) {
  const Stream stream = Stream::on(Device::cuda);
  const ForceField field = field_on(stream);
  constexpr std::int64_t size = 129;
  const MoleculeBatch batch = batch_of(stream, 1, size);
  const Buffer<float> positions(stream, row(size, 1.1F));
  Buffer<double> energies(stream, 1);
  Buffer<float> filled(stream, 1);
  capture_and_replay(
      stream,
      [&] {
        lab::expect_error(ErrorCode::bad_argument, "ForceField::compute: stream is being captured",
                          [&] { field.compute(stream, batch, positions, ForceFieldResults<float>{energies.span()}); });
        fill(stream, 3.f, filled.span());
      },
      [] {});
  std::vector<float> result(1);
  filled.copy_to(result);
  EXPECT_EQ(result[0], 3.f);
}

}  // namespace
}  // namespace rafter
