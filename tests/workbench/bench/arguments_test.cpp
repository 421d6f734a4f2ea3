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

TEST(BenchArguments, EvaluateExpressionsOfArrays) {
  const Array array = evaluate_array(parse_argument("in=f32[h + 2, max(w, 5)]:random(0, w)"), {{"h", 3}, {"w", 4}});
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{5, 5}));
  EXPECT_EQ(array.bytes(), 100);
  EXPECT_EQ(array.fill.kind, Fill::Kind::random);
  EXPECT_EQ(array.fill.high, 4);
  EXPECT_FALSE(array.fill.has_seed);
  EXPECT_TRUE(evaluate_array(parse_argument("a=i8[3]:random(7)"), {}).fill.has_seed);
  EXPECT_EQ(evaluate_array(parse_argument("a=f64[2]"), {}).fill.kind, Fill::Kind::none);
  EXPECT_EQ(evaluate_array(parse_argument("a=f64[2]:arange"), {}).fill.kind, Fill::Kind::arange);
  EXPECT_EQ(evaluate_array(parse_argument("a=f64[2]:n/2"), {{"n", 5}}).fill.value, 2.5);
  EXPECT_TRUE(parse_argument("a=null").is_null());
}

TEST(BenchArguments, ConvertScalarsToTheKernelsType) {
  const base::Names names{{"n", 1000}};
  EXPECT_EQ(value_of<std::int32_t>(evaluate_scalar(parse_argument("n=n/2"), ElementType::i32, names)), 500);
  EXPECT_EQ(value_of<std::int64_t>(evaluate_scalar(parse_argument("n=i64:2^40"), ElementType::i64, names)),
            std::int64_t{1} << 40);
  EXPECT_EQ(value_of<float>(evaluate_scalar(parse_argument("x=0.25"), ElementType::f32, names)), 0.25F);
  EXPECT_EQ(value_of<std::uint8_t>(evaluate_scalar(parse_argument("x=255"), ElementType::u8, names)), 255);
  EXPECT_EQ(value_of<std::int16_t>(evaluate_scalar(parse_argument("x=-3"), ElementType::i16, names)), -3);
  expect_error(ErrorCode::bad_argument, "does not fit into i8",
               [] { evaluate_scalar(parse_argument("x=128"), ElementType::i8, {}); });
  expect_error(ErrorCode::bad_argument, "not a whole number",
               [] { evaluate_scalar(parse_argument("x=0.5"), ElementType::i32, {}); });
  expect_error(ErrorCode::bad_argument, "the kernel takes f32, but f64",
               [] { evaluate_scalar(parse_argument("x=f64:1"), ElementType::f32, {}); });
}

TEST(BenchArguments, TakeTypeAndShapeFromFiles) {
  const base::ScratchFolder scratch;
  const std::string file = (scratch.path() / "a.npy").string();
  const std::vector<float> values(6, 1.5F);
  base::write_npy<float>(file, {2, 3}, values);
  const Array array = evaluate_array(parse_argument("a=" + file), {});
  EXPECT_EQ(array.type, ElementType::f32);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(evaluate_array(parse_argument("a=f32[n]:" + file), {{"n", 6}}).size(), 6);
  expect_error(ErrorCode::bad_argument, "expected f32[7]",
               [&] { evaluate_array(parse_argument("a=f32[7]:" + file), {}); });
  expect_error(ErrorCode::bad_argument, "expected i32[6]",
               [&] { evaluate_array(parse_argument("a=i32[6]:" + file), {}); });
}

TEST(BenchArguments, RejectMalformedDescriptions) {
  expect_error(ErrorCode::bad_argument, "expected NAME=TYPE[SHAPE]:FILL", [] { parse_argument("in"); });
  expect_error(ErrorCode::bad_argument, "'f33' is not a type", [] { parse_argument("in=f33[4]"); });
  expect_error(ErrorCode::bad_argument, "no closing bracket", [] { parse_argument("in=f32[4"); });
  expect_error(ErrorCode::bad_argument, "a scalar needs a value", [] { parse_argument("in=f32"); });
  expect_error(ErrorCode::bad_argument, "argument 'in': 'm'", [] { evaluate_array(parse_argument("in=f32[m]"), {}); });
  expect_error(ErrorCode::bad_argument, "ceil(n/2)", [] { evaluate_array(parse_argument("in=f32[n/2]"), {{"n", 3}}); });
  expect_error(ErrorCode::bad_argument, "negative", [] { evaluate_array(parse_argument("in=f32[n-5]"), {{"n", 3}}); });
  expect_error(ErrorCode::bad_argument, "any memory", [] { evaluate_array(parse_argument("in=f32[1e15]"), {}); });
  expect_error(ErrorCode::bad_argument, "range is empty",
               [] { evaluate_array(parse_argument("a=f32[3]:random(2,1)"), {}); });
  expect_error(ErrorCode::bad_argument, "random(SEED)",
               [] { evaluate_array(parse_argument("a=f32[3]:randomly"), {}); });
}

}  // namespace rafter::bench
