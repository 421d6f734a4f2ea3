#include "workbench/lab/data/guarded_array.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rafter::lab {
namespace {

template <class T>
class GuardedArrayOf : public testing::Test {};
using GuardedTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(GuardedArrayOf, GuardedTypes);

TYPED_TEST(GuardedArrayOf, NewArrayIsUndamaged) {
  const GuardedArray<TypeParam> array(Stream::cpu(), 100);
  EXPECT_EQ(array.damage(), std::nullopt);
  EXPECT_EQ(array.size(), 100);
}

TYPED_TEST(GuardedArrayOf, WritingEveryElementIsNoDamage) {
  GuardedArray<TypeParam> array(Stream::cpu(), 100, 3);
  for (TypeParam& element : array.span()) element = 1;
  EXPECT_EQ(array.damage(), std::nullopt);
}

TYPED_TEST(GuardedArrayOf, WriteBeforeTheArrayIsDamage) {
  for (const std::int64_t distance : {1, 2, 256}) {
    GuardedArray<TypeParam> array(Stream::cpu(), 100);
    array.data()[-distance] = 0;
    EXPECT_EQ(array.damage(), "memory before the array was written") << distance;
  }
}

TYPED_TEST(GuardedArrayOf, WritePastTheEndIsDamage) {
  for (const std::int64_t distance : {0, 1, 255}) {
    GuardedArray<TypeParam> array(Stream::cpu(), 100);
    array.data()[100 + distance] = 0;
    EXPECT_EQ(array.damage(), "memory past the end of the array was written") << distance;
  }
}

TYPED_TEST(GuardedArrayOf, AnOrdinaryNanPastTheEndIsDamageToo) {
  GuardedArray<TypeParam> array(Stream::cpu(), 100);
  array.data()[100] = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_TRUE(array.damage().has_value());
}

TYPED_TEST(GuardedArrayOf, WriteIntoTheOffsetIsDamage) {
  GuardedArray<TypeParam> array(Stream::cpu(), 100, 3);
  array.data()[-3] = 0;
  EXPECT_TRUE(array.damage().has_value());
}

TYPED_TEST(GuardedArrayOf, PoisonIsNanEverywhere) {
  GuardedArray<TypeParam> array(Stream::cpu(), 1000, 1);
  for (TypeParam& element : array.span()) element = 1;
  array.poison();
  for (const TypeParam element : array.on_host()) ASSERT_TRUE(std::isnan(element));
  EXPECT_EQ(array.damage(), std::nullopt);
}

TYPED_TEST(GuardedArrayOf, PoisonRestoresTheGuards) {
  GuardedArray<TypeParam> array(Stream::cpu(), 100, 3);
  array.data()[-3] = 0;
  array.data()[100] = 0;
  array.poison();
  EXPECT_EQ(array.damage(), std::nullopt);
}

TYPED_TEST(GuardedArrayOf, OffsetMisalignsTheArray) {
  for (const std::int64_t offset : {0, 1, 3, 64}) {
    GuardedArray<TypeParam> array(Stream::cpu(), 10, offset);
    const auto past_boundary = reinterpret_cast<std::uintptr_t>(array.data()) % 256;
    EXPECT_EQ(past_boundary, static_cast<std::uintptr_t>(offset) * sizeof(TypeParam) % 256);
  }
}

TYPED_TEST(GuardedArrayOf, EmptyArrayHasGuards) {
  GuardedArray<TypeParam> array(Stream::cpu(), 0);
  array.poison();
  EXPECT_EQ(array.damage(), std::nullopt);
  EXPECT_TRUE(array.on_host().empty());
  array.data()[0] = 0;
  EXPECT_TRUE(array.damage().has_value());
}

TYPED_TEST(GuardedArrayOf, WrittenPartsAreReadBack) {
  GuardedArray<TypeParam> array(Stream::cpu(), 1000);
  array.write([](std::int64_t first, std::span<TypeParam> part) {
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<TypeParam>(first) + static_cast<TypeParam>(i);
  });
  std::int64_t n_read = 0;
  array.read([&](std::int64_t first, std::span<const TypeParam> part) {
    EXPECT_EQ(first, n_read);
    n_read += std::ssize(part);
    EXPECT_EQ(part.back(), static_cast<TypeParam>(n_read - 1));
  });
  EXPECT_EQ(n_read, 1000);
  EXPECT_EQ(array.on_host()[999], TypeParam{999});
}

}  // namespace
}  // namespace rafter::lab
