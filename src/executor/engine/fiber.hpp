// Fibers: stacks of their own that the CUDA threads of a block run on.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "executor/engine/context.hpp"

namespace rafter::simt {

struct Fiber {
  Context context;             // where it goes on when it has no thread; a thread that waits on it has its own
  std::byte* stack = nullptr;  // lowest address
};

/// The stacks of one worker: equal slots of one address range, so that "is this local memory" is one comparison.
class FiberPool {
 public:
  using Entry = void (*)();

  // Untouched pages cost nothing; a kernel uses a few KB. Not a power of two: the tops would share cache sets.
  static constexpr std::size_t stack_bytes = (256 << 10) + 4096;

  explicit FiberPool(Entry entry) : entry_(entry) {}
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber that starts at the entry; nullptr when there is no address space left.
  Fiber* take();
  void give_back(Fiber* fiber) { idle_.push_back(fiber); }
  /// Makes every fiber start anew: what ran on them is forgotten.
  void reset();

  bool holds(const void* address) const {
    for (const Chunk& chunk : chunks_) {
      if (static_cast<std::size_t>(static_cast<const std::byte*>(address) - chunk.base) < chunk.bytes) return true;
    }
    return false;
  }

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
