// A finding: the kind of error, and the one or two accesses or calls that cause it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rafter_simt/numbers/vector_types.hpp"

namespace rafter::simt {

/// The detail of an access to dynamic shared memory in a launch that has none.
inline constexpr const char* no_dynamic_shared =
    "the launch has no dynamic shared memory: use kernel<<<blocks, threads, BYTES>>> or --shared BYTES";

enum class Kind : std::uint8_t {
  out_of_bounds,
  misaligned,
  use_after_free,
  double_free,
  invalid_free,
  host_touches_device,
  kernel_touches_host,
  write_to_constant,
  leak,
  race,
  same_value_race,
  lockstep,
  stream_race,
  host_race,
  freed_in_use,
  event_not_recorded,
  missing_acquire,
  unordered_volatile,
  uninitialised,
  reads_stale_output,
  state_between_launches,
  foreign_memory,
  unwritten_copy,
  ignored_error,
  divergent_barrier,
  exited_before_barrier,
  deadlock,
  unstarted_block,
  exited_block,
  arrival_count,
  transaction_count,
  proxy_fence,
  copy_in_flight,
  wgmma,
  bad_mask,
  bad_source_lane,
  bad_texture,
  stale_texture,
  stale_read_only,
  overlapping_copy,
  foreign_local,
  too_many_blocks,
  refused_launch,
  no_progress,
  assertion,
  trap,
  unsupported
};
const char* name(Kind kind);

// cluster: shared memory of another block
enum class Space : std::uint8_t { none, global, shared, cluster, local, host };
const char* name(Space space);

/// One side of a finding: the action, its place in the code, and the thread (no thread for host code).
struct Side {
  std::string action;  // "reads", "writes", "updates atomically", "waits in __syncthreads", ...
  const void* place = nullptr;
  std::uint64_t bytes = 0;
  std::optional<uint3> block, thread;
  std::string actor{};  // "kernel scale in stream 2"; empty: a thread or host code
};

/// The memory that a finding is about.
struct Target {
  std::string what;  // "cudaMalloc", "shared variable tile", ...
  std::uint64_t bytes = 0;
  std::int64_t offset = 0;  // of the access, from the start of the memory
  const void* made_at = nullptr;
  const void* freed_at = nullptr;
  std::uint64_t element_bytes = 0;      // the access's, if it is one element; otherwise 0
  std::string argument{};               // of the kernel, which points to the memory
  std::optional<std::int64_t> index{};  // in the argument's array; unknown without its type
};

struct Finding {
  Kind kind;
  Space space = Space::none;
  std::string kernel;  // empty for host code
  std::vector<Side> sides;
  std::optional<Target> target;
  std::string detail;
  std::uint64_t count = 1;
  std::vector<const void*> stack{};  // call stack in host code, for kinds that the tool filters by caller
  bool is_note = false;              // an error only with --strict
  bool needs_two_calls = false;      // void unless the two places, at one line, are reached through different calls
  std::string remedy{};              // what would have ordered the accesses of a race
};

}  // namespace rafter::simt
