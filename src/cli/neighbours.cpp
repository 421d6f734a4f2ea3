#include "cli/neighbours.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <vector>

namespace rafter::cli {

std::string Neighbours::news() {
  std::vector<std::string> fresh;
  for (const std::string& other : at_work_.others()) {
    if (known_.insert(other).second) fresh.push_back(other);
  }
  const bool is_first = !asked_;
  asked_ = true;
  if (fresh.empty()) return "";
  return fmt::format("rafter: another rafter {} on this machine: {}\n        times of both suffer\n",
                     is_first ? "is at work" : "began to work", fmt::join(fresh, ", "));
}

void Neighbours::mention() { fmt::print(stderr, "{}", news()); }

}  // namespace rafter::cli
