#include "executor/check/memory_checker.hpp"

#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "executor/check/array_names.hpp"
#include "executor/check/provenance.hpp"
#include "executor/engine/current_thread.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

const char* action(const Access& access) {
  const bool is_atomic = access.mode == AccessMode::atomic || access.mode == AccessMode::block_atomic;
  return is_atomic ? "updates atomically" : access.writes ? "writes" : "reads";
}

void add(Kind kind, Space space, const Access& access, std::optional<Target> target, std::string detail) {
  findings().add({kind, space, current_kernel(), {this_side(access)}, std::move(target), std::move(detail)});
}

bool is_mapped(const void* address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address) / page * page;
  return mincore(reinterpret_cast<void*>(begin), 1, &resident) == 0;
}

std::string past(const Target& target, std::uint32_t bytes) {
  if (target.what == dynamic_shared_name && target.bytes == 0) return no_dynamic_shared;
  const auto size = static_cast<std::int64_t>(target.bytes);
  if (target.offset < 0) return std::to_string(-target.offset) + " bytes before its start";
  if (target.offset == size) return "just past its end";
  if (target.offset > size) return std::to_string(target.offset - size) + " bytes past its end";
  if (target.offset + bytes <= size)
    return "at offset " + std::to_string(target.offset) + ", outside of its valid part";
  return "the last " + std::to_string(target.offset + bytes - size) + " bytes of the access are past its end";
}

/// Whether an address is so far from the nearest allocation that the access was hardly meant for it.
bool is_far(const Target& target) {
  const auto size = static_cast<std::int64_t>(target.bytes), far = std::max<std::int64_t>(size, 1 << 20);
  return target.offset < -far || target.offset > size + far;
}

std::string far_from(const Target& target) {
  const auto size = static_cast<std::int64_t>(target.bytes);
  const std::int64_t distance = target.offset < 0 ? -target.offset : target.offset - size;
  return "a wild address: the nearest allocation, " + std::to_string(size) + " bytes of " + target.what + ", is " +
         std::to_string(distance) + " bytes away";
}

}  // namespace

Side this_side(const Access& access) {
  const Block& block = this_worker()->block();
  return {action(access), access.place, access.bytes, block.index, block.thread_index(rafter_simt_now.linear)};
}

Target of_allocation(const Allocation& allocation, const void* address) {
  const std::string what =
      allocation.on_device ? "memory that a kernel allocated" : std::string(name(allocation.kind)) + " memory";
  const std::int64_t offset = static_cast<const std::byte*>(address) - allocation.base;
  return {what, allocation.bytes, offset, allocation.made_at, allocation.freed_at};
}

Target target_of(const Access& access, Space space, const Regions& regions) {
  const bool is_shared = space == Space::shared;
  if (is_shared || !memory().holds(access.address)) {
    Target target = is_shared ? regions.describe_shared(access.address) : regions.describe_variable(access.address);
    set_element(target, access.bytes);
    return target;
  }
  const Allocation* allocation = memory().find(access.address);
  if (!allocation) allocation = memory().nearest(access.address);
  if (!allocation) return {"no allocation", 0, 0, nullptr, nullptr};
  Target target = of_allocation(*allocation, access.address);
  name_array(target, *allocation, access.address, access.bytes, access.writes);
  return target;
}

void report_outside(const Access& access, const Found& found, const Regions& regions) {
  const Target target = target_of(access, found.space, regions);
  if (found.space == Space::global && !memory().holds(access.address)) {
    if (!regions.is_variable(access.address)) {
      add(Kind::kernel_touches_host, Space::host, access, std::nullopt, "the address is a variable of host code");
      return;
    }
  } else if (found.space == Space::global) {
    const Allocation* allocation = memory().find(access.address);
    if (allocation && !allocation->live) {
      add(Kind::use_after_free, Space::global, access, target, "the memory had been freed");
      return;
    }
    if (provenance().is_foreign(access.address)) {
      add(Kind::foreign_memory, Space::global, access, target, "this array is not an argument of the call");
      return;
    }
    if (!allocation && is_far(target)) {
      add(Kind::out_of_bounds, Space::global, access, std::nullopt, far_from(target));
      return;
    }
  }
  add(Kind::out_of_bounds, found.space, access, target, past(target, access.bytes));
}

