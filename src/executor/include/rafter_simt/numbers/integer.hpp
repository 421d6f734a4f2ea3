// Integer intrinsics: bit counts, shifts over two words, high products, averages, dot products.
#pragma once

#include "rafter_simt/numbers/conversions.hpp"
#include "rafter_simt/numbers/simd_in_word.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

constexpr int __popc(unsigned int x) { return __builtin_popcount(x); }
constexpr int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
constexpr int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
constexpr int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
constexpr int __ffs(int x) { return __builtin_ffs(x); }
constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }

constexpr unsigned int __brev(unsigned int x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
constexpr unsigned long long __brevll(unsigned long long x) {
  const unsigned long long low = __brev(static_cast<unsigned int>(x));
  return low << 32 | __brev(static_cast<unsigned int>(x >> 32));
}

constexpr unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
constexpr unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
constexpr unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

/// Selects four of the eight bytes y:x by the low three bits of the selector's four digits.
constexpr unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int byte = static_cast<unsigned int>(bytes >> 8 * (s >> 4 * i & 7)) & 0xff;
    result |= byte << 8 * i;
  }
  return result;
}

constexpr unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31) >> 32);
}
constexpr unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31));
}
constexpr unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
constexpr unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

constexpr int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
constexpr unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32);
}
constexpr long long __mul64hi(long long x, long long y) {
  __extension__ using Wide = __int128;
  return static_cast<long long>(static_cast<Wide>(x) * y >> 64);
}
constexpr unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>(static_cast<Wide>(x) * y >> 64);
}
constexpr unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
constexpr int __mul24(int x, int y) {
  const int a = static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8;
  const int b = static_cast<int>(static_cast<unsigned int>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned int>(a) * static_cast<unsigned int>(b));
}

constexpr unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
constexpr unsigned int __sad(int x, int y, unsigned int z) {
  const unsigned int a = static_cast<unsigned int>(x), b = static_cast<unsigned int>(y);
  return (x > y ? a - b : b - a) + z;
}
constexpr int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
constexpr int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
constexpr unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
constexpr unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

namespace rafter_simt {

/// Returns c plus the sum over N of (A number i of a) * (B number i + first of b), parts of words, with wrap-around.
template <class A, class B, int N>
constexpr unsigned int dot(unsigned int a, unsigned int b, unsigned int c, int first = 0) {
  for (int i = 0; i < N; ++i) {
    const A x = static_cast<A>(a >> 8 * static_cast<int>(sizeof(A)) * i);
    const B y = static_cast<B>(b >> 8 * static_cast<int>(sizeof(B)) * (i + first));
    c += static_cast<unsigned int>(x * y);
  }
  return c;
}

}  // namespace rafter_simt

// Defines each dot product on words and on CUDA's vectors, signed and unsigned.
#define RAFTER_SIMT_DOT(NAME, A, B, N, FIRST, WORD, VECTOR_A, VECTOR_B)                             \
  constexpr WORD NAME(WORD a, WORD b, WORD c) {                                                     \
    const unsigned int x = static_cast<unsigned int>(a), y = static_cast<unsigned int>(b);          \
    return static_cast<WORD>(rafter_simt::dot<A, B, N>(x, y, static_cast<unsigned int>(c), FIRST)); \
  }                                                                                                 \
  constexpr WORD NAME(VECTOR_A a, VECTOR_B b, WORD c) {                                             \
    return NAME(rafter_simt::bits_as<WORD>(a), rafter_simt::bits_as<WORD>(b), c);                   \
  }
RAFTER_SIMT_DOT(__dp4a, signed char, signed char, 4, 0, int, char4, char4)
RAFTER_SIMT_DOT(__dp4a, unsigned char, unsigned char, 4, 0, unsigned int, uchar4, uchar4)
RAFTER_SIMT_DOT(__dp2a_lo, short, signed char, 2, 0, int, short2, char4)
RAFTER_SIMT_DOT(__dp2a_lo, unsigned short, unsigned char, 2, 0, unsigned int, ushort2, uchar4)
RAFTER_SIMT_DOT(__dp2a_hi, short, signed char, 2, 2, int, short2, char4)
RAFTER_SIMT_DOT(__dp2a_hi, unsigned short, unsigned char, 2, 2, unsigned int, ushort2, uchar4)
#undef RAFTER_SIMT_DOT
