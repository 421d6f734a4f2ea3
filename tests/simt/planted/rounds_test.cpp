// Kernels that go round with their blocks: built with so small tiles that they do so here.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/backend.hpp"
#include "gather/gather_rung.hpp"
#include "lab/cases/generate.hpp"
#include "rafter/buffer.hpp"
#include "scatter/scatter_rung.hpp"
#include "simt/device/simt_device.hpp"

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
  void TearDown() override { EXPECT_EQ(core::backend(Device::simt).take_complaints().value_or(""), ""); }
};

TEST_F(Rounds, of_a_sweep_meet_every_index) {
  constexpr std::int64_t n_table = 3001;
  constexpr std::int64_t n = 70001;  // 8 blocks x 4 groups x 32 threads x 24 indices are one round
  const Stream stream = Stream::on(Device::simt);
  std::vector<float> table(n_table);
  std::vector<std::int64_t> indices(n);
  for (std::int64_t i = 0; i < n_table; ++i) table[static_cast<std::size_t>(i)] = static_cast<float>(i) + 0.5f;
  for (std::int64_t i = 0; i < n; ++i)
    indices[static_cast<std::size_t>(i)] = lab::random_below(1, i, n_table + 2) - 1;  // some bad ones
  const Buffer<float> on_table(stream, std::span<const float>(table));
  const Buffer<std::int64_t> on_indices(stream, std::span<const std::int64_t>(indices));
  Buffer<float> out(stream, std::span<const float>(std::vector<float>(n, -1.f)));
  Buffer<BadIndices> bad(stream, 1);
  for (int twice = 0; twice < 2; ++twice) {  // leaves its stream ready for the next
    gather_ladder::planted_small_sweep::sweep(
        stream, GatherArgs<float, std::int64_t>{on_table, on_indices, OutOfRange::report(bad.data()), out.span()});
  }
  std::vector<float> result(n);
  std::vector<BadIndices> reported(1);
  out.copy_to(result);
  bad.copy_to(reported);
  std::int64_t n_bad = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool good = indices[i] >= 0 && indices[i] < n_table;
    n_bad += good ? 0 : 1;
    ASSERT_EQ(result[i], good ? table[static_cast<std::size_t>(indices[i])] : -1.f) << i;
  }
  EXPECT_EQ(reported[0].count, n_bad);
}

TEST_F(Rounds, of_a_trusting_sweep_meet_every_index) {
  constexpr std::int64_t n_table = 3001;
  constexpr std::int64_t n = 70001;
  const Stream stream = Stream::on(Device::simt);
  std::vector<std::int32_t> table(n_table);
  std::vector<std::int64_t> indices(n);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(5 * i);
  for (std::int64_t i = 0; i < n; ++i) indices[static_cast<std::size_t>(i)] = lab::random_below(1, i, n_table);
  const Buffer<std::int32_t> on_table(stream, std::span<const std::int32_t>(table));
  const Buffer<std::int64_t> on_indices(stream, std::span<const std::int64_t>(indices));
  Buffer<std::int32_t> out(stream, n);
  gather_ladder::planted_small_sweep::sweep(
      stream, GatherArgs<std::int32_t, std::int64_t>{on_table, on_indices, OutOfRange::trust(), out.span()});
  std::vector<std::int32_t> result(n);
  out.copy_to(result);
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], 5 * indices[i]) << i;
}

TEST_F(Rounds, of_bins_add_every_element) {
  constexpr std::int64_t n_keys = 700;
  constexpr std::int64_t n = 60001;  // the scratch has room for a third of its tiles of 512
  const Stream stream = Stream::on(Device::simt);
  std::vector<float> values(n, 1.f);
  std::vector<std::int64_t> keys(n);
  std::vector<float> expected(n_keys, 0.f);
  for (std::int64_t i = 0; i < n; ++i) {
    const bool crowded = i / 512 % 5 == 2;  // every fifth tile has one key only, and bypasses its bin
    const std::int64_t key = crowded ? 17 : lab::random_below(1, i, n_keys + 2) - 1;
    keys[static_cast<std::size_t>(i)] = key;
    if (key >= 0 && key < n_keys) expected[static_cast<std::size_t>(key)] += 1;
  }
  const Buffer<float> on_values(stream, std::span<const float>(values));
  const Buffer<std::int64_t> on_keys(stream, std::span<const std::int64_t>(keys));
  Buffer<float> out(stream, n_keys);
  const ScatterArgs<float, std::int64_t> args = {on_keys, on_values, {}, out.span()};
  scatter_ladder::planted_small_bins::binned(stream, args);
  std::vector<float> result(n_keys);
  out.copy_to(result);
  EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace rafter
