// Guarantees of multiply(), convert() and iota() beyond correct results, on every device present.
#include "rafter/elementwise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/all_ops.hpp"
#include "library/core/bits.hpp"
#include "library/core/dtype.hpp"
#include "rafter/buffer.hpp"

namespace rafter {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr auto least32 = std::numeric_limits<std::int32_t>::min(), most32 = std::numeric_limits<std::int32_t>::max();
constexpr auto least64 = std::numeric_limits<std::int64_t>::min(), most64 = std::numeric_limits<std::int64_t>::max();

/// Converts numbers that T has.
template <class T>
std::vector<T> numbers(const std::vector<double>& values) {
  std::vector<T> result;
  for (const double value : values) result.push_back(T(value));
  return result;
}

template <class T>
std::vector<core::BitsOf<T>> bits(const std::vector<T>& values) {
  std::vector<core::BitsOf<T>> result;
  for (const T& value : values) result.push_back(std::bit_cast<core::BitsOf<T>>(value));
  return result;
}

template <class F, class... T>
void for_types(Types<T...>, const F& f) {
  (f.template operator()<T>(), ...);
}

class Elementwise : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static std::vector<T> on_host(const Buffer<T>& buffer) {
    std::vector<T> values(static_cast<std::size_t>(buffer.size()));
    buffer.copy_to(values);
    return values;
  }
  template <class T>
  static std::vector<T> products(const std::vector<T>& a, const std::vector<T>& b) {
    const Stream stream = Stream::on(GetParam());
    Buffer<T> out(stream, std::ssize(a));
    multiply(stream, Buffer<T>(stream, a), Buffer<T>(stream, b), out.span());
    return on_host(out);
  }
  template <class To, class From>
  static std::vector<To> converted(const std::vector<From>& in) {
    const Stream stream = Stream::on(GetParam());
    Buffer<To> out(stream, std::ssize(in));
    convert(stream, Buffer<From>(stream, in), out.span());
    return on_host(out);
  }
  template <class T>
  static std::vector<T> sequence(T start, T step, std::int64_t n) {
    const Stream stream = Stream::on(GetParam());
    Buffer<T> out(stream, n);
    iota(stream, start, step, out.span());
    return on_host(out);
  }
};

// ---- multiply ----

TEST_P(Elementwise, MultipliesIntegersModuloTheirRange) {
  EXPECT_EQ(products<std::int32_t>({most32, least32, -3, 65536}, {2, -1, 7, 65536}),
            (std::vector<std::int32_t>{-2, least32, -21, 0}));
  EXPECT_EQ(products<std::int64_t>({most64, least64, -3}, {2, -1, 7}), (std::vector<std::int64_t>{-2, least64, -21}));
}

TEST_P(Elementwise, RoundsProductsOnce) {
  for_types(Types<float, double>{}, [&]<class T>() {
    const T a = 1 + std::numeric_limits<T>::epsilon();
    const std::vector<T> result = products<T>(
        {a, a, T(0), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()}, {a, T(-1), T(-1), T(2), T(0.5)});
    const std::vector<T> expected{1 + 2 * std::numeric_limits<T>::epsilon(), -a, T(-0.), T(inf),
                                  std::numeric_limits<T>::min() / 2};
    EXPECT_EQ(bits(result), bits(expected));
  });
  // 2049 is halfway between two Halfs, 257 between two Bfloat16s. 2^-25 is halfway between 0 and the least Half.
  EXPECT_EQ(bits(products(numbers<Half>({683, 60000, 0x1p-14, 0x1p-14, -0., 255}),
                          numbers<Half>({3, 2, 0x1p-11, 0x1.004p-11, 3, 256}))),
            bits(numbers<Half>({2048, inf, 0, 0x1p-24, -0., 65280})));
  EXPECT_EQ(bits(products(numbers<Bfloat16>({127, 3e38, 0x1p-100}), numbers<Bfloat16>({129, 2, 0x1p-34}))),
            bits(numbers<Bfloat16>({16384, inf, 0})));
}

