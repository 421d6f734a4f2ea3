// The guarantees of gather() beyond right answers, on every device present.
#include "rafter/gather.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"

namespace rafter {
namespace {

using Indices = std::vector<std::int64_t>;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

class Gather : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  /// Returns the output; its elements hold `before` before the call.
  template <class T, class I>
  static std::vector<T> gathered(const Stream& stream, const std::vector<T>& table, const std::vector<I>& indices,
                                 OutOfRange out_of_range, T before = T{-1}) {
    const Buffer<T> device_table(stream, table);
    const Buffer<I> device_indices(stream, indices);
    Buffer<T> out(stream, std::vector<T>(indices.size(), before));
    gather(stream, device_table, device_indices, out_of_range, out.span());
    std::vector<T> result(indices.size());
    out.copy_to(result);
    return result;
  }

  struct Reported {
    std::vector<float> out;
    BadIndices bad;
  };

  static Reported reported(const Stream& stream, const std::vector<float>& table, const Indices& indices) {
    Buffer<BadIndices> bad(stream, std::vector<BadIndices>{{77, 77}});  // as left by an earlier gather
    Reported result{gathered(stream, table, indices, OutOfRange::report(bad)), {}};
    bad.copy_to({&result.bad, 1});
    return result;
  }

  const std::vector<float> table_ = {10, 11, 12, 13, 14};
};

/// A table of 16-bit elements with all bit patterns, so large that groups, parts and streaming stores are used.
template <class T, class I>
void expect_sixteen_bits_as_they_are(const Stream& stream, std::size_t n) {
  std::vector<T> table(65536 + 7);
  std::vector<I> indices(n);
  for (std::size_t i = 0; i < table.size(); ++i) table[i].bits = static_cast<std::uint16_t>(i);
  for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<I>(i * 7919 % (table.size() + 1));  // one past the end
  const Buffer<T> on_table(stream, table);
  const Buffer<I> on_indices(stream, indices);
  Buffer<T> out(stream, static_cast<std::int64_t>(n + 1));
  gather(stream, on_table, on_indices, OutOfRange::zero(), out.span().last(static_cast<std::int64_t>(n)));
  std::vector<T> result(n + 1);
  out.copy_to(result);
  for (std::size_t i = 0; i < n; ++i) {
    const auto index = static_cast<std::size_t>(indices[i]);
    ASSERT_EQ(result[i + 1].bits, index < table.size() ? table[index].bits : 0) << i;
  }
}

TEST_P(Gather, CopiesSixteenBitElementsBitForBit) {
  for (const std::size_t n : {1u, 63u, 5000u, 3000017u}) {
    expect_sixteen_bits_as_they_are<Half, std::int64_t>(Stream::on(GetParam()), n);
    expect_sixteen_bits_as_they_are<Bfloat16, std::int32_t>(Stream::on(GetParam()), n);
  }
}

TEST_P(Gather, LeavesBadElementsAloneAndReportsThem) {
  const auto [out, bad] = reported(Stream::on(GetParam()), table_, {4, 5, -1, 0, most, least, 2, 2});
  EXPECT_EQ(out, (std::vector<float>{14, -1, -1, 10, -1, -1, 12, 12}));
  EXPECT_EQ(bad.count, 4);
  EXPECT_EQ(bad.first, 1);
}

TEST_P(Gather, ReportsNothingIfAllIndicesAreGood) {
  const auto [out, bad] = reported(Stream::on(GetParam()), table_, {1, 1, 1, 0, 4});
  EXPECT_EQ(out, (std::vector<float>{11, 11, 11, 10, 14}));
  EXPECT_EQ(bad.count, 0);
  EXPECT_EQ(bad.first, -1);
}

TEST_P(Gather, ReportsOnlyTheLastCall) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<float> table(stream, table_);
  const Buffer<std::int64_t> wrong(stream, Indices{0, 9, 9});
  const Buffer<std::int64_t> right(stream, Indices{0, 1, 2});
  Buffer<float> out(stream, 3);
  Buffer<BadIndices> bad(stream, 3);
  gather(stream, table, wrong, OutOfRange::report(bad.span().first(1)), out.span());
  gather(stream, table, right, OutOfRange::report(bad.span().subspan(1, 1)), out.span());
  gather(stream, table, wrong, OutOfRange::report(bad.span().subspan(2, 1)), out.span());
  std::vector<BadIndices> reports(3);
  bad.copy_to(reports);
  EXPECT_EQ(reports[0].count, 2);
  EXPECT_EQ(reports[1].count, 0);
  EXPECT_EQ(reports[1].first, -1);
  EXPECT_EQ(reports[2].count, 2);
  EXPECT_EQ(reports[2].first, 1);
}

