// Every wrapper of src/ptx against plain loops: on the executor, without findings, and on a GPU where there is one.
#include "wrappers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/backend.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "simt/device/simt_device.hpp"

namespace rafter::test {
namespace {

class PtxWrappers : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    rafter::simt::provide_device();
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
    if (on_executor()) core::backend(Device::simt).take_complaints();
  }
  void TearDown() override {
    if (on_executor()) {
      EXPECT_EQ(core::backend(Device::simt).take_complaints().value_or(""), "");
    }
  }
  static bool on_executor() { return GetParam() == Device::simt; }
  static Stream stream() { return Stream::on(GetParam()); }

#ifdef RAFTER_WITH_CUDA
#define RAFTER_OF_DEVICE(call) (on_executor() ? simt::call() : cuda::call())
#else
#define RAFTER_OF_DEVICE(call) simt::call()
#endif
  static CopyWrappers copies() { return RAFTER_OF_DEVICE(copy_wrappers); }
  static MatrixWrappers matrices() { return RAFTER_OF_DEVICE(matrix_wrappers); }
  static WgmmaWrappers wgmmas() { return RAFTER_OF_DEVICE(wgmma_wrappers); }
  static ConvertWrappers<Half> conversions(Half) { return RAFTER_OF_DEVICE(half_wrappers); }
  static ConvertWrappers<Bfloat16> conversions(Bfloat16) { return RAFTER_OF_DEVICE(bfloat16_wrappers); }
  static ClusterWrappers clusters() { return RAFTER_OF_DEVICE(cluster_wrappers); }
  static OrderWrappers orders() { return RAFTER_OF_DEVICE(order_wrappers); }

 public:
  template <class T>
  static std::vector<T> counted(std::size_t n) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i * 7 + 1);
    return x;
  }
  template <class T>
  static std::vector<T> read(const Buffer<T>& buffer) {
    std::vector<T> x(static_cast<std::size_t>(buffer.size()));
    buffer.copy_to(x);
    return x;
  }
};

/// All values of T become the floats they are, and floats next to the middle of two values the nearer one.
template <class T>
void expect_conversions(const Stream& on, const ConvertWrappers<T>& wrappers) {
  std::vector<T> all(65536);
  std::vector<float> near;
  for (unsigned bits = 0; bits < all.size(); ++bits) all[bits].bits = static_cast<std::uint16_t>(bits);
  for (const T value : all) {
    T next = value;
    ++next.bits;
    const float middle = static_cast<float>((static_cast<double>(value) + static_cast<double>(next)) / 2);
    near.insert(near.end(), {middle, std::nextafter(middle, 0.f), std::nextafter(middle, 2 * middle)});
  }
  const auto n = static_cast<std::int64_t>(near.size());
  const Buffer<T> in(on, all);
  const Buffer<float> in_floats(on, near);
  Buffer<float> floats(on, std::ssize(all));
  Buffer<T> singles(on, n);
  Buffer<unsigned> pairs(on, n / 2);
  wrappers.widen(on, in.data(), static_cast<int>(all.size()), floats.data());
  wrappers.round(on, in_floats.data(), static_cast<int>(n), singles.data(), pairs.data());
  const auto widened = PtxWrappers::read(floats);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto expected = static_cast<float>(all[i]);
    ASSERT_TRUE(widened[i] == expected || (std::isnan(widened[i]) && std::isnan(expected))) << i;
  }
  const auto rounded = PtxWrappers::read(singles);
  const auto rounded_pairs = PtxWrappers::read(pairs);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const unsigned expected = std::isnan(near[i]) ? 0x7fff : T(near[i]).bits;
    ASSERT_EQ(rounded[i].bits, expected) << near[i];
    ASSERT_EQ(rounded_pairs[i / 2] >> (16 * (i % 2)) & 0xffff, expected) << near[i];
  }
}

TEST_P(PtxWrappers, conversions_of_16_bits) {
  expect_conversions(stream(), conversions(Half{}));
  expect_conversions(stream(), conversions(Bfloat16{}));
}

TEST_P(PtxWrappers, copies_of_threads) {
  const Stream on = stream();
  const auto x = counted<unsigned char>(64 * 16);
  const Buffer<unsigned char> in(on, std::span<const unsigned char>(x));
  for (const int bytes : {4, 8, 16}) {
    for (const int valid : {bytes, bytes - 3, 0}) {
      Buffer<unsigned char> out(on, 64 * bytes);
      copies().thread_copies(on, bytes, valid, in.data(), out.data());
      const auto result = read(out);
      for (int i = 0; i < 64 * bytes; ++i) {
        const int from = 64 * bytes - 1 - i;
        ASSERT_EQ(result[static_cast<std::size_t>(i)], from % bytes < valid ? x[static_cast<std::size_t>(from)] : 0)
            << i << " of " << bytes << ", " << valid << " valid";
      }
    }
  }
}

