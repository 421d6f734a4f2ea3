#include "workbench/bench/arguments.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/files.hpp"
#include "base/npy.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::bench {

using lab::expect_error;

namespace {

template <class T>
T value_of(const std::vector<std::byte>& bytes) {
  T value{};
  EXPECT_EQ(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

TEST(BenchArguments, AreArraysOfExpressions) {
  const Array array = array_of(parse_argument("in=f32[h + 2, max(w, 5)]:random(0, w)"), {{"h", 3}, {"w", 4}});
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{5, 5}));
  EXPECT_EQ(array.bytes(), 100);
  EXPECT_EQ(array.fill.kind, Fill::Kind::random);
  EXPECT_EQ(array.fill.high, 4);
  EXPECT_FALSE(array.fill.has_seed);
  EXPECT_TRUE(array_of(parse_argument("a=i8[3]:random(7)"), {}).fill.has_seed);
  EXPECT_EQ(array_of(parse_argument("a=f64[2]"), {}).fill.kind, Fill::Kind::none);
  EXPECT_EQ(array_of(parse_argument("a=f64[2]:arange"), {}).fill.kind, Fill::Kind::arange);
  EXPECT_EQ(array_of(parse_argument("a=f64[2]:n/2"), {{"n", 5}}).fill.value, 2.5);
  EXPECT_TRUE(parse_argument("a=null").is_null);
}

TEST(BenchArguments, AreScalarsOfTheKernelsType) {
  const base::Names names{{"n", 1000}};
  EXPECT_EQ(value_of<std::int32_t>(scalar_of(parse_argument("n=n/2"), "i32", names)), 500);
  EXPECT_EQ(value_of<std::int64_t>(scalar_of(parse_argument("n=i64:2^40"), "i64", names)), std::int64_t{1} << 40);
  EXPECT_EQ(value_of<float>(scalar_of(parse_argument("x=0.25"), "f32", names)), 0.25F);
  EXPECT_EQ(value_of<std::uint8_t>(scalar_of(parse_argument("x=255"), "u8", names)), 255);
  EXPECT_EQ(value_of<std::int16_t>(scalar_of(parse_argument("x=-3"), "i16", names)), -3);
  expect_error(ErrorCode::bad_argument, "does not fit into i8", [] { scalar_of(parse_argument("x=128"), "i8", {}); });
  expect_error(ErrorCode::bad_argument, "no whole number", [] { scalar_of(parse_argument("x=0.5"), "i32", {}); });
  expect_error(ErrorCode::bad_argument, "the kernel takes f32, but f64",
               [] { scalar_of(parse_argument("x=f64:1"), "f32", {}); });
}

TEST(BenchArguments, ComeFromFiles) {
  const base::ScratchFolder scratch;
  const std::string file = (scratch.path() / "a.npy").string();
  const std::vector<float> values(6, 1.5F);
  base::write_npy<float>(file, {2, 3}, values);
  const Array array = array_of(parse_argument("a=" + file), {});
  EXPECT_EQ(array.type, "f32");
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(array_of(parse_argument("a=f32[n]:" + file), {{"n", 6}}).size(), 6);
  expect_error(ErrorCode::bad_argument, "is expected", [&] { array_of(parse_argument("a=f32[7]:" + file), {}); });
  expect_error(ErrorCode::bad_argument, "is expected", [&] { array_of(parse_argument("a=i32[6]:" + file), {}); });
}

TEST(BenchArguments, SayWhatIsWrong) {
  expect_error(ErrorCode::bad_argument, "expected NAME=TYPE[SHAPE]:FILL", [] { parse_argument("in"); });
  expect_error(ErrorCode::bad_argument, "'f33' is no type", [] { parse_argument("in=f33[4]"); });
  expect_error(ErrorCode::bad_argument, "does not end", [] { parse_argument("in=f32[4"); });
  expect_error(ErrorCode::bad_argument, "needs one", [] { parse_argument("in=f32"); });
  expect_error(ErrorCode::bad_argument, "argument 'in': 'm'", [] { array_of(parse_argument("in=f32[m]"), {}); });
  expect_error(ErrorCode::bad_argument, "ceil(n/2)", [] { array_of(parse_argument("in=f32[n/2]"), {{"n", 3}}); });
  expect_error(ErrorCode::bad_argument, "negative", [] { array_of(parse_argument("in=f32[n-5]"), {{"n", 3}}); });
  expect_error(ErrorCode::bad_argument, "any memory", [] { array_of(parse_argument("in=f32[1e15]"), {}); });
  expect_error(ErrorCode::bad_argument, "range is empty", [] { array_of(parse_argument("a=f32[3]:random(2,1)"), {}); });
  expect_error(ErrorCode::bad_argument, "random(SEED)", [] { array_of(parse_argument("a=f32[3]:randomly"), {}); });
}

}  // namespace rafter::bench
