// cuda::counting_semaphore, cuda::binary_semaphore.
#pragma once

#include <chrono>
#include <cuda/atomic>

#include "rafter_simt/abi.hpp"

#define RAFTER_SIMT_MEMBER __attribute__((always_inline)) inline

namespace cuda {

template <thread_scope scope = thread_scope_system, ::std::ptrdiff_t most = static_cast<::std::ptrdiff_t>(~0u >> 1)>
class counting_semaphore {
 public:
  constexpr counting_semaphore(::std::ptrdiff_t count = 0) : count_(count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;
  static constexpr ::std::ptrdiff_t max() { return most; }

  RAFTER_SIMT_MEMBER void release(::std::ptrdiff_t n = 1) { count_.fetch_add(n, ::cuda::std::memory_order_release); }
  RAFTER_SIMT_MEMBER bool try_acquire() {
    ::std::ptrdiff_t count = count_.load(::cuda::std::memory_order_relaxed);
    while (count > 0) {
      if (count_.compare_exchange_weak(count, count - 1, ::cuda::std::memory_order_acquire,
                                       ::cuda::std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  RAFTER_SIMT_MEMBER void acquire() {
    while (!try_acquire()) rafter_simt_yield(0);
  }
  template <class Rep, class Period>
  RAFTER_SIMT_MEMBER bool try_acquire_for(const ::std::chrono::duration<Rep, Period>& duration) {
    return try_acquire_until(::std::chrono::steady_clock::now() + duration);
  }
  template <class Clock, class Duration>
  RAFTER_SIMT_MEMBER bool try_acquire_until(const ::std::chrono::time_point<Clock, Duration>& end) {
    while (!try_acquire()) {
      if (Clock::now() >= end) return false;
      rafter_simt_yield(0);
    }
    return true;
  }

 private:
  atomic<::std::ptrdiff_t, scope> count_;
};

template <thread_scope scope = thread_scope_system>
using binary_semaphore = counting_semaphore<scope, 1>;

namespace std {
template <::std::ptrdiff_t most = static_cast<::std::ptrdiff_t>(~0u >> 1)>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, most>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;
}  // namespace std

}  // namespace cuda

#undef RAFTER_SIMT_MEMBER
