// Vector types: CUDA's sizes, alignments and initialisation.
#include "vector_types.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "vector_functions.h"

namespace {

template <class T, int Size, int Alignment>
constexpr bool laid_out() {
  return sizeof(T) == Size && alignof(T) == Alignment && std::is_trivial_v<T> && std::is_aggregate_v<T>;
}
static_assert(laid_out<char1, 1, 1>() && laid_out<uchar2, 2, 2>() && laid_out<char3, 3, 1>() &&
              laid_out<uchar4, 4, 4>());
static_assert(laid_out<short1, 2, 2>() && laid_out<ushort2, 4, 4>() && laid_out<short3, 6, 2>());
static_assert(laid_out<ushort4, 8, 8>() && laid_out<int1, 4, 4>() && laid_out<int2, 8, 8>() &&
              laid_out<uint3, 12, 4>());
static_assert(laid_out<int4, 16, 16>() && laid_out<long2, 16, 16>() && laid_out<ulong3, 24, 8>());
static_assert(laid_out<longlong2, 16, 16>() && laid_out<ulonglong4, 32, 16>() && laid_out<float1, 4, 4>());
static_assert(laid_out<float2, 8, 8>() && laid_out<float3, 12, 4>() && laid_out<float4, 16, 16>());
static_assert(laid_out<double1, 8, 8>() && laid_out<double2, 16, 16>() && laid_out<double3, 24, 8>());
static_assert(laid_out<double4, 32, 16>() && laid_out<double4_16a, 32, 16>() && laid_out<double4_32a, 32, 32>());
static_assert(sizeof(dim3) == 12 && std::is_same_v<decltype(char4::x), signed char>);

__thread uint3 index_of_thread;
constinit thread_local dim3 shape_of_block;

float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

TEST(VectorTypes, AcceptUserDefinedOperators) {
  const float4 sum = float4{1, 2, 3, 4} + make_float4(10, 20, 30, 40);
  EXPECT_EQ(sum.x, 11);
  EXPECT_EQ(sum.w, 44);
}

TEST(VectorTypes, Dim3DefaultsToOne) {
  const dim3 one, line(7), from_number = 5, plane{2, 3};
  EXPECT_EQ(one.x * one.y * one.z, 1u);
  EXPECT_EQ(line.x, 7u);
  EXPECT_EQ(line.z, 1u);
  EXPECT_EQ(from_number.x, 5u);
  EXPECT_EQ(plane.y, 3u);
  const uint3 back = dim3(make_uint3(4, 5, 6));
  EXPECT_EQ(back.z, 6u);
}

TEST(VectorTypes, WorkAsThreadLocalVariables) {
  EXPECT_EQ(index_of_thread.x, 0u);
  EXPECT_EQ(shape_of_block.z, 1u);
}

}  // namespace
