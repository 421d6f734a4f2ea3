// Static shared memory: the thread-local variables of the program's own modules, as the calling OS thread has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rafter::simt {

struct SharedRange {
  std::byte* base;
  std::size_t bytes;

  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base) < bytes;
  }
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

/// A block's static shared memory while another block is on the OS thread. It stays where it is, and its addresses are
/// aligned as the variables are: blocks of a cluster reach each other's memory there.
class SharedImage {
 public:
  void save(const std::vector<SharedRange>& ranges);
  void load(const std::vector<SharedRange>& ranges) const;
  bool is_empty() const { return is_empty_; }
  void forget() { is_empty_ = true; }

  /// The ranges as they lie here; none before the first save().
  const std::vector<SharedRange>& ranges() const { return homes_; }

 private:
  std::vector<std::byte> memory_;
  std::vector<SharedRange> homes_;
  bool is_empty_ = true;
};

/// The same place in other ranges; nothing for an address in none of them.
std::optional<std::byte*> moved(const void* address, const std::vector<SharedRange>& from,
                                const std::vector<SharedRange>& to);

}  // namespace rafter::simt
