#include "executor/engine/fiber.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace rafter::simt {
FiberPool::~FiberPool() {
  for (const Chunk& chunk : chunks_) munmap(chunk.base, chunk.bytes);
}

bool FiberPool::grow() {
  const std::size_t bytes = fibers_per_chunk * stack_bytes;
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* base = static_cast<std::byte*>(memory);
  madvise(base, bytes, MADV_NOHUGEPAGE);  // a huge page would commit many stacks' worth of memory at the first access
  chunks_.push_back({base, bytes});
  for (std::size_t i = fibers_per_chunk; i-- > 0;) {
    auto fiber = std::make_unique<Fiber>();
    fiber->stack = base + i * stack_bytes;
    mprotect(fiber->stack, guard_bytes, PROT_NONE);  // may fail (too many mappings); then the stack has no guard
    prepare(*fiber, i);
    idle_.push_back(fiber.get());
    fibers_.push_back(std::move(fiber));
  }
  return true;
}

void FiberPool::prepare(Fiber& fiber, std::size_t number) const {
  // Stack tops at the same page offset would share cache sets. So each starts 7 cache lines after the previous one,
  // about what a kernel and a wait use.
  const std::size_t colour = number * 7 * 64 % (16 << 10);
  fiber.context = new_context(fiber.stack + stack_bytes - colour, entry_);
}

bool FiberPool::are_in_one(const void* address, const void* here) const {
  for (const Chunk& chunk : chunks_) {
    const auto stack_of = [&](const void* at) {
      return static_cast<std::size_t>(static_cast<const std::byte*>(at) - chunk.base) / stack_bytes;
    };
    if (stack_of(here) < fibers_per_chunk) return stack_of(address) == stack_of(here);
  }
  return false;
}

Fiber* FiberPool::take() {
  if (idle_.empty() && !grow()) return nullptr;
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void FiberPool::reset() {
  idle_.clear();
  for (std::size_t i = fibers_.size(); i-- > 0;) {
    prepare(*fibers_[i], i);
    idle_.push_back(fibers_[i].get());
  }
}

}  // namespace rafter::simt
