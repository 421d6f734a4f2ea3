// Static shared memory: the thread-local variables of the program's own modules, as the calling OS thread has them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rafter::simt {

struct SharedRange {
  std::byte* base;
  std::size_t bytes;
};

struct SharedVariable {
  std::string name;    // as the compiler mangled it
  std::size_t offset;  // from the start of its module's range
  std::size_t bytes;
  std::size_t range;  // which range
};

/// Finds the ranges of the calling thread. The order is the same on every thread.
std::vector<SharedRange> find_shared_ranges();
/// The variables in them, from the modules' symbol tables; empty for a stripped module.
std::vector<SharedVariable> find_shared_variables();

void save_shared(const std::vector<SharedRange>& ranges, std::vector<std::byte>& image);
void load_shared(const std::vector<SharedRange>& ranges, const std::vector<std::byte>& image);

}  // namespace rafter::simt
