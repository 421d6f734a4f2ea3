// The implementation of the PTX instructions that the rewriter translates (build/rewrite/ptx/): registers are bits,
// instructions are functions of their type. Loads and stores are ordinary accesses, at the line of the asm statement.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "rafter_simt/async/async.hpp"
#include "rafter_simt/builtins.hpp"
#include "rafter_simt/memory/nv_atomics.hpp"
#include "rafter_simt/numbers/integer.hpp"

#define RAFTER_SIMT_PTX \
  template <class T>    \
  __attribute__((always_inline)) inline

namespace rafter_simt {
namespace ptx {

using Bits = unsigned long long;

template <class T>
__attribute__((always_inline)) inline Bits bits(const T& value) {
  Bits result = 0;
  static_assert(sizeof(T) <= 8, "rafter: operands of inline PTX with more than 64 bits are not supported");
  __builtin_memcpy(&result, &value, sizeof(T));
  return result;
}
RAFTER_SIMT_PTX T from(Bits value) {
  T result;
  __builtin_memcpy(&result, &value, sizeof(T));
  return result;
}
RAFTER_SIMT_PTX void set(T& to, Bits value) { __builtin_memcpy(static_cast<void*>(&to), &value, sizeof(T)); }

inline unsigned laneid() { return rafter_simt_now.linear % 32; }
inline unsigned warpid() { return rafter_simt_now.linear / 32; }

template <class T>
inline constexpr bool is_float = std::is_floating_point<T>::value;
/// The type in which sums and products of T wrap around.
template <class T, bool = is_float<T>>
struct Wraps {
  using type = std::make_unsigned_t<T>;
};
template <class T>
struct Wraps<T, true> {
  using type = T;
};
template <class T>
using Wrapping = typename Wraps<T>::type;
/// The type with twice the width.
template <class T>
using Wide =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed<T>::value, __int128, unsigned __int128>,
                       std::conditional_t<std::is_signed<T>::value, long long, unsigned long long>>;

RAFTER_SIMT_PTX Bits same(Bits a) { return bits(from<T>(a)); }
RAFTER_SIMT_PTX Bits add(Bits a, Bits b) { return bits(static_cast<T>(from<Wrapping<T>>(a) + from<Wrapping<T>>(b))); }
RAFTER_SIMT_PTX Bits sub(Bits a, Bits b) { return bits(static_cast<T>(from<Wrapping<T>>(a) - from<Wrapping<T>>(b))); }
RAFTER_SIMT_PTX Bits mul(Bits a, Bits b) {
  if constexpr (is_float<T>) {
    return bits(from<T>(a) * from<T>(b));
  } else {
    return bits(static_cast<T>(from<Wrapping<T>>(a) * 1ull * from<Wrapping<T>>(b)));
  }
}
RAFTER_SIMT_PTX Bits mul_hi(Bits a, Bits b) {
  return bits(static_cast<T>(static_cast<Wide<T>>(from<T>(a)) * from<T>(b) >> 8 * sizeof(T)));
}
RAFTER_SIMT_PTX Bits mul_wide(Bits a, Bits b) {
  const auto product = static_cast<Wide<T>>(from<T>(a)) * from<T>(b);
  return sizeof(T) == 2 ? bits(static_cast<int>(product)) : static_cast<Bits>(product);
}
RAFTER_SIMT_PTX Bits mul24(Bits a, Bits b) {
  constexpr bool is_signed = std::is_signed<T>::value;
  const auto part = [](Bits v) {
    return is_signed ? (long long)(int)((unsigned)v << 8) >> 8 : (long long)(v & 0xffffff);
  };
  return bits(static_cast<T>(part(a) * part(b)));
}
RAFTER_SIMT_PTX Bits mad(Bits a, Bits b, Bits c) { return add<T>(mul<T>(a, b), c); }
RAFTER_SIMT_PTX Bits mad_hi(Bits a, Bits b, Bits c) { return add<T>(mul_hi<T>(a, b), c); }
RAFTER_SIMT_PTX Bits mad_wide(Bits a, Bits b, Bits c) { return mul_wide<T>(a, b) + c; }
RAFTER_SIMT_PTX Bits fma(Bits a, Bits b, Bits c) { return bits(std::fma(from<T>(a), from<T>(b), from<T>(c))); }
RAFTER_SIMT_PTX Bits div(Bits a, Bits b) {
  if constexpr (!is_float<T>) {
    if (from<T>(b) == 0) return ~Bits(0);
  }
  return bits(static_cast<T>(from<T>(a) / from<T>(b)));
}
RAFTER_SIMT_PTX Bits rem(Bits a, Bits b) {
  return from<T>(b) == 0 ? same<T>(a) : bits(static_cast<T>(from<T>(a) % from<T>(b)));
}
RAFTER_SIMT_PTX Bits min(Bits a, Bits b) {
  if constexpr (is_float<T>) {
    return bits(std::fmin(from<T>(a), from<T>(b)));
  } else {
    return bits(from<T>(b) < from<T>(a) ? from<T>(b) : from<T>(a));
  }
}
RAFTER_SIMT_PTX Bits max(Bits a, Bits b) {
  if constexpr (is_float<T>) {
    return bits(std::fmax(from<T>(a), from<T>(b)));
  } else {
    return bits(from<T>(a) < from<T>(b) ? from<T>(b) : from<T>(a));
  }
}
RAFTER_SIMT_PTX Bits bit_and(Bits a, Bits b) { return same<T>(a & b); }
RAFTER_SIMT_PTX Bits bit_or(Bits a, Bits b) { return same<T>(a | b); }
RAFTER_SIMT_PTX Bits bit_xor(Bits a, Bits b) { return same<T>(a ^ b); }
RAFTER_SIMT_PTX Bits bit_not(Bits a) { return same<T>(std::is_same<T, bool>::value ? a ^ 1 : ~a); }
RAFTER_SIMT_PTX Bits neg(Bits a) { return is_float<T> ? bits(static_cast<T>(-from<T>(a))) : sub<T>(0, a); }
RAFTER_SIMT_PTX Bits abs(Bits a) { return from<T>(a) < T(0) ? neg<T>(a) : bits(static_cast<T>(from<T>(a) + T(0))); }
RAFTER_SIMT_PTX Bits shl(Bits a, Bits n) {
  return static_cast<unsigned>(n) >= 8 * sizeof(T) ? 0 : same<T>(a << static_cast<unsigned>(n));
}
RAFTER_SIMT_PTX Bits shr(Bits a, Bits n) {
  const T value = from<T>(a);
  if (static_cast<unsigned>(n) >= 8 * sizeof(T)) return bits(static_cast<T>(value < T(0) ? -1 : 0));
  return bits(static_cast<T>(value >> static_cast<unsigned>(n)));
}
RAFTER_SIMT_PTX Bits funnel_left(Bits low, Bits high, Bits n) {
  const Bits both = (high & 0xffffffffu) << 32 | (low & 0xffffffffu);
  return both << (n & 31) >> 32;
}
RAFTER_SIMT_PTX Bits funnel_right(Bits low, Bits high, Bits n) {
  const Bits both = (high & 0xffffffffu) << 32 | (low & 0xffffffffu);
  return both >> (n & 31) & 0xffffffffu;
}
RAFTER_SIMT_PTX Bits popc(Bits a) { return static_cast<Bits>(__builtin_popcountll(same<T>(a))); }
RAFTER_SIMT_PTX Bits clz(Bits a) {
  const Bits value = same<T>(a);
  return value == 0 ? 8 * sizeof(T) : static_cast<Bits>(__builtin_clzll(value)) - (64 - 8 * sizeof(T));
}
RAFTER_SIMT_PTX Bits brev(Bits a) { return sizeof(T) == 4 ? ::__brev(static_cast<unsigned>(a)) : ::__brevll(a); }
RAFTER_SIMT_PTX Bits bfind(Bits a) {
  const T value = from<T>(a);
  const Bits looked_for = same<T>(value < T(0) ? ~a : a);
  return looked_for == 0 ? 0xffffffffu : 63 - static_cast<Bits>(__builtin_clzll(looked_for));
}
RAFTER_SIMT_PTX Bits bfe(Bits a, Bits at, Bits length) {
  constexpr unsigned width = 8 * sizeof(T);
  const unsigned pos = at & 0xff, n = length & 0xff;
  const Bits value = same<T>(a);
  const unsigned sign_at = pos + n - 1 < width - 1 ? pos + n - 1 : width - 1;
  const bool is_negative = std::is_signed<T>::value && n > 0 && (value >> sign_at & 1) != 0;
  Bits result = is_negative ? ~Bits(0) : 0;
  for (unsigned i = 0; i < n && i < width; ++i) {
    const bool bit = pos + i < width ? (value >> (pos + i) & 1) != 0 : is_negative;
    result = bit ? result | Bits(1) << i : result & ~(Bits(1) << i);
  }
  return same<T>(result);
}
RAFTER_SIMT_PTX Bits bfi(Bits field, Bits into, Bits at, Bits length) {
  constexpr unsigned width = 8 * sizeof(T);
  const unsigned pos = at & 0xff, n = length & 0xff;
  Bits result = same<T>(into);
  for (unsigned i = 0; i < n && pos + i < width; ++i)
    result = field >> i & 1 ? result | Bits(1) << (pos + i) : result & ~(Bits(1) << (pos + i));
  return result;
}
RAFTER_SIMT_PTX Bits prmt(Bits a, Bits b, Bits select) {
  return ::__byte_perm(static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(select));
}
RAFTER_SIMT_PTX Bits dp4a(Bits a, Bits b, Bits c) { return bits(::__dp4a(from<T>(a), from<T>(b), from<T>(c))); }
RAFTER_SIMT_PTX Bits vabsdiff4_add(Bits a, Bits b, Bits c) {
  return bits(::__vsadu4(from<T>(a), from<T>(b)) + from<T>(c));
}
RAFTER_SIMT_PTX Bits lop3(Bits a, Bits b, Bits c, Bits table) {
  Bits result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((table >> i & 1) == 0) continue;
    result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return result & 0xffffffffu;
}
RAFTER_SIMT_PTX Bits selp(Bits a, Bits b, Bits predicate) { return same<T>(predicate ? a : b); }
RAFTER_SIMT_PTX Bits sqrt(Bits a) { return bits(static_cast<T>(std::sqrt(from<T>(a)))); }
RAFTER_SIMT_PTX Bits rsqrt(Bits a) { return bits(static_cast<T>(1 / std::sqrt(from<T>(a)))); }
RAFTER_SIMT_PTX Bits rcp(Bits a) { return bits(static_cast<T>(1 / from<T>(a))); }
RAFTER_SIMT_PTX Bits ex2(Bits a) { return bits(static_cast<T>(std::exp2(from<T>(a)))); }
RAFTER_SIMT_PTX Bits lg2(Bits a) { return bits(static_cast<T>(std::log2(from<T>(a)))); }
RAFTER_SIMT_PTX Bits sin(Bits a) { return bits(static_cast<T>(std::sin(from<T>(a)))); }
RAFTER_SIMT_PTX Bits cos(Bits a) { return bits(static_cast<T>(std::cos(from<T>(a)))); }
RAFTER_SIMT_PTX Bits tanh(Bits a) { return bits(static_cast<T>(std::tanh(from<T>(a)))); }

/// Returns the carry flag, which persists from one asm statement to the next of the thread.
__attribute__((no_sanitize("thread"))) inline unsigned& carry() {
  static thread_local unsigned bit;
  return bit;
}
__attribute__((no_sanitize("thread"), noinline)) inline unsigned carry_now() { return carry(); }
__attribute__((no_sanitize("thread"), noinline)) inline void keep_carry(unsigned bit) { carry() = bit; }

template <class T, bool keeps>
__attribute__((always_inline)) inline Bits add_with(Bits a, Bits b, unsigned in) {
  using Unsigned = Wrapping<T>;
  const unsigned __int128 sum = static_cast<unsigned __int128>(from<Unsigned>(a)) + from<Unsigned>(b) + in;
  if (keeps) keep_carry(static_cast<unsigned>(sum >> 8 * sizeof(T)));
  return bits(static_cast<Unsigned>(sum));
}
template <class T, bool keeps>
__attribute__((always_inline)) inline Bits sub_with(Bits a, Bits b, unsigned in) {
  using Unsigned = Wrapping<T>;
  const unsigned __int128 difference = static_cast<unsigned __int128>(from<Unsigned>(a)) - from<Unsigned>(b) - in;
  if (keeps) keep_carry(static_cast<unsigned>(difference >> 8 * sizeof(T)) & 1);
  return bits(static_cast<Unsigned>(difference));
}
RAFTER_SIMT_PTX Bits add_cc(Bits a, Bits b) { return add_with<T, true>(a, b, 0); }
RAFTER_SIMT_PTX Bits addc(Bits a, Bits b) { return add_with<T, false>(a, b, carry_now()); }
RAFTER_SIMT_PTX Bits addc_cc(Bits a, Bits b) { return add_with<T, true>(a, b, carry_now()); }
RAFTER_SIMT_PTX Bits sub_cc(Bits a, Bits b) { return sub_with<T, true>(a, b, 0); }
RAFTER_SIMT_PTX Bits subc(Bits a, Bits b) { return sub_with<T, false>(a, b, carry_now()); }
RAFTER_SIMT_PTX Bits subc_cc(Bits a, Bits b) { return sub_with<T, true>(a, b, carry_now()); }
RAFTER_SIMT_PTX Bits mad_lo_cc(Bits a, Bits b, Bits c) { return add_cc<T>(mul<T>(a, b), c); }
RAFTER_SIMT_PTX Bits mad_hi_cc(Bits a, Bits b, Bits c) { return add_cc<T>(mul_hi<T>(a, b), c); }
RAFTER_SIMT_PTX Bits madc_lo_cc(Bits a, Bits b, Bits c) { return addc_cc<T>(mul<T>(a, b), c); }
RAFTER_SIMT_PTX Bits madc_hi_cc(Bits a, Bits b, Bits c) { return addc_cc<T>(mul_hi<T>(a, b), c); }
RAFTER_SIMT_PTX Bits madc_lo(Bits a, Bits b, Bits c) { return addc<T>(mul<T>(a, b), c); }
RAFTER_SIMT_PTX Bits madc_hi(Bits a, Bits b, Bits c) { return addc<T>(mul_hi<T>(a, b), c); }

/// Converts a 32-bit number that denotes shared memory, or an address of it.
inline Bits shared(Bits address) { return bits(rafter_simt_shared_address(address)); }

template <class T, int n>
struct alignas(n * sizeof(T)) Lanes {
  T lane[n];
};
template <class T, class... To>
__attribute__((always_inline)) inline void load(Bits address, To&... to) {
  const Lanes<T, sizeof...(to)> all = *reinterpret_cast<const Lanes<T, sizeof...(to)>*>(address);
  int i = 0;
  ((to = bits(all.lane[i++])), ...);
}
template <class T, class... From>
__attribute__((always_inline)) inline void store(Bits address, const From&... lanes) {
  *reinterpret_cast<Lanes<T, sizeof...(lanes)>*>(address) = {{from<T>(lanes)...}};
}
RAFTER_SIMT_PTX void load_volatile(Bits address, Bits& to) {
  to = bits(T(*reinterpret_cast<const volatile T*>(address)));
}
RAFTER_SIMT_PTX void store_volatile(Bits address, Bits value) {
  *reinterpret_cast<volatile T*>(address) = from<T>(value);
}

#define RAFTER_SIMT_PTX_ATOMIC(name, function)                                            \
  RAFTER_SIMT_PTX Bits atomic_##name(Bits address, Bits value, int order, int scope) {    \
    return bits(::function(reinterpret_cast<T*>(address), from<T>(value), order, scope)); \
  }
RAFTER_SIMT_PTX_ATOMIC(add, __nv_atomic_fetch_add)
RAFTER_SIMT_PTX_ATOMIC(and, __nv_atomic_fetch_and)
RAFTER_SIMT_PTX_ATOMIC(or, __nv_atomic_fetch_or)
RAFTER_SIMT_PTX_ATOMIC(xor, __nv_atomic_fetch_xor)
RAFTER_SIMT_PTX_ATOMIC(min, __nv_atomic_fetch_min)
RAFTER_SIMT_PTX_ATOMIC(max, __nv_atomic_fetch_max)
RAFTER_SIMT_PTX_ATOMIC(exchange, __nv_atomic_exchange_n)
#undef RAFTER_SIMT_PTX_ATOMIC
RAFTER_SIMT_PTX Bits atomic_compare(Bits address, Bits expected, Bits desired, int order, int scope) {
  T was = from<T>(expected);
  ::__nv_atomic_compare_exchange_n(reinterpret_cast<T*>(address), &was, from<T>(desired), false, order, order, scope);
  return bits(was);
}

template <int n>
inline Bits packed(Bits low, Bits high) {
  return high << n | (low & ((Bits(1) << n) - 1));
}
template <int n>
inline void unpack(Bits both, Bits& low, Bits& high) {
  low = both & ((Bits(1) << n) - 1);
  high = both >> n & ((Bits(1) << n) - 1);
}

enum class Rounding { as_is, rni, rzi, rmi, rpi };

/// Converts. Floats are clamped to the integer's range; NaN becomes 0.
template <class To, class From>
inline Bits convert(Bits value, Rounding rounding) {
  From number = from<From>(value);
  if constexpr (is_float<From>) {
    if (rounding == Rounding::rni) number = std::nearbyint(number);
    if (rounding == Rounding::rzi) number = std::trunc(number);
    if (rounding == Rounding::rmi) number = std::floor(number);
    if (rounding == Rounding::rpi) number = std::ceil(number);
    if constexpr (!is_float<To>) {
      using Limits = std::numeric_limits<To>;
      if (number != number) return 0;
      if (number <= static_cast<From>(Limits::min())) return bits(Limits::min());
      if (number >= static_cast<From>(Limits::max())) return bits(Limits::max());
    }
  }
  return bits(static_cast<To>(number));
}

}  // namespace ptx
}  // namespace rafter_simt

#undef RAFTER_SIMT_PTX
