// The interface between compiled CUDA sources and the executor's runtime. All calls between the two go through it, with
// C linkage.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rafter_simt/context.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

struct CUstream_st;

namespace rafter_simt {

/// The type of blockDim and gridDim: dim3 without its constructors, which would prevent constant initialisation.
struct Extents {
  unsigned x, y, z;
  operator dim3() const { return dim3(x, y, z); }
  operator uint3() const { return uint3{x, y, z}; }
};

/// A thread's position in its block: threadIdx, and the linear index with x fastest. A context switch sets both with
/// one store.
struct alignas(16) ThreadNumber {
  uint3 index;
  unsigned linear;
};

struct WarpState;

/// The state of the running CUDA thread; one per OS thread, updated by the runtime at every context switch. It begins
/// with the variable that kernels know as threadIdx.
struct Now : ThreadNumber {
  WarpState* warp;           // its warp, if its lanes may switch to each other; null for a thread that never did
  unsigned lane;             // its lane; `linear` contains it, but a 4-byte load just after a 16-byte store is slow
  unsigned run_end;          // threads before this one may be started in place, one after the other
  unsigned inside;           // 1 while a CUDA thread runs on this OS thread
  int credit;                // atomics and fences left until the scheduler runs other threads
  void* dynamic_shared;      // the block's dynamic shared memory
  std::size_t shared_bytes;  // its size
  unsigned leaving;          // the kernel has returned; destructors of its arguments do not run on a GPU
  unsigned switching;        // the state is being switched to another thread, or belongs to it already
  // 1: a kernel of independent threads may run its block as a loop; 2: one does; 3: as a loop over several blocks
  unsigned loop;
};

/// The address range of a program's variables in device memory.
struct VariableRange {
  const char* begin;
  const char* end;
};
struct VariableRanges {
  VariableRange device, constant, managed;
};

/// One argument of a launch, for reports: a pointer, or an object that may contain some.
struct Argument {
  const void* value;          // the pointer, or the object's address
  std::size_t object_bytes;   // 0: a pointer
  std::size_t element_bytes;  // of what the pointer points to; 0: unknown
  unsigned is_const;          // the kernel only reads what the pointer points to
};
struct ArgumentList {
  static constexpr unsigned most = 64;
  Argument all[most];
  unsigned n;
};

/// A launch: its shape, the kernel's name as written, and the function that runs its threads.
struct Launch {
  dim3 grid;
  dim3 block;
  dim3 cluster;  // blocks per cluster; one: no clusters
  std::size_t shared_bytes;
  CUstream_st* stream;
  const char* kernel;
  unsigned cooperative;
  unsigned independent_blocks;         // nothing in the source lets blocks communicate
  void (*run_threads)(void* closure);  // runs threads until rafter_simt_next_thread() returns false
  void* closure;
  std::size_t closure_bytes;  // the arguments, which the threads read
  // Used when a launch is captured: copies and destroys the closure. For a kernel given by its address, also the
  // positions of its arguments in the closure.
  void* (*copy_closure)(const void* closure);
  void (*destroy_closure)(void* closure);
  const void* address;
  std::size_t n_arguments;
  void (*locate_arguments)(void* closure, void** arguments);
  void (*list_arguments)(void* closure);  // into rafter_simt_listing, in place of running a thread; null: unknown
};

enum class BarrierKind : int { plain, count, all, any };

/// An operation that the lanes of a mask perform together.
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

/// Marks the place of a barrier in a kernel's own text: the number of its token instead of a line.
constexpr int in_kernel_text = 1 << 19;

/// The place at which a thread left its kernel: at a `return`, or at the end of the body. Positions are numbers of
/// tokens in the source; a range is empty if its end is 0.
struct Departure {
  int at = 0;                        // 0: unknown
  int loop_begin = 0, loop_end = 0;  // the outermost loop around the `return`
  const char* others = "";           // branches taken instead of the one with the `return`: "BEGIN END BEGIN END ..."
  bool is_end = false;               // the end of the kernel's body
  const void* place = nullptr;
};

/// The memory ordering of an arrival at the cluster barrier: whether waiting threads see the thread's earlier writes.
enum class ClusterArrive : int { release, relaxed };

/// A property of a thread's cluster; positions and extents are per axis.
enum class ClusterValue : int {
  rank,   // of the block in its cluster
  size,   // blocks of the cluster
  block,  // the block's position in its cluster: + 0, 1, 2 for x, y, z
  shape = block + 3,
  index = shape + 3,       // of the cluster in the grid
  n_clusters = index + 3,  // of the grid
};

enum class Scope : int { block, cluster, device, system };

/// The kind of an atomic access, given before it.
enum class Use : int { reads, writes, updates };
/// The effect of an atomic access, given after it: none is a pure read; swapped is a compare-and-swap that stored,
/// which may acquire a lock.
enum class Effect : int { none, stored, swapped };

}  // namespace rafter_simt

