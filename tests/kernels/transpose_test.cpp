// The guarantees of transpose() beyond right answers, on every device present.
#include "rafter/transpose.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "rafter/half.hpp"

namespace rafter {
namespace {

// One shape per kernel, and shapes around their limits; the last one exceeds the caches.
constexpr MatrixShape turned_shapes[] = {{1, 1},      {1, 1000}, {1000, 1},   {3, 5},     {700, 10},
                                         {10, 700},   {129, 64}, {300, 300},  {255, 513}, {128, 1030},
                                         {1030, 600}, {5003, 7}, {2048, 1100}};

class Transpose : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static std::vector<T> transposed(const std::vector<T>& host, MatrixShape shape) {
    const Stream stream = Stream::on(GetParam());
    const Buffer<T> in(stream, host);
    Buffer<T> out(stream, std::ssize(host));
    transpose<T>(stream, in, shape, out.span());
    std::vector<T> result(host.size());
    out.copy_to(result);
    return result;
  }

  /// Checks that two transposes are the identity, and that one is not unless it should be.
  template <class T, class Make>
  static void check_twice(Make make) {
    for (const MatrixShape& shape : turned_shapes) {
      std::vector<T> x(static_cast<std::size_t>(shape.n_rows * shape.n_cols));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = make(i);
      const std::vector<T> once = transposed(x, shape);
      const auto row_1 = static_cast<std::size_t>(shape.n_rows > 1 ? shape.n_cols : 0);
      const std::size_t second = shape.n_rows > 1 ? 1 : 0;
      ASSERT_EQ(once[second], x[row_1]) << shape.n_rows << " x " << shape.n_cols;
      ASSERT_EQ(transposed(once, {shape.n_cols, shape.n_rows}), x) << shape.n_rows << " x " << shape.n_cols;
    }
  }
};

TEST_P(Transpose, TwiceIsTheIdentityForEveryElementSize) {
  check_twice<std::uint8_t>([](std::size_t i) { return static_cast<std::uint8_t>(i * 7 + i / 251); });
  check_twice<std::int16_t>([](std::size_t i) { return static_cast<std::int16_t>(i * 31 + i / 65521); });
  check_twice<Bfloat16>([](std::size_t i) { return Bfloat16(i % 257 + i / 65521); });
  check_twice<float>([](std::size_t i) { return static_cast<float>(i); });
  check_twice<double>([](std::size_t i) { return static_cast<double>(i); });
  check_twice<std::complex<float>>([](std::size_t i) { return std::complex<float>(static_cast<float>(i), 1.f); });
  check_twice<std::complex<double>>([](std::size_t i) { return std::complex<double>(1., static_cast<double>(i)); });
  check_twice<std::array<float, 4>>([](std::size_t i) { return std::array<float, 4>{static_cast<float>(i), 1, 2, 3}; });
}

TEST_P(Transpose, TransposesOnlyTheElementsOfAView) {
  const Stream stream = Stream::on(GetParam());
  for (const auto& [n_rows, n_cols] : turned_shapes) {
    for (const auto& [gap, out_gap] : {std::pair(0, 1), {5, 0}, {3, 7}, {16, 32}}) {
      const std::int64_t stride = n_cols + gap;
      const std::int64_t out_stride = n_rows + out_gap;
      std::vector<int> x(static_cast<std::size_t>(n_rows * stride));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
      const Buffer<int> in(stream, x);
      Buffer<int> out(stream, std::vector<int>(static_cast<std::size_t>(n_cols * out_stride), -1));
      transpose<int>(stream, MatrixView<const int>::unchecked(in.data(), {n_rows, n_cols}, stride),
                     MatrixView<int>::unchecked(out.data(), {n_cols, n_rows}, out_stride));
      std::vector<int> result(static_cast<std::size_t>(out.size()));
      out.copy_to(result);
      std::int64_t n_wrong = 0;
      for (std::int64_t i = 0; i < out.size(); ++i) {
        const std::int64_t row = i % out_stride;
        const auto expected = static_cast<int>(row < n_rows ? row * stride + i / out_stride : -1);
        n_wrong += result[static_cast<std::size_t>(i)] != expected;
      }
      EXPECT_EQ(n_wrong, 0) << n_rows << " x " << n_cols << ", " << stride << " and " << out_stride << " apart";
    }
  }
}

TEST_P(Transpose, RejectsViewsThatDoNotFit) {
  const Stream stream = Stream::on(GetParam());
  Buffer<int> memory(stream, 100);
  const auto ints = [](int* data, std::int64_t n_rows, std::int64_t n_cols, std::int64_t row_stride) {
    return MatrixView<int>::unchecked(data, {n_rows, n_cols}, row_stride);
  };
  const MatrixView<const int> in = ints(memory.data(), 3, 4, 5);
  int* out = memory.data() + 50;
  EXPECT_THROW(transpose<int>(stream, in, ints(out, 3, 4, 5)), Error);                            // not transposed
  EXPECT_THROW(transpose<int>(stream, in, ints(out, 4, 3, 2)), Error);                            // rows overlap
  EXPECT_THROW(transpose<int>(stream, in, ints(memory.data() + 10, 4, 3, 3)), Error);             // overlaps `in`
  EXPECT_THROW(transpose<int>(stream, ints(memory.data(), 3, 4, 3), ints(out, 4, 3, 3)), Error);  // rows overlap
  const auto bytes = MatrixView<const std::byte>::unchecked(memory.span().bytes().data(), {3, 16}, 18);
  const auto out_bytes = MatrixView<std::byte>::unchecked(memory.span().last(50).bytes().data(), {4, 12}, 12);
  EXPECT_THROW(transpose(stream, bytes, 4, out_bytes), Error);  // half an element
  EXPECT_NO_THROW(transpose<int>(stream, in, ints(out, 4, 3, 3)));
  stream.synchronize();
}

TEST_P(Transpose, AcceptsEmptyMatrices) {
  for (const MatrixShape shape : {MatrixShape{0, 0}, {0, 1000000}, {5, 0}})
    EXPECT_TRUE(transposed<float>({}, shape).empty());
}

TEST_P(Transpose, CopiesVectors) {
  std::vector<int> x(100003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
  EXPECT_EQ(transposed(x, {1, std::ssize(x)}), x);
  EXPECT_EQ(transposed(x, {std::ssize(x), 1}), x);
}

TEST_P(Transpose, AcceptsArraysOfDifferentAlignment) {
  const Stream stream = Stream::on(GetParam());
  for (const MatrixShape shape : {MatrixShape{700, 12}, {12, 700}, {200, 300}}) {
    const auto n = static_cast<std::size_t>(shape.n_rows * shape.n_cols);
    std::vector<float> x(n + 4);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    const Buffer<float> in(stream, x);
    for (std::size_t shift = 0; shift < 4; ++shift) {
      Buffer<float> out(stream, std::vector<float>(n + 4, -1.f));
      transpose<float>(stream, in.span().subspan(shift, n), shape, out.span().subspan(1, n));
      std::vector<float> result(n + 4);
      out.copy_to(result);
      EXPECT_EQ(result[0], -1.f);
      EXPECT_EQ(result[n + 1], -1.f);
      for (std::size_t i = 0; i < n; ++i) {
        const auto n_rows = static_cast<std::size_t>(shape.n_rows);
        ASSERT_EQ(result[1 + i], x[shift + i % n_rows * static_cast<std::size_t>(shape.n_cols) + i / n_rows]) << i;
      }
    }
  }
}

TEST_P(Transpose, RejectsInvalidArguments) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> in(stream, std::vector<float>(12, 1.f));
  Buffer<float> out(stream, 12);
  EXPECT_THROW(transpose<float>(stream, in, {4, 4}, out.span()), Error);
  EXPECT_THROW(transpose<float>(stream, in, {4, 3}, out.span().first(11)), Error);
  EXPECT_THROW(transpose<float>(stream, in, {-4, -3}, out.span()), Error);
  EXPECT_THROW(transpose<float>(stream, in, {std::int64_t{1} << 62, 4}, out.span()), Error);
  EXPECT_THROW(transpose<float>(stream, in, {3, 4}, in.span()), Error) << "in place";
  EXPECT_THROW(transpose<float>(stream, in.span().first(6), {2, 3}, in.span().subspan(5, 6)), Error);
  EXPECT_THROW(transpose<float>(stream, DeviceSpan<const float>::unchecked(nullptr, 12), {3, 4}, out.span()), Error);
  EXPECT_THROW(transpose(stream, in.span().bytes(), {4, 4}, 3, out.span().bytes()), Error);
  EXPECT_THROW(transpose(stream, in.span().bytes().subspan(4, 40), {5, 1}, 8, out.span().bytes().first(40)), Error)
      << "elements of 8 bytes off their alignment";
  EXPECT_NO_THROW(transpose<float>(stream, in, {3, 4}, out.span()));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Transpose, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The op's sample for the tests of streams ----
class TransposeSample final : public OpSample {
 public:
  TransposeSample(const Stream& stream, std::int64_t n, int value)
      : value_(value), shape_{7, n / 7}, in_(stream, elements()), out_(stream, in_.size()) {}
  void enqueue(const Stream& stream) override { transpose<std::int32_t>(stream, in_, shape_, out_.span()); }
  void check() override {
    const std::vector<std::int32_t> in = elements(), out = take(out_);
    std::int64_t n_wrong = 0;
    for (std::int64_t i = 0; i < in_.size(); ++i) {
      const std::int64_t at = i % shape_.n_cols * shape_.n_rows + i / shape_.n_cols;
      n_wrong += out[static_cast<std::size_t>(at)] != in[static_cast<std::size_t>(i)];
    }
    EXPECT_EQ(n_wrong, 0);
  }

 private:
  std::vector<std::int32_t> elements() const {
    std::vector<std::int32_t> all;
    for (std::int64_t i = 0; i < shape_.n_rows * shape_.n_cols; ++i)
      all.push_back(static_cast<std::int32_t>(i + 1) * value_);
    return all;
  }

  std::int32_t value_;
  MatrixShape shape_;
  Buffer<std::int32_t> in_, out_;
};
const RegisterOp<TransposeSample> transpose_sample;

}  // namespace
}  // namespace rafter
