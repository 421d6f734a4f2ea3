// Launches: runs a kernel's threads one after the other on one stack for as long as none of them has to wait.
#pragma once

#include <type_traits>
#include <utility>

#include "rafter_simt/abi.hpp"
#include "rafter_simt/launch/argument_bytes.hpp"
#include "rafter_simt/launch/argument_list.hpp"
#include "rafter_simt/launch/pack.hpp"

namespace rafter_simt {

/// The launch configuration between <<< and >>>.
struct Shape {
  dim3 grid, block;
  std::size_t shared_bytes;
  CUstream_st* stream;
  dim3 cluster;  // set only by a launch configuration or by the kernel itself

  Shape(dim3 grid_, dim3 block_, std::size_t shared_bytes_ = 0, CUstream_st* stream_ = nullptr)
      : grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_) {}
};

#ifdef RAFTER_SIMT_CHECKED
// Out of line: the built-in variables are constants to the compiler, but differ from thread to thread.
template <class Body>
__attribute__((noinline)) void run_thread(Body& body) {
  body();
}

template <class Body>
void run_threads(void* closure) {
  do run_thread(*static_cast<Body*>(closure));
  while (rafter_simt_next_thread());
}
#else
// Each thread works on a private copy of the arguments, so that they stay in registers.
template <class Body>
constexpr bool is_copied = std::is_trivially_copyable<Body>::value && sizeof(Body) <= 256;

// Threads that start one after the other need nothing from the runtime in between. Counters are kept in locals and only
// stored, so that no thread waits for its predecessor's store. A thread that had to wait invalidates run_end.
template <class Body>
void run_threads(void* closure) {
  std::conditional_t<is_copied<Body>, const Body, Body&> all = *static_cast<Body*>(closure);
  do {
    uint3 index = threadIdx;
    unsigned linear = rafter_simt_now.linear;
    for (;;) {
      std::conditional_t<is_copied<Body>, Body, Body&> body = all;
      body();
      if (linear + 1 >= rafter_simt_now.run_end) break;
      if (++index.x == blockDim.x) {
        index.x = 0;
        if (++index.y == blockDim.y) {
          index.y = 0;
          threadIdx.z = ++index.z;
        }
        threadIdx.y = index.y;
      }
      threadIdx.x = index.x;
      // Stored for every thread: the watchdog reads it, which the compiler cannot see.
      *const_cast<volatile unsigned*>(&rafter_simt_now.linear) = ++linear;
    }
  } while (rafter_simt_next_thread());
}
#endif

/// Called when a kernel has returned (1), and again when its arguments have been destroyed (0): CUDA runs those
/// destructors on the host, so they are not part of the kernel.
template <class... Arguments>
__attribute__((no_sanitize("thread"))) inline void leaving(unsigned value, const Arguments&...) {
  if constexpr (!(std::is_trivially_destructible_v<Arguments> && ...)) {
    rafter_simt_now.leaving = value;
    rafter_simt_now.inside = 1 - value;
  }
}

enum class Cooperative : unsigned { no, yes };

template <class Body>
void* copy_closure(const void* closure) {
  return new Body(*static_cast<const Body*>(closure));
}

template <class Body>
void destroy_closure(void* closure) {
  delete static_cast<Body*>(closure);
}

/// A closure that cannot be copied has no copy functions and cannot be captured.
template <class Body, bool is_copyable = std::is_copy_constructible<Body>::value>
struct ClosureCopies {
  static constexpr void* (*copy)(const void*) = &copy_closure<Body>;
};
template <class Body>
struct ClosureCopies<Body, false> {
  static constexpr void* (*copy)(const void*) = nullptr;
};

/// The arguments of a launch, as far as they are known: their positions if the kernel is given by its address, and how
/// to list them.
struct KernelArguments {
  const void* kernel;
  std::size_t n;
  void (*locate)(void* closure, void** arguments);
  void (*list)(void* closure);
};

/// Calls a closure that begins with RAFTER_SIMT_LIST.
template <class Body>
void list_arguments(void* closure) {
  (*static_cast<Body*>(closure))();
}

/// Marks a closure that begins with RAFTER_SIMT_LIST.
enum class Lists { arguments };

/// Runs `body` once per thread of `shape`; returns a cudaError_t. Inlined, so that the runtime sees the user's line as
/// its caller.
template <class Body>
inline __attribute__((always_inline)) int launch_closure(const char* kernel, const Shape& shape, Body& body,
                                                         Cooperative cooperative, KernelArguments arguments) {
#ifdef RAFTER_SIMT_INDEPENDENT_BLOCKS
  constexpr unsigned independent_blocks = 1;
#else
  constexpr unsigned independent_blocks = 0;
#endif
  const Launch call{shape.grid,
                    shape.block,
                    shape.cluster,
                    shape.shared_bytes,
                    shape.stream,
                    kernel,
                    static_cast<unsigned>(cooperative),
                    independent_blocks,
                    &run_threads<Body>,
                    &body,
                    sizeof(Body),
                    ClosureCopies<Body>::copy,
                    &destroy_closure<Body>,
                    arguments.kernel,
                    arguments.n,
                    arguments.locate,
                    arguments.list};
  return rafter_simt_launch(&call);
}

/// Takes the closure by value: a launch copies its arguments once.
template <class Body>
inline __attribute__((always_inline)) int launch(const char* kernel, const Shape& shape, Body body,
                                                 Cooperative cooperative = Cooperative::no,
                                                 KernelArguments arguments = {nullptr, 0, nullptr, nullptr}) {
  return launch_closure(kernel, shape, body, cooperative, arguments);
}

template <class Body>
inline __attribute__((always_inline)) int launch(const char* kernel, const Shape& shape, Body body, Lists) {
#ifdef RAFTER_SIMT_CHECKED
  return launch_closure(kernel, shape, body, Cooperative::no, {nullptr, 0, nullptr, &list_arguments<Body>});
#else
  return launch_closure(kernel, shape, body, Cooperative::no, {nullptr, 0, nullptr, nullptr});
#endif
}

}  // namespace rafter_simt