// The built-in variables are constants to kernels: of a block, or, in a checked build, where they must not be
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
extern RAFTER_SIMT_TLS __thread rafter_simt::ArgumentList* RAFTER_SIMT_OF_BLOCK rafter_simt_listing;

/// Runs a launch to its end. Returns a cudaError_t and records it as the last error.
int rafter_simt_launch(const rafter_simt::Launch* launch);
/// Called when a thread has ended. Returns whether the caller should run another thread, whose built-in variables are
/// set.
bool rafter_simt_next_thread();
/// Called when all threads of a block have run in a loop. Returns the number of blocks to run next, 0 for none, and
/// sets the index of the first. The blocks are consecutive in x; there is more than one only if `several` is set.
unsigned rafter_simt_next_blocks(uint3* block, bool several);

/// __syncthreads: barrier 0 without reduction, for all threads of the block. `line` distinguishes call sites (0:
/// unknown), because an optimiser may duplicate a call. Its upper bits hold the iterations of the enclosing loops.
void rafter_simt_sync_threads(int line);
/// Performs the arrival of __syncthreads for a thread with rafter_simt_now.warp. The caller then performs the returned
/// switch.
rafter_simt::ContextSwitch rafter_simt_sync_threads_arrive(int line);
/// Waits at any barrier. `expected` 0 means all threads of the block. Returns the reduced predicate.
int rafter_simt_barrier(int id, int expected, rafter_simt::BarrierKind kind, int predicate, int line);
void rafter_simt_barrier_arrive(int id, int expected);
void rafter_simt_grid_barrier();

/// Called first in a kernel with __cluster_dims__: a launch without a cluster size is restarted with this one.
void rafter_simt_cluster_dims(unsigned x, unsigned y, unsigned z);
unsigned rafter_simt_cluster_value(int which);
void rafter_simt_cluster_arrive(rafter_simt::ClusterArrive order);
void rafter_simt_cluster_wait();
/// Returns the address of the same variable in the block with that rank (map), and the rank of the block that owns a
/// variable (rank).
void* rafter_simt_map_shared(const void* address, unsigned rank);
unsigned rafter_simt_shared_rank(const void* address);

/// Performs a warp operation. Each lane passes `value` (and an argument: source lane, delta or lane mask, with `width`)
/// and gets its result.
std::uint64_t rafter_simt_warp(rafter_simt::WarpOp op, unsigned mask, std::uint64_t value, int argument, int width);
/// Performs the arrival of a warp operation for a thread with rafter_simt_now.warp. The result is stored there when the
/// returned switch comes back.
rafter_simt::ContextSwitch rafter_simt_warp_arrive(rafter_simt::WarpOp op, unsigned mask, std::uint64_t value,
                                                   int argument, int width);
/// Returns the flag of the running lane's last operation: match_all, whether all values were equal; shuffles, whether
/// the value is another lane's.
int rafter_simt_warp_flag();
/// Gives every lane of the mask the `bytes` (at most 256) of all lanes, ordered by lane.
void rafter_simt_warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all);
/// Returns the lanes of the warp that are at the same call; `line` distinguishes calls, because an optimiser may
/// duplicate one.
unsigned rafter_simt_active_mask(int line);
/// Called where a thread leaves its kernel.
void rafter_simt_departs(int at, int loop_begin, int loop_end, const char* others);
void rafter_simt_reaches_end();
/// A shuffle whose result only initialises the variable with this number: a bad source lane matters if the variable is
/// used. Called before the shuffle, and at each use.
void rafter_simt_shuffles_into(int variable);
void rafter_simt_uses(int variable);
/// Called before a load through the read-only cache, and before a wmma load or store.
void rafter_simt_read_only(const void* address, std::size_t bytes);
void rafter_simt_matrix(const void* address, std::size_t stride_bytes);
void rafter_simt_fence(rafter_simt::Scope scope);
/// Called before an atomic access: reports it to the checkers and occasionally lets other threads run.
void rafter_simt_atomic(const volatile void* address, int bytes, rafter_simt::Scope scope, rafter_simt::Use use,
                        const void* place);
/// Called after an atomic access whose write determines what it releases.
void rafter_simt_atomic_done(const volatile void* address, rafter_simt::Effect effect);
/// Called after a read of `address`, atomic or volatile, that is an acquire.
void rafter_simt_acquired(const volatile void* address, rafter_simt::Scope scope);
void rafter_simt_yield(unsigned nanoseconds);
/// Called after host code has ignored the error that a runtime API call may return.
void rafter_simt_ignored();

[[noreturn]] void rafter_simt_trap();
[[noreturn]] void rafter_simt_unsupported(const char* what);
std::uint64_t rafter_simt_global_timer();
void* rafter_simt_device_malloc(std::size_t bytes);
void rafter_simt_device_free(void* memory);
}
