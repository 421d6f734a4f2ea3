// Kernels with grid-stride loops, built with tiles so small that each block makes several iterations.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "executor/device/simt_device.hpp"
#include "gather/gather_rung.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "scatter/scatter_rung.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter {

namespace gather_ladder::planted_small_sweep {
extern const GatherRung sweep;
}
namespace scatter_ladder::planted_small_bins {
extern const ScatterRung binned;
}

namespace {

using gather_ladder::GatherArgs;
using scatter_ladder::ScatterArgs;

class Rounds : public testing::Test {
 protected:
  void SetUp() override { simt::provide_device(); }
  void TearDown() override { EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), ""); }
};

/// A table and indices into it, some of which may be out of range.
template <class T>
struct Swept {
  static constexpr std::int64_t n_table = 3001;
  static constexpr std::int64_t n = 70001;  // one iteration: 8 blocks x 4 groups x 32 threads x 24 indices
  std::vector<T> table{std::vector<T>(n_table)};
  std::vector<std::int64_t> indices{std::vector<std::int64_t>(n)};

  explicit Swept(std::int64_t n_bad_values) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<T>(5 * i + 1);
    for (std::int64_t i = 0; i < n; ++i)
      indices[static_cast<std::size_t>(i)] = lab::random_below(1, i, n_table + n_bad_values) - n_bad_values / 2;
  }

  /// Sweeps twice on one stream and expects every valid index to have been processed.
  void expect_all_processed(const Stream& stream, const OutOfRange& out_of_range) const {
    constexpr T untouched = 3;  // not an element of the table
    const Buffer<T> on_table(stream, std::span<const T>(table));
    const Buffer<std::int64_t> on_indices(stream, std::span<const std::int64_t>(indices));
    Buffer<T> out(stream, std::span<const T>(std::vector<T>(n, untouched)));
    for (int twice = 0; twice < 2; ++twice) {
      gather_ladder::planted_small_sweep::sweep(
          stream, GatherArgs<T, std::int64_t>{on_table.span().elements(), on_indices.span().elements(), out_of_range,
                                              out.span().elements()});
    }
    std::vector<T> result(n);
    out.copy_to(result);
    for (std::size_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], is_valid(indices[i]) ? table[static_cast<std::size_t>(indices[i])] : untouched) << i;
  }

  static bool is_valid(std::int64_t index) { return index >= 0 && index < n_table; }
};

template <class T>
void expect_sweeps() {
  const Stream stream = Stream::on(Device::simt);
  const Swept<T> some_bad(2);
  Buffer<BadIndices> bad(stream, 1);
  some_bad.expect_all_processed(stream, OutOfRange::report(bad));
  std::vector<BadIndices> reported(1);
  bad.copy_to(reported);
  EXPECT_EQ(reported[0].count, std::count_if(some_bad.indices.begin(), some_bad.indices.end(),
                                             [](std::int64_t index) { return !Swept<T>::is_valid(index); }));
  Swept<T>(0).expect_all_processed(stream, OutOfRange::trust());
}

TEST_F(Rounds, SweepProcessesEveryIndex) {
  expect_sweeps<std::uint16_t>();
  expect_sweeps<std::uint32_t>();
}

template <class T>
void expect_bins_add() {
  constexpr std::int64_t n_keys = 700;
  constexpr std::int64_t n = 60001;  // the scratch has space for a third of its tiles of 512
  const Stream stream = Stream::on(Device::simt);
  std::vector<T> values(n, T(1));
  std::vector<std::int64_t> keys(n);
  std::vector<float> sums(n_keys, 0.f);
  for (std::int64_t i = 0; i < n; ++i) {
    const bool crowded = i / 512 % 5 == 2;  // every fifth tile has a single key and bypasses its bin
    const std::int64_t key = crowded ? 17 : lab::random_below(1, i, n_keys + 2) - 1;
    keys[static_cast<std::size_t>(i)] = key;
    if (key >= 0 && key < n_keys) sums[static_cast<std::size_t>(key)] += 1;
  }
  const Buffer<T> on_values(stream, std::span<const T>(values));
  const Buffer<std::int64_t> on_keys(stream, std::span<const std::int64_t>(keys));
  Buffer<T> out(stream, n_keys);
  const ScatterArgs<T, std::int64_t> args = {
      on_keys.span().elements(), on_values.span().elements(), {}, out.span().elements()};
  scatter_ladder::planted_small_bins::binned(stream, args);
  std::vector<T> result(n_keys);
  out.copy_to(result);
  for (std::size_t k = 0; k < sums.size(); ++k)
    ASSERT_EQ(static_cast<float>(result[k]), static_cast<float>(static_cast<T>(sums[k]))) << k;
}

TEST_F(Rounds, BinsAddEveryElement) {
  expect_bins_add<float>();
  expect_bins_add<Bfloat16>();  // sums are floats, in the scratch before the bins
}

}  // namespace
}  // namespace rafter
