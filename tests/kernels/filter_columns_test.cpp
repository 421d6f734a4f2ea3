// Guarantees of filter_indices() and filter_columns() beyond correct results, on every device present.
#include "rafter/filter_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "rafter/half.hpp"

namespace rafter {
namespace {

constexpr FilterOrder both_orders[] = {FilterOrder::preserved, FilterOrder::any};

template <class T>
std::vector<T> on_host(const Buffer<T>& buffer) {
  std::vector<T> values(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(values);
  return values;
}

/// Numbers 0 to 99 in an irregular order.
template <class T>
std::vector<T> mixed(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i * 2654435761u % 1000003u % 100);
  return values;
}

class FilterColumns : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  /// Expects the indices of the elements below `bound`, and nothing written past the last.
  template <class T, class Index>
  static void expect_indices(const std::vector<T>& host, T bound, FilterOrder order) {
    const Stream stream = Stream::on(GetParam());
    const Buffer<T> in(stream, std::span<const T>(host));
    Buffer<Index> out(stream, std::vector<Index>(host.size(), Index{-7}));
    Buffer<std::int64_t> count(stream, 1);
    filter_indices(stream, in, {CompareOp::less, bound}, order, out, count);
    std::vector<Index> expected;
    for (std::size_t i = 0; i < host.size(); ++i) {
      if (host[i] < bound) expected.push_back(static_cast<Index>(i));
    }
    const auto n_kept = static_cast<std::ptrdiff_t>(expected.size());
    ASSERT_EQ(on_host(count), std::vector<std::int64_t>{n_kept});
    std::vector<Index> result = on_host(out);
    if (order == FilterOrder::any) std::sort(result.begin(), result.begin() + n_kept);
    expected.resize(host.size(), Index{-7});
    ASSERT_EQ(result, expected) << host.size() << " elements";
  }
};

TEST_P(FilterColumns, WritesTheIndicesOfExactlyTheMatchingElements) {
  for (const FilterOrder order : both_orders) {
    for (const std::size_t n : {0u, 1u, 127u, 30001u, 1200007u}) {
      expect_indices<float, std::int64_t>(mixed<float>(n), 30.f, order);
      expect_indices<std::int32_t, std::int32_t>(mixed<std::int32_t>(n), 90, order);
    }
    expect_indices<double, std::int32_t>(mixed<double>(50001), 1000., order);
    expect_indices<std::int64_t, std::int64_t>(mixed<std::int64_t>(50001), 0, order);
  }
}

TEST_P(FilterColumns, WritesElementsOfAllSizesAtTheSamePlaces) {
  const Stream stream = Stream::on(GetParam());
  constexpr std::size_t n = 70001;
  const std::vector<float> keys = mixed<float>(n);
  std::vector<Half> halves(n);
  std::vector<double> doubles(n);
  for (std::size_t i = 0; i < n; ++i) {
    halves[i] = Half(static_cast<float>(i % 2048));
    doubles[i] = -static_cast<double>(i);
  }
  const Buffer<float> key(stream, keys);
  const Buffer<Half> half(stream, halves);
  const Buffer<double> number(stream, doubles);
  for (const FilterOrder order : both_orders) {
    Buffer<float> key_out(stream, std::vector<float>(n, 0));
    Buffer<Half> half_out(stream, std::vector<Half>(n, Half(0)));
    Buffer<double> number_out(stream, std::vector<double>(n, 1));
    Buffer<std::int64_t> count(stream, 1);
    const FilterColumn columns[] = {{key, key_out}, {half, half_out}, {number, number_out}};
    filter_columns(stream, key, {CompareOp::greater_equal, 60.f}, order, columns, count);
    const auto kept_keys = on_host(key_out);
    const auto kept_halves = on_host(half_out);
    const auto kept_numbers = on_host(number_out);
    std::vector<double> expected;
    for (std::size_t i = 0; i < n; ++i) {
      if (keys[i] >= 60) expected.push_back(doubles[i]);
    }
    ASSERT_EQ(on_host(count), std::vector<std::int64_t>{std::ssize(expected)});
    for (std::size_t i = 0; i < expected.size(); ++i) {  // the third column tells where the element came from
      const auto from = static_cast<std::size_t>(-kept_numbers[i]);
      ASSERT_EQ(kept_keys[i], keys[from]) << i;
      ASSERT_TRUE(kept_halves[i] == halves[from]) << i;
    }
    std::vector<double> numbers(kept_numbers.begin(), kept_numbers.begin() + std::ssize(expected));
    if (order == FilterOrder::any) std::sort(numbers.rbegin(), numbers.rend());
    EXPECT_EQ(numbers, expected);
    EXPECT_EQ(kept_numbers[expected.size()], 1) << "written past the last";
  }
}

TEST_P(FilterColumns, CountsButDoesNotWriteElementsPastTheCapacity) {
  const Stream stream = Stream::on(GetParam());
  std::vector<std::int32_t> keys(100000);
  std::iota(keys.begin(), keys.end(), 0);
  const Buffer<std::int32_t> key(stream, keys);
  Buffer<std::int64_t> count(stream, 1);
  for (const std::int64_t capacity : {0, 1, 20000, 49999}) {
    Buffer<std::int32_t> out(stream, std::vector<std::int32_t>(50000, -1));
    filter_indices(stream, key, {CompareOp::greater_equal, 50000}, FilterOrder::preserved,
                   DeviceSpan<std::int32_t>(out).first(capacity), count);
    EXPECT_EQ(on_host(count), std::vector<std::int64_t>{50000});
    std::vector<std::int32_t> expected(50000, -1);
    std::iota(expected.begin(), expected.begin() + capacity, 50000);
    EXPECT_EQ(on_host(out), expected);
  }
}

TEST_P(FilterColumns, CountsWithoutColumns) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<float> key(stream, mixed<float>(300001));
  Buffer<std::int64_t> count(stream, 1);
  const std::vector<float> host = mixed<float>(300001);
  const auto expected = std::count_if(host.begin(), host.end(), [](float x) { return x < 25; });
  for (const FilterOrder order : both_orders) {
    filter_columns(stream, key, {CompareOp::less, 25.f}, order, {}, count);
    EXPECT_EQ(on_host(count), std::vector<std::int64_t>{expected});
  }
}

