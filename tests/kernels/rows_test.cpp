// The guarantees of row_sums() beyond right answers, on every device present.
#include "rafter/rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"

namespace rafter {
namespace {

class Rows : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  static std::vector<float> sums_of(const Stream& stream, std::span<const float> host, MatrixShape shape) {
    const Buffer<float> in(stream, host);
    Buffer<float> out(stream, shape.n_rows);
    row_sums(stream, in, shape, out.span());
    std::vector<float> result(static_cast<std::size_t>(shape.n_rows));
    out.copy_to(result);
    return result;
  }
};

// One shape per kernel.
constexpr MatrixShape shapes[] = {{5000, 7}, {300, 100}, {20, 900}, {20000, 1100}, {3, 200003}, {130, 5000}};

TEST_P(Rows, SumsRowsWithoutColumnsToZero) {
  EXPECT_EQ(sums_of(Stream::on(GetParam()), {}, {3, 0}), (std::vector<float>{0, 0, 0}));
}

TEST_P(Rows, KeepsNanAndInfinityInTheirRows) {
  const Stream stream = Stream::on(GetParam());
  for (const MatrixShape& shape : shapes) {
    std::vector<float> x(static_cast<std::size_t>(shape.n_rows * shape.n_cols), 1.f);
    x[static_cast<std::size_t>(shape.n_cols)] = std::numeric_limits<float>::quiet_NaN();          // row 1
    x[static_cast<std::size_t>(3 * shape.n_cols - 1)] = -std::numeric_limits<float>::infinity();  // row 2
    const std::vector<float> sums = sums_of(stream, x, shape);
    EXPECT_EQ(sums[0], static_cast<float>(shape.n_cols)) << shape.n_cols;
    EXPECT_TRUE(std::isnan(sums[1])) << shape.n_cols;
    EXPECT_EQ(sums[2], -std::numeric_limits<float>::infinity()) << shape.n_cols;
  }
}

TEST_P(Rows, GivesTheSameBitsEveryTime) {
  const Stream stream = Stream::on(GetParam());
  for (const MatrixShape& shape : shapes) {
    std::vector<float> x(static_cast<std::size_t>(shape.n_rows * shape.n_cols));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.f / static_cast<float>(i % 9973 + 1);
    const std::vector<float> first = sums_of(stream, x, shape);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(sums_of(stream, x, shape), first) << shape.n_cols;
  }
}

TEST_P(Rows, KeepsItsErrorBoundOnTheWorstNumbers) {
  // Each row has one 1, and otherwise halves of its last bit, which every addition to it loses.
  const double eps = std::numeric_limits<float>::epsilon();
  for (const std::int64_t n_cols : {10, 100, 256, 257, 2400, 4095, 4096, 16384, 300000}) {
    std::vector<float> x(static_cast<std::size_t>(3 * n_cols), static_cast<float>(eps / 2));
    for (std::int64_t row = 0; row < 3; ++row) x[static_cast<std::size_t>(row * n_cols + row)] = 1;
    const double exact = 1 + static_cast<double>(n_cols - 1) * (eps / 2);
    const double bound = (static_cast<double>(n_cols) / 8192 + 160) * eps * exact;
    for (const float sum : sums_of(Stream::on(GetParam()), x, {3, n_cols})) {
      EXPECT_LE(std::abs(static_cast<double>(sum) - exact), bound) << n_cols;
    }
  }
}

// Ones, whose sums would stop growing at 2048 and 256 in their own type, and a NaN and an infinity that stay in their
// rows.
template <class T>
void expect_rows_of_ones(const Stream& stream, const MatrixShape& shape, std::int64_t gap) {
  const std::int64_t row_stride = shape.n_cols + gap;
  std::vector<T> x(static_cast<std::size_t>(shape.n_rows * row_stride + 1), T(std::nanf("")));
  for (std::int64_t i = 0; i < shape.n_rows * shape.n_cols; ++i)
    x[static_cast<std::size_t>(i / shape.n_cols * row_stride + i % shape.n_cols + 1)] = T(1);
  x[static_cast<std::size_t>(row_stride + shape.n_cols)] = T(std::nanf(""));                     // the end of row 1
  x[static_cast<std::size_t>(2 * row_stride + 1)] = T(-std::numeric_limits<float>::infinity());  // the start of row 2
  Buffer<T> in(stream, x);
  Buffer<T> out(stream, shape.n_rows);
  row_sums(stream, MatrixView<T>::unchecked(in.data() + 1, shape, row_stride), out.span());
  std::vector<T> sums(static_cast<std::size_t>(shape.n_rows));
  out.copy_to(sums);
  for (std::size_t row = 0; row < sums.size(); ++row) {
    if (row == 1) {
      EXPECT_TRUE(std::isnan(static_cast<float>(sums[row]))) << shape.n_cols;
    } else if (row == 2) {
      EXPECT_EQ(sums[row], T(-std::numeric_limits<float>::infinity())) << shape.n_cols;
    } else {
      ASSERT_EQ(sums[row], T(shape.n_cols))
          << row << " of " << shape.n_rows << " x " << shape.n_cols << ", gap " << gap;
    }
  }
}

TEST_P(Rows, AddsSixteenBitElementsInFloat) {
  for (const MatrixShape& shape :
       {MatrixShape{5000, 1}, {5000, 2}, {5000, 7}, {300, 100}, {20, 2047}, {20, 2049}, {200, 1100}, {40, 5001}}) {
    for (const std::int64_t gap : {0, 1, 8}) {
      expect_rows_of_ones<Half>(Stream::on(GetParam()), shape, gap);
      expect_rows_of_ones<Bfloat16>(Stream::on(GetParam()), shape, gap);
    }
  }
  expect_rows_of_ones<Half>(Stream::on(GetParam()), {9000, 2501}, 1);
  expect_rows_of_ones<Half>(Stream::on(GetParam()), {3, 65520}, 0);  // infinity
  expect_rows_of_ones<Bfloat16>(Stream::on(GetParam()), {3, 200003}, 5);
}

TEST_P(Rows, AcceptsMatricesWithoutRows) {
  for (const std::int64_t n_cols : {0, 1, 5000, 1000000})
    EXPECT_TRUE(sums_of(Stream::on(GetParam()), {}, {0, n_cols}).empty());
}

TEST_P(Rows, RejectsSizesThatDoNotFitTheShape) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<float> in(stream, 12);
  Buffer<float> out(stream, 4);
  EXPECT_THROW(row_sums(stream, in, {4, 4}, out.span()), Error);
  EXPECT_THROW(row_sums(stream, in, {3, 4}, out.span()), Error);
  EXPECT_THROW(row_sums(stream, in, {-4, -3}, out.span()), Error);
  EXPECT_THROW(row_sums(stream, in, {std::int64_t{1} << 62, 4}, out.span()), Error);
  EXPECT_NO_THROW(row_sums(stream, in, {4, 3}, out.span()));
  stream.synchronize();
}

