// cuda::latch: a count that goes down to zero once.
#pragma once

#include <cuda/atomic>

#include "rafter_simt/abi.hpp"

#define RAFTER_SIMT_MEMBER __attribute__((always_inline)) inline

namespace cuda {

template <thread_scope scope = thread_scope_system>
class latch {
 public:
  constexpr latch(::std::ptrdiff_t expected) : left_(expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;
  static constexpr ::std::ptrdiff_t max() { return static_cast<::std::ptrdiff_t>(~0ull >> 1); }

  RAFTER_SIMT_MEMBER void count_down(::std::ptrdiff_t n = 1) { left_.fetch_sub(n, ::cuda::std::memory_order_release); }
  RAFTER_SIMT_MEMBER bool try_wait() const { return left_.load(::cuda::std::memory_order_acquire) == 0; }
  RAFTER_SIMT_MEMBER void wait() const {
    while (!try_wait()) rafter_simt_yield(0);
  }
  RAFTER_SIMT_MEMBER void arrive_and_wait(::std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }

 private:
  atomic<::std::ptrdiff_t, scope> left_;
};

namespace std {
using latch = ::cuda::latch<thread_scope_system>;
}  // namespace std

}  // namespace cuda

#undef RAFTER_SIMT_MEMBER
