// Arithmetic on the two halves or four bytes of a word (__vadd2, __vmaxu4, ...), and the fused 32-bit min/max.
#pragma once

#include <limits>
#include <type_traits>

namespace rafter_simt {

/// Applies operation(int, int) to each Part of a and b; truncates the result to the part's width.
template <class Part, class Operation>
constexpr unsigned int by_parts(unsigned int a, unsigned int b, Operation operation) {
  constexpr int width = 8 * sizeof(Part);
  unsigned int result = 0;
  for (int shift = 0; shift < 32; shift += width) {
    const int value = operation(static_cast<Part>(a >> shift), static_cast<Part>(b >> shift));
    result |= static_cast<unsigned int>(static_cast<std::make_unsigned_t<Part>>(value)) << shift;
  }
  return result;
}

template <class Part>
constexpr int clamp_to(int value) {
  if (value > std::numeric_limits<Part>::max()) return std::numeric_limits<Part>::max();
  return value < std::numeric_limits<Part>::min() ? std::numeric_limits<Part>::min() : value;
}

template <class Part>
constexpr unsigned int sum_of_differences(unsigned int a, unsigned int b) {
  unsigned int sum = 0;
  for (unsigned int shift = 0; shift < 32; shift += 8 * sizeof(Part)) {
    const int difference = static_cast<Part>(a >> shift) - static_cast<Part>(b >> shift);
    sum += static_cast<unsigned int>(difference < 0 ? -difference : difference);
  }
  return sum;
}

constexpr int least(int x, int y) { return x < y ? x : y; }
constexpr int greatest(int x, int y) { return x > y ? x : y; }

}  // namespace rafter_simt

// Defines one operation in terms of the parts' values x and y, on halves and on bytes.
#define RAFTER_SIMT_PARTS(NAME, SIGN, EXPRESSION)                                             \
  constexpr unsigned int NAME##2(unsigned int a, unsigned int b) {                            \
    using Part [[maybe_unused]] = SIGN short;                                                 \
    return rafter_simt::by_parts<Part>(a, b, [](int x, int y) -> int { return EXPRESSION; }); \
  }                                                                                           \
  constexpr unsigned int NAME##4(unsigned int a, unsigned int b) {                            \
    using Part [[maybe_unused]] = SIGN char;                                                  \
    return rafter_simt::by_parts<Part>(a, b, [](int x, int y) -> int { return EXPRESSION; }); \
  }
#define RAFTER_SIMT_PARTS_OF_ONE(NAME, EXPRESSION)                                          \
  constexpr unsigned int NAME##2(unsigned int a) {                                          \
    using Part [[maybe_unused]] = short;                                                    \
    return rafter_simt::by_parts<Part>(a, 0, [](int x, int) -> int { return EXPRESSION; }); \
  }                                                                                         \
  constexpr unsigned int NAME##4(unsigned int a) {                                          \
    using Part [[maybe_unused]] = signed char;                                              \
    return rafter_simt::by_parts<Part>(a, 0, [](int x, int) -> int { return EXPRESSION; }); \
  }
