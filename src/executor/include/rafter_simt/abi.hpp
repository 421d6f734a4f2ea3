// The seam between compiled CUDA sources and the executor's runtime: everything crosses here, with C linkage.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rafter_simt/context.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

struct CUstream_st;

namespace rafter_simt {

/// The type of blockDim and gridDim: dim3 without its constructors, which would keep it from being a constant.
struct Extents {
  unsigned x, y, z;
  operator dim3() const { return dim3(x, y, z); }
  operator uint3() const { return uint3{x, y, z}; }
};

/// A thread's place in its block: threadIdx, and as one number, x fastest. Together, so that a switch sets both at
/// once.
struct alignas(16) ThreadNumber {
  uint3 index;
  unsigned linear;
};

struct WarpTurns;

/// What the running CUDA thread knows of itself; one per OS thread, kept by the runtime at every switch. It begins with
/// what kernels know as threadIdx.
struct Now : ThreadNumber {
  WarpTurns* warp;   // its warp, if its lanes may switch to each other; nobody for a thread that never did
  unsigned lane;     // its place there. `linear` has it, too; but what was just stored as 16 bytes is slow to read as 4
  unsigned run_end;  // threads before this one may be started in place, one after the other
  unsigned inside;   // 1 while a CUDA thread runs on this OS thread
  int credit;        // atomics and fences left before other threads get a turn
  void* dynamic_shared;      // the block's dynamic shared memory
  std::size_t shared_bytes;  // and its size
  unsigned leaving;          // the kernel has returned: what now destroys its arguments runs on no GPU
  unsigned handing_over;     // all this is about to be, or is already, that of the thread it switches to
  unsigned loop;  // 1: a kernel that waits for nobody may run its whole block in a loop; 2: one does; 3: blocks
};

/// Where a program's variables in device memory lie.
struct VariableRange {
  const char* begin;
  const char* end;
};
struct VariableRanges {
  VariableRange device, constant, managed;
};

/// A launch: its shape, the kernel's name as written, and how to run its threads.
struct Launch {
  dim3 grid;
  dim3 block;
  dim3 cluster;  // blocks of a cluster; one: none
  std::size_t shared_bytes;
  CUstream_st* stream;
  const char* kernel;
  unsigned cooperative;
  unsigned independent_blocks;         // nothing in the source lets blocks talk to each other
  void (*run_threads)(void* closure);  // runs threads until rafter_simt_next_thread() says stop
  void* closure;
  std::size_t closure_bytes;  // the arguments, which the threads read
  // For a launch that is captured: a copy of the closure, and its end; and where in it a kernel that was given by its
  // address has its arguments.
  void* (*copy_closure)(const void* closure);
  void (*destroy_closure)(void* closure);
  const void* address;
  std::size_t n_arguments;
  void (*locate_arguments)(void* closure, void** arguments);
};

enum class BarrierKind : int { plain, count, all, any };

/// What the lanes of a mask do together.
enum class WarpOp : int {
  sync,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  all,
  any,
  uniform,
  match_any,
  match_all,
  add_signed,
  add_unsigned,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor
};

/// How a thread arrives at its cluster's barrier: whether those who wait see what it did before.
enum class ClusterArrive : int { release, relaxed };

/// What a thread may ask of its cluster; places and extents axis by axis.
enum class ClusterValue : int {
  rank,   // of the block in its cluster
  size,   // blocks of the cluster
  block,  // the block's place in its cluster: + 0, 1, 2 for x, y, z
  shape = block + 3,
  index = shape + 3,       // of the cluster in the grid
  n_clusters = index + 3,  // of the grid
};

enum class Scope : int { block, cluster, device, system };

/// What an atomic access is about to do.
enum class Use : int { reads, writes, updates };
/// What an atomic access did: none is a read only; swapped, what may take a lock, is a compare-and-swap that stored.
enum class Effect : int { none, stored, swapped };

}  // namespace rafter_simt

// To kernels the built-in variables are constants: of a block, or in a checked build, where they are not to be
// instrumented, of a thread.
#ifdef RAFTER_SIMT_RUNTIME
#define RAFTER_SIMT_OF_BLOCK
#define RAFTER_SIMT_OF_THREAD
#else
#define RAFTER_SIMT_OF_BLOCK const
#ifdef RAFTER_SIMT_CHECKED
#define RAFTER_SIMT_OF_THREAD const
#else
#define RAFTER_SIMT_OF_THREAD
#endif
#endif
#define RAFTER_SIMT_TLS __attribute__((tls_model("initial-exec")))

