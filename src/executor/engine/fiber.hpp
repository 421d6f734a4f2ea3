// Fibers: the stacks that CUDA threads run on. rafter_simt/context.hpp has the switch between them, which is inlined in
// kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rafter_simt/context.hpp"

namespace rafter::simt {

using rafter_simt::Context;
using rafter_simt::ContextSwitch;
using rafter_simt::switch_context;

/// Returns a context that starts `entry` on the empty stack that ends below `top`. `entry` must not return.
inline Context new_context(std::byte* top, void (*entry)()) {
  top -= reinterpret_cast<std::uintptr_t>(top) % 16;
#if defined(__x86_64__)
  top -= sizeof(void*);  // a function expects a return address on its stack; 0 ends stack unwinding
  *reinterpret_cast<void**>(top) = nullptr;
#endif
  return {top, nullptr, reinterpret_cast<const void*>(entry)};
}

struct Fiber {
  Context context;             // of a fiber without a thread; a thread that waits on it has its own context
  std::byte* stack = nullptr;  // lowest address
};

/// The fibers of one worker. Stacks are equal slots of large address ranges, so that a few comparisons decide whether
/// an address is in local memory.
class FiberPool {
 public:
  using Entry = void (*)();

  static constexpr std::size_t fibers_per_chunk = 256;
  static constexpr std::size_t guard_bytes = 64 << 10;  // at least one page on every machine

  // Untouched pages cost nothing; a kernel uses a few KB. Not a power of two: stack tops would share cache sets.
  static constexpr std::size_t stack_bytes = (256 << 10) + 4096;

  explicit FiberPool(Entry entry) : entry_(entry) {}
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// Returns a fiber that starts at the entry, or null when no address space is left.
  Fiber* take();
  void give_back(Fiber* fiber) { idle_.push_back(fiber); }
  /// Resets every fiber to start at the entry and discards what ran on them.
  void reset();

  bool holds(const void* address) const {
    for (const Chunk& chunk : chunks_) {
      if (static_cast<std::size_t>(static_cast<const std::byte*>(address) - chunk.base) < chunk.bytes) return true;
    }
    return false;
  }
  /// Whether both addresses are in the same stack. The second one is in one.
  bool are_in_one(const void* address, const void* here) const;

 private:
  struct Chunk {
    std::byte* base;
    std::size_t bytes;
  };
  bool grow();
  void prepare(Fiber& fiber, std::size_t number) const;

  Entry entry_;
  std::vector<Chunk> chunks_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
};

}  // namespace rafter::simt
