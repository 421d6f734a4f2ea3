// cuda::atomic, cuda::atomic_ref, cuda::atomic_thread_fence: atomics with a scope and an order. The checkers model an
// order as fences: one before a release, one after an acquire.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "rafter_simt/memory/atomics.hpp"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace std
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

}  // namespace cuda

#ifdef RAFTER_SIMT_CHECKED
#define RAFTER_SIMT_MEMBER __attribute__((no_sanitize("thread"), always_inline)) inline
#else
#define RAFTER_SIMT_MEMBER inline
#endif

namespace rafter_simt {

constexpr Scope scope_of(cuda::thread_scope scope) {
  return scope == cuda::thread_scope_system   ? Scope::system
         : scope == cuda::thread_scope_device ? Scope::device
                                              : Scope::block;
}

RAFTER_SIMT_MEMBER void release_before(cuda::memory_order order, Scope scope) {
#ifdef RAFTER_SIMT_CHECKED
  const bool releases =
      order == cuda::memory_order_release || order == cuda::memory_order_acq_rel || order == cuda::memory_order_seq_cst;
  if (releases) rafter_simt_fence(scope);
#else
  static_cast<void>(order), static_cast<void>(scope);
#endif
}
RAFTER_SIMT_MEMBER void acquire_after(const volatile void* address, cuda::memory_order order, Scope scope) {
#ifdef RAFTER_SIMT_CHECKED
  if (order != cuda::memory_order_relaxed && order != cuda::memory_order_release) rafter_simt_acquired(address, scope);
#else
  static_cast<void>(address), static_cast<void>(order), static_cast<void>(scope);
#endif
}

/// The operations on a T at the address that Place returns.
template <class T, cuda::thread_scope thread_scope, class Place>
class ScopedAtomic {
  static constexpr Scope scope = scope_of(thread_scope);
  using Order = cuda::memory_order;
  static constexpr Order seq_cst = cuda::memory_order_seq_cst;
  using Step = std::conditional_t<std::is_pointer<T>::value, std::ptrdiff_t, T>;

  RAFTER_SIMT_MEMBER T* at() const { return static_cast<const Place*>(this)->place(); }
  template <class Next>
  RAFTER_SIMT_MEMBER T update(Order order, Next next) const {
    release_before(order, scope);
    const T old = atomic_update(at(), scope, next);
    acquire_after(at(), order, scope);
    return old;
  }

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const { return true; }

  RAFTER_SIMT_MEMBER T load(Order order = seq_cst) const {
    const T value = atomic_load(at(), scope);
    acquire_after(at(), order, scope);
    return value;
  }
  RAFTER_SIMT_MEMBER void store(T value, Order order = seq_cst) const {
    release_before(order, scope);
    atomic_store(at(), value, scope);
  }
  RAFTER_SIMT_MEMBER T exchange(T value, Order order = seq_cst) const {
    return update(
        order, [value](T) __attribute__((no_sanitize("thread"))) { return value; });
  }
  RAFTER_SIMT_MEMBER bool compare_exchange_strong(T& expected, T desired, Order order = seq_cst) const {
    release_before(order, scope);
    const T was = expected;
    const T old = atomic_cas(at(), was, desired, scope);
    acquire_after(at(), order, scope);
    if (__builtin_memcmp(&old, &was, sizeof(T)) == 0) return true;
    expected = old;
    return false;
  }
  RAFTER_SIMT_MEMBER bool compare_exchange_strong(T& expected, T desired, Order order, Order) const {
    return compare_exchange_strong(expected, desired, order);
  }
  RAFTER_SIMT_MEMBER bool compare_exchange_weak(T& expected, T desired, Order order = seq_cst) const {
    return compare_exchange_strong(expected, desired, order);
  }
  RAFTER_SIMT_MEMBER bool compare_exchange_weak(T& expected, T desired, Order order, Order) const {
    return compare_exchange_strong(expected, desired, order);
  }

#define RAFTER_SIMT_FETCH(name, Value, ...)                                                       \
  RAFTER_SIMT_MEMBER T name(Value value, Order order = seq_cst) const {                           \
    return update(                                                                                \
        order, [value](T old) __attribute__((no_sanitize("thread"))) { return T(__VA_ARGS__); }); \
  }
  RAFTER_SIMT_FETCH(fetch_add, Step, old + value)
  RAFTER_SIMT_FETCH(fetch_sub, Step, old - value)
  RAFTER_SIMT_FETCH(fetch_and, T, old& value)
  RAFTER_SIMT_FETCH(fetch_or, T, old | value)
  RAFTER_SIMT_FETCH(fetch_xor, T, old ^ value)
  RAFTER_SIMT_FETCH(fetch_min, T, value < old ? value : old)
  RAFTER_SIMT_FETCH(fetch_max, T, old < value ? value : old)
#undef RAFTER_SIMT_FETCH

  RAFTER_SIMT_MEMBER operator T() const { return load(); }
  RAFTER_SIMT_MEMBER T operator=(T value) const { return store(value), value; }
  RAFTER_SIMT_MEMBER T operator++() const { return fetch_add(1) + 1; }
  RAFTER_SIMT_MEMBER T operator--() const { return fetch_sub(1) - 1; }
  RAFTER_SIMT_MEMBER T operator++(int) const { return fetch_add(1); }
  RAFTER_SIMT_MEMBER T operator--(int) const { return fetch_sub(1); }
  RAFTER_SIMT_MEMBER T operator+=(Step value) const { return fetch_add(value) + value; }
  RAFTER_SIMT_MEMBER T operator-=(Step value) const { return fetch_sub(value) - value; }

  RAFTER_SIMT_MEMBER void wait(T old, Order order = seq_cst) const {
    while (load(order) == old) rafter_simt_yield(0);
  }
  void notify_one() const {}
  void notify_all() const {}
};

}  // namespace rafter_simt

namespace cuda {

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public rafter_simt::ScopedAtomic<T, scope, atomic_ref<T, scope>> {
 public:
  RAFTER_SIMT_MEMBER explicit atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  using rafter_simt::ScopedAtomic<T, scope, atomic_ref>::operator=;
  RAFTER_SIMT_MEMBER T* place() const { return object_; }

 private:
  T* object_;
};

template <class T, thread_scope scope = thread_scope_system>
class atomic : public rafter_simt::ScopedAtomic<T, scope, atomic<T, scope>> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  using rafter_simt::ScopedAtomic<T, scope, atomic>::operator=;
  RAFTER_SIMT_MEMBER T* place() const { return const_cast<T*>(&value_); }

 private:
  T value_;
};

inline void atomic_thread_fence(memory_order, thread_scope scope = thread_scope_system) {
  rafter_simt_fence(rafter_simt::scope_of(scope));
}

namespace std {
template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
inline void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
}  // namespace std

}  // namespace cuda

#undef RAFTER_SIMT_MEMBER
