// Access sites: a line of a kernel or an API call, in a stream. Each has a small number, which stays the same in every
// iteration of a loop.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "executor/order/intervals.hpp"
#include "executor/process/stream_observer.hpp"

namespace rafter::simt {

struct AccessSite {
  StreamTask::Kind kind;
  std::string what;  // name of the kernel or the call
  StreamRef stream;
  const void* place;        // of the access or the call
  const void* launched_at;  // of the launch; nullptr unless it is a kernel
};

class AccessSites {
 public:
  SiteNumber number(const StreamTask& task, const void* place);
  const AccessSite& operator[](SiteNumber number) const { return all_[number - 1u]; }

 private:
  std::vector<AccessSite> all_;
  std::map<std::tuple<const void*, const void*, std::uint64_t>, SiteNumber> numbers_;
};

}  // namespace rafter::simt
