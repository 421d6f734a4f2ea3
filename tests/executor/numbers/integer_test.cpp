// Integer intrinsics compared with bit-by-bit models, on random and on edge values.
#include "rafter_simt/numbers/integer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

std::vector<std::uint64_t> words() {
  std::vector<std::uint64_t> all = {0,
                                    1,
                                    2,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x80808080,
                                    0x7f7f7f7f,
                                    0x00ff00ff,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    ~0ull,
                                    0x8000800080008000};
  std::mt19937_64 random(1);
  for (int i = 0; i < 60; ++i) all.push_back(random());
  return all;
}

TEST(Integer, CountsBits) {
  for (const std::uint64_t x : words()) {
    int ones = 0, last = -1, first = -1;
    std::uint64_t mirrored = 0;
    for (int i = 0; i < 64; ++i) {
      if (!(x >> i & 1)) continue;
      ++ones;
      last = i;
      if (first < 0) first = i;
      mirrored |= 1ull << (63 - i);
    }
    EXPECT_EQ(__popcll(x), ones);
    EXPECT_EQ(__clzll(static_cast<long long>(x)), 63 - last);
    EXPECT_EQ(__ffsll(static_cast<long long>(x)), first + 1);
    EXPECT_EQ(__brevll(x), mirrored);
    const auto low = static_cast<unsigned>(x);
    EXPECT_EQ(__popc(low), __popcll(low));
    EXPECT_EQ(__clz(static_cast<int>(low)), __clzll(low) - 32);
    EXPECT_EQ(__ffs(static_cast<int>(low)), __ffsll(low));
    EXPECT_EQ(__brev(low), __brevll(low) >> 32);
  }
}

TEST(Integer, FunnelShifts) {
  for (const std::uint64_t x : words()) {
    const auto lo = static_cast<unsigned>(x), hi = static_cast<unsigned>(x >> 32);
    for (unsigned shift = 0; shift < 70; ++shift) {
      const unsigned wrapped = shift % 32, clamped = std::min(shift, 32u);
      EXPECT_EQ(__funnelshift_l(lo, hi, shift), static_cast<unsigned>(x << wrapped >> 32));
      EXPECT_EQ(__funnelshift_r(lo, hi, shift), static_cast<unsigned>(x >> wrapped));
      EXPECT_EQ(__funnelshift_lc(lo, hi, shift), clamped == 32 ? lo : static_cast<unsigned>(x << clamped >> 32));
      EXPECT_EQ(__funnelshift_rc(lo, hi, shift), static_cast<unsigned>(x >> clamped));
    }
  }
}

TEST(Integer, ProductsAndAverages) {
  const std::vector<std::uint64_t> all = words();
  for (const std::uint64_t x : all) {
    for (const std::uint64_t y : all) {
      const int a = static_cast<int>(x), b = static_cast<int>(y);
      const auto ua = static_cast<unsigned>(x), ub = static_cast<unsigned>(y);
      EXPECT_EQ(__mulhi(a, b), static_cast<int>(static_cast<std::int64_t>(a) * b >> 32));
      EXPECT_EQ(__umulhi(ua, ub), static_cast<unsigned>(static_cast<std::uint64_t>(ua) * ub >> 32));
      const auto product = static_cast<unsigned __int128>(x) * y;
      EXPECT_EQ(__umul64hi(x, y), static_cast<std::uint64_t>(product >> 64));
      const auto signed_product = static_cast<__int128>(static_cast<std::int64_t>(x)) * static_cast<std::int64_t>(y);
      EXPECT_EQ(__mul64hi(static_cast<long long>(x), static_cast<long long>(y)),
                static_cast<std::int64_t>(signed_product >> 64));
      EXPECT_EQ(__hadd(a, b), (static_cast<std::int64_t>(a) + b) >> 1);
      EXPECT_EQ(__rhadd(a, b), (static_cast<std::int64_t>(a) + b + 1) >> 1);
      EXPECT_EQ(__uhadd(ua, ub), (static_cast<std::uint64_t>(ua) + ub) >> 1);
      EXPECT_EQ(__usad(ua, ub, 7), static_cast<unsigned>(ua > ub ? ua - ub : ub - ua) + 7);
      EXPECT_EQ(__sad(a, b, 7), static_cast<unsigned>(std::abs(static_cast<std::int64_t>(a) - b) + 7));
      EXPECT_EQ(__umul24(ua, ub), (ua & 0xffffff) * (ub & 0xffffff));
    }
  }
  EXPECT_EQ(__mul24(0x00ffffff, 3), -3);
  EXPECT_EQ(__mul24(0x7f000002, 0x11000003), 6);
}

TEST(Integer, PermutesBytes) {
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x3210), 0x33221100u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7654), 0x77665544u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x0123), 0x00112233u);
  EXPECT_EQ(__byte_perm(0x3322ff00, 0x77665544, 0xffff4321), 0x443322ffu);
  EXPECT_EQ(__byte_perm(0x33228011, 0, 0x9889), 0x80111180u);  // bit 3 of a selector is ignored
}

