// min and max: the result types of nvcc's overloads, and the calls that nvcc rejects.
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <utility>

#include "rafter_simt/numbers/math.hpp"

namespace {

template <class Expected, class A, class B>
constexpr bool gives() {
  return std::is_same_v<decltype(max(std::declval<A>(), std::declval<B>())), Expected> &&
         std::is_same_v<decltype(min(std::declval<A>(), std::declval<B>())), Expected>;
}
static_assert(gives<int, int, int>() && gives<int, short, short>() && gives<int, char, int>() &&
              gives<int, bool, int>());
static_assert(gives<unsigned, unsigned, int>() && gives<unsigned, int, unsigned>());
static_assert(gives<unsigned, unsigned, unsigned>() && gives<long, long, long>());
static_assert(gives<unsigned long, long, unsigned long>() && gives<unsigned long, unsigned long, long>());
static_assert(gives<long long, long long, long long>());
static_assert(gives<unsigned long long, unsigned long long, long long>());
static_assert(gives<unsigned long long, long long, unsigned long long>());
static_assert(gives<float, float, float>() && gives<double, double, double>());
static_assert(gives<double, float, double>() && gives<double, double, float>());

template <class A, class B, class = void>
struct Resolves : std::false_type {};
template <class A, class B>
struct Resolves<A, B, std::void_t<decltype(max(std::declval<A>(), std::declval<B>()))>> : std::true_type {};
static_assert(!Resolves<float, int>() && !Resolves<int, long>() && !Resolves<double, int>());
static_assert(!Resolves<unsigned long, unsigned>() && !Resolves<long, long long>());

static_assert(max(1, 2) == 2 && min(-1, 2) == -1 && max(-1, 2u) == 0xffffffffu && umin(3, 4) == 3);
static_assert(llmax(-5, 5) == 5 && ullmin(1, ~0ull) == 1);

TEST(MinMax, PrefersANumberToNaN) {
  EXPECT_EQ(max(std::nanf(""), 1.0f), 1.0f);
  EXPECT_EQ(min(2.0, static_cast<double>(NAN)), 2.0);
  EXPECT_TRUE(std::isnan(max(NAN, NAN)));
  EXPECT_EQ(max(1.0f, 2.0), 2.0);
}

TEST(MinMax, MinusZeroIsBelowZero) {
  EXPECT_TRUE(std::signbit(min(0.0f, -0.0f)) && std::signbit(min(-0.0, 0.0)));
  EXPECT_FALSE(std::signbit(max(0.0f, -0.0f)) || std::signbit(max(-0.0, 0.0)));
}

}  // namespace
