// The widths of the loads and stores that a GPU executes for one access in the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "executor/count/request.hpp"

namespace rafter::simt {

/// A GPU accesses 1, 2, 4, 8 or 16 bytes at a multiple of that size. Larger or less aligned objects are accessed in
/// pieces as wide as the alignment of their type.
class Widths {
 public:
  /// Reads the structures that the program's modules define (build/rewrite/structures.cpp).
  void load();
  /// Adds a type. Of several types with the same size, the largest alignment is used.
  void add(std::size_t bytes, std::size_t alignment);

  /// Returns the width of the pieces of a request. If no type of that size is known, the addresses decide.
  std::uint32_t of(const Request& request) const;

 private:
  std::map<std::size_t, std::size_t> alignments_;  // by size
  bool is_loaded_ = false;
};

}  // namespace rafter::simt
