// cuda::barrier. In shared memory it is an mbarrier: the object only provides the address, and the runtime counts.
// Elsewhere, and with a completion function, it is a word that threads count down and poll (polled_barrier.hpp).
#pragma once

#include <cstddef>
#include <cuda/atomic>
#include <new>

#include "rafter_simt/async/copy_async.hpp"
#include "rafter_simt/async/polled_barrier.hpp"

#define RAFTER_SIMT_MEMBER __attribute__((always_inline)) inline

namespace rafter_simt {

struct NoCompletion {};

/// A barrier's word and its completion function. Without a completion function the word can be the address of an
/// mbarrier. Shared variables have no constructors to run.
template <class Completion>
struct BarrierParts {
  RAFTER_SIMT_MEMBER bool is_mbarrier() const { return false; }
  RAFTER_SIMT_MEMBER void set(Completion&& completion) {
    new (bytes) Completion(static_cast<Completion&&>(completion));
  }
  RAFTER_SIMT_MEMBER void complete() { (*reinterpret_cast<Completion*>(bytes))(); }

  alignas(8) unsigned long long word;
  alignas(Completion) unsigned char bytes[sizeof(Completion)];
};
template <>
struct BarrierParts<NoCompletion> {
  RAFTER_SIMT_MEMBER bool is_mbarrier() const { return rafter_simt_is_shared(&word) != 0; }
  RAFTER_SIMT_MEMBER void set(NoCompletion&&) {}
  RAFTER_SIMT_MEMBER void complete() {}

  alignas(8) unsigned long long word;
};

}  // namespace rafter_simt

namespace cuda {

template <thread_scope scope = thread_scope_system, class Completion = rafter_simt::NoCompletion>
class barrier {
  using Polled = rafter_simt::PolledBarrier<scope>;

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
  RAFTER_SIMT_MEMBER barrier(::std::ptrdiff_t expected, Completion completion = {}) {
    begin(expected, static_cast<Completion&&>(completion));
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }

  RAFTER_SIMT_MEMBER friend void init(barrier* at, ::std::ptrdiff_t expected) { new (at) barrier(expected); }
  RAFTER_SIMT_MEMBER friend void init(barrier* at, ::std::ptrdiff_t expected, Completion completion) {
    new (at) barrier(expected, static_cast<Completion&&>(completion));
  }

  RAFTER_SIMT_MEMBER arrival_token arrive(::std::ptrdiff_t n = 1) {
    if (parts_.is_mbarrier()) return arrival_token(rafter_simt_mbarrier_arrive(this, static_cast<int>(n), 0));
    return arrival_token(Polled::arrive(parts_, static_cast<unsigned>(n), 0));
  }
  RAFTER_SIMT_MEMBER void wait(arrival_token&& token) const { wait_parity(token.parity_ != 0); }
  RAFTER_SIMT_MEMBER void wait_parity(bool parity) const {
    if (parts_.is_mbarrier()) return rafter_simt_mbarrier_wait(place(), parity ? 1 : 0);
    while (!Polled::is_over(place()->parts_.word, parity)) rafter_simt_yield(0);
  }
  RAFTER_SIMT_MEMBER void arrive_and_wait() { wait(arrive()); }
  RAFTER_SIMT_MEMBER void arrive_and_drop() {
    if (parts_.is_mbarrier()) {
      rafter_simt_mbarrier_drop(this);
    } else {
      Polled::arrive(parts_, 1, 1);
    }
  }
  RAFTER_SIMT_MEMBER bool try_wait(arrival_token&& token) const { return try_wait_parity(token.parity_ != 0); }
  RAFTER_SIMT_MEMBER bool try_wait_parity(bool parity) const {
    if (parts_.is_mbarrier()) return rafter_simt_mbarrier_try_wait(place(), parity ? 1 : 0) != 0;
    if (Polled::is_over(place()->parts_.word, parity)) return true;
    rafter_simt_yield(0);
    return Polled::is_over(place()->parts_.word, parity);
  }
  template <class Duration>
  RAFTER_SIMT_MEMBER bool try_wait_for(arrival_token&& token, const Duration&) const {
    return try_wait(static_cast<arrival_token&&>(token));
  }
  template <class Duration>
  RAFTER_SIMT_MEMBER bool try_wait_parity_for(bool parity, const Duration&) const {
    return try_wait_parity(parity);
  }
  /// Makes the pending copies of the calling thread arrive when they complete.
  RAFTER_SIMT_MEMBER void arrive_with_copies() {
    if (parts_.is_mbarrier()) return rafter_simt_copy_async_arrive(this, 1);
    rafter_simt_commit_group(rafter_simt::GroupKind::copy_async);
    rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, 0, 0);
  }

 private:
  RAFTER_SIMT_MEMBER void begin(::std::ptrdiff_t expected, Completion&& completion) {
    if (parts_.is_mbarrier()) return rafter_simt_mbarrier_init(this, static_cast<int>(expected));
    parts_.set(static_cast<Completion&&>(completion));
    parts_.word = Polled::first(static_cast<unsigned>(expected));
  }
  RAFTER_SIMT_MEMBER barrier* place() const { return const_cast<barrier*>(this); }
  rafter_simt::BarrierParts<Completion> parts_;
};

namespace std {
template <class Completion = rafter_simt::NoCompletion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}  // namespace std

/// Starts a copy that is part of the barrier's phase: threads that wait for the phase see the copied data.
template <class Group, class T, class Size, thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes,
                                     barrier<scope, Completion>& done) {
  if (rafter_simt::start_copy(group, (void*)to, from, static_cast<::std::size_t>(bytes))) done.arrive_with_copies();
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
