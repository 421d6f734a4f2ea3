// A barrier in any memory: one word that threads count down and poll. The last thread to arrive runs the completion
// function and then starts the next phase.
#pragma once

#include <cuda/atomic>

#include "rafter_simt/abi.hpp"

#define RAFTER_SIMT_MEMBER __attribute__((always_inline)) inline

namespace rafter_simt {

template <cuda::thread_scope scope>
struct PolledBarrier {
  using Word = unsigned long long;
  // Bit fields from the lowest: arrivals that the phase still expects, arrivals per phase, the number of the phase.
  static constexpr int count_bits = 20;
  static constexpr Word counts = (Word{1} << count_bits) - 1;
  static constexpr Word phase = Word{1} << 2 * count_bits;

  static constexpr Word first(Word expected) { return expected << count_bits | expected; }

  /// Arrives `n` times; all later phases expect `n_dropped` arrivals less. Returns the parity of the phase.
  template <class Parts>
  RAFTER_SIMT_MEMBER static int arrive(Parts& parts, Word n, Word n_dropped) {
    cuda::atomic_ref<Word, scope> at(parts.word);
    const Word old = at.fetch_sub((n_dropped << count_bits) + n, ::cuda::std::memory_order_acq_rel);
    if ((old & counts) == n) {
      parts.complete();
      const Word expected = (old >> count_bits & counts) - n_dropped;
      at.store((old / phase + 1) * phase | first(expected), ::cuda::std::memory_order_release);
    }
    return old / phase & 1;
  }
  RAFTER_SIMT_MEMBER static bool is_over(Word& word, bool parity) {
    const Word now = cuda::atomic_ref<Word, scope>(word).load(::cuda::std::memory_order_acquire);
    return (now / phase & 1) != Word{parity};
  }
};

}  // namespace rafter_simt

#undef RAFTER_SIMT_MEMBER
