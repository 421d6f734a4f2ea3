// The loop form of a kernel whose threads are independent: one call that iterates over all threads of a block, row by
// row, in a loop that the compiler can vectorise. The rewriter generates the call (build/rewrite/loops.cpp); the
// built-in variables are parameters of the kernel's body, so that a thread's index is the loop's variable.
#pragma once

#include <type_traits>

#include "rafter_simt/abi.hpp"

namespace rafter_simt {

/// The purpose of a call of the body. is_test: only evaluate the guards. is_active: the guards have passed and need not
/// be evaluated.
template <bool test, bool active>
struct LoopPass {
  static constexpr bool is_test = test, is_active = active;
};
using AskGuards = LoopPass<true, false>;
using RunActive = LoopPass<false, true>;
using RunThread = LoopPass<false, false>;

/// The guards of a row of threads: none, any conditions, or conditions that admit an interval of threads.
enum class Guards { none, any, interval };
template <Guards guards>
using GuardsAre = std::integral_constant<Guards, guards>;
inline constexpr GuardsAre<Guards::none> unguarded;
inline constexpr GuardsAre<Guards::any> guarded;
inline constexpr GuardsAre<Guards::interval> interval_guards;

/// The loop's variable: threadIdx.x, or blockIdx.x * blockDim.x + threadIdx.x if the body computes it. It is an int, so
/// that the compiler may assume that it does not overflow. If the body uses nothing else of the two (only_of_grid),
/// block boundaries are invisible to it, and rows of consecutive blocks become one.
enum class LoopIndex { of_block, of_grid, only_of_grid };
template <LoopIndex index>
using LoopIndexIs = std::integral_constant<LoopIndex, index>;
inline constexpr LoopIndexIs<LoopIndex::of_block> index_of_block;
inline constexpr LoopIndexIs<LoopIndex::of_grid> index_of_grid;
inline constexpr LoopIndexIs<LoopIndex::only_of_grid> index_of_grid_only;

// With these bounds the compiler sees that blockIdx.x * blockDim.x + threadIdx.x fits an int and grows by one from
// thread to thread, so that adjacent threads access adjacent elements.
inline constexpr unsigned most_blocks = (1u << 21) - 1, most_threads = 1024;

/// Runs a single thread: if the order is not the natural one, or if the active threads of a row are not consecutive
/// from the first.
template <class Body>
__attribute__((noinline, cold)) void run_thread_of_loop(Body body, uint3 thread, uint3 block, Extents shape,
                                                        Extents grid) {
  body(thread, block, shape, grid, RunThread());
}

/// The threads [begin, end) of a row.
struct RowPart {
  unsigned begin, end;
};

/// Returns the threads that interval guards admit.
template <class Asks>
__attribute__((always_inline)) inline RowPart interval_of(unsigned n_threads, Asks is_active) {
  RowPart part{0, n_threads};
  while (part.begin < part.end && !is_active(part.begin)) ++part.begin;
  while (part.end > part.begin && !is_active(part.end - 1)) --part.end;
  return part;
}

/// Finds the threads that the guards admit. Returns false if they are not the first ones of the row.
template <class Asks>
__attribute__((always_inline)) inline bool are_first(RowPart& part, unsigned n_threads, Asks is_active) {
  const auto count = [&](unsigned end) __attribute__((always_inline)) {
    unsigned n = 0;
    for (unsigned x = 0; x < end; ++x) n += is_active(x) ? 1 : 0;
    return n;
  };
  const unsigned n = count(n_threads);
  part = {0, n};
  return n == n_threads || n == 0 || count(n) == n;
}

/// Runs a part of a row. Each thread works on a copy of the arguments, as if the kernel were called for it.
template <class Pass, LoopIndex index, class Body>
__attribute__((always_inline)) inline void run_part(const Body& all, uint3 row, RowPart part, uint3 block,
                                                    Extents shape, Extents grid) {
  if constexpr (index == LoopIndex::of_block) {
    for (unsigned x = part.begin; x < part.end; ++x) {
      Body body = all;
      body(uint3{x, row.y, row.z}, block, shape, grid, Pass());
    }
  } else {
    const unsigned first = block.x * shape.x;
    for (int i = static_cast<int>(first + part.begin); i < static_cast<int>(first + part.end); ++i) {
      Body body = all;
      body(uint3{static_cast<unsigned>(i) - first, row.y, row.z}, block, shape, grid, Pass());
    }
  }
}

/// The type of a missing vectorised body (rafter_simt/lanes/).
struct NoLanes {};

/// Runs the last threads of a row, which are fewer than the lanes of a vector.
template <class Pass, LoopIndex index, class Body>
__attribute__((noinline, flatten)) void run_rest(const Body all, uint3 row, RowPart part, uint3 block, Extents shape,
                                                 Extents grid) {
  run_part<Pass, index>(all, row, part, block, shape, grid);
}

template <Guards guards, LoopIndex index, class Body, class InLanes>
__attribute__((always_inline)) inline void run_row(const Body& all, const InLanes& lanes, uint3 row, unsigned n_threads,
                                                   uint3 block, Extents shape, Extents grid) {
  RowPart part{0, n_threads};
  if constexpr (guards != Guards::none) {
    const auto is_active = [&](unsigned x) __attribute__((always_inline)) {
      Body body = all;
      return body(uint3{x, row.y, row.z}, block, shape, grid, AskGuards());
    };
    if constexpr (guards == Guards::interval) {
      part = interval_of(n_threads, is_active);
    } else if (!are_first(part, n_threads, is_active)) {
      for (unsigned x = 0; x < n_threads; ++x) run_thread_of_loop<Body>(all, {x, row.y, row.z}, block, shape, grid);
      return;
    }
    if (part.end > n_threads) __builtin_unreachable();
  }
  using Pass = std::conditional_t<guards == Guards::none, RunThread, RunActive>;
  if constexpr (std::is_same<InLanes, NoLanes>::value) {
    run_part<Pass, index>(all, row, part, block, shape, grid);
  } else {
    for (; part.end - part.begin >= InLanes::width; part.begin += InLanes::width)
      lanes.run({part.begin, row.y, row.z}, block, shape, grid);
    if (part.begin < part.end) run_rest<Pass, index>(all, row, part, block, shape, grid);
  }
}

/// Runs all threads of the block and of all further blocks that the runtime assigns to this worker. Callees are inlined
/// into the loop, as on GPUs.
template <Guards guards, LoopIndex index, class Body, class InLanes>
__attribute__((noinline, flatten)) void run_blocks(const Body body, const InLanes lanes, uint3 block, Extents shape,
                                                   Extents grid) {
  constexpr bool in_one_row = index == LoopIndex::only_of_grid;
  unsigned n_blocks = 1;
  do {
    if (block.x >= most_blocks || shape.x == 0 || shape.x > most_threads) __builtin_unreachable();
    const unsigned n_threads = in_one_row ? n_blocks * shape.x : shape.x;
    for (unsigned z = 0; z < shape.z; ++z) {
      for (unsigned y = 0; y < shape.y; ++y)
        run_row<guards, index>(body, lanes, {0, y, z}, n_threads, block, shape, grid);
    }
    n_blocks = rafter_simt_next_blocks(&block, in_one_row);
  } while (n_blocks != 0);
}

template <Guards guards, LoopIndex index, class Body, class InLanes = NoLanes>
void for_threads(GuardsAre<guards>, LoopIndexIs<index>, const Body body, const InLanes lanes = {}) {
  const Extents shape = ::blockDim, grid = ::gridDim;
  if constexpr (std::is_trivially_copyable<Body>::value && sizeof(Body) <= 256) {
    if (rafter_simt_now.loop == 1 && grid.x <= most_blocks) {
      rafter_simt_now.loop = index == LoopIndex::only_of_grid ? 3 : 2;
      run_blocks<guards, index>(body, lanes, ::blockIdx, shape, grid);
      // The last thread has ended, and no other may start in place.
      rafter_simt_now.loop = 1;
      rafter_simt_now.linear = shape.x * shape.y * shape.z - 1;
      rafter_simt_now.run_end = 0;
      return;
    }
  }
  run_thread_of_loop<Body>(body, ::threadIdx, ::blockIdx, shape, grid);
}

}  // namespace rafter_simt