extern "C" {

extern RAFTER_SIMT_TLS __thread rafter_simt::Now rafter_simt_now;
extern RAFTER_SIMT_TLS __thread RAFTER_SIMT_OF_THREAD uint3 threadIdx;
extern RAFTER_SIMT_TLS __thread RAFTER_SIMT_OF_BLOCK uint3 blockIdx;
extern RAFTER_SIMT_TLS __thread RAFTER_SIMT_OF_BLOCK rafter_simt::Extents blockDim;
extern RAFTER_SIMT_TLS __thread RAFTER_SIMT_OF_BLOCK rafter_simt::Extents gridDim;

/// Runs a launch to its end; returns a cudaError_t and remembers it as the last error.
int rafter_simt_launch(const rafter_simt::Launch* launch);
/// Called when a thread ended: true when the caller shall run another thread, whose built-ins are set.
bool rafter_simt_next_thread();
/// Called when all threads of a block have run in a loop: how many more shall, from the index on that it sets; 0: none.
/// They are neighbours in x. More than one only if asked for `several`.
unsigned rafter_simt_next_blocks(uint3* block, bool several);

/// __syncthreads: barrier 0, plain, for every thread of the block. `line` tells places apart (0: unknown), because an
/// optimiser may copy a call; its upper bits, the rounds of loops around it.
void rafter_simt_sync_threads(int line);
/// The same in two steps, for a thread with rafter_simt_now.warp: it arrives, and takes its turn.
rafter_simt::Turn rafter_simt_sync_threads_arrive(int line);
/// Any barrier. `expected` 0 means every thread of the block. Returns the reduced predicate.
int rafter_simt_barrier(int id, int expected, rafter_simt::BarrierKind kind, int predicate, int line);
void rafter_simt_barrier_arrive(int id, int expected);
void rafter_simt_grid_barrier();

/// First thing in a kernel with __cluster_dims__: a launch that said nothing of clusters starts again with these.
void rafter_simt_cluster_dims(unsigned x, unsigned y, unsigned z);
unsigned rafter_simt_cluster_value(int which);
void rafter_simt_cluster_arrive(rafter_simt::ClusterArrive order);
void rafter_simt_cluster_wait();
/// The same variable of the block of that rank, and the rank of the block whose variable it is.
void* rafter_simt_map_shared(const void* address, unsigned rank);
unsigned rafter_simt_shared_rank(const void* address);

/// Every lane gives `value` (and an argument: source lane, delta or lane mask, with `width`) and gets its result.
std::uint64_t rafter_simt_warp(rafter_simt::WarpOp op, unsigned mask, std::uint64_t value, int argument, int width);
/// The same in two steps, for a thread with rafter_simt_now.warp, where its result is then.
rafter_simt::Turn rafter_simt_warp_arrive(rafter_simt::WarpOp op, unsigned mask, std::uint64_t value, int argument,
                                          int width);
/// What the last one told the running lane besides: match_all, whether all values were equal; shuffles, whether the
/// value is another lane's.
int rafter_simt_warp_flag();
/// Every lane of the mask gets the `bytes` (at most 256) of all lanes, lane by lane.
void rafter_simt_warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all);
/// The lanes of the warp that are at the same call; `line` tells calls apart, because an optimiser may copy one.
unsigned rafter_simt_active_mask(int line);
void rafter_simt_fence(rafter_simt::Scope scope);
/// Before an atomic access: lets others run now and then, and tells the checkers.
void rafter_simt_atomic(const volatile void* address, int bytes, rafter_simt::Scope scope, rafter_simt::Use use,
                        const void* place);
/// After an atomic access whose write decides what it hands over.
void rafter_simt_atomic_done(const volatile void* address, rafter_simt::Effect effect);
/// After a read of `address`, atomic or volatile, that is an acquire.
void rafter_simt_acquired(const volatile void* address, rafter_simt::Scope scope);
void rafter_simt_yield(unsigned nanoseconds);
/// After a call of the runtime API by host code that has no use for the error it may return.
void rafter_simt_ignored();

[[noreturn]] void rafter_simt_trap();
[[noreturn]] void rafter_simt_unsupported(const char* what);
std::uint64_t rafter_simt_global_timer();
void* rafter_simt_device_malloc(std::size_t bytes);
void rafter_simt_device_free(void* memory);
}
