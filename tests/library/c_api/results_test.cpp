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

TEST_F(CApiResults, MultipliesByATensorAndByANumber) {
  const Owned a = tensor<Half>({Half(1), Half(2), Half(3)}), out = zeros<Half>({3});
  ASSERT_EQ(rafter_multiply(stream(), a.get(), a.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<Half>(), (std::vector<Half>{Half(1), Half(4), Half(9)}));
  ASSERT_EQ(rafter_scale(stream(), out.get(), {-0.5, 0}, out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<Half>(), (std::vector<Half>{Half(-0.5), Half(-2), Half(-4.5)}));
  EXPECT_EQ(rafter_scale(stream(), a.get(), {0, 2}, out.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "factor");
  Owned part = tensor<float>({1, 2, 3}), rest = zeros<float>({2});
  part.shape()[0] = 2;
  rest.tensor().data = static_cast<float*>(part.tensor().data) + 1;
  EXPECT_EQ(rafter_scale(stream(), part.get(), {2, 0}, rest.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_scale: out overlaps a");
}

TEST_F(CApiResults, ConvertsBetweenTypes) {
  const Owned in = tensor<float>({1.9F, -1e30F, std::numeric_limits<float>::quiet_NaN(), 300}, {2, 2}),
              integers = zeros<std::int32_t>({2, 2}), halfs = zeros<Half>({2, 2}), flat = zeros<double>({4});
  ASSERT_EQ(rafter_convert(stream(), in.get(), integers.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(integers.values<std::int32_t>(),
            (std::vector<std::int32_t>{1, std::numeric_limits<std::int32_t>::min(), 0, 300}));
  ASSERT_EQ(rafter_convert(stream(), integers.get(), halfs.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(halfs.values<Half>()[3], Half(300));
  EXPECT_EQ(rafter_convert(stream(), in.get(), flat.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_convert: out should have the shape [2, 2], has [4]");
}

TEST_F(CApiResults, WritesEvenlySpacedNumbers) {
  const Owned integers = zeros<std::int64_t>({3}), reals = zeros<float>({3});
  ASSERT_EQ(rafter_iota(stream(), {0, 5}, {0, -2}, integers.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(integers.values<std::int64_t>(), (std::vector<std::int64_t>{5, 3, 1}));
  ASSERT_EQ(rafter_iota(stream(), {0.5, 0}, {0.25, 0}, reals.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(reals.values<float>(), (std::vector<float>{0.5, 0.75, 1}));
  EXPECT_EQ(rafter_iota(stream(), {0.5, 0}, {0, 1}, reals.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "step");
}

TEST_F(CApiResults, FindsExtremaAndTheirIndices) {
  const Owned in = tensor<std::int32_t>({3, -7, 9, -7, 9, 0}, {2, 3}), out = zeros<std::int32_t>({1}),
              index = zeros<std::int64_t>({}), empty = zeros<std::int32_t>({0});
  ASSERT_EQ(rafter_minimum(stream(), in.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<std::int32_t>()[0], -7);
  ASSERT_EQ(rafter_maximum(stream(), in.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<std::int32_t>()[0], 9);
  ASSERT_EQ(rafter_argmin(stream(), in.get(), index.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(index.values<std::int64_t>()[0], 1);
  ASSERT_EQ(rafter_argmax(stream(), in.get(), index.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(index.values<std::int64_t>()[0], 2);
  EXPECT_EQ(rafter_maximum(stream(), empty.get(), out.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "in") << last_message();
}

TEST_F(CApiResults, SumsIntegersInSixtyFourBits) {
  const Owned in = tensor<std::int32_t>({2147483647, 2147483647, 1}), out = zeros<std::int64_t>({1}),
              narrow = zeros<std::int32_t>({1});
  ASSERT_EQ(rafter_sum(stream(), in.get(), out.get()), RAFTER_OK) << last_message();
  EXPECT_EQ(out.values<std::int64_t>()[0], 4294967295);
  EXPECT_EQ(rafter_sum(stream(), in.get(), narrow.get()), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_sum: out should be int64, is int32");
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

TEST_F(CApiResults, FiltersIndices) {
  const Owned in = tensor<float>({1, -5, 2, -6, 7}), count = zeros<std::int64_t>({1}),
              longs = tensor<std::int64_t>({-1, -1, -1, -1}), ints = zeros<std::int32_t>({2});
  const rafter_predicate keep{sizeof(rafter_predicate), RAFTER_GREATER, RAFTER_MAGNITUDE, {4, 0}};
  const auto filter = [&](const Owned& indices) {
    return rafter_filter_indices(stream(), in.get(), &keep, RAFTER_ORDER_PRESERVED, indices.get(), count.get());
  };
  ASSERT_EQ(filter(longs), RAFTER_OK) << last_message();
  EXPECT_EQ(longs.values<std::int64_t>(), (std::vector<std::int64_t>{1, 3, 4, -1}));
  EXPECT_EQ(count.values<std::int64_t>()[0], 3);
  ASSERT_EQ(filter(ints), RAFTER_OK) << last_message();
  EXPECT_EQ(ints.values<std::int32_t>(), (std::vector<std::int32_t>{1, 3}));
  EXPECT_EQ(filter(zeros<float>({5})), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_filter_indices: indices should be int64 or int32, is float32");
}

TEST_F(CApiResults, FiltersColumnsOfAnyType) {
  const Owned key = tensor<std::int64_t>({1, 8, 2, 9}), count = zeros<std::int64_t>({1}),
              keys_out = zeros<std::int64_t>({4}), narrow = zeros<std::uint8_t>({4});
  Owned pairs(RAFTER_TYPE_UINT, 16, {4});
  const Owned pairs_out(RAFTER_TYPE_UINT, 16, {4});
  for (std::uint16_t i = 0; i < 4; ++i) static_cast<std::uint16_t*>(pairs.tensor().data)[i] = i;
  const rafter_predicate keep{sizeof(rafter_predicate), RAFTER_GREATER, RAFTER_VALUE, {0, 4}};
  const auto filter = [&](const rafter_filter_column* columns, std::int32_t n) {
    return rafter_filter_columns(stream(), key.get(), &keep, RAFTER_ORDER_PRESERVED, columns, n, count.get());
  };
  const rafter_filter_column columns[] = {{key.get(), keys_out.get()}, {pairs.get(), pairs_out.get()}};
  ASSERT_EQ(filter(columns, 2), RAFTER_OK) << last_message();
  EXPECT_EQ(count.values<std::int64_t>()[0], 2);
  EXPECT_EQ(keys_out.values<std::int64_t>(), (std::vector<std::int64_t>{8, 9, 0, 0}));
  EXPECT_EQ(pairs_out.values<std::uint16_t>(), (std::vector<std::uint16_t>{1, 3, 0, 0}));
  EXPECT_EQ(filter(nullptr, 0), RAFTER_OK) << last_message();
  EXPECT_EQ(count.values<std::int64_t>()[0], 2);
  EXPECT_EQ(filter(nullptr, 1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "columns");
  for (const std::int32_t n : {-1, 9}) {
    EXPECT_EQ(filter(columns, n), RAFTER_BAD_ARGUMENT);
    EXPECT_EQ(last_argument(), "n_columns");
  }
  const rafter_filter_column mixed[] = {{key.get(), pairs_out.get()}}, bytes[] = {{narrow.get(), narrow.get()}};
  EXPECT_EQ(filter(mixed, 1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_filter_columns: columns[0].out should be int64, is uint16");
  EXPECT_EQ(filter(bytes, 1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_filter_columns: columns[0].in should have elements of 2, 4 or 8 bytes, is uint8");
  const rafter_filter_column over_input[] = {{key.get(), key.get()}};
  EXPECT_EQ(filter(over_input, 1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "columns[0].out") << last_message();
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
