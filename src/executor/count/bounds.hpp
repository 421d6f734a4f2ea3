// Accesses of a counted run that meet no memory of anybody's. It has no shadow memory as a check has, so it knows
// allocations and the dynamic shared memory only; but numbers about a program that reads past its arrays need a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "executor/process/observer.hpp"

namespace rafter::simt {

class Bounds {
 public:
  /// Allocations may have come or gone.
  void forget() { n_known_ = 0; }
  /// Whether a live allocation has the bytes; for addresses in the range of device memory.
  bool holds(const std::byte* address, std::uint32_t bytes);

 private:
  struct Extent {
    const std::byte* begin;
    std::size_t bytes;

    bool holds(const std::byte* at, std::uint32_t n) const {
      return at >= begin && static_cast<std::size_t>(at - begin) + n <= bytes;
    }
  };
  std::array<Extent, 8> known_{};  // met last, in turns
  std::size_t n_known_ = 0, next_ = 0;
};

/// Whether it is the block's dynamic shared memory, or just past its end.
bool is_near_dynamic_shared(const std::byte* address);

void report_outside_global(const Access& access);
void report_outside_dynamic_shared(const Access& access);

}  // namespace rafter::simt
