#include "executor/memory/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>

#include "executor/memory/allocation_findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

constexpr std::size_t GiB = std::size_t{1} << 30;
constexpr std::size_t alignment = 256;
constexpr std::size_t mapping_bytes = std::size_t{64}
                                      << 20;  // memory beyond the allocations is made accessible in steps

// Returns the size of the redzone after an allocation, which catches accesses just past its end. With `isolate` it is
// 1/64 of the address space that is `left`: gigabytes at first, and never zero.
std::size_t redzone(std::size_t bytes, std::size_t left) {
  const std::size_t least = std::clamp(bytes / 2, std::size_t{4096}, std::size_t{1} << 20);
  return options().isolate ? std::max(least, left / 64) : least;
}

std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

void* reserve(std::size_t bytes) {
  void* range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range == MAP_FAILED ? nullptr : range;
}

/// The whole pages inside a range.
struct Pages {
  std::byte* first;
  std::size_t bytes;
};
Pages pages_inside(std::byte* base, std::size_t bytes, std::size_t page) {
  const std::size_t skip = -reinterpret_cast<std::uintptr_t>(base) & (page - 1);
  return {base + skip, skip < bytes ? (bytes - skip) / page * page : 0};
}

// Asks for huge pages, as GPUs also have large pages: kernels that stream through memory then cause fewer TLB misses.
// Allocations smaller than two huge pages are left alone, so that small allocations stay small.
void ask_for_large_pages(std::byte* base, std::size_t bytes) {
  constexpr std::size_t page = 2 << 20;
  if (bytes < 2 * page) return;
  const Pages pages = pages_inside(base, bytes, page);
  madvise(pages.first, pages.bytes, MADV_HUGEPAGE);
}

std::size_t physical_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

const char* name(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device: return "device";
    case MemoryKind::managed: return "managed";
    case MemoryKind::pinned: return "pinned host";
  }
  return "?";
}

Memory& memory() {
  static Memory& all = *new Memory;  // never destroyed: outlives the program's static objects
  return all;
}

// Reserves as much address space as possible, leaving enough for the shadow memory of a checked run.
Memory::Memory() {
  const std::size_t shadow_factor = options().mode == Mode::check ? 9 : 0;
  const char* limit = std::getenv("RAFTER_SIMT_MEMORY");
  const std::size_t wanted = limit ? std::strtoull(limit, nullptr, 10) : physical_bytes() / 10 * 8;
  for (part_bytes_ = std::max(64 * GiB, limit ? std::bit_ceil(2 * wanted) : 0); part_bytes_ >= GiB; part_bytes_ /= 2) {
    void* shadow = shadow_factor ? reserve(shadow_factor * range_bytes()) : nullptr;
    if (!shadow_factor || shadow) base_ = static_cast<std::byte*>(reserve(range_bytes()));
    if (shadow) munmap(shadow, shadow_factor * range_bytes());
    if (base_) break;
  }
  if (!base_) part_bytes_ = 0;
  total_bytes_ = std::min(wanted, part_bytes_ / 2);
}

std::byte* Memory::place(MemoryKind kind, std::size_t reserved) {
  const auto k = static_cast<std::size_t>(kind);
  // A checked run reuses an address only when no others are left, so that a use after free is detected.
  const bool is_full = next_[k] + reserved > part_bytes_;
  if ((options().mode != Mode::check || is_full) && !options().isolate) {
    const auto fit = reusable_[k].lower_bound(reserved);
    if (fit != reusable_[k].end() && (is_full || fit->first <= reserved * 2)) {
      std::byte* base = fit->second;
      reusable_[k].erase(fit);
      allocations_.erase(base);
      return base;
    }
  }
  if (is_full || !map_up_to(k, next_[k] + reserved)) return nullptr;
  std::byte* base = base_ + k * part_bytes_ + next_[k];
  next_[k] += reserved;
  ask_for_large_pages(base, reserved);
  return base;
}

// Accesses far from all allocations fault, as on a GPU.
bool Memory::map_up_to(std::size_t kind, std::size_t end) {
  const std::size_t wanted = (end / mapping_bytes + 1) * mapping_bytes, to = std::min(wanted, part_bytes_);
  std::atomic<std::size_t>& mapped = mapped_[kind];
  if (to <= mapped) return true;
  std::byte* const from = base_ + kind * part_bytes_ + mapped;
  if (mprotect(from, to - mapped, PROT_READ | PROT_WRITE) != 0) return false;
  mapped = to;
  return true;
}

