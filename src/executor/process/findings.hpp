// All findings of the process. Findings of one kind at the same pair of places are counted, not repeated.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "executor/process/finding.hpp"

namespace rafter::simt {

/// The launches and checked accesses of one kernel. Distinguishes "nothing found" from "nothing checked".
struct KernelRecord {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t threads = 0;
  std::uint64_t accesses = 0;
  std::uint64_t forgotten = 0;  // accesses with uncertain order, because older records were dropped
  std::string failure;          // error of the last launch that failed
};

class Findings {
 public:
  /// Returns true if the finding is new. Otherwise increments the count of the known one.
  bool add(Finding finding);
  /// Increments the count of a known finding with one side or two. Returns false if it is not known.
  bool count_again(Kind kind, const std::string& kernel, const void* place, const void* other = nullptr);
  /// Sets a function that is called after every new finding, since the program may crash next.
  void listen(void (*listener)()) { listener_ = listener; }
  KernelRecord& kernel(const std::string& name);
  /// Adds a sentence on what was not checked, and why. Duplicates are dropped.
  void remark(const std::string& sentence);

  std::size_t size() const;
  std::vector<Finding> all() const;
  std::vector<KernelRecord> kernels() const;
  std::vector<std::string> remarks() const;
  void clear();

 private:
  using Key = std::tuple<Kind, std::string, const void*, const void*>;
  static Key key_of(const Finding& finding);

  void (*listener_)() = nullptr;
  mutable std::mutex mutex_;
  std::vector<Finding> findings_;
  std::map<Key, std::size_t> known_;
  std::map<std::string, KernelRecord> kernels_;
  std::vector<std::string> remarks_;
};

Findings& findings();

}  // namespace rafter::simt
