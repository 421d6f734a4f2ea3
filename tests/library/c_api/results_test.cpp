// The ops compute through the C API what they compute in C++: element types, strides, offsets, options.
#include <limits>

#include "c_tensors.hpp"

extern "C" double rafter_test_sum_in_c(void);  // layout.c

namespace rafter::c_api {
namespace {

class CApiResults : public testing::Test {
 protected:
  const rafter_stream* stream() const { return stream_.get(); }

 private:
  StreamHandle stream_ = cpu_stream();
};

TEST_F(CApiResults, ACompilerOfCSumsNumbers) { EXPECT_EQ(rafter_test_sum_in_c(), 10); }

template <class T>
void expect_filled(const rafter_stream* stream, rafter_scalar value, T expected) {
  const Owned out = zeros<T>({2, 3});
  ASSERT_EQ(rafter_fill(stream, value, out.get()), RAFTER_OK) << last_message();
  for (const T element : out.values<T>()) EXPECT_EQ(element, expected);
}

TEST_F(CApiResults, FillsEveryType) {
  expect_filled<float>(stream(), {0.1, 0}, 0.1F);
  expect_filled<double>(stream(), {0.1, 0}, 0.1);
  expect_filled<Half>(stream(), {0.5, 0}, Half(0.5F));
  expect_filled<Bfloat16>(stream(), {-2, 0}, Bfloat16(-2.F));
  expect_filled<std::int32_t>(stream(), {0, -7}, -7);
  expect_filled<std::int64_t>(stream(), {0, std::numeric_limits<std::int64_t>::min()},
                              std::numeric_limits<std::int64_t>::min());
}

TEST_F(CApiResults, ScalarsMustFitTheType) {
  const Owned real = zeros<float>({2}), integer = zeros<std::int32_t>({2});
  EXPECT_EQ(rafter_fill(stream(), {0, 1}, real.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_fill(stream(), {1, 0}, integer.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_fill(stream(), {0, std::int64_t{1} << 31}, integer.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_fill: value should fit 32 bits, is 2147483648");
  EXPECT_EQ(last_argument(), "value");
}

TEST_F(CApiResults, MulAddTakesItsOutputAsInput) {
  Owned a = tensor<std::int64_t>({1, 2, 3, 4}, {2, 2});
  const Owned b = tensor<std::int64_t>({10, 20, 30, 40}, {2, 2});
  ASSERT_EQ(rafter_mul_add(stream(), a.get(), b.get(), a.get(), a.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(a.values<std::int64_t>(), (std::vector<std::int64_t>{11, 42, 93, 164}));
}

TEST_F(CApiResults, SumsBehindAByteOffset) {
  Owned in = tensor<double>({100, 1, 2, 3});
  in.shape()[0] = 3;
  in.tensor().byte_offset = sizeof(double);
  const Owned out = zeros<double>({});
  ASSERT_EQ(rafter_sum(stream(), in.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<double>()[0], 6);
}

TEST_F(CApiResults, EmptyTensorsNeedNoData) {
  Owned in = zeros<float>({0});
  in.tensor().data = nullptr;
  const Owned out = tensor<float>({5});
  ASSERT_EQ(rafter_sum(stream(), in.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<float>()[0], 0);
}

TEST_F(CApiResults, PrefixSums) {
  const Owned in = tensor<std::int32_t>({1, 2, 3}), inclusive = zeros<std::int32_t>({3}),
              exclusive = zeros<std::int32_t>({3});
  ASSERT_EQ(rafter_inclusive_sum(stream(), in.get(), inclusive.get()), RAFTER_OK);
  ASSERT_EQ(rafter_exclusive_sum(stream(), in.get(), exclusive.get()), RAFTER_OK);
  EXPECT_EQ(inclusive.values<std::int32_t>(), (std::vector<std::int32_t>{1, 3, 6}));
  EXPECT_EQ(exclusive.values<std::int32_t>(), (std::vector<std::int32_t>{0, 1, 3}));
}

TEST_F(CApiResults, FilterKeepsWhatFits) {
  const Owned in = tensor<float>({1, -5, 2, -6, 7}), out = zeros<float>({2}), count = zeros<std::int64_t>({1});
  const rafter_predicate keep{sizeof(rafter_predicate), RAFTER_GREATER, RAFTER_MAGNITUDE, {4, 0}};
  ASSERT_EQ(rafter_filter(stream(), in.get(), &keep, RAFTER_ORDER_PRESERVED, out.get(), count.get()), RAFTER_OK);
  EXPECT_EQ(out.values<float>(), (std::vector<float>{-5, -6}));
  EXPECT_EQ(count.values<std::int64_t>()[0], 3);
}

TEST_F(CApiResults, GatherReportsBadIndices) {
  const Owned table = tensor<double>({10, 20, 30}), indices = tensor<std::int32_t>({2, 9, -1, 0}, {2, 2}),
              out = tensor<double>({-1, -1, -1, -1}, {2, 2}), bad = zeros<std::int64_t>({2});
  ASSERT_EQ(rafter_gather(stream(), table.get(), indices.get(), RAFTER_INDEX_REPORT, out.get(), bad.get()), RAFTER_OK);
  EXPECT_EQ(out.values<double>(), (std::vector<double>{30, -1, -1, 10}));
  EXPECT_EQ(bad.values<std::int64_t>(), (std::vector<std::int64_t>{2, 1}));
  ASSERT_EQ(rafter_gather(stream(), table.get(), indices.get(), RAFTER_INDEX_CLAMP, out.get(), nullptr), RAFTER_OK);
  EXPECT_EQ(out.values<double>(), (std::vector<double>{30, 30, 10, 10}));
  EXPECT_EQ(rafter_gather(stream(), table.get(), indices.get(), RAFTER_INDEX_ZERO, out.get(), bad.get()),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "bad");
}

TEST_F(CApiResults, RowsMayBeStrided) {
  Owned in = tensor<float>({1, 2, 99, 3, 4, 99}, {2, 3});
  in.shape()[1] = 2;
  const Owned sums = zeros<float>({2}), transposed = zeros<float>({2, 2});
  ASSERT_EQ(rafter_row_sums(stream(), in.get(), sums.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(sums.values<float>(), (std::vector<float>{3, 7}));
  ASSERT_EQ(rafter_transpose(stream(), in.get(), transposed.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(transposed.values<float>(), (std::vector<float>{1, 3, 2, 4}));
}

TEST_F(CApiResults, TransposesElementsOfAnyType) {
  Owned in(6, 8, {1, 3});  // bool
  const Owned out(6, 8, {3, 1}), odd(2, 24, {1, 3}), odd_out(2, 24, {3, 1});
  EXPECT_EQ(rafter_transpose(stream(), in.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(rafter_transpose(stream(), odd.get(), odd_out.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_transpose: in should have elements of 1, 2, 4, 8 or 16 bytes, is float24");
}

TEST_F(CApiResults, ConvAppliesItsOptions) {
  const Owned in = tensor<float>({1, 2, 3, 4}, {1, 1, 2, 2}), kernels = tensor<float>({1}, {1, 1, 1, 1}),
              bias = tensor<float>({-3}), out = zeros<float>({1, 1, 2, 2});
  rafter_conv_options options{};
  options.struct_size = sizeof options;
  options.bias = bias.get();
  options.relu = 1;
  options.pad_height = options.pad_width = 1;
  options.pool_size = 2;
  ASSERT_EQ(rafter_conv(stream(), in.get(), kernels.get(), &options, out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<float>(), (std::vector<float>{0, 0, 0, 1}));
  options.pool_size = 1 << 29;
  EXPECT_EQ(rafter_conv(stream(), in.get(), kernels.get(), &options, out.get()), RAFTER_BAD_ARGUMENT);
  options.pool_size = 2;
  options.precision = RAFTER_CONV_TF32;
  EXPECT_EQ(rafter_conv(stream(), in.get(), kernels.get(), &options, out.get()), RAFTER_UNSUPPORTED);
}

TEST_F(CApiResults, ScattersByKeysAndByPlan) {
  const Owned keys = tensor<std::int64_t>({1, 0, 1}), values = tensor<float>({1, 2, 4}), out = zeros<float>({2}),
              counts = zeros<std::int64_t>({2}), gradient = zeros<float>({3});
  ASSERT_EQ(rafter_scatter(stream(), keys.get(), values.get(), RAFTER_REDUCE_MEAN, RAFTER_KEYS_UNSORTED, out.get(),
                           counts.get(), nullptr),
            RAFTER_OK)
      << last_message();
  EXPECT_EQ(out.values<float>(), (std::vector<float>{2, 2.5}));
  EXPECT_EQ(counts.values<std::int64_t>(), (std::vector<std::int64_t>{1, 2}));
  ASSERT_EQ(rafter_scatter_gradient(stream(), keys.get(), RAFTER_REDUCE_MEAN, counts.get(), nullptr, out.get(),
                                    gradient.get()),
            RAFTER_OK)
      << last_message();
  EXPECT_EQ(gradient.values<float>(), (std::vector<float>{1.25, 2, 1.25}));
  EXPECT_EQ(rafter_scatter(stream(), keys.get(), values.get(), RAFTER_REDUCE_MEAN, 0, out.get(), nullptr, nullptr),
            RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "counts") << last_message();
  rafter_scatter_plan* plan = nullptr;
  ASSERT_EQ(rafter_scatter_plan_create(stream(), keys.get(), 2, &plan), RAFTER_OK);
  EXPECT_EQ(rafter_scatter_by_plan(stream(), plan, values.get(), RAFTER_REDUCE_SUM, out.get(), nullptr, nullptr),
            RAFTER_OK);
  EXPECT_EQ(out.values<float>(), (std::vector<float>{2, 5}));
  rafter_scatter_plan_destroy(plan);
}

TEST_F(CApiResults, EdgesAndRadialFunctions) {
  const Owned positions = tensor<float>({0, 0, 0, 3, 4, 0}, {2, 3}), index = tensor<std::int64_t>({1, 0}, {2, 1}),
              vectors = zeros<float>({1, 3}), distances = zeros<float>({1}), units = zeros<float>({1, 3}),
              centres = tensor<float>({5}), phi = zeros<float>({1, 1});
  ASSERT_EQ(rafter_edge_vectors(stream(), positions.get(), index.get(), vectors.get(), distances.get(), units.get()),
            RAFTER_OK);
  EXPECT_EQ(vectors.values<float>(), (std::vector<float>{3, 4, 0}));
  EXPECT_EQ(distances.values<float>()[0], 5);
  ASSERT_EQ(rafter_radial(stream(), distances.get(), centres.get(), 1, 10, phi.get()), RAFTER_OK);
  EXPECT_NEAR(phi.values<float>()[0], 0.5, 1e-6);
  EXPECT_EQ(rafter_radial(stream(), distances.get(), centres.get(), 1, -1, phi.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "cutoff") << last_message();
}

TEST_F(CApiResults, OverlapIsRefusedByName) {
  Owned in = tensor<float>({1, 2, 3});
  Owned out = zeros<float>({1});
  out.tensor().data = in.tensor().data;
  EXPECT_EQ(rafter_sum(stream(), in.get(), out.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_sum: out overlaps in");
  EXPECT_EQ(last_argument(), "out");
  EXPECT_EQ(in.values<float>(), (std::vector<float>{1, 2, 3}));
}

}  // namespace
}  // namespace rafter::c_api
