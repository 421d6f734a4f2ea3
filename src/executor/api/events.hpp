// Events: wall-clock times, so that the time between two events is the executor's own.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

class Events {
 public:
  using Clock = std::chrono::steady_clock;
  struct Event {
    unsigned flags;
    std::optional<Clock::time_point> recorded;
  };

  cudaEvent_t create(unsigned flags);
  bool destroy(cudaEvent_t event);
  bool known(cudaEvent_t event) const { return find(event).has_value(); }
  /// Records the time of an event. Returns false for an invalid handle.
  bool record(cudaEvent_t event);
  std::optional<Event> find(cudaEvent_t event) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<cudaEvent_t, Event> events_;
};

Events& events();

}  // namespace rafter::simt
