// cuda::barrier in shared memory: an mbarrier. The object itself is only its place; the runtime counts.
#pragma once

#include <cuda/atomic>
#include <type_traits>
#include <utility>

#include "rafter_simt/copy_async.hpp"

#define RAFTER_SIMT_MEMBER __attribute__((always_inline)) inline

namespace rafter_simt {
struct NoCompletion {};
}  // namespace rafter_simt

namespace cuda {

template <thread_scope scope = thread_scope_system, class Completion = rafter_simt::NoCompletion>
class barrier {
  static_assert(::std::is_same<Completion, rafter_simt::NoCompletion>::value,
                "rafter: cuda::barrier with a completion function");

 public:
  /// The phase that an arrival belongs to.
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    friend barrier;
    explicit arrival_token(int parity) : parity_(parity) {}
    int parity_ = 0;
  };

  barrier() = default;
  RAFTER_SIMT_MEMBER barrier(::std::ptrdiff_t expected) { rafter_simt_mbarrier_init(this, static_cast<int>(expected)); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }

  RAFTER_SIMT_MEMBER friend void init(barrier* at, ::std::ptrdiff_t expected, Completion = {}) {
    rafter_simt_mbarrier_init(at, static_cast<int>(expected));
  }

  RAFTER_SIMT_MEMBER arrival_token arrive(::std::ptrdiff_t n = 1) {
    return arrival_token(rafter_simt_mbarrier_arrive(this, static_cast<int>(n), 0));
  }
  RAFTER_SIMT_MEMBER void wait(arrival_token&& token) const { rafter_simt_mbarrier_wait(place(), token.parity_); }
  RAFTER_SIMT_MEMBER void wait_parity(bool parity) const { rafter_simt_mbarrier_wait(place(), parity ? 1 : 0); }
  RAFTER_SIMT_MEMBER void arrive_and_wait() { wait(arrive()); }
  RAFTER_SIMT_MEMBER void arrive_and_drop() { rafter_simt_mbarrier_drop(this); }
  template <class Duration>
  RAFTER_SIMT_MEMBER bool try_wait_for(arrival_token&& token, const Duration&) const {
    return rafter_simt_mbarrier_try_wait(place(), token.parity_) != 0;
  }
  template <class Duration>
  RAFTER_SIMT_MEMBER bool try_wait_parity_for(bool parity, const Duration&) const {
    return rafter_simt_mbarrier_try_wait(place(), parity ? 1 : 0) != 0;
  }

 private:
  void* place() const { return const_cast<barrier*>(this); }
  alignas(8) unsigned long long word_;
};

/// The copy is part of the barrier's phase: who waits for that sees it.
template <class Group, class T, class Size, thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes,
                                     barrier<scope, Completion>& done) {
  if (rafter_simt::start_copy(group, (void*)to, from, static_cast<::std::size_t>(bytes)))
    rafter_simt_copy_async_arrive(&done, 1);
}
template <class Group, class Size, thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void memcpy_async(const Group& group, void* to, const void* from, const Size& bytes,
                                     barrier<scope, Completion>& done) {
  memcpy_async(group, static_cast<char*>(to), static_cast<const char*>(from), bytes, done);
}
template <class T, class Size, thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void memcpy_async(T* to, const T* from, const Size& bytes, barrier<scope, Completion>& done) {
  memcpy_async(rafter_simt::ThisThread(), to, from, bytes, done);
}
template <class Size, thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void memcpy_async(void* to, const void* from, const Size& bytes, barrier<scope, Completion>& done) {
  memcpy_async(rafter_simt::ThisThread(), to, from, bytes, done);
}

namespace device {

template <thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER unsigned long long* barrier_native_handle(barrier<scope, Completion>& of) {
  return reinterpret_cast<unsigned long long*>(&of);
}
template <thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER auto barrier_arrive_tx(barrier<scope, Completion>& at, ::std::ptrdiff_t n, ::std::ptrdiff_t bytes) {
  rafter_simt_mbarrier_arrive(&at, 0, static_cast<int>(bytes));
  return at.arrive(n);
}
template <thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void barrier_expect_tx(barrier<scope, Completion>& at, ::std::ptrdiff_t bytes) {
  rafter_simt_mbarrier_arrive(&at, 0, static_cast<int>(bytes));
}
template <class T, ::std::size_t alignment, thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void memcpy_async_tx(T* to, const T* from, aligned_size_t<alignment> bytes,
                                        barrier<scope, Completion>& done) {
  rafter_simt_bulk_load((void*)to, from, static_cast<int>(bytes.value), &done, 0);
}

}  // namespace device
}  // namespace cuda

#undef RAFTER_SIMT_MEMBER