TEST_P(Rows, SumsOnlyTheElementsOfAView) {
  const Stream stream = Stream::on(GetParam());
  for (const auto& [n_rows, n_cols] : shapes) {
    for (const std::int64_t gap : {1, 4, 60}) {
      const std::int64_t row_stride = n_cols + gap;
      const auto at = [&](std::int64_t row, std::int64_t col) {
        return static_cast<std::size_t>(row * row_stride + col);
      };
      std::vector<float> x(at(n_rows, 3), std::numeric_limits<float>::quiet_NaN());
      std::vector<float> expected(static_cast<std::size_t>(n_rows));
      for (std::int64_t row = 0; row < n_rows; ++row) {
        for (std::int64_t col = 0; col < n_cols; ++col) {
          const auto value = static_cast<float>((row + col) % 7 - 3);
          x[at(row, col + 1)] = value;
          expected[static_cast<std::size_t>(row)] += value;
        }
      }
      Buffer<float> in(stream, x);
      Buffer<float> out(stream, n_rows);
      row_sums(stream, MatrixView<float>::unchecked(in.data() + 1, {n_rows, n_cols}, row_stride), out.span());
      std::vector<float> sums(expected.size());
      out.copy_to(sums);
      EXPECT_EQ(sums, expected) << n_rows << " x " << n_cols << ", " << row_stride << " apart";
    }
  }
}

TEST_P(Rows, RejectsOverlappingRowsAndAnOutputBetweenThem) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> in(stream, 100);
  Buffer<float> out(stream, 4);
  const auto view = [&](std::int64_t row_stride) {
    return MatrixView<const float>::unchecked(in.data(), {4, 10}, row_stride);
  };
  const auto refusal = [&](const MatrixView<const float>& from, DeviceSpan<float> to) -> std::string {
    try {
      row_sums(stream, from, to);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(view(9), out.span()).find("row_stride of at least its 10 columns, has 9"), std::string::npos);
  EXPECT_NE(refusal(view(20), in.span().subspan(12, 4)).find("overlaps in"), std::string::npos);
  EXPECT_EQ(refusal(view(20), in.span().subspan(70, 4)), "");
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Rows, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(RowsOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const MatrixShape& shape : shapes) {
    std::vector<float> x(static_cast<std::size_t>(shape.n_rows * shape.n_cols));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.f / static_cast<float>(i % 9973 + 1);
    std::vector<float> one(static_cast<std::size_t>(shape.n_rows));
    std::vector<float> many(one.size());
    row_sums(Stream::cpu(1), x, shape, one);
    row_sums(Stream::cpu(3), x, shape, many);
    EXPECT_EQ(one, many) << shape.n_cols;
  }
}

// ---- The op's sample for the tests of streams ----
class RowsSample final : public OpSample {
 public:
  RowsSample(const Stream& stream, std::int64_t n, int value)
      : shape_{7, n / 7},
        answer_(static_cast<float>(shape_.n_cols) * static_cast<float>(value)),
        in_(stream, filled(shape_.n_rows * shape_.n_cols, static_cast<float>(value))),
        out_(stream, shape_.n_rows) {}
  void enqueue(const Stream& stream) override { row_sums(stream, in_, shape_, out_.span()); }
  void check() override { EXPECT_EQ(take(out_), filled(shape_.n_rows, answer_)); }

 private:
  MatrixShape shape_;
  float answer_;
  Buffer<float> in_, out_;
};
const RegisterOp<RowsSample> rows_sample;

}  // namespace
}  // namespace rafter
