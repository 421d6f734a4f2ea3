// Guarantees of filter() beyond correct results, on every device present.
#include "rafter/filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"

namespace rafter {
namespace {

constexpr CompareOp all_comparisons[] = {CompareOp::less,          CompareOp::less_equal, CompareOp::greater,
                                         CompareOp::greater_equal, CompareOp::equal,      CompareOp::not_equal};

template <class T>
bool holds(CompareOp compare, T a, T b) {
  switch (compare) {
    case CompareOp::less: return a < b;
    case CompareOp::less_equal: return a <= b;
    case CompareOp::greater: return a > b;
    case CompareOp::greater_equal: return a >= b;
    case CompareOp::equal: return a == b;
    case CompareOp::not_equal: return a != b;
  }
  return false;
}

/// The predicate as the header defines it, evaluated in a type that can represent every magnitude.
template <class T>
bool is_kept(const Predicate<T>& keep, T x) {
  using Wide = std::conditional_t<std::is_integral_v<T>, __int128, T>;
  const Wide wide = x;
  return holds<Wide>(keep.op, keep.operand == CompareOperand::magnitude && wide < 0 ? -wide : wide, keep.bound);
}

class Filter : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  struct Result {
    std::vector<T> out;
    std::int64_t count;
  };

  /// Filters into an output of `capacity` elements, which are 77 before.
  template <class T>
  static Result<T> filtered(const Stream& stream, const std::vector<T>& host, Predicate<T> keep, FilterOrder order,
                            std::size_t capacity) {
    const Buffer<T> in(stream, std::span<const T>(host));
    Buffer<T> out(stream, static_cast<std::int64_t>(capacity));
    Buffer<std::int64_t> count(stream, 1);
    out.copy_from(std::vector<T>(capacity, T{77}));
    filter(stream, in, keep, order, out, count);
    std::vector<std::int64_t> n(1);
    Result<T> result{std::vector<T>(capacity), 0};
    out.copy_to(result.out);
    count.copy_to(n);
    result.count = n[0];
    return result;
  }

  /// Expects that every kept element was written once, in order if requested, and that nothing else was written.
  template <class T>
  static void expect_kept(const Stream& stream, const std::vector<T>& host, Predicate<T> keep, FilterOrder order) {
    std::vector<T> expected;
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), [&](T x) { return is_kept(keep, x); });
    Result<T> result = filtered(stream, host, keep, order, host.size());
    ASSERT_EQ(result.count, std::ssize(expected)) << static_cast<int>(keep.op) << " " << keep.bound;
    const auto end = result.out.begin() + result.count;
    EXPECT_TRUE(std::all_of(end, result.out.end(), [](T x) { return x == T{77}; })) << "written past the last";
    const auto before = [](T a, T b) {
      return std::isnan(static_cast<double>(b)) ? !std::isnan(static_cast<double>(a)) : a < b;
    };
    if (order == FilterOrder::any) {
      std::sort(result.out.begin(), end, before);
      std::sort(expected.begin(), expected.end(), before);
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const bool both_nan = result.out[i] != result.out[i] && expected[i] != expected[i];
      ASSERT_TRUE(both_nan || result.out[i] == expected[i]) << i << ": " << result.out[i] << ", not " << expected[i];
    }
  }

  template <class T>
  static void expect_all_comparisons(const Stream& stream, const std::vector<T>& values, const std::vector<T>& bounds) {
    for (const CompareOp compare : all_comparisons) {
      for (const CompareOperand of : {CompareOperand::value, CompareOperand::magnitude}) {
        for (const T bound : bounds) {
          for (const FilterOrder order : {FilterOrder::preserved, FilterOrder::any})
            expect_kept<T>(stream, values, {compare, bound, of}, order);
        }
      }
    }
  }
};

template <class T>
std::vector<T> cycled(const std::vector<T>& values, std::size_t n) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = values[i * 7 % values.size()];
  return all;
}

TEST_P(Filter, EvaluatesEveryComparisonOfFloats) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> values = {0.f,  -0.f,  tiny,     -tiny,     1.f, -1.f, 1.5f,
                                     -2.f, 3e38f, infinity, -infinity, nan, -nan};
  expect_all_comparisons(Stream::on(GetParam()), cycled(values, 333), values);
}

TEST_P(Filter, EvaluatesEveryComparisonOfIntegers) {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::vector<std::int32_t> values = {
      0, 1, -1, 2, -2, 1000, -1000, Limits::max(), Limits::min(), Limits::min() + 1};
  expect_all_comparisons(Stream::on(GetParam()), cycled(values, 333), values);
  using Longs = std::numeric_limits<std::int64_t>;
  const std::vector<std::int64_t> longs = {0, 1, -1, 5, -5, Longs::max(), Longs::min(), Longs::min() + 1};
  expect_all_comparisons(Stream::on(GetParam()), cycled(longs, 333), longs);
}