TEST_P(Elementwise, KeepsNanAndInfinityOfAProductInTheirElements) {
  for_types(Types<float, double, Half, Bfloat16>{}, [&]<class T>() {
    const auto result = products(numbers<T>({nan, inf, inf, -inf, 2}), numbers<T>({1, 2, 0, inf, 3}));
    EXPECT_TRUE(std::isnan(static_cast<double>(result[0])));
    EXPECT_EQ(result[1], T(inf));
    EXPECT_TRUE(std::isnan(static_cast<double>(result[2])));
    EXPECT_EQ(result[3], T(-inf));
    EXPECT_EQ(result[4], T(6));
  });
}

TEST_P(Elementwise, MultipliesByAScalar) {
  const Stream stream = Stream::on(GetParam());
  for_types(ElementwiseTypes{}, [&]<class T>() {
    for (const std::int64_t n : {0, 1, 7, 33, 5000, 99991}) {
      Buffer<T> a(stream, std::vector<T>(static_cast<std::size_t>(n), T(3)));
      Buffer<T> out(stream, n);
      multiply(stream, a, T(-5), out.span());
      ASSERT_TRUE(on_host(out) == std::vector<T>(static_cast<std::size_t>(n), T(-15))) << n;
      multiply(stream, a, T(7), a.span());
      ASSERT_TRUE(on_host(a) == std::vector<T>(static_cast<std::size_t>(n), T(21))) << n;
    }
  });
}

TEST_P(Elementwise, MultipliesArraysOfAnyAlignmentAndOverAnyInput) {
  const Stream stream = Stream::on(GetParam());
  for_types(ElementwiseTypes{}, [&]<class T>() {
    for (const std::int64_t n : {1, 7, 1000, 70001}) {
      for (const std::int64_t shift : {0, 1, 3, 7}) {
        std::vector<T> expected(static_cast<std::size_t>(n + 8), T(3));
        Buffer<T> x(stream, expected);
        const Buffer<T> y(stream, std::vector<T>(expected.size(), T(5)));
        const DeviceSpan<T> out = x.span().subspan(shift, n);
        multiply(stream, out, y.span().subspan(1, n), out);
        multiply(stream, y.span().subspan(shift, n), out, out);
        std::fill_n(expected.begin() + shift, n, T(75));
        ASSERT_TRUE(on_host(x) == expected) << core::DType<T>::name << ", " << n << " elements at " << shift;
      }
    }
    Buffer<T> square(stream, std::vector<T>(99, T(4)));
    multiply(stream, square, square, square.span());
    EXPECT_TRUE(on_host(square) == std::vector<T>(99, T(16)));
  });
}

TEST_P(Elementwise, MultiplyRejectsPartialOverlapsAndOtherSizes) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> x(stream, std::vector<float>(12, 1.F));
  const Buffer<float> y(stream, std::vector<float>(8, 1.F));
  EXPECT_THROW(multiply(stream, x.span().first(8), y, x.span().subspan(4, 8)), Error);
  EXPECT_THROW(multiply(stream, y, x.span().subspan(1, 8), x.span().first(8)), Error);
  EXPECT_THROW(multiply(stream, x.span().subspan(1, 8), 2.F, x.span().first(8)), Error);
  EXPECT_THROW(multiply(stream, x, y, x.span()), Error);
  EXPECT_THROW(multiply(stream, y, 2.F, x.span()), Error);
  EXPECT_THROW(multiply(stream, y, DeviceSpan<const float>::unchecked(nullptr, 8), x.span().first(8)), Error);
  EXPECT_THROW(multiply(stream, y, y, DeviceSpan<float>::unchecked(nullptr, 8)), Error);
  EXPECT_NO_THROW(multiply(stream, DeviceSpan<const float>(), DeviceSpan<const float>(), DeviceSpan<float>()));
  stream.synchronize();
}

// ---- convert ----

