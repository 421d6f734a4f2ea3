// Static shared memory: the calling OS thread's copy of the thread-local variables of the program's modules.
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
  std::size_t range;  // index of its range
};

/// Returns the ranges of the calling thread, in an order that is the same on every thread.
std::vector<SharedRange> find_shared_ranges();
/// Returns the variables in the ranges, from the modules' symbol tables. A stripped module has none.
std::vector<SharedVariable> find_shared_variables();

/// A block's static shared memory while another block runs on the OS thread. Its addresses do not change and have the
/// same alignment as the variables: blocks of a cluster access each other's memory there.
class SharedImage {
 public:
  void save(const std::vector<SharedRange>& ranges);
  void load(const std::vector<SharedRange>& ranges) const;
  bool is_empty() const { return is_empty_; }
  void forget() { is_empty_ = true; }

  /// Returns the ranges of the image, the homes; empty before the first save().
  const std::vector<SharedRange>& ranges() const { return homes_; }

 private:
  std::vector<std::byte> memory_;
  std::vector<SharedRange> homes_;
  bool is_empty_ = true;
};

/// Translates an address in `from` to the same offset of the corresponding range in `to`; nothing if it is in none.
std::optional<std::byte*> moved(const void* address, const std::vector<SharedRange>& from,
                                const std::vector<SharedRange>& to);

}  // namespace rafter::simt
