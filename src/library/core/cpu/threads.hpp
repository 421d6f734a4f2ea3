// Work divided among the threads of the CPU: the library's own workers, or the host program's pool.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>

namespace rafter::core {

namespace detail {
using PartTask = void (*)(const void* f, int part);
using StepTask = void (*)(const void* f, int thread, int n_threads, std::int64_t step);
void run_parts(int n_parts, PartTask task, const void* f);
void run_in_steps(int most_threads, std::int64_t n_steps, bool is_ring, StepTask task, const void* f);
}  // namespace detail

/// Returns the number of threads of a CPU stream that is created without one.
int default_threads() noexcept;

/// Calls f(part) once for each part of [0, n_parts), on as many threads as are free: thread i takes parts i, i + n,
/// ..., so that a part stays on its thread from call to call. Parts must not wait for each other. A single part runs in
/// the calling thread at once. Rethrows the first exception of f, after all other parts have ended.
template <class F>
void run_parts(int n_parts, const F& f) {
  if (n_parts == 1) return static_cast<void>(f(0));
  if (n_parts > 1)
    detail::run_parts(
        n_parts, [](const void* g, int part) { (*static_cast<const F*>(g))(part); }, &f);
}

/// The order of the threads of run_in_steps(): in a ring, the first and the last one are adjacent, too.
enum class ThreadOrder { row, ring };

/// Calls f(thread, n_threads, step) for all steps of [0, n_steps) in order, in each of at most `most_threads` threads.
/// A thread begins a step when the threads before and after it have finished the previous one. f throws no exception.
template <class F>
void run_in_steps(int most_threads, std::int64_t n_steps, ThreadOrder order, const F& f) {
  detail::run_in_steps(
      most_threads, n_steps, order == ThreadOrder::ring,
      [](const void* g, int thread, int n_threads, std::int64_t step) {
        (*static_cast<const F*>(g))(thread, n_threads, step);
      },
      &f);
}

/// Calls f(state, i) for each i in [0, n): each of n_threads parts makes a state with make() and takes the next i that
/// is left, so that long and short elements may be mixed.
template <class Make, class F>
void share_out(int n_threads, std::int64_t n, const Make& make, const F& f) {
  std::atomic<std::int64_t> next = 0;
  run_parts(static_cast<int>(std::clamp<std::int64_t>(n, 0, n_threads)), [&](int part) {
    auto state = [&] {
      if constexpr (std::is_invocable_v<Make, int>) {
        return make(part);
      } else {
        return make();
      }
    }();
    for (std::int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) f(state, i);
  });
}

/// Calls f(i) for each i in [0, n), each in the next part that is free.
template <class F>
void share_out(int n_threads, std::int64_t n, const F& f) {
  share_out(
      n_threads, n, [] { return 0; }, [&](int, std::int64_t i) { f(i); });
}

/// Lets a core spend less while it waits for another one.
inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// Returns when reached() is true. After some time it yields the core, which the thread that is waited for may need.
template <class Reached>
void wait_until(const Reached& reached) noexcept {
  constexpr int patience = 4096;
  for (int i = 0; !reached(); ++i) i < patience ? pause() : std::this_thread::yield();
}

/// Hands out the chunks of an array in order and gives them turns in order, for what depends on all earlier chunks. A
/// thread waits only for chunks that were claimed earlier, so any number of threads, even one, processes all chunks.
class ChunkOrder {
 public:
  /// Returns the next chunk: 0, 1, 2, ...
  std::int64_t claim() noexcept { return next_.fetch_add(1, std::memory_order_relaxed); }

  /// Calls f() after the turns of all earlier chunks. Every claimed chunk must have a turn. f throws no exception.
  template <class F>
  void in_turn(std::int64_t chunk, const F& f) noexcept {
    wait_until([&] { return turn_.load(std::memory_order_acquire) == chunk; });
    f();
    turn_.store(chunk + 1, std::memory_order_release);
  }

 private:
  alignas(64) std::atomic<std::int64_t> next_{0};
  alignas(64) std::atomic<std::int64_t> turn_{0};
};

}  // namespace rafter::core