TEST_P(FilterColumns, RejectsBadArgumentsAndWritesNothing) {
  const Stream stream = Stream::on(GetParam());
  Buffer<std::int64_t> memory(stream, std::vector<std::int64_t>(100, 5));
  const DeviceSpan<std::int64_t> all = memory;
  const Predicate<std::int64_t> keep{CompareOp::less, 9};
  const auto in = all.first(10);
  const auto filter_to = [&](DeviceSpan<std::int64_t> out, DeviceSpan<std::int64_t> count) {
    filter_indices(stream, DeviceSpan<const std::int64_t>(in), keep, FilterOrder::preserved, out, count);
  };
  EXPECT_THROW(filter_to(all.subspan(5, 10), all.last(1)), Error);  // overlaps in
  EXPECT_THROW(filter_to(all.subspan(20, 10), all.subspan(29, 1)), Error);
  EXPECT_THROW(filter_to(all.subspan(20, 10), all.last(2)), Error);
  EXPECT_THROW(filter_to(all.subspan(20, 10), {}), Error);
  EXPECT_THROW(filter_to(DeviceSpan<std::int64_t>::unchecked(nullptr, 3), all.last(1)), Error);
  const auto long_in =
      DeviceSpan<const float>::unchecked(reinterpret_cast<const float*>(memory.data()), (std::int64_t{1} << 31) + 1);
  EXPECT_THROW(filter_indices(stream, long_in, {CompareOp::less, 0.f}, FilterOrder::any, DeviceSpan<std::int32_t>(),
                              DeviceSpan<std::int64_t>::unchecked(nullptr, 1)),
               Error);

  const auto columns_of = [&](std::vector<FilterColumn> columns) {
    filter_columns(stream, DeviceSpan<const std::int64_t>(in), keep, FilterOrder::any, columns, all.last(1));
  };
  EXPECT_THROW(columns_of({{all.subspan(20, 9), all.subspan(40, 10)}}), Error);  // fewer elements than the key
  EXPECT_THROW(columns_of({{in, all.subspan(40, 10)}, {in, all.subspan(60, 9)}}), Error);  // outputs of two sizes
  EXPECT_THROW(columns_of({{in, all.subspan(40, 10)}, {in, all.subspan(49, 10)}}), Error);
  EXPECT_THROW(columns_of({{in, in}}), Error);
  EXPECT_THROW(columns_of(std::vector<FilterColumn>(9, {in, DeviceSpan<std::int64_t>()})), Error);
  EXPECT_EQ(on_host(memory), std::vector<std::int64_t>(100, 5));
  EXPECT_NO_THROW(columns_of({{in, all.subspan(40, 10)}, {in, all.subspan(50, 10)}}));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, FilterColumns, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The ops' samples for the tests of streams ----
class FilterColumnsSample final : public OpSample {
 public:
  FilterColumnsSample(const Stream& stream, std::int64_t n, int value)
      : value_(value),
        in_(stream, filled<std::int32_t>(n, value)),
        out_(stream, n),
        indices_(stream, n),
        n_kept_(stream, 1),
        n_indices_(stream, 1) {}
  void enqueue(const Stream& stream) override {
    const FilterColumn column(in_, out_);
    filter_columns(stream, in_, {CompareOp::less, value_ + 1}, FilterOrder::preserved, {&column, 1}, n_kept_);
    filter_indices(stream, in_, {CompareOp::equal, value_}, FilterOrder::preserved, indices_, n_indices_);
  }
  void check() override {
    EXPECT_EQ(take(n_kept_), filled<std::int64_t>(1, in_.size()));
    EXPECT_EQ(take(n_indices_), filled<std::int64_t>(1, in_.size()));
    EXPECT_EQ(take(out_), filled(in_.size(), value_));
    std::vector<std::int64_t> expected(static_cast<std::size_t>(in_.size()));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(take(indices_), expected);
  }

 private:
  std::int32_t value_;
  Buffer<std::int32_t> in_, out_;
  Buffer<std::int64_t> indices_, n_kept_, n_indices_;
};
const RegisterOp<FilterColumnsSample> filter_columns_sample;

}  // namespace
}  // namespace rafter