/// Calls f(place in the tile, coordinates there) for each of its elements, x fastest.
template <class F>
void for_tile(const TileCase& tile, F&& f) {
  int n = 1;
  for (int a = 0; a < tile.rank; ++a) n *= tile.tile[static_cast<std::size_t>(a)];
  for (int i = 0; i < n; ++i) {
    std::array<int, 5> at{};
    for (std::size_t a = 0, rest = static_cast<std::size_t>(i); a < static_cast<std::size_t>(tile.rank); ++a) {
      at[a] = static_cast<int>(rest) % tile.tile[a];
      rest /= static_cast<std::size_t>(tile.tile[a]);
    }
    f(i, at);
  }
}

/// The element's place in the array, or -1 outside.
std::int64_t place(const TileCase& tile, const std::array<int, 5>& corner, const std::array<int, 5>& at) {
  std::int64_t offset = 0, stride = 1;
  for (std::size_t a = 0; a < static_cast<std::size_t>(tile.rank); ++a) {
    const std::int64_t here = corner[a] + at[a];
    if (here < 0 || here >= tile.extent[a]) return -1;
    offset += here * stride;
    stride *= tile.extent[a];
  }
  return offset;
}

// Chunk c of row r is at place c ^ r: written as PTX's tables have it, not as bits of an address.
int in_shared(const TileCase& tile, int byte) {
  if (tile.swizzle == 0) return byte;
  const int line = byte / 128, in_line = byte % 128;
  const int n_chunks = tile.swizzle / 16, chunk = in_line / 16;
  return line * 128 + (chunk / n_chunks * n_chunks + (chunk % n_chunks ^ line % n_chunks)) * 16 + byte % 16;
}

/// Moves tiles there and back.
void check_tiles(const Stream& on, const CopyWrappers& copies, const std::vector<TileCase>& cases) {
  for (const TileCase& tile : cases) {
    SCOPED_TRACE("rank " + std::to_string(tile.rank) + ", swizzle " + std::to_string(tile.swizzle));
    const auto size = static_cast<std::size_t>(tile.element_bytes);
    std::size_t n = size, tile_bytes = size;
    for (std::size_t a = 0; a < static_cast<std::size_t>(tile.rank); ++a) {
      n *= static_cast<std::size_t>(tile.extent[a]);
      tile_bytes *= static_cast<std::size_t>(tile.tile[a]);
    }
    const auto x = PtxWrappers::counted<unsigned char>(n);
    const Buffer<unsigned char> in(on, std::span<const unsigned char>(x));
    Buffer<unsigned char> out(on, std::span<const unsigned char>(std::vector<unsigned char>(n, 0xee)));
    Buffer<unsigned char> raw(on, static_cast<std::int64_t>(tile_bytes));
    ASSERT_NO_THROW({
      copies.tma_tile(on, tile, in.data(), raw.data(), out.data());
      on.synchronize();
    });
    const auto loaded = PtxWrappers::read(raw), stored = PtxWrappers::read(out);
    std::vector<unsigned char> expected(n, 0xee);
    for_tile(tile, [&](int i, const std::array<int, 5>& at) {
      const std::int64_t from = place(tile, tile.from, at), to = place(tile, tile.to, at);
      for (std::size_t b = 0; b < size; ++b) {
        const unsigned char value = from < 0 ? 0 : x[static_cast<std::size_t>(from) * size + b];
        const int where = in_shared(tile, i * tile.element_bytes + static_cast<int>(b));
        ASSERT_EQ(loaded[static_cast<std::size_t>(where)], value) << "element " << i;
        if (to >= 0) expected[static_cast<std::size_t>(to) * size + b] = value;
      }
    });
    EXPECT_EQ(stored, expected);
  }
}

TEST_P(PtxWrappers, tma_tiles_of_rank_1) {
  check_tiles(stream(), copies(), {{1, 8, {100}, {32}, {10}, {68}, 0}, {1, 8, {100}, {32}, {-4}, {84}, 0}});
}

TEST_P(PtxWrappers, tma_tiles_of_rank_2) {
  check_tiles(stream(), copies(),
              {{2, 4, {40, 17}, {20, 6}, {4, 5}, {20, 11}, 0}, {2, 4, {40, 17}, {20, 6}, {-8, 14}, {28, 14}, 0}});
}