TEST_P(Gather, CountsExactlyInLongArrays) {
  const Stream stream = Stream::on(GetParam());
  for (const std::int64_t n : {1000, 100003, 3000001}) {
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{17}, n / 2, n - 1}) {
      Indices indices(static_cast<std::size_t>(n), 3);
      std::int64_t count = 0;
      for (std::int64_t i = first; i < n; i += 1 + (i * 7919) % 5000, ++count)
        indices[static_cast<std::size_t>(i)] = i % 2 == 0 ? -i - 1 : 5 + i;
      const auto [out, bad] = reported(stream, table_, indices);
      EXPECT_EQ(bad.count, count) << n << ", " << first;
      EXPECT_EQ(bad.first, first) << n;
    }
  }
}

TEST_P(Gather, LeavesTheOutputAloneIfAllIndicesAreBad) {
  const auto [out, bad] = reported(Stream::on(GetParam()), table_, Indices(100000, least));
  EXPECT_EQ(out, std::vector<float>(100000, -1));
  EXPECT_EQ(bad.count, 100000);
  EXPECT_EQ(bad.first, 0);
}

TEST_P(Gather, ReportsAllIndicesIntoAnEmptyTable) {
  const Stream stream = Stream::on(GetParam());
  const auto [out, bad] = reported(stream, {}, {0, 1, -1});
  EXPECT_EQ(out, (std::vector<float>{-1, -1, -1}));
  EXPECT_EQ(bad.count, 3);
  EXPECT_EQ(gathered<float>(stream, {}, Indices{0, 1, -1}, OutOfRange::zero()), (std::vector<float>{0, 0, 0}));
}

TEST_P(Gather, ReportsNothingWithoutIndices) {
  const Stream stream = Stream::on(GetParam());
  const auto [out, bad] = reported(stream, table_, {});
  EXPECT_EQ(bad.count, 0);
  EXPECT_EQ(bad.first, -1);
  for (const OutOfRange out_of_range : {OutOfRange::clamp(), OutOfRange::zero(), OutOfRange::trust()})
    EXPECT_NO_THROW(gathered<float>(stream, {}, Indices{}, out_of_range));
}

TEST_P(Gather, ClampsToTheNearestEnd) {
  EXPECT_EQ(gathered(Stream::on(GetParam()), table_, Indices{-1, least, 5, most, 4, 0}, OutOfRange::clamp()),
            (std::vector<float>{10, 10, 14, 14, 14, 10}));
}

TEST_P(Gather, WritesZeroForBadIndices) {
  EXPECT_EQ(gathered(Stream::on(GetParam()), table_, Indices{-1, least, 5, most, 4, 0}, OutOfRange::zero()),
            (std::vector<float>{0, 0, 0, 0, 14, 10}));
}

TEST_P(Gather, AcceptsTheExtremesOf32BitIndices) {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::vector<std::int32_t> indices = {Limits::min(), Limits::max(), -1, 5, 3};
  const Stream stream = Stream::on(GetParam());
  EXPECT_EQ(gathered(stream, table_, indices, OutOfRange::zero()), (std::vector<float>{0, 0, 0, 0, 13}));
  EXPECT_EQ(gathered(stream, table_, indices, OutOfRange::clamp()), (std::vector<float>{10, 14, 10, 14, 13}));
}

