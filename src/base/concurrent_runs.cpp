#include "base/concurrent_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <vector>

namespace rafter::base {

std::string ConcurrentRuns::news() {
  std::vector<std::string> fresh;
  for (const std::string& other : active_run_.others()) {
    if (known_.insert(other).second) fresh.push_back(other);
  }
  const bool is_first = !was_asked_;
  was_asked_ = true;
  if (fresh.empty()) return "";
  return fmt::format("rafter: another rafter {} on this machine: {}\n        both measure longer times than alone\n",
                     is_first ? "is running" : "has started", fmt::join(fresh, ", "));
}

void ConcurrentRuns::report() { fmt::print(stderr, "{}", news()); }

}  // namespace rafter::base