// Such a tile ends a GPU's context.
TEST_P(PtxWrappers, tma_tiles_that_a_gpu_stops_at) {
  if (!on_executor()) GTEST_SKIP() << "the executor knows what a GPU does";
  const auto complaint = [&](const TileCase& tile) {
    const Stream on = stream();
    const Buffer<float> in(on, 40 * 17);
    Buffer<float> out(on, 40 * 17);
    Buffer<unsigned char> raw(on, 4 * 20 * 6);
    try {
      copies().tma_tile(on, tile, in.data(), raw.data(), out.data());
    } catch (const Error&) {
    }
    return core::backend(Device::simt).take_complaints().value_or("");
  };
  const auto has = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {3, 5}, {20, 11}, 0}), "multiple of 16 bytes of its row"));
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {4, 5}, {21, 11}, 0}), "multiple of 16 bytes of its row"));
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {4, 5}, {20, -2}, 0}), "may not begin before it"));
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {4, 5}, {-8, 2}, 0}), "may not begin before it"));
}

TEST_P(PtxWrappers, tma_tiles_with_a_swizzle_of_32) {
  check_tiles(stream(), copies(), {{2, 4, {40, 17}, {8, 11}, {4, 5}, {20, 3}, 32}});
}

TEST_P(PtxWrappers, tma_tiles_with_a_swizzle_of_64) {
  check_tiles(stream(), copies(), {{2, 4, {40, 17}, {16, 9}, {4, 5}, {28, 12}, 64}});
}

TEST_P(PtxWrappers, tma_tiles_with_a_swizzle_of_128) {
  check_tiles(
      stream(), copies(),
      {{2, 4, {40, 40}, {32, 30}, {4, 5}, {8, 12}, 128}, {3, 2, {72, 9, 7}, {64, 4, 3}, {8, 2, 5}, {8, 5, 4}, 128}});
}

TEST_P(PtxWrappers, tma_tiles_of_rank_3_to_5) {
  check_tiles(stream(), copies(),
              {{3, 2, {24, 9, 7}, {16, 4, 3}, {8, 2, 5}, {0, 5, 4}, 0},
               {4, 1, {48, 5, 4, 3}, {32, 3, 2, 2}, {16, 1, 2, 1}, {16, 2, 1, 2}, 0},
               {5, 4, {8, 3, 4, 2, 3}, {4, 2, 3, 2, 2}, {4, 1, 1, 0, 1}, {4, 2, 2, 1, 2}, 0}});
}

TEST_P(PtxWrappers, tma_tiles_that_hardware_cannot_have) {
  const Stream on = stream();
  Buffer<unsigned char> memory(on, 4096);
  const auto refused = [&](const TileCase& tile, const void* in) {
    try {
      copies().tma_tile(on, tile, in, memory.data(), memory.data());
    } catch (const Error& error) {
      return error.code() == ErrorCode::unsupported;
    }
    return false;
  };
  EXPECT_TRUE(refused({2, 4, {40, 17}, {20, 6}, {}, {}, 0}, memory.data() + 4));
  EXPECT_TRUE(refused({2, 4, {41, 17}, {20, 6}, {}, {}, 0}, memory.data()));
  EXPECT_TRUE(refused({2, 4, {40, 17}, {18, 6}, {}, {}, 0}, memory.data()));
  EXPECT_TRUE(refused({2, 4, {40, 17}, {20, 6}, {}, {}, 64}, memory.data()));
  EXPECT_TRUE(refused({2, 4, {40, 400}, {4, 257}, {}, {}, 0}, memory.data()));
}

TEST_P(PtxWrappers, bulk_copies) {
  const Stream on = stream();
  const auto x = counted<unsigned char>(8192);
  const Buffer<unsigned char> in(on, std::span<const unsigned char>(x));
  for (const int bytes : {16, 4112, 8192}) {
    Buffer<unsigned char> out(on, bytes);
    copies().bulk_copy(on, bytes, in.data(), out.data());
    EXPECT_EQ(read(out), std::vector<unsigned char>(x.begin(), x.begin() + bytes));
  }
}

TEST_P(PtxWrappers, mbarriers) {
  const Stream on = stream();
  for (const int n_tiles : {1, 3, 11}) {
    const auto x = counted<float>(static_cast<std::size_t>(n_tiles) * 256);
    const Buffer<float> in(on, std::span<const float>(x));
    Buffer<float> out(on, 256);
    copies().mbarrier_ring(on, n_tiles, in.data(), out.data());
    const auto result = read(out);
    for (std::size_t i = 0; i < 256; ++i) {
      float sum = 0;
      for (std::size_t tile = 0; tile < static_cast<std::size_t>(n_tiles); ++tile) sum += x[tile * 256 + i];
      ASSERT_EQ(result[i], sum) << i;
    }
  }
}