TEST(Integer, DotProducts) {
  EXPECT_EQ(__dp4a(static_cast<int>(0xff020304), 0x01010102, 10), -1 + 2 + 3 + 8 + 10);
  EXPECT_EQ(__dp4a(0xff020304u, 0x01010102u, 10u), 255u + 2 + 3 + 8 + 10);
  EXPECT_EQ(__dp4a(char4{1, -2, 3, 4}, char4{5, 6, 7, -8}, 0), 5 - 12 + 21 - 32);
  EXPECT_EQ(__dp2a_lo(short2{1000, -2}, char4{1, 2, 3, 4}, 5), 1000 - 4 + 5);
  EXPECT_EQ(__dp2a_hi(short2{1000, -2}, char4{1, 2, 3, 4}, 5), 3000 - 8 + 5);
  EXPECT_EQ(__dp2a_hi(0x0001ffffu, 0x0201ffffu, 0u), 65535u + 2u);
}

struct Case {
  unsigned (*of_two)(unsigned, unsigned);
  bool is_signed;
  int n_parts;
  int (*model)(int, int);
};

// Both widths of a SIMD operation. The model computes on the values of a part, at unlimited width.
#define CASES(NAME, IS_SIGNED, MODEL) \
  Case{NAME##2, IS_SIGNED, 2, MODEL}, Case { NAME##4, IS_SIGNED, 4, MODEL }

TEST(Integer, SimdOperationsMatchTheModel) {
  const Case cases[] = {
      CASES(__vadd, false, [](int x, int y) { return x + y; }),
      CASES(__vsub, false, [](int x, int y) { return x - y; }),
      CASES(__vmaxs, true, [](int x, int y) { return std::max(x, y); }),
      CASES(__vmaxu, false, [](int x, int y) { return std::max(x, y); }),
      CASES(__vmins, true, [](int x, int y) { return std::min(x, y); }),
      CASES(__vminu, false, [](int x, int y) { return std::min(x, y); }),
      CASES(__vabsdiffs, true, [](int x, int y) { return std::abs(x - y); }),
      CASES(__vabsdiffu, false, [](int x, int y) { return std::abs(x - y); }),
      CASES(__vavgu, false, [](int x, int y) { return (x + y + 1) / 2; }),
      CASES(__vhaddu, false, [](int x, int y) { return (x + y) / 2; }),
      CASES(__vcmpeq, false, [](int x, int y) { return x == y ? -1 : 0; }),
      CASES(__vcmpgts, true, [](int x, int y) { return x > y ? -1 : 0; }),
      CASES(__vcmpgtu, false, [](int x, int y) { return x > y ? -1 : 0; }),
      CASES(__vcmples, true, [](int x, int y) { return x <= y ? -1 : 0; }),
      CASES(__vsetltu, false, [](int x, int y) { return x < y ? 1 : 0; }),
      CASES(__vsetges, true, [](int x, int y) { return x >= y ? 1 : 0; }),
  };
  for (const Case& c : cases) {
    const int width = 32 / c.n_parts;
    for (const std::uint64_t a : words()) {
      for (const std::uint64_t b : words()) {
        unsigned expected = 0;
        for (int i = 0; i < c.n_parts; ++i) {
          const int mask = (1 << width) - 1;
          int x = static_cast<int>(a >> width * i) & mask, y = static_cast<int>(b >> width * i) & mask;
          if (c.is_signed && x >> (width - 1)) x -= 1 << width;
          if (c.is_signed && y >> (width - 1)) y -= 1 << width;
          expected |= static_cast<unsigned>(c.model(x, y) & mask) << width * i;
        }
        ASSERT_EQ(c.of_two(static_cast<unsigned>(a), static_cast<unsigned>(b)), expected) << &c - cases;
      }
    }
  }
}

TEST(Integer, SimdOperationsSaturate) {
  EXPECT_EQ(__vaddss4(0x7f80ff01, 0x0180ff02), 0x7f80fe03u);
  EXPECT_EQ(__vaddus4(0xff800001, 0x01900102), 0xffff0103u);
  EXPECT_EQ(__vsubus2(0x0001ffff, 0x0002fffe), 0x00000001u);
  EXPECT_EQ(__vsubss2(0x80007fff, 0x0001ffff), 0x80007fffu);
  EXPECT_EQ(__vabs4(0x80ff017f), 0x8001017fu);
  EXPECT_EQ(__vabsss4(0x80ff017f), 0x7f01017fu);
  EXPECT_EQ(__vneg2(0x80000001), 0x8000ffffu);
  EXPECT_EQ(__vnegss2(0x80000001), 0x7fffffffu);
  EXPECT_EQ(__vsadu4(0xff000102, 0x01000301), 254u + 0 + 2 + 1);
  EXPECT_EQ(__vsads2(0x8000ffff, 0x7fff0001), 65535u + 2);
}

TEST(Integer, FusedMinMax) {
  EXPECT_EQ(__vimax3_s32(-1, -5, -3), -1);
  EXPECT_EQ(__vimin3_u32(4, 2, 3), 2u);
  EXPECT_EQ(__vimax_s32_relu(-1, -5), 0);
  EXPECT_EQ(__viaddmax_s32(2, 3, 4), 5);
  EXPECT_EQ(__viaddmin_s16x2_relu(0x0001ffff, 0x00010001, 0x00050005), 0x00020000u);
  bool first = false, high = false, low = true;
  EXPECT_EQ(__vibmax_s32(7, -7, &first), 7);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmin_u16x2(0x00010005, 0x00020004, &high, &low), 0x00010004u);
  EXPECT_TRUE(high);
  EXPECT_FALSE(low);
}

}  // namespace