TEST_P(Elementwise, ConvertsToIntegersTowardsZeroAndToTheNearestInRange) {
  const std::vector<double> values{2.9, -2.9, -0., nan, inf, -inf, 1e30, -1e30, 0.5, -0.75};
  const std::vector<std::int32_t> expected32{2, -2, 0, 0, most32, least32, most32, least32, 0, 0};
  const std::vector<std::int64_t> expected64{2, -2, 0, 0, most64, least64, most64, least64, 0, 0};
  for_types(Types<float, double, Bfloat16>{}, [&]<class T>() {
    EXPECT_EQ(converted<std::int32_t>(numbers<T>(values)), expected32);
    EXPECT_EQ(converted<std::int64_t>(numbers<T>(values)), expected64);
  });
  EXPECT_EQ(converted<std::int32_t>(numbers<Half>({2.9, -65504, nan, inf})),
            (std::vector<std::int32_t>{2, -65504, 0, most32}));
  EXPECT_EQ(converted<std::int64_t>(numbers<Half>({-inf})), (std::vector<std::int64_t>{least64}));
  // The ends of the ranges.
  EXPECT_EQ(converted<std::int32_t>(numbers<double>({2147483647.5, 2147483648., -2147483648.9, -2147483649.})),
            (std::vector<std::int32_t>{most32, most32, least32, least32}));
  EXPECT_EQ(converted<std::int32_t>(numbers<float>({2147483520., 2147483648., -2147483648.})),
            (std::vector<std::int32_t>{2147483520, most32, least32}));
  EXPECT_EQ(converted<std::int64_t>(numbers<double>({0x1.fffffffffffffp62, 0x1p63, -0x1p63})),
            (std::vector<std::int64_t>{most64 - 1023, most64, least64}));
}

TEST_P(Elementwise, ConvertsIntegersToTheNearestInRange) {
  EXPECT_EQ(converted<std::int32_t>(std::vector<std::int64_t>{most64, least64, most32, least32, -7, most32 + 1L}),
            (std::vector<std::int32_t>{most32, least32, most32, least32, -7, most32}));
  EXPECT_EQ(converted<std::int64_t>(std::vector<std::int32_t>{most32, least32, -7}),
            (std::vector<std::int64_t>{most32, least32, -7}));
}

TEST_P(Elementwise, RoundsOnceToFloats) {
  EXPECT_EQ(converted<float>(std::vector<double>{1 + 0x1p-24, 1 + 0x1.8p-23, 1e300, -1e-300}),
            (std::vector<float>{1, 1 + 0x1p-22F, static_cast<float>(inf), -0.F}));
  EXPECT_EQ(converted<float>(std::vector<std::int32_t>{(1 << 24) + 1, (1 << 24) + 3, most32}),
            (std::vector<float>{0x1p24F, 0x1p24F + 4, 0x1p31F}));
  EXPECT_EQ(converted<double>(std::vector<std::int64_t>{(1L << 53) + 1, (1L << 53) + 3, most64}),
            (std::vector<double>{0x1p53, 0x1p53 + 4, 0x1p63}));
  EXPECT_EQ(converted<float>(std::vector<std::int64_t>{(1L << 60) + (1L << 36) + 1, (1L << 60) + (1L << 36), least64}),
            (std::vector<float>{0x1.000002p60F, 0x1p60F, -0x1p63F}));
}

// By way of float or double these would be rounded to a number halfway between two, and then to the wrong one.
TEST_P(Elementwise, RoundsOnceToSixteenBits) {
  EXPECT_EQ(bits(converted<Half>(
                std::vector<double>{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11, -65519.99, 65520, 0x1p-25, 0x1.0000001p-25})),
            bits(numbers<Half>({1 + 0x1p-10, 1, -65504, inf, 0, 0x1p-24})));
  EXPECT_EQ(bits(converted<Bfloat16>(std::vector<double>{1 + 0x1p-8 + 0x1p-40, -1 - 0x1p-8, 1e39})),
            bits(numbers<Bfloat16>({1 + 0x1p-7, -1, inf})));
  EXPECT_EQ(bits(converted<Bfloat16>(std::vector<std::int32_t>{(1 << 30) + (1 << 22) + 1, (1 << 30) + (1 << 22),
                                                               -(1 << 30) - (1 << 22) - 1, 257})),
            bits(numbers<Bfloat16>({0x1.02p30, 0x1p30, -0x1.02p30, 256})));
  EXPECT_EQ(bits(converted<Bfloat16>(std::vector<std::int64_t>{(1L << 60) + (1L << 52) + 1, (1L << 60) + (1L << 52),
                                                               -(1L << 60) - (1L << 52) - 1, most64, least64})),
            bits(numbers<Bfloat16>({0x1.02p60, 0x1p60, -0x1.02p60, 0x1p63, -0x1p63})));
  EXPECT_EQ(bits(converted<Half>(std::vector<std::int64_t>{2049, 2051, 65519, 65520, least64})),
            bits(numbers<Half>({2048, 2052, 65504, inf, -inf})));
}

