// __nv_atomic_load and the like, from CUDA 12.8 on: atomics with an order and a scope. The checkers model an order as
// fences, as in scoped_atomic.hpp.
#pragma once

#include "rafter_simt/memory/atomics.hpp"

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

// Inlined, so that the address of an access is the program's own line.
#ifdef RAFTER_SIMT_CHECKED
#define RAFTER_SIMT_NV \
  template <class T>   \
  __attribute__((no_sanitize("thread"), always_inline)) inline
#else
#define RAFTER_SIMT_NV \
  template <class T>   \
  inline
#endif

namespace rafter_simt {

inline Scope nv_scope(int scope) {  // cluster scope orders more than one block, so it is treated as device scope
  return scope >= __NV_THREAD_SCOPE_SYSTEM    ? Scope::system
         : scope >= __NV_THREAD_SCOPE_CLUSTER ? Scope::device
                                              : Scope::block;
}

RAFTER_SIMT_NV void nv_release(T*, int order, int scope) {
#ifdef RAFTER_SIMT_CHECKED
  if (order >= __NV_ATOMIC_RELEASE) rafter_simt_fence(nv_scope(scope));
#else
  static_cast<void>(order), static_cast<void>(scope);
#endif
}
RAFTER_SIMT_NV void nv_acquire(const T* address, int order, int scope) {
#ifdef RAFTER_SIMT_CHECKED
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) rafter_simt_acquired(address, nv_scope(scope));
#else
  static_cast<void>(address), static_cast<void>(order), static_cast<void>(scope);
#endif
}

}  // namespace rafter_simt

RAFTER_SIMT_NV T __nv_atomic_load_n(const T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const T value = rafter_simt::atomic_load(address, rafter_simt::nv_scope(scope));
  rafter_simt::nv_acquire(address, order, scope);
  return value;
}
RAFTER_SIMT_NV void __nv_atomic_load(const T* address, T* result, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(address, order, scope);
}
RAFTER_SIMT_NV void __nv_atomic_store_n(T* address, rafter_simt::SameT<T> value, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  rafter_simt::nv_release(address, order, scope);
  rafter_simt::atomic_store(address, value, rafter_simt::nv_scope(scope));
}
RAFTER_SIMT_NV void __nv_atomic_store(T* address, const T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order, scope);
}

#define RAFTER_SIMT_NV_UPDATE(name, ...)                                                                            \
  RAFTER_SIMT_NV T name(T* address, rafter_simt::SameT<T> value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    rafter_simt::nv_release(address, order, scope);                                                                 \
    const T was = rafter_simt::atomic_update(                                                                       \
        address, rafter_simt::nv_scope(scope), [value](T old) __attribute__((no_sanitize("thread"))) {              \
          return static_cast<T>(__VA_ARGS__);                                                                       \
        });                                                                                                         \
    rafter_simt::nv_acquire(address, order, scope);                                                                 \
    return was;                                                                                                     \
  }
#define RAFTER_SIMT_NV_FETCH(name, ...)                                                      \
  RAFTER_SIMT_NV_UPDATE(__nv_atomic_fetch_##name, __VA_ARGS__)                               \
  RAFTER_SIMT_NV void __nv_atomic_##name(T* address, rafter_simt::SameT<T> value, int order, \
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {             \
    __nv_atomic_fetch_##name(address, value, order, scope);                                  \
  }
RAFTER_SIMT_NV_FETCH(add, old + value)
RAFTER_SIMT_NV_FETCH(sub, old - value)
RAFTER_SIMT_NV_FETCH(and, old& value)
RAFTER_SIMT_NV_FETCH(or, old | value)
RAFTER_SIMT_NV_FETCH(xor, old ^ value)
RAFTER_SIMT_NV_FETCH(min, value < old ? value : old)
RAFTER_SIMT_NV_FETCH(max, old < value ? value : old)
RAFTER_SIMT_NV_UPDATE(__nv_atomic_exchange_n, (static_cast<void>(old), value))
#undef RAFTER_SIMT_NV_FETCH
#undef RAFTER_SIMT_NV_UPDATE

RAFTER_SIMT_NV void __nv_atomic_exchange(T* address, const T* value, T* result, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
RAFTER_SIMT_NV bool __nv_atomic_compare_exchange_n(T* address, T* expected, rafter_simt::SameT<T> desired, bool,
                                                   int order, int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  rafter_simt::nv_release(address, order, scope);
  const T was = *expected;
  const T old = rafter_simt::atomic_cas(address, was, desired, rafter_simt::nv_scope(scope));
  rafter_simt::nv_acquire(address, order, scope);
  if (__builtin_memcmp(&old, &was, sizeof(T)) == 0) return true;
  *expected = old;
  return false;
}
RAFTER_SIMT_NV bool __nv_atomic_compare_exchange(T* address, T* expected, const T* desired, bool is_weak, int success,
                                                 int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *desired, is_weak, success, failure, scope);
}
inline void __nv_atomic_thread_fence(int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  rafter_simt_fence(rafter_simt::nv_scope(scope));
}

#undef RAFTER_SIMT_NV
