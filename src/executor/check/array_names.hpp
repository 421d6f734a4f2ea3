// Names the array and the element that a finding is about: by the kernel's argument, if one points into the memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/process/finding.hpp"

namespace rafter::simt {

struct Allocation;

/// Notes that the access is one element of the target, if it is.
void set_element(Target& target, std::uint64_t access_bytes);

/// Sets the argument of the running kernel that points into the allocation, and the index at `address` in its array;
/// then set_element().
void name_array(Target& target, const Allocation& allocation, const void* address, std::uint64_t access_bytes,
                bool writes);

}  // namespace rafter::simt