template <class T>
void expect_reversed(const Stream& stream) {
  std::vector<T> table(5000);
  std::iota(table.begin(), table.end(), T{1});
  Indices indices(table.size());
  std::iota(indices.rbegin(), indices.rend(), 0);
  const Buffer<T> from(stream, table);
  const Buffer<std::int64_t> by(stream, indices);
  Buffer<T> out(stream, std::ssize(table));
  gather(stream, from, by, OutOfRange::trust(), out.span());
  std::vector<T> reversed(table.size());
  out.copy_to(reversed);
  EXPECT_TRUE(std::equal(table.begin(), table.end(), reversed.rbegin()));
}

TEST_P(Gather, ReversesArraysOfEveryType) {
  const Stream stream = Stream::on(GetParam());
  expect_reversed<float>(stream);
  expect_reversed<double>(stream);
  expect_reversed<std::int32_t>(stream);
  expect_reversed<std::int64_t>(stream);
}

TEST_P(Gather, CopiesNansBitForBit) {
  const std::uint32_t bits[] = {0x7fc12345u, 0xff800001u, 0x80000000u, 0x7f800000u};
  std::vector<float> table(4);
  std::memcpy(table.data(), bits, sizeof bits);
  const std::vector<float> out = gathered(Stream::on(GetParam()), table, Indices{3, 2, 1, 0}, OutOfRange::zero());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(std::memcmp(&out[i], &bits[3 - i], sizeof(float)), 0) << i;
}

TEST_P(Gather, RejectsInvalidArguments) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<float> table(stream, table_);
  const Buffer<std::int64_t> indices(stream, Indices{0, 1, 2});
  const DeviceSpan<const float> empty;
  Buffer<float> out(stream, 3);
  Buffer<float> short_out(stream, 2);
  EXPECT_THROW(gather(stream, table, indices, OutOfRange::zero(), short_out.span()), Error);
  EXPECT_THROW(gather(stream, table, indices, OutOfRange::report({}), out.span()), Error);
  EXPECT_THROW(gather(stream, empty, indices, OutOfRange::clamp(), out.span()), Error);
  EXPECT_THROW(gather(stream, std::as_const(out).span(), indices, OutOfRange::zero(), out.span()), Error);
  EXPECT_NO_THROW(gather(stream, table, indices, OutOfRange::clamp(), out.span()));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Gather, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(GatherOnTheCpu, ReportsTheSameWithAnyNumberOfThreads) {
  const std::vector<float> table(100, 1.f);
  std::vector<std::int32_t> indices(200003);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int32_t>(i * 7919 % 109);
  indices[0] = 0;
  std::vector<float> out(indices.size());
  BadIndices one{};
  BadIndices many{};
  gather(Stream::cpu(1), table, indices, OutOfRange::report(device_span(Stream::cpu(), &one, 1)), out);
  gather(Stream::cpu(5), table, indices, OutOfRange::report(device_span(Stream::cpu(), &many, 1)), out);
  EXPECT_GT(one.count, 0);
  EXPECT_EQ(one.count, many.count);
  EXPECT_EQ(one.first, many.first);
}

// ---- The op's sample for the tests of streams ----
class GatherSample final : public OpSample {
 public:
  GatherSample(const Stream& stream, std::int64_t n, int value)
      : value_(value),
        table_(stream, filled<std::int32_t>(n, value)),
        indices_(stream, reversed_indices(n)),
        out_(stream, n),
        bad_(stream, 1) {}
  void enqueue(const Stream& stream) override {
    gather(stream, table_, indices_, OutOfRange::report(bad_), out_.span());
  }
  void check() override {
    EXPECT_EQ(take(bad_)[0].count, 0);
    EXPECT_EQ(take(out_), filled(table_.size(), value_));
  }

 private:
  std::int32_t value_;
  Buffer<std::int32_t> table_;
  Buffer<std::int64_t> indices_;
  Buffer<std::int32_t> out_;
  Buffer<BadIndices> bad_;
};
const RegisterOp<GatherSample> gather_sample;

}  // namespace
}  // namespace rafter
