// Names the array and the element that a finding is about: by the kernel's argument, if one points into the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "executor/process/finding.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

struct Allocation;

/// An array that a kernel declares as `const T* __restrict__`, up to the next pointer into its memory.
struct ReadOnlyArray {
  const std::byte* begin;
  const std::byte* end;
  std::string name;
};

/// Returns the read-only arrays of a launch in whose memory another argument points that may be written through.
std::vector<ReadOnlyArray> written_read_only_arrays(const rafter_simt::Launch& launch);

/// Notes that the access is one element of the target, if it is.
void set_element(Target& target, std::uint64_t access_bytes);

/// Sets the argument of the running kernel that points into the allocation, and the index at `address` in its array;
/// then set_element().
void name_array(Target& target, const Allocation& allocation, const void* address, std::uint64_t access_bytes,
                bool writes);

}  // namespace rafter::simt
