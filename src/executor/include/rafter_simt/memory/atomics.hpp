// Atomic functions on all their types, in three scopes. They are templates, so that a program's own atomicAdd for an
// old device takes precedence; the value is not deduced, so that atomicAdd(&some_unsigned, 1) works.
#pragma once

#include <type_traits>

#include "rafter_simt/builtins.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

namespace rafter_simt {

template <class T>
struct Same {
  using type = T;
};
template <class T>
using SameT = typename Same<T>::type;

// The unsigned integer with the size of T: 1, 2, 4 or 8 bytes.
// clang-format off
template <std::size_t bytes> struct Carrier;
template <> struct Carrier<1> { using type = std::uint8_t; };
template <> struct Carrier<2> { using type = std::uint16_t; };
template <> struct Carrier<4> { using type = std::uint32_t; };
template <> struct Carrier<8> { using type = std::uint64_t; };
// clang-format on

// Out of line in a checked build, so that the caller's address is the program's own line.
#ifdef RAFTER_SIMT_CHECKED
#define RAFTER_SIMT_ATOMIC __attribute__((no_sanitize("thread"), noinline))
#define RAFTER_SIMT_WITHIN __attribute__((no_sanitize("thread"), always_inline)) inline
#else
#define RAFTER_SIMT_ATOMIC
#define RAFTER_SIMT_WITHIN inline
#endif
#define RAFTER_SIMT_HERE __builtin_return_address(0)

RAFTER_SIMT_WITHIN void before_atomic(const volatile void* address, int bytes, Scope scope, const void* place,
                                      Use use = Use::updates) {
#ifdef RAFTER_SIMT_CHECKED
  rafter_simt_atomic(address, bytes, scope, use, place);
#else
  if (--rafter_simt_now.credit < 0) rafter_simt_atomic(address, bytes, scope, use, place);
#endif
}
RAFTER_SIMT_WITHIN void after_atomic(const volatile void* address, Effect effect) {
#ifdef RAFTER_SIMT_CHECKED
  rafter_simt_atomic_done(address, effect);
#else
  static_cast<void>(address), static_cast<void>(effect);
#endif
}

template <class T, class Next>
RAFTER_SIMT_WITHIN T update_at(T* address, Scope scope, Next next, const void* place) {
  using Bits = typename Carrier<sizeof(T)>::type;
  Bits* word = reinterpret_cast<Bits*>(address);
  before_atomic(address, sizeof(T), scope, place);
  Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    T value, changed;
    __builtin_memcpy(static_cast<void*>(&value), &old, sizeof(T));
    changed = next(value);
    Bits desired;
    __builtin_memcpy(&desired, &changed, sizeof(T));
    if (__atomic_compare_exchange_n(word, &old, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) break;
  }
  after_atomic(address, Effect::stored);
  T result;
  __builtin_memcpy(static_cast<void*>(&result), &old, sizeof(T));
  return result;
}

/// Replaces *address by next(old) atomically; returns old.
template <class T, class Next>
RAFTER_SIMT_ATOMIC T atomic_update(T* address, Scope scope, Next next) {
  return update_at(address, scope, next, RAFTER_SIMT_HERE);
}

template <class T>
RAFTER_SIMT_ATOMIC T atomic_add(T* address, T value, Scope scope) {
  if constexpr (std::is_integral<T>::value) {
    before_atomic(address, sizeof(T), scope, RAFTER_SIMT_HERE);
    const T old = __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
    after_atomic(address, Effect::stored);
    return old;
  } else if constexpr (std::is_same<T, float2>::value || std::is_same<T, float4>::value) {
    T old;  // each element separately
    constexpr int n = sizeof(T) / sizeof(float);
    for (int i = 0; i < n; ++i) {
      const float term = reinterpret_cast<const float*>(&value)[i];
      const auto sum = [term](float before) __attribute__((no_sanitize("thread"))) { return before + term; };
      reinterpret_cast<float*>(&old)[i] =
          update_at(reinterpret_cast<float*>(address) + i, scope, sum, RAFTER_SIMT_HERE);
    }
    return old;
  } else {
    const auto sum = [value](T old) __attribute__((no_sanitize("thread"))) { return static_cast<T>(old + value); };
    return update_at(address, scope, sum, RAFTER_SIMT_HERE);
  }
}

template <class T>
RAFTER_SIMT_ATOMIC T atomic_load(const T* address, Scope scope) {
  using Bits = typename Carrier<sizeof(T)>::type;
  before_atomic(address, sizeof(T), scope, RAFTER_SIMT_HERE, Use::reads);
  const Bits bits = __atomic_load_n(reinterpret_cast<const Bits*>(address), __ATOMIC_SEQ_CST);
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

/// Stores atomically. Also used for an exchange whose result is discarded: the old value need not be initialised.
template <class T>
RAFTER_SIMT_ATOMIC void atomic_store(T* address, T value, Scope scope) {
  using Bits = typename Carrier<sizeof(T)>::type;
  Bits bits;
  __builtin_memcpy(&bits, &value, sizeof(T));
  before_atomic(address, sizeof(T), scope, RAFTER_SIMT_HERE, Use::writes);
  __atomic_store_n(reinterpret_cast<Bits*>(address), bits, __ATOMIC_SEQ_CST);
  after_atomic(address, Effect::stored);
}

template <class T>
RAFTER_SIMT_ATOMIC T atomic_cas(T* address, T expected, T desired, Scope scope) {
  using Bits = typename Carrier<sizeof(T)>::type;
  Bits compare, replacement;
  __builtin_memcpy(&compare, &expected, sizeof(T));
  __builtin_memcpy(&replacement, &desired, sizeof(T));
  before_atomic(address, sizeof(T), scope, RAFTER_SIMT_HERE);
  const bool stored = __atomic_compare_exchange_n(reinterpret_cast<Bits*>(address), &compare, replacement, false,
                                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  after_atomic(address, stored ? Effect::swapped : Effect::none);
  T result;
  __builtin_memcpy(static_cast<void*>(&result), &compare, sizeof(T));
  return result;
}

inline unsigned next_inc(unsigned old, unsigned bound) { return old >= bound ? 0 : old + 1; }
inline unsigned next_dec(unsigned old, unsigned bound) { return old == 0 || old > bound ? bound : old - 1; }

}  // namespace rafter_simt

#define RAFTER_SIMT_CALL __attribute__((always_inline)) inline

// Defines one function in its three scopes; `body` sees address, value and scope.
#define RAFTER_SIMT_ATOMIC_SCOPE(name, scope_, ...)                           \
  template <class T>                                                          \
  RAFTER_SIMT_CALL T name(T* address, rafter_simt::SameT<T> value) {          \
    constexpr auto scope = rafter_simt::Scope::scope_;                        \
    __VA_ARGS__                                                               \
  }                                                                           \
  template <class T>                                                          \
  RAFTER_SIMT_CALL T name(volatile T* address, rafter_simt::SameT<T> value) { \
    return name(const_cast<T*>(address), value);                              \
  }
#define RAFTER_SIMT_ATOMIC_SCOPES(name, ...)                 \
  RAFTER_SIMT_ATOMIC_SCOPE(name, device, __VA_ARGS__)        \
  RAFTER_SIMT_ATOMIC_SCOPE(name##_block, block, __VA_ARGS__) \
  RAFTER_SIMT_ATOMIC_SCOPE(name##_system, system, __VA_ARGS__)
#define RAFTER_SIMT_ATOMIC_NEXT(name, ...)                           \
  RAFTER_SIMT_ATOMIC_SCOPES(name, return rafter_simt::atomic_update( \
                                      address, scope, [value](T old) { return static_cast<T>(__VA_ARGS__); });)

RAFTER_SIMT_ATOMIC_SCOPES(atomicAdd, return rafter_simt::atomic_add(address, value, scope);)
RAFTER_SIMT_ATOMIC_SCOPES(atomicSub, return rafter_simt::atomic_add(address, static_cast<T>(T(0) - value), scope);)
RAFTER_SIMT_ATOMIC_NEXT(atomicExch, (static_cast<void>(old), value))
RAFTER_SIMT_ATOMIC_NEXT(atomicMin, value < old ? value : old)
RAFTER_SIMT_ATOMIC_NEXT(atomicMax, old < value ? value : old)
RAFTER_SIMT_ATOMIC_NEXT(atomicInc, rafter_simt::next_inc(old, value))
RAFTER_SIMT_ATOMIC_NEXT(atomicDec, rafter_simt::next_dec(old, value))
RAFTER_SIMT_ATOMIC_NEXT(atomicAnd, old& value)
RAFTER_SIMT_ATOMIC_NEXT(atomicOr, old | value)
RAFTER_SIMT_ATOMIC_NEXT(atomicXor, old ^ value)

// The replacement of `atomicExch(a, b);` where the result is discarded (build/rewrite/discards.cpp).
#define RAFTER_SIMT_ATOMIC_UNREAD(name, scope_)                                            \
  template <class T>                                                                       \
  RAFTER_SIMT_CALL void name(T* address, rafter_simt::SameT<T> value) {                    \
    rafter_simt::atomic_store(address, value, rafter_simt::Scope::scope_);                 \
  }                                                                                        \
  template <class T>                                                                       \
  RAFTER_SIMT_CALL void name(volatile T* address, rafter_simt::SameT<T> value) {           \
    rafter_simt::atomic_store(const_cast<T*>(address), value, rafter_simt::Scope::scope_); \
  }
namespace rafter_simt {
RAFTER_SIMT_ATOMIC_UNREAD(unread_atomicExch, device)
RAFTER_SIMT_ATOMIC_UNREAD(unread_atomicExch_block, block)
RAFTER_SIMT_ATOMIC_UNREAD(unread_atomicExch_system, system)
}  // namespace rafter_simt
#undef RAFTER_SIMT_ATOMIC_UNREAD

#define RAFTER_SIMT_ATOMIC_CAS(name, scope_)                                                                    \
  template <class T>                                                                                            \
  RAFTER_SIMT_CALL T name(T* address, rafter_simt::SameT<T> expected, rafter_simt::SameT<T> desired) {          \
    return rafter_simt::atomic_cas(address, expected, desired, rafter_simt::Scope::scope_);                     \
  }                                                                                                             \
  template <class T>                                                                                            \
  RAFTER_SIMT_CALL T name(volatile T* address, rafter_simt::SameT<T> expected, rafter_simt::SameT<T> desired) { \
    return name(const_cast<T*>(address), expected, desired);                                                    \
  }
RAFTER_SIMT_ATOMIC_CAS(atomicCAS, device)
RAFTER_SIMT_ATOMIC_CAS(atomicCAS_block, block)
RAFTER_SIMT_ATOMIC_CAS(atomicCAS_system, system)

#undef RAFTER_SIMT_ATOMIC_CAS
#undef RAFTER_SIMT_ATOMIC_NEXT
#undef RAFTER_SIMT_ATOMIC_SCOPES
#undef RAFTER_SIMT_ATOMIC_SCOPE
#undef RAFTER_SIMT_CALL
#undef RAFTER_SIMT_ATOMIC
#undef RAFTER_SIMT_WITHIN
#undef RAFTER_SIMT_HERE
