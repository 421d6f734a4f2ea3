// Asynchronous copies: cp.async, TMA and bulk copies, and the mbarriers that they complete on.
#include <array>
#include <numeric>

#include "wrappers_fixture.hpp"

namespace rafter::test {
namespace {

TEST_P(PtxWrappers, CopyAsync) {
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

/// Calls f(index in the tile, coordinates) for each element of a tile, x fastest.
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

/// Returns the element's index in the array, or -1 outside of it.
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

// Chunk c of row r is stored at position c ^ r: computed as in PTX's tables, not from address bits.
int in_shared(const TileCase& tile, int byte) {
  if (tile.swizzle == 0) return byte;
  const int line = byte / 128, in_line = byte % 128;
  const int n_chunks = tile.swizzle / 16, chunk = in_line / 16;
  return line * 128 + (chunk / n_chunks * n_chunks + (chunk % n_chunks ^ line % n_chunks)) * 16 + byte % 16;
}

/// Loads and stores tiles and checks the results.
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

TEST_P(PtxWrappers, CopyTmaTilesOfRank1) {
  check_tiles(stream(), copies(), {{1, 8, {100}, {32}, {10}, {68}, 0}, {1, 8, {100}, {32}, {-4}, {84}, 0}});
}

TEST_P(PtxWrappers, CopyTmaTilesOfRank2) {
  check_tiles(stream(), copies(),
              {{2, 4, {40, 17}, {20, 6}, {4, 5}, {20, 11}, 0}, {2, 4, {40, 17}, {20, 6}, {-8, 14}, {28, 14}, 0}});
}

// On a GPU such a tile destroys the context.
TEST_P(PtxWrappers, ReportTmaTilesThatStopAGpu) {
  if (!on_executor()) GTEST_SKIP() << "only the executor reports these tiles";
  const auto complaint = [&](const TileCase& tile) {
    const Stream on = stream();
    const Buffer<float> in(on, 40 * 17);
    Buffer<float> out(on, 40 * 17);
    Buffer<unsigned char> raw(on, 4 * 20 * 6);
    try {
      copies().tma_tile(on, tile, in.data(), raw.data(), out.data());
    } catch (const Error&) {
    }
    return core::backend(Device::simt).take_findings().value_or("");
  };
  const auto has = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {3, 5}, {20, 11}, 0}), "multiple of 16 bytes of its row"));
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {4, 5}, {21, 11}, 0}), "multiple of 16 bytes of its row"));
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {4, 5}, {20, -2}, 0}), "but not begin before its start"));
  EXPECT_TRUE(has(complaint({2, 4, {40, 17}, {20, 6}, {4, 5}, {-8, 2}, 0}), "but not begin before its start"));
}

TEST_P(PtxWrappers, CopyTmaTilesWithSwizzle32) {
  check_tiles(stream(), copies(), {{2, 4, {40, 17}, {8, 11}, {4, 5}, {20, 3}, 32}});
}

TEST_P(PtxWrappers, CopyTmaTilesWithSwizzle64) {
  check_tiles(stream(), copies(), {{2, 4, {40, 17}, {16, 9}, {4, 5}, {28, 12}, 64}});
}

TEST_P(PtxWrappers, CopyTmaTilesWithSwizzle128) {
  check_tiles(
      stream(), copies(),
      {{2, 4, {40, 40}, {32, 30}, {4, 5}, {8, 12}, 128}, {3, 2, {72, 9, 7}, {64, 4, 3}, {8, 2, 5}, {8, 5, 4}, 128}});
}

TEST_P(PtxWrappers, CopyTmaTilesOfRank3To5) {
  check_tiles(stream(), copies(),
              {{3, 2, {24, 9, 7}, {16, 4, 3}, {8, 2, 5}, {0, 5, 4}, 0},
               {4, 1, {48, 5, 4, 3}, {32, 3, 2, 2}, {16, 1, 2, 1}, {16, 2, 1, 2}, 0},
               {5, 4, {8, 3, 4, 2, 3}, {4, 2, 3, 2, 2}, {4, 1, 1, 0, 1}, {4, 2, 2, 1, 2}, 0}});
}

TEST_P(PtxWrappers, RejectTmaTilesThatHardwareCannotCopy) {
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

TEST_P(PtxWrappers, CopyInBulk) {
  const Stream on = stream();
  const auto x = counted<unsigned char>(8192);
  const Buffer<unsigned char> in(on, std::span<const unsigned char>(x));
  for (const int bytes : {16, 4112, 8192}) {
    Buffer<unsigned char> out(on, bytes);
    copies().bulk_copy(on, bytes, in.data(), out.data());
    EXPECT_EQ(read(out), std::vector<unsigned char>(x.begin(), x.begin() + bytes));
  }
}

TEST_P(PtxWrappers, PassTilesThroughAnMbarrierRing) {
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

TEST_P(PtxWrappers, CopyAsyncArrivesAtAnMbarrier) {
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

}  // namespace
}  // namespace rafter::test
