// Events: points in real time, so that what passes between two of them is the time the executor took.
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
  /// False: no event.
  bool record(cudaEvent_t event);
  std::optional<Event> find(cudaEvent_t event) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<cudaEvent_t, Event> events_;
};

Events& events();

}  // namespace rafter::simt