/// Numbers that all types hold, and float their sums, exactly, as the type's bits.
struct Matrix {
  std::vector<float> values;
  std::vector<std::uint16_t> half_bits, bfloat16_bits;
  std::vector<std::uint8_t> e4m3_bits;  // of e5m2 the bits are the upper ones of half

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

TEST_P(PtxWrappers, products_of_matrices) {
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

TEST_P(PtxWrappers, products_of_warpgroups) {
  const Stream on = stream();
  std::vector<WgmmaCase> cases;
  for (const int swizzle : {0, 32, 64, 128}) {
    const int width = swizzle == 0 ? 32 : swizzle;  // bytes of k: without a swizzle two pieces, for one product
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

TEST_P(PtxWrappers, matrices_between_shared_memory_and_registers) {
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

TEST_P(PtxWrappers, acquire_and_release) {
  const Stream on = stream();
  constexpr int n_blocks = 6;
  const auto x = counted<float>(n_blocks * 64);
  const Buffer<float> in(on, std::span<const float>(x));
  Buffer<float> work(on, n_blocks * 64), out(on, n_blocks * 64);
  Buffer<int> flags(on, std::span<const int>(std::vector<int>(n_blocks, 0)));
  orders().chain(on, n_blocks, in.data(), work.data(), flags.data(), out.data());
  const auto result = read(out);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(result[i], 3 * x[i]) << i;
}

TEST_P(PtxWrappers, cache_hints) {
  const Stream on = stream();
  const auto x = counted<unsigned>(11 * 256);
  const Buffer<unsigned> in(on, std::span<const unsigned>(x));
  Buffer<unsigned> out(on, 11 * 256);
  orders().hints(on, in.data(), out.data());
  EXPECT_EQ(read(out), x);
}

TEST_P(PtxWrappers, clusters) {
  const Stream on = stream();
  Buffer<int> out(on, 8);
  orders().clusters(on, out.data());
  EXPECT_EQ(read(out), (std::vector<int>{100, 201, 302, 3, 100, 201, 302, 3}));
}

TEST_P(PtxWrappers, tiles_for_all_blocks_of_a_cluster) {
  const Stream on = stream();
  for (const int n_tiles : {1, 4, 11}) {
    const auto x = counted<float>(static_cast<std::size_t>(n_tiles) * 256);
    const Buffer<float> in(on, std::span<const float>(x));
    for (const bool bulk : {false, true}) {
      Buffer<float> out(on, 4 * 256);
      clusters().multicast(on, bulk, n_tiles, in.data(), out.data());
      const auto result = read(out);
      for (std::size_t i = 0; i < result.size(); ++i) {
        float sum = 10.f * static_cast<float>(i / 256);
        for (std::size_t tile = 0; tile < static_cast<std::size_t>(n_tiles); ++tile) sum += x[tile * 256 + i % 256];
        ASSERT_EQ(result[i], sum) << i << ", " << n_tiles << " tiles, " << (bulk ? "in bulk" : "by TMA");
      }
    }
  }
}

TEST_P(PtxWrappers, stores_to_other_blocks_of_a_cluster) {
  const Stream on = stream();
  Buffer<float> out(on, 4 * 256);
  clusters().stores(on, out.data());
  const auto result = read(out);
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], static_cast<float>(1000 * ((i / 256 + 3) % 4) + i % 256)) << i;
}

TEST_P(PtxWrappers, copies_that_arrive_at_an_mbarrier) {
  const Stream on = stream();
  const auto x = counted<float>(256);
  const Buffer<float> in(on, std::span<const float>(x));
  for (const bool extra : {false, true}) {
    Buffer<float> out(on, 256);
    copies().copies_that_arrive(on, extra, in.data(), out.data());
    const auto result = read(out);
    for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(result[i], x[i] + x[255 - i]) << i << (extra ? ", extra" : "");
  }
}

TEST_P(PtxWrappers, one_lane_is_elected) {
  const Stream on = stream();
  Buffer<int> out(on, std::span<const int>(std::vector<int>(3, 0)));
  orders().elect(on, 3, out.data());
  EXPECT_EQ(read(out), std::vector<int>(3, 1));
}

TEST_P(PtxWrappers, policies_are_chosen_by_capability) {
  for (const auto& [capability, expected] : {std::pair{80, 80}, {86, 80}, {89, 80}, {90, 90}, {100, 100}, {120, 100}})
    EXPECT_EQ(orders().policy(capability), expected) << capability;
  EXPECT_THROW(orders().policy(75), Error);
}

std::string device_name(const testing::TestParamInfo<Device>& info) { return std::string(name(info.param)); }
INSTANTIATE_TEST_SUITE_P(on_simt, PtxWrappers, testing::Values(Device::simt), device_name);
#ifdef RAFTER_WITH_CUDA
INSTANTIATE_TEST_SUITE_P(on_gpu, PtxWrappers, testing::Values(Device::cuda), device_name);
#endif

}  // namespace
}  // namespace rafter::test
