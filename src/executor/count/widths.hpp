// How wide the loads and stores are that a GPU makes of one access in the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "executor/count/request.hpp"

namespace rafter::simt {

/// A GPU moves 1, 2, 4, 8 or 16 bytes at an address that is a multiple of them. What is larger, or may lie at other
/// addresses, is moved in pieces as wide as its type's alignment.
class Widths {
 public:
  /// Knows the structures that the program's modules define (build/rewrite/structures.cpp).
  void load();
  /// The alignment of a type of that size; of two, the larger one counts.
  void add(std::size_t bytes, std::size_t alignment);

  /// Of the pieces of a request. Where no type of that size is known, what its addresses allow.
  std::uint32_t of(const Request& request) const;

 private:
  std::map<std::size_t, std::size_t> alignments_;  // by size
  bool is_loaded_ = false;
};

}  // namespace rafter::simt
