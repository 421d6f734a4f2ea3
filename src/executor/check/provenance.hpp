// Where the values that a call reads come from. The judge of a kernel says before each call what the call may not build
// on: the previous contents of its outputs, arrays that are not its arguments, and what earlier calls left in module
// variables. The shadow's states express all of it, so accesses take no longer: the first and the last count as
// unwritten, the second as non-existent. This class remembers why, for the findings.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "executor/check/regions.hpp"

namespace rafter::simt {

/// Disjoint ranges of addresses.
class AddressRanges {
 public:
  /// Adds [begin, begin + bytes) in place of all ranges that overlap it.
  void add(const std::byte* begin, std::size_t bytes);
  void remove(const std::byte* begin, std::size_t bytes);
  bool holds(const void* address) const;

 private:
  std::map<const std::byte*, const std::byte*> ends_;  // by begin
};

class Provenance {
 public:
  /// The next call must not read these bytes before it writes them.
  void forget_output(Regions& regions, std::byte* begin, std::size_t bytes);
  /// Whether the bytes belong to the arguments of the next call; an array that does not is out of its reach.
  void set_argument(Regions& regions, std::byte* begin, std::size_t bytes, bool is_argument);
  /// Values of module variables that differ from their initial ones must not be read by the next call. The initial
  /// values of a module are those at the first call of this function since it was loaded.
  void forget_state(std::span<Shadow> module_data);
  /// Values of this variable may be read by later calls. Returns the variables there are if it is none of them.
  std::vector<std::string> keep(const std::string& variable);
  void freed(const std::byte* begin, std::size_t bytes);

  /// Whether the contents of this output are from before the call.
  bool is_stale_output(const void* address) const { return outputs_.holds(address); }
  bool is_state(const void* address) const;
  /// Whether the array at this address is not an argument of the call.
  bool is_foreign(const void* address) const { return foreign_.holds(address); }

 private:
  struct Image {
    std::byte* base;
    std::vector<std::byte> initial;
  };

  AddressRanges outputs_, foreign_, kept_;
  std::vector<Image> images_;  // of the data segments of modules
};

Provenance& provenance();

}  // namespace rafter::simt
