// All findings of the process: each distinct pair of places once, with a count.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "executor/process/finding.hpp"

namespace rafter::simt {

/// What was run and looked at, so that "nothing found" can be told from "nothing checked".
struct KernelRecord {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t threads = 0;
  std::uint64_t accesses = 0;
  std::uint64_t forgotten = 0;  // accesses whose order could not be told for sure: too much had come before
  std::string failure;          // of the last launch that failed
};

class Findings {
 public:
  /// True when it is new; a known one is counted.
  bool add(Finding finding);
  /// Counts one of a single side that is known; false when it is new.
  bool count_again(Kind kind, const std::string& kernel, const void* place);
  /// Called after every new one: the program may crash next.
  void listen(void (*listener)()) { listener_ = listener; }
  KernelRecord& kernel(const std::string& name);
  /// A sentence about what was not looked for, and why; each once.
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