void report_misaligned(const Access& access, const Found& found, const Regions& regions) {
  const auto off = reinterpret_cast<std::uintptr_t>(access.address) % access.bytes;
  add(Kind::misaligned, found.space, access, target_of(access, found.space, regions),
      "an access of " + std::to_string(access.bytes) + " bytes at an address that is " + std::to_string(off) +
          " past a multiple of " + std::to_string(access.bytes));
}

void report_misaligned_matrix(const Access& access, const std::optional<Found>& found, const Regions& regions,
                              std::string detail) {
  Side side = this_side(access);
  side.action = "accesses a matrix";
  std::optional<Target> target;
  if (found) target = target_of(access, found->space, regions);
  findings().add({Kind::misaligned,
                  found ? found->space : Space::global,
                  current_kernel(),
                  {std::move(side)},
                  std::move(target),
                  std::move(detail)});
}

void report_foreign_local(const Access& access) {
  add(Kind::foreign_local, Space::local, access, std::nullopt,
      "each thread has local memory of its own: a pointer to a local variable is only valid in the thread that made "
      "it");
}

bool report_non_device(const Access& access, const Regions& regions) {
  if (regions.is_harmless(access.address)) return false;
  if (reinterpret_cast<std::uintptr_t>(access.address) < 65536) {
    add(Kind::out_of_bounds, Space::global, access, std::nullopt, "a null pointer");
  } else if (regions.is_near_shared(access.address)) {
    const Target target = target_of(access, Space::shared, regions);
    add(Kind::out_of_bounds, Space::shared, access, target, past(target, access.bytes));
  } else if (!is_mapped(access.address)) {
    add(Kind::out_of_bounds, Space::global, access, std::nullopt, "no memory is mapped at this address");
  } else {
    add(Kind::kernel_touches_host, Space::host, access, std::nullopt,
        "the address is host memory (malloc, new, a vector or a variable of host code)");
  }
  return true;
}

void report_constant_write(const Access& access) {
  add(Kind::write_to_constant, Space::global, access, std::nullopt, "a __constant__ variable is read-only in kernels");
}

void report_uninitialised(const Access& access, const Found& found, const Regions& regions) {
  Kind kind = Kind::uninitialised;
  const char* detail = "these bytes are uninitialised";
  if (found.space == Space::global && provenance().is_stale_output(access.address)) {
    kind = Kind::reads_stale_output;
    detail = "what an output holds before the call must not matter: the call has to write these bytes first";
  } else if (found.space == Space::global && provenance().is_state(access.address)) {
    kind = Kind::state_between_launches;
    detail = "an earlier call left this value in the variable; it is not the initial one";
  }
  add(kind, found.space, access, target_of(access, found.space, regions), detail);
}

void report_outside_object(const Access& access, Space space) {
  add(Kind::out_of_bounds, space, access, std::nullopt,
      space == Space::local ? "outside of the thread's own array" : "outside of the table of constants");
}

void report_outside_type(const std::string& index, const std::string& type, const void* place) {
  findings().add({Kind::out_of_bounds,
                  Space::none,
                  current_kernel(),
                  {current_side("indexes", place)},
                  std::nullopt,
                  "index " + index + " is outside of " + type});
}

// Thrust algorithms and their functors run on the host. The tool removes findings about them by their call stack.
void report_host_touch(const Access& access, const Regions& regions) {
  if (findings().count_again(Kind::host_touches_device, "", access.place)) return;
  std::vector<const void*> stack(64);
  stack.resize(static_cast<std::size_t>(backtrace(const_cast<void**>(stack.data()), static_cast<int>(stack.size()))));
  if (!memory().holds(access.address)) {
    findings().add({Kind::host_touches_device,
                    Space::global,
                    "",
                    {{action(access), access.place, access.bytes, {}, {}}},
                    target_of(access, Space::global, regions),
                    "host code has its own copy of the variable; use cudaMemcpyFromSymbol or cudaMemcpyToSymbol",
                    1,
                    std::move(stack)});
    return;
  }
  findings().add({Kind::host_touches_device,
                  Space::global,
                  "",
                  {{action(access), access.place, access.bytes, {}, {}}},
                  target_of(access, Space::global, regions),
                  "host code cannot access device memory; copy it with cudaMemcpy",
                  1,
                  std::move(stack)});
}

}  // namespace rafter::simt