void* Memory::allocate(MemoryKind kind, std::size_t bytes, const void* call_site) {
  const std::lock_guard lock(mutex_);
  if (bytes > total_bytes_ - used_bytes_) return nullptr;
  std::size_t& next = next_[static_cast<std::size_t>(kind)];
  if (next == 0) next = 1 << 16;  // offset of the first allocation
  const std::size_t reserved = rounded(bytes + redzone(bytes, part_bytes_ - next));
  std::byte* base = place(kind, reserved);
  if (!base) return nullptr;
  used_bytes_ += bytes;
  const Allocation made{base, bytes, kind, call_site, nullptr, ++serial_, true, false};
  allocations_.insert_or_assign(base, made);
  if (Observer* observer = observing()) observer->allocated(made);
  return base;
}

bool Memory::release(void* address, MemoryKind kind, const void* call_site) {
  const std::lock_guard lock(mutex_);
  const auto at = allocations_.find(static_cast<std::byte*>(address));
  if (at == allocations_.end() || at->second.kind != kind || !at->second.live) {
    report_bad_free(at == allocations_.end() ? nullptr : &at->second, call_site);
    return false;
  }
  Allocation& freed = at->second;
  freed.live = false;
  freed.freed_at = call_site;
  used_bytes_ -= freed.bytes;
  if (Observer* observer = observing()) observer->freed(freed);
  if (!options().isolate)
    reusable_[static_cast<std::size_t>(freed.kind)].emplace(rounded(freed.bytes + redzone(freed.bytes, 0)), freed.base);
  if (freed.bytes >= (1 << 20)) {  // returns its whole pages to the system
    const Pages pages = pages_inside(freed.base, freed.bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    madvise(pages.first, pages.bytes, MADV_DONTNEED);
  }
  return true;
}

const Allocation* Memory::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  auto after = allocations_.upper_bound(at);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& before = std::prev(after)->second;
  return static_cast<std::size_t>(at - before.base) < std::max<std::size_t>(before.bytes, 1) ? &before : nullptr;
}

const Allocation* Memory::nearest(const void* address) const {
  const std::lock_guard lock(mutex_);
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  auto after = allocations_.upper_bound(at);
  const Allocation* below = after == allocations_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation* above = after == allocations_.end() ? nullptr : &after->second;
  if (!below || !above) return below ? below : above;
  return above->base - at < at - (below->base + below->bytes) ? above : below;
}

void Memory::host_registered(const void* begin, std::size_t bytes, bool registered) {
  const std::lock_guard lock(mutex_);
  if (registered) {
    registered_[static_cast<const std::byte*>(begin)] = bytes;
  } else {
    registered_.erase(static_cast<const std::byte*>(begin));
  }
  n_registered_ = registered_.size();
}

bool Memory::is_registered(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto* at = static_cast<const std::byte*>(address);
  auto after = registered_.upper_bound(at);
  if (after == registered_.begin()) return false;
  --after;
  return static_cast<std::size_t>(at - after->first) < after->second;
}

std::size_t Memory::registered_bytes(const void* begin) const {
  const std::lock_guard lock(mutex_);
  const auto at = registered_.find(static_cast<const std::byte*>(begin));
  return at == registered_.end() ? 0 : at->second;
}

void Memory::copied(void* to, const void* from, std::size_t bytes, const void* call_site) {
  Observer* observer = observing();
  if (!observer) return;
  const bool may_read = observer->may_touch(from, bytes, ApiUse::reads, call_site);
  if (observer->may_touch(to, bytes, ApiUse::writes, call_site) && may_read)
    observer->wrote(to, from, bytes, call_site);
}

void Memory::filled(void* to, std::size_t bytes, const void* call_site) {
  Observer* observer = observing();
  if (observer && observer->may_touch(to, bytes, ApiUse::writes, call_site))
    observer->wrote(to, nullptr, bytes, call_site);
}

std::vector<Allocation> Memory::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> all;
  for (const auto& [base, allocation] : allocations_) {
    if (allocation.live) all.push_back(allocation);
  }
  return all;
}

}  // namespace rafter::simt
