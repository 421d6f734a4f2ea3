// Matrix products of warps and warpgroups, and loads and stores of fragments.
#include <bit>
#include <cmath>
#include <cstring>

#include "wrappers_fixture.hpp"

namespace rafter::test {
namespace {

/// Numbers that all types represent exactly, with sums that float represents exactly, as the bits of each type.
struct Matrix {
  std::vector<float> values;
  std::vector<std::uint16_t> half_bits, bfloat16_bits;
  std::vector<std::uint8_t> e4m3_bits;  // the bits of e5m2 are the upper ones of half

  explicit Matrix(std::size_t n, unsigned seed) : values(n) {
    for (std::size_t i = 0; i < n; ++i) {
      seed = seed * 1664525u + 1013904223u;
      values[i] = static_cast<float>(static_cast<int>(seed >> 28) - 8) / 4;
      const auto bits = std::bit_cast<std::uint32_t>(values[i]);
      bfloat16_bits.push_back(static_cast<std::uint16_t>(bits >> 16));
      const std::uint32_t exponent = bits >> 23 & 255;
      const std::uint32_t sign = bits >> 16 & 0x8000u, fraction = bits >> 13 & 1023;
      half_bits.push_back(static_cast<std::uint16_t>(values[i] == 0 ? 0 : sign | (exponent - 112) << 10 | fraction));
      e4m3_bits.push_back(
          static_cast<std::uint8_t>(values[i] == 0 ? 0 : sign >> 8 | (exponent - 120) << 3 | fraction >> 7));
    }
  }
};

TEST_P(PtxWrappers, MultiplyFragmentsOfAWarp) {
  const Stream on = stream();
  for (const Product product : {Product::half, Product::bfloat16, Product::tf32, Product::half_sums}) {
    const std::size_t k = product == Product::tf32 ? 8 : 16;
    const Matrix a(16 * k, 1), b(8 * k, 2), c(128, 3);
    Buffer<float> start(on, std::span<const float>(c.values)), d(on, 128);
    const auto run = [&](const auto& a_bits, const auto& b_bits) {
      using T = typename std::decay_t<decltype(a_bits)>::value_type;
      const Buffer<T> a_there(on, std::span<const T>(a_bits)), b_there(on, std::span<const T>(b_bits));
      matrices().mma(on, product, a_there.data(), b_there.data(), start.data(), d.data());
    };
    product == Product::tf32       ? run(a.values, b.values)
    : product == Product::bfloat16 ? run(a.bfloat16_bits, b.bfloat16_bits)
                                   : run(a.half_bits, b.half_bits);
    const auto result = read(d);
    for (std::size_t row = 0; row < 16; ++row) {
      for (std::size_t column = 0; column < 8; ++column) {
        float sum = c.values[row * 8 + column];
        for (std::size_t i = 0; i < k; ++i) sum += a.values[row * k + i] * b.values[column * k + i];
        ASSERT_EQ(result[row * 8 + column], sum)
            << "type " << static_cast<int>(product) << ", " << row << ", " << column;
      }
    }
  }
}

TEST_P(PtxWrappers, MultiplyMatricesOfAWarpgroup) {
  const Stream on = stream();
  std::vector<WgmmaCase> cases;
  for (const int swizzle : {0, 32, 64, 128}) {
    const int width = swizzle == 0 ? 32 : swizzle;  // bytes of k; without a swizzle two pieces for one product
    cases.push_back({WgmmaShape::half_8, 8, Product::half, swizzle, width / 2});
    cases.push_back({WgmmaShape::half_64, 64, Product::half, swizzle, width / 2});
    cases.push_back({WgmmaShape::half_128_mn, 128, Product::half, swizzle, 32});
    cases.push_back({WgmmaShape::tf32_40, 40, Product::tf32, swizzle, width / 4});
    cases.push_back({WgmmaShape::half_64_registers, 64, Product::half, swizzle, width / 2});
    cases.push_back({WgmmaShape::tf32_32_registers, 32, Product::tf32, swizzle, width / 4});
    cases.push_back({WgmmaShape::e4m3_64, 64, Product::e4m3, swizzle, width});
    cases.push_back({WgmmaShape::e5m2_128, 128, Product::e5m2, swizzle, width});
    cases.push_back({WgmmaShape::e4m3_16_registers, 16, Product::e4m3, swizzle, width});
  }
  cases.push_back({WgmmaShape::bfloat16_64_mn, 64, Product::bfloat16, 32, 16});
  cases.push_back({WgmmaShape::bfloat16_256, 256, Product::bfloat16, 128, 64});
  for (const WgmmaCase& which : cases) {
    const auto k = static_cast<std::size_t>(which.n_k), columns = static_cast<std::size_t>(which.columns);
    const Matrix a(64 * k, 1), b(columns * k, 2), c(64 * columns, 3);
    const auto words = [&](const Matrix& matrix) {
      std::vector<unsigned> bits;
      for (std::size_t i = 0; i < matrix.values.size(); ++i)
        bits.push_back(which.type == Product::half       ? matrix.half_bits[i]
                       : which.type == Product::bfloat16 ? matrix.bfloat16_bits[i]
                       : which.type == Product::e4m3     ? matrix.e4m3_bits[i]
                       : which.type == Product::e5m2     ? matrix.half_bits[i] >> 8u
                                                         : std::bit_cast<unsigned>(matrix.values[i]));
      return bits;
    };
    const Buffer<unsigned> a_there(on, std::span<const unsigned>(words(a))),
        b_there(on, std::span<const unsigned>(words(b)));
    const Buffer<float> start(on, std::span<const float>(c.values));
    Buffer<float> d(on, static_cast<std::int64_t>(c.values.size()));
    wgmmas().wgmma(on, which, a_there.data(), b_there.data(), start.data(), d.data());
    const auto result = read(d);
    for (std::size_t i = 0; i < result.size(); ++i) {
      float sum = c.values[i];
      for (std::size_t j = 0; j < k; ++j) sum += a.values[i / columns * k + j] * b.values[i % columns * k + j];
      ASSERT_EQ(result[i], sum) << "shape " << static_cast<int>(which.shape) << ", swizzle " << which.swizzle
                                << ", row " << i / columns << ", column " << i % columns;
    }
  }
}

TEST_P(PtxWrappers, MoveMatricesBetweenSharedMemoryAndRegisters) {
  const Stream on = stream();
  for (const int n : {1, 2, 4}) {
    const auto x = counted<std::uint16_t>(static_cast<std::size_t>(n) * 64);
    const Buffer<std::uint16_t> in(on, std::span<const std::uint16_t>(x));
    for (const bool transposed : {false, true}) {
      Buffer<std::uint16_t> out(on, n * 64);
      matrices().move_matrices(on, n, transposed, in.data(), out.data());
      const auto result = read(out);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t row = i % 64 / 8, column = i % 8;
        ASSERT_EQ(result[i], x[i / 64 * 64 + (transposed ? column * 8 + row : row * 8 + column)]) << n << ", " << i;
      }
    }
  }
}

}  // namespace
}  // namespace rafter::test
