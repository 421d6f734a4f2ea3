// The checkers' handling of memory events outside of kernels.
#include <algorithm>
#include <cstddef>

#include "executor/check/check_observer.hpp"
#include "executor/check/memory_checker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {

void CheckObserver::allocated(const Allocation& allocation) {
  Shadow& shadow = regions_.global();
  shadow.set(Shadow::Part::exists, allocation.base, allocation.bytes, true);
  // Not all host writes to managed and pinned memory are seen, so it counts as written.
  shadow.set(Shadow::Part::written, allocation.base, allocation.bytes, allocation.kind != MemoryKind::device);
  streams_.allocated(allocation);
}

void CheckObserver::freed(const Allocation& allocation) {
  forbidden(allocation.base, allocation.bytes);
  provenance().freed(allocation.base, allocation.bytes);
  streams_.freed(allocation);
}

void CheckObserver::forbidden(const void* from, std::size_t bytes) {
  regions_.global().set(Shadow::Part::exists, from, bytes, false);
}

bool CheckObserver::may_touch(const void* address, std::size_t bytes, ApiUse use, const void* call_site) {
  streams_.api_access(address, bytes, use);
  if (bytes == 0 || !memory().holds(address)) return true;
  const Allocation* allocation = memory().find(address);
  const bool is_inside = allocation != nullptr;
  if (!is_inside) allocation = memory().nearest(address);
  const std::int64_t offset = allocation ? static_cast<const std::byte*>(address) - allocation->base : 0;
  const bool fits = is_inside && static_cast<std::size_t>(offset) + bytes <= allocation->bytes;
  if (fits && allocation->live) return true;
  const bool was_freed = is_inside && !allocation->live;
  Finding finding{
      was_freed ? Kind::use_after_free : Kind::out_of_bounds,
      Space::global,
      "",
      {{use == ApiUse::writes ? "copies to" : "copies from", call_site, static_cast<std::uint32_t>(bytes), {}, {}}},
      std::nullopt,
      was_freed ? "the memory had been freed" : "the bytes are not all inside the allocation"};
  if (allocation) finding.target = of_allocation(*allocation, address);
  findings().add(std::move(finding));
  return false;
}

namespace {

bool is_device(const void* address) {
  return memory().holds(address) && memory().kind_at(address) == MemoryKind::device;
}

void report_unwritten_copy(const Shadow& shadow, const void* from, std::size_t bytes, const void* call_site) {
  if (options().judged) return;
  const Shadow::Unwritten missing = shadow.unwritten(from, bytes);
  if (missing.bytes == 0) return;
  const Allocation* allocation = memory().find(from);
  const std::int64_t offset = allocation ? static_cast<const std::byte*>(from) - allocation->base : 0;
  Finding finding{.kind = Kind::unwritten_copy,
                  .space = Space::global,
                  .kernel = "",
                  .sides = {{"copies from", call_site, static_cast<std::uint32_t>(bytes), {}, {}}},
                  .target = std::nullopt,
                  .detail = (missing.bytes == bytes ? "all of these bytes are uninitialised"
                                                    : std::to_string(missing.bytes) +
                                                          " of these bytes are uninitialised, the first at offset " +
                                                          std::to_string(offset + missing.first)),
                  .is_note = !options().strict};
  if (allocation) finding.target = of_allocation(*allocation, from);
  findings().add(std::move(finding));
}

}  // namespace

void CheckObserver::wrote(void* to, const void* from, std::size_t bytes, const void* call_site) {
  if (bytes == 0) return;
  Shadow& shadow = regions_.global();
  if (from && is_device(from) && !is_device(to)) report_unwritten_copy(shadow, from, bytes, call_site);
  if (!memory().holds(to)) {
    wrote_variable(to, bytes);
    return;
  }
  if (from && is_device(from)) {
    shadow.copy_written(to, shadow, from, bytes);
  } else {
    shadow.set(Shadow::Part::written, to, bytes, true);
  }
}

void CheckObserver::wrote_variable(void* to, std::size_t bytes) {
  for (Shadow& variables : regions_.module_data()) {
    if (!variables.holds(to)) continue;
    const auto rest = static_cast<std::size_t>(variables.base + variables.bytes - static_cast<std::byte*>(to));
    variables.set(Shadow::Part::written, to, std::min(bytes, rest), true);
  }
}

}  // namespace rafter::simt