TEST_P(Elementwise, ConvertsEveryHalfAndBfloat16) {
  std::vector<Half> halfs(1 << 16);
  std::vector<Bfloat16> bfloat16s(1 << 16);
  for (std::size_t i = 0; i < halfs.size(); ++i) {
    halfs[i].bits = bfloat16s[i].bits = static_cast<std::uint16_t>(i);
  }
  const auto check = []<class From, class To>(const std::vector<From>& in, const std::vector<To>& out) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (in[i] != in[i]) continue;  // NaN
      ASSERT_EQ(std::bit_cast<core::BitsOf<To>>(out[i]),
                std::bit_cast<core::BitsOf<To>>(static_cast<To>(static_cast<float>(in[i]))))
          << i;
    }
  };
  check(halfs, converted<float>(halfs));
  check(halfs, converted<double>(halfs));
  check(halfs, converted<Bfloat16>(halfs));
  check(bfloat16s, converted<float>(bfloat16s));
  check(bfloat16s, converted<double>(bfloat16s));
  check(bfloat16s, converted<Half>(bfloat16s));
  EXPECT_EQ(bits(converted<Half>(converted<float>(halfs)))[0x3c01], 0x3c01);
}

TEST_P(Elementwise, ConvertsEveryNanToTheSameOne) {
  const auto check = [&]<class From>(const std::vector<From>& nans) {
    for_types(Types<float, double, Half, Bfloat16>{}, [&]<class To>() {
      if constexpr (!std::is_same_v<From, To>) {
        using Bits = core::BitsOf<To>;
        EXPECT_EQ(bits(converted<To>(nans)),
                  std::vector<Bits>(nans.size(), static_cast<Bits>(static_cast<Bits>(-1) >> 1)))
            << core::DType<From>::name << " to " << core::DType<To>::name;
      }
    });
  };
  // Quiet and signalling, of either sign, in more elements than a vector has.
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<Half> halfs(100);
  std::vector<Bfloat16> bfloat16s(100);
  for (unsigned i = 0; i < 100; ++i) {
    const unsigned sign = i % 2, payload = 1 + i * 3 % 63, quiet = i / 2 % 2;
    floats.push_back(std::bit_cast<float>(sign << 31 | 0x7f800000 | quiet << 22 | payload));
    doubles.push_back(std::bit_cast<double>(std::uint64_t{sign} << 63 | 0x7ffu * 0x10000000000000u |
                                            std::uint64_t{quiet} << 51 | payload));
    halfs[i].bits = static_cast<std::uint16_t>(sign << 15 | 0x7c00 | quiet << 9 | payload);
    bfloat16s[i].bits = static_cast<std::uint16_t>(sign << 15 | 0x7f80 | quiet << 6 | payload);
  }
  check(floats);
  check(doubles);
  check(halfs);
  check(bfloat16s);
}

TEST_P(Elementwise, CopiesTheBitsOfEqualTypes) {
  for_types(ElementwiseTypes{}, [&]<class T>() {
    std::vector<T> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::bit_cast<T>(static_cast<core::BitsOf<T>>(~std::uint64_t{0} - i * 0x0123456789abcdefu));
    }
    EXPECT_EQ(bits(converted<T>(values)), bits(values)) << core::DType<T>::name;
  });
}

