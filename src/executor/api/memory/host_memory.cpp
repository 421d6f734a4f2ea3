#include "executor/api/memory/host_memory.hpp"

#include <iterator>

namespace rafter::simt {
namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

void HostMemory::allocated(const void* memory, unsigned flags) {
  const std::lock_guard lock(mutex_);
  flags_[memory] = flags;
}

void HostMemory::released(const void* memory) {
  const std::lock_guard lock(mutex_);
  flags_.erase(memory);
}

bool HostMemory::add(const void* begin, std::size_t bytes, unsigned flags) {
  const std::lock_guard lock(mutex_);
  if (containing(number(begin)) != ranges_.end()) return false;
  const auto next = ranges_.lower_bound(number(begin));
  if (next != ranges_.end() && next->first < number(begin) + bytes) return false;
  ranges_.emplace(number(begin), Range{bytes, flags});
  return true;
}

std::optional<std::size_t> HostMemory::remove(const void* begin) {
  const std::lock_guard lock(mutex_);
  const auto found = ranges_.find(number(begin));
  if (found == ranges_.end()) return std::nullopt;
  const std::size_t bytes = found->second.bytes;
  ranges_.erase(found);
  return bytes;
}

bool HostMemory::registered(const void* address, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto found = containing(number(address));
  return found != ranges_.end() && bytes <= found->first + found->second.bytes - number(address);
}

std::optional<unsigned> HostMemory::flags(const void* address, const void* allocation) const {
  const std::lock_guard lock(mutex_);
  if (const auto found = containing(number(address)); found != ranges_.end()) return found->second.flags;
  if (const auto found = flags_.find(allocation); found != flags_.end()) return found->second;
  return std::nullopt;
}

HostMemory::Ranges::const_iterator HostMemory::containing(std::uintptr_t address) const {
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return ranges_.end();
  const auto before = std::prev(after);
  return address < before->first + before->second.bytes ? before : ranges_.end();
}

HostMemory& host_memory() {
  static HostMemory& memory = *new HostMemory;  // never destroyed: destructors of the program may still use it
  return memory;
}

}  // namespace rafter::simt