// A comparison gives all ones (__vcmp) or one (__vset) where it is true.
#define RAFTER_SIMT_COMPARISON(NAME, SIGN, OPERATOR)             \
  RAFTER_SIMT_PARTS(__vcmp##NAME, SIGN, (x OPERATOR y) ? -1 : 0) \
  RAFTER_SIMT_PARTS(__vset##NAME, SIGN, (x OPERATOR y) ? 1 : 0)

RAFTER_SIMT_PARTS(__vadd, unsigned, x + y)
RAFTER_SIMT_PARTS(__vaddss, signed, rafter_simt::clamp_to<Part>(x + y))
RAFTER_SIMT_PARTS(__vaddus, unsigned, rafter_simt::clamp_to<Part>(x + y))
RAFTER_SIMT_PARTS(__vsub, unsigned, x - y)
RAFTER_SIMT_PARTS(__vsubss, signed, rafter_simt::clamp_to<Part>(x - y))
RAFTER_SIMT_PARTS(__vsubus, unsigned, rafter_simt::clamp_to<Part>(x - y))
RAFTER_SIMT_PARTS(__vavgs, signed, (x + y + (x + y >= 0)) >> 1)
RAFTER_SIMT_PARTS(__vavgu, unsigned, (x + y + 1) >> 1)
RAFTER_SIMT_PARTS(__vhaddu, unsigned, (x + y) >> 1)
RAFTER_SIMT_PARTS(__vmaxs, signed, rafter_simt::greatest(x, y))
RAFTER_SIMT_PARTS(__vmaxu, unsigned, rafter_simt::greatest(x, y))
RAFTER_SIMT_PARTS(__vmins, signed, rafter_simt::least(x, y))
RAFTER_SIMT_PARTS(__vminu, unsigned, rafter_simt::least(x, y))
RAFTER_SIMT_PARTS(__vabsdiffs, signed, x > y ? x - y : y - x)
RAFTER_SIMT_PARTS(__vabsdiffu, unsigned, x > y ? x - y : y - x)
RAFTER_SIMT_PARTS_OF_ONE(__vabs, x < 0 ? -x : x)
RAFTER_SIMT_PARTS_OF_ONE(__vabsss, rafter_simt::clamp_to<Part>(x < 0 ? -x : x))
RAFTER_SIMT_PARTS_OF_ONE(__vneg, -x)
RAFTER_SIMT_PARTS_OF_ONE(__vnegss, rafter_simt::clamp_to<Part>(-x))
RAFTER_SIMT_COMPARISON(eq, unsigned, ==)
RAFTER_SIMT_COMPARISON(ne, unsigned, !=)
RAFTER_SIMT_COMPARISON(ges, signed, >=)
RAFTER_SIMT_COMPARISON(geu, unsigned, >=)
RAFTER_SIMT_COMPARISON(gts, signed, >)
RAFTER_SIMT_COMPARISON(gtu, unsigned, >)
RAFTER_SIMT_COMPARISON(les, signed, <=)
RAFTER_SIMT_COMPARISON(leu, unsigned, <=)
RAFTER_SIMT_COMPARISON(lts, signed, <)
RAFTER_SIMT_COMPARISON(ltu, unsigned, <)
#undef RAFTER_SIMT_COMPARISON
#undef RAFTER_SIMT_PARTS_OF_ONE
#undef RAFTER_SIMT_PARTS

constexpr unsigned int __vsads2(unsigned int a, unsigned int b) { return rafter_simt::sum_of_differences<short>(a, b); }
constexpr unsigned int __vsadu2(unsigned int a, unsigned int b) {
  return rafter_simt::sum_of_differences<unsigned short>(a, b);
}
constexpr unsigned int __vsads4(unsigned int a, unsigned int b) {
  return rafter_simt::sum_of_differences<signed char>(a, b);
}
constexpr unsigned int __vsadu4(unsigned int a, unsigned int b) {
  return rafter_simt::sum_of_differences<unsigned char>(a, b);
}

// The fused min/max of compute capability 9: of three operands, after an add, with zero, with a flag for the selected
// operand.
#define RAFTER_SIMT_FUSED(SIDE, LESS)                                                                              \
  constexpr int __vi##SIDE##_s32_relu(int a, int b) {                                                              \
    const int best = a LESS b ? a : b;                                                                             \
    return best > 0 ? best : 0;                                                                                    \
  }                                                                                                                \
  constexpr unsigned int __vi##SIDE##_s16x2_relu(unsigned int a, unsigned int b) {                                 \
    return __vmaxs2(__v##SIDE##s2(a, b), 0);                                                                       \
  }                                                                                                                \
  constexpr int __vi##SIDE##3_s32(int a, int b, int c) {                                                           \
    const int best = a LESS b ? a : b;                                                                             \
    return best LESS c ? best : c;                                                                                 \
  }                                                                                                                \
  constexpr unsigned int __vi##SIDE##3_u32(unsigned int a, unsigned int b, unsigned int c) {                       \
    const unsigned int best = a LESS b ? a : b;                                                                    \
    return best LESS c ? best : c;                                                                                 \
  }                                                                                                                \
  constexpr unsigned int __vi##SIDE##3_s16x2(unsigned int a, unsigned int b, unsigned int c) {                     \
    return __v##SIDE##s2(__v##SIDE##s2(a, b), c);                                                                  \
  }                                                                                                                \
  constexpr unsigned int __vi##SIDE##3_u16x2(unsigned int a, unsigned int b, unsigned int c) {                     \
    return __v##SIDE##u2(__v##SIDE##u2(a, b), c);                                                                  \
  }                                                                                                                \
  constexpr int __vi##SIDE##3_s32_relu(int a, int b, int c) { return __vi##SIDE##_s32_relu(a LESS b ? a : b, c); } \
  constexpr unsigned int __vi##SIDE##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                \
    return __vmaxs2(__vi##SIDE##3_s16x2(a, b, c), 0);                                                              \
  }                                                                                                                \
  constexpr unsigned int __viadd##SIDE##_u32(unsigned int a, unsigned int b, unsigned int c) {                     \
    return a + b LESS c ? a + b : c;                                                                               \
  }                                                                                                                \
  constexpr int __viadd##SIDE##_s32(int a, int b, int c) {                                                         \
    const int sum = static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));                 \
    return sum LESS c ? sum : c;                                                                                   \
  }                                                                                                                \
  constexpr int __viadd##SIDE##_s32_relu(int a, int b, int c) {                                                    \
    const int best = __viadd##SIDE##_s32(a, b, c);                                                                 \
    return best > 0 ? best : 0;                                                                                    \
  }                                                                                                                \
  constexpr unsigned int __viadd##SIDE##_u16x2(unsigned int a, unsigned int b, unsigned int c) {                   \
    return __v##SIDE##u2(__vadd2(a, b), c);                                                                        \
  }                                                                                                                \
  constexpr unsigned int __viadd##SIDE##_s16x2(unsigned int a, unsigned int b, unsigned int c) {                   \
    return __v##SIDE##s2(__vadd2(a, b), c);                                                                        \
  }                                                                                                                \
  constexpr unsigned int __viadd##SIDE##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {              \
    return __vmaxs2(__viadd##SIDE##_s16x2(a, b, c), 0);                                                            \
  }                                                                                                                \
  constexpr int __vib##SIDE##_s32(int a, int b, bool* pred) {                                                      \
    *pred = !(b LESS a);                                                                                           \
    return *pred ? a : b;                                                                                          \
  }                                                                                                                \
  constexpr unsigned int __vib##SIDE##_u32(unsigned int a, unsigned int b, bool* pred) {                           \
    *pred = !(b LESS a);                                                                                           \
    return *pred ? a : b;                                                                                          \
  }                                                                                                                \
  constexpr unsigned int __vib##SIDE##_s16x2(unsigned int a, unsigned int b, bool* pred_hi, bool* pred_lo) {       \
    *pred_hi = !(static_cast<short>(b >> 16) LESS static_cast<short>(a >> 16));                                    \
    *pred_lo = !(static_cast<short>(b) LESS static_cast<short>(a));                                                \
    return __v##SIDE##s2(a, b);                                                                                    \
  }                                                                                                                \
  constexpr unsigned int __vib##SIDE##_u16x2(unsigned int a, unsigned int b, bool* pred_hi, bool* pred_lo) {       \
    *pred_hi = !(b >> 16 LESS(a >> 16));                                                                           \
    *pred_lo = !((b & 0xffff) LESS(a & 0xffff));                                                                   \
    return __v##SIDE##u2(a, b);                                                                                    \
  }
RAFTER_SIMT_FUSED(min, <)
RAFTER_SIMT_FUSED(max, >)
#undef RAFTER_SIMT_FUSED