TEST_P(Elementwise, ConvertsArraysOfAnyAlignmentAndWritesNothingElse) {
  const Stream stream = Stream::on(GetParam());
  for_types(ElementwiseTypes{}, [&]<class From>() {
    for_types(ElementwiseTypes{}, [&]<class To>() {
      for (const std::int64_t n : {0, 1, 2, 7, 33, 1025, 40001}) {
        for (const std::int64_t shift : {0, 1, 5}) {
          std::vector<From> in(static_cast<std::size_t>(n + 8));
          std::vector<To> expected(in.size(), To(-3));
          for (std::size_t i = 0; i < in.size(); ++i) in[i] = From(static_cast<int>(i % 200));
          for (std::int64_t i = 0; i < n; ++i)
            expected[static_cast<std::size_t>(i + shift)] = To(static_cast<int>((i + 2) % 200));
          Buffer<To> out(stream, std::vector<To>(in.size(), To(-3)));
          convert(stream, Buffer<From>(stream, in).span().subspan(2, n), out.span().subspan(shift, n));
          ASSERT_TRUE(on_host(out) == expected)
              << core::DType<From>::name << " to " << core::DType<To>::name << ", " << n << " elements at " << shift;
        }
      }
    });
  });
}

TEST_P(Elementwise, ConvertsInPlaceIfTheSizesAreEqual) {
  const Stream stream = Stream::on(GetParam());
  const auto check = [&]<class From, class To>(From, To) {
    for (const std::int64_t n : {1, 33, 5001, 3000017}) {
      std::vector<From> in(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = From(static_cast<int>(i % 250));
      Buffer<From> array(stream, in);
      const auto out = DeviceSpan<To>::unchecked(reinterpret_cast<To*>(array.data()), n);
      convert(stream, array, out);
      const Buffer<To> copy = [&] {
        Buffer<To> same(stream, n);
        convert(stream, out, same.span());
        return same;
      }();
      const std::vector<To> result = on_host(copy);
      for (std::size_t i = 0; i < in.size(); ++i)
        ASSERT_EQ(result[i], To(static_cast<int>(i % 250))) << i << " of " << n;
    }
  };
  check(float{}, std::int32_t{});
  check(std::int32_t{}, float{});
  check(double{}, std::int64_t{});
  check(std::int64_t{}, double{});
  check(Half{}, Bfloat16{});
  check(Bfloat16{}, Half{});
}

TEST_P(Elementwise, ConvertRejectsOtherOverlapsAndSizes) {
  const Stream stream = Stream::on(GetParam());
  Buffer<double> x(stream, std::vector<double>(8, 1.));
  auto* floats = reinterpret_cast<float*>(x.data());
  EXPECT_THROW(convert(stream, x, DeviceSpan<float>::unchecked(floats, 8)), Error);
  EXPECT_THROW(convert(stream, DeviceSpan<const float>::unchecked(floats, 8), x.span()), Error);
  EXPECT_THROW(convert(stream, x.span().first(4), x.span().subspan(1, 4)), Error);
  Buffer<float> y(stream, 8);
  EXPECT_THROW(convert(stream, x.span().first(7), y.span()), Error);
  EXPECT_THROW(convert(stream, DeviceSpan<const double>::unchecked(nullptr, 8), y.span()), Error);
  EXPECT_THROW(convert(stream, x, DeviceSpan<float>::unchecked(nullptr, 8)), Error);
  auto* askew = reinterpret_cast<float*>(reinterpret_cast<char*>(y.data()) + 1);
  EXPECT_THROW(convert(stream, x.span().first(2), DeviceSpan<float>::unchecked(askew, 2)), Error);
  EXPECT_NO_THROW(convert(stream, DeviceSpan<const double>(), DeviceSpan<Half>()));
  stream.synchronize();
}

// ---- iota ----

TEST_P(Elementwise, WritesEvenlySpacedNumbersOfEveryTypeAndSize) {
  const Stream stream = Stream::on(GetParam());
  for_types(ElementwiseTypes{}, [&]<class T>() {
    for (const std::int64_t n : {0, 1, 2, 3, 5, 31, 33, 1025, 70001}) {
      for (const std::int64_t first : {0, 1, 3}) {
        std::vector<T> expected(static_cast<std::size_t>(n + 8), T(-1));
        Buffer<T> out(stream, expected);
        iota(stream, T(100), T(-3), out.span().subspan(first, n));
        for (std::int64_t i = 0; i < n; ++i) expected[static_cast<std::size_t>(first + i)] = T(100 - 3 * i);
        ASSERT_TRUE(on_host(out) == expected) << core::DType<T>::name << ", " << n << " elements at " << first;
      }
    }
  });
}

TEST_P(Elementwise, IotaWrapsIntegersAround) {
  EXPECT_EQ(sequence<std::int32_t>(most32, 1, 3), (std::vector<std::int32_t>{most32, least32, least32 + 1}));
  EXPECT_EQ(sequence<std::int64_t>(least64, -1, 2), (std::vector<std::int64_t>{least64, most64}));
}

// Sums of 0.1 would be wrong by 4e-4 at the end, and a float's index beyond 2^24.
TEST_P(Elementwise, IotaDoesNotAddErrorsUp) {
  const std::int64_t n = (1 << 24) + 8;
  const std::vector<float> floats = sequence(1.F, 0.1F, n);
  const std::vector<double> doubles = sequence(1., 0.1, 100001);
  for (const std::int64_t i : {std::int64_t{1}, std::int64_t{99999}, n - 1}) {
    EXPECT_EQ(floats[static_cast<std::size_t>(i)],
              static_cast<float>(std::fma(static_cast<double>(i), static_cast<double>(0.1F), 1.)));
  }
  for (std::size_t i = 0; i < doubles.size(); ++i)
    ASSERT_EQ(doubles[i], std::fma(static_cast<double>(i), 0.1, 1.)) << i;
}

// 3 * 683 / 2048 = 1 + 2^-11 is halfway between two Halfs, and the nearest float to 1 + 2^-11 + 2^-24.
TEST_P(Elementwise, IotaRoundsSixteenBitsOnce) {
  EXPECT_EQ(sequence(Half(0x1p-24), Half(683. / 2048), 4)[3], Half(1 + 0x1p-10));
  EXPECT_EQ(bits(sequence(Half(1), Half(0x1p-11), 3)), bits(numbers<Half>({1, 1, 1 + 0x1p-10})));
  EXPECT_EQ(sequence(Half(inf), Half(1), 9)[8], Half(inf));
  EXPECT_TRUE(std::isnan(static_cast<float>(sequence(Bfloat16(nan), Bfloat16(1), 9)[8])));
  EXPECT_EQ(sequence(Half(60000), Half(60000), 2)[1], Half(inf));
}

TEST_P(Elementwise, IotaRejectsNullAndMisalignedPointers) {
  const Stream stream = Stream::on(GetParam());
  EXPECT_THROW(iota(stream, 0, 1, DeviceSpan<std::int32_t>::unchecked(nullptr, 3)), Error);
  Buffer<float> out(stream, 4);
  auto* askew = reinterpret_cast<float*>(reinterpret_cast<char*>(out.data()) + 1);
  EXPECT_THROW(iota(stream, 0.F, 1.F, DeviceSpan<float>::unchecked(askew, 2)), Error);
  EXPECT_NO_THROW(iota(stream, 0.F, 1.F, DeviceSpan<float>()));
}

TEST(ElementwiseOnHost, TakesArraysOfTheHost) {
  const CpuStream stream = Stream::cpu();
  std::vector<std::int32_t> indices(5);
  iota(stream, 0, 2, indices);
  std::vector<float> values(5);
  convert(stream, indices, values);
  multiply(stream, values, values, values);
  multiply(stream, values, 0.5F, values);
  EXPECT_EQ(values, (std::vector<float>{0, 2, 8, 18, 32}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Elementwise, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The ops' sample for the tests of streams ----
class ElementwiseSample final : public OpSample {
 public:
  ElementwiseSample(const Stream& stream, std::int64_t n, int value)
      : value_(value), indices_(stream, n), numbers_(stream, n), out_(stream, n) {}
  void enqueue(const Stream& stream) override {
    iota(stream, std::int32_t{value_}, std::int32_t{0}, indices_.span());
    convert(stream, indices_, numbers_.span());
    multiply(stream, numbers_, numbers_, numbers_.span());
    multiply(stream, numbers_, 2.F, out_.span());
  }
  void check() override {
    EXPECT_EQ(take(out_), filled(out_.size(), static_cast<float>(2 * value_ * value_)));
    take(indices_);
    take(numbers_);
  }

 private:
  int value_;
  Buffer<std::int32_t> indices_;
  Buffer<float> numbers_, out_;
};
const RegisterOp<ElementwiseSample> elementwise_sample;

}  // namespace
}  // namespace rafter