// The sizes cover a part of a tile, a few small tiles, a few large tiles, and several tiles per persistent block.
TEST_P(Filter, KeepsExactlyTheMatchingElements) {
  const Stream stream = Stream::on(GetParam());
  const std::size_t many = GetParam() == Device::cuda ? 12000017 : 1200007;
  for (const std::size_t n : {std::size_t{1}, std::size_t{127}, std::size_t{5000}, std::size_t{30001}, many}) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i * 2654435761u % 1000003u) - 500000.f;
    for (const float bound : {0.f, 5000.f, 250000.f, 1e6f}) {
      for (const FilterOrder order : {FilterOrder::preserved, FilterOrder::any})
        expect_kept<float>(stream, x, {CompareOp::less, bound, CompareOperand::magnitude}, order);
    }
  }
}

TEST_P(Filter, HandlesLongRunsOfAllOrNoneKept) {
  const Stream stream = Stream::on(GetParam());
  std::vector<double> x(400000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i / 70000 % 2 == 0 ? static_cast<double>(i) : -1.;
  for (const FilterOrder order : {FilterOrder::preserved, FilterOrder::any})
    expect_kept<double>(stream, x, {CompareOp::greater_equal, 0., CompareOperand::value}, order);
}

TEST_P(Filter, CountsButDoesNotWriteElementsPastTheCapacity) {
  const Stream stream = Stream::on(GetParam());
  std::vector<std::int32_t> x(100000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i);
  for (const std::size_t capacity : {0u, 1u, 33u, 20000u, 49999u}) {
    const auto result =
        filtered<std::int32_t>(stream, x, {CompareOp::greater_equal, 50000}, FilterOrder::preserved, capacity);
    EXPECT_EQ(result.count, 50000);
    for (std::size_t i = 0; i < capacity; ++i)
      ASSERT_EQ(result.out[i], static_cast<std::int32_t>(50000 + i)) << capacity;
    const auto any = filtered<std::int32_t>(stream, x, {CompareOp::greater_equal, 50000}, FilterOrder::any, capacity);
    EXPECT_EQ(any.count, 50000);
    for (const std::int32_t kept : any.out) ASSERT_GE(kept, 50000) << capacity;
  }
}

TEST_P(Filter, CountsZeroForAnEmptyInput) {
  for (const FilterOrder order : {FilterOrder::preserved, FilterOrder::any}) {
    EXPECT_EQ(filtered<float>(Stream::on(GetParam()), {}, {CompareOp::less, 1.f}, order, 3).count, 0);
  }
}

TEST_P(Filter, RejectsOverlappingArguments) {
  const Stream stream = Stream::on(GetParam());
  Buffer<std::int64_t> memory(stream, 100);
  const DeviceSpan<std::int64_t> all = memory;
  const Predicate<std::int64_t> keep{CompareOp::less, 5};
  EXPECT_THROW(filter(stream, all.first(10), keep, FilterOrder::preserved, all.subspan(5, 10), all.subspan(50, 1)),
               Error);
  EXPECT_THROW(filter(stream, all.first(10), keep, FilterOrder::preserved, all.subspan(10, 10), all.subspan(9, 1)),
               Error);
  EXPECT_THROW(filter(stream, all.first(10), keep, FilterOrder::preserved, all.subspan(10, 10), all.subspan(10, 1)),
               Error);
  EXPECT_THROW(
      filter(stream, all.first(10), keep, FilterOrder::preserved, all.subspan(10, 10), DeviceSpan<std::int64_t>()),
      Error);
  EXPECT_NO_THROW(filter(stream, all.first(10), keep, FilterOrder::preserved, all.subspan(10, 10), all.subspan(20, 1)));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Filter, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The op's sample for the tests of streams ----
class FilterSample final : public OpSample {
 public:
  FilterSample(const Stream& stream, std::int64_t n, int value)
      : value_(value), in_(stream, filled<std::int32_t>(n, value)), out_(stream, n), n_kept_(stream, 1) {}
  void enqueue(const Stream& stream) override {
    filter(stream, in_, {CompareOp::less, value_ + 1}, FilterOrder::preserved, out_.span(), n_kept_);
  }
  void check() override {
    EXPECT_EQ(take(n_kept_), filled<std::int64_t>(1, in_.size()));
    EXPECT_EQ(take(out_), filled(in_.size(), value_));
  }

 private:
  std::int32_t value_;
  Buffer<std::int32_t> in_, out_;
  Buffer<std::int64_t> n_kept_;
};
const RegisterOp<FilterSample> filter_sample;

}  // namespace
}  // namespace rafter
