#include "executor/order/access_sites.hpp"

#include <limits>

namespace rafter::simt {

SiteNumber AccessSites::number(const StreamTask& task, const void* place) {
  const auto [at, is_new] = numbers_.try_emplace({place, task.place, task.stream.number}, SiteNumber{0});
  if (!is_new) return at->second;
  // The table is full: all further sites share the last number.
  if (all_.size() == std::numeric_limits<SiteNumber>::max()) return at->second = std::numeric_limits<SiteNumber>::max();
  const bool is_kernel = task.kind == StreamTask::Kind::kernel;
  all_.push_back({task.kind, task.what, task.stream, place, is_kernel ? task.place : nullptr});
  return at->second = static_cast<SiteNumber>(all_.size());
}

}  // namespace rafter::simt
