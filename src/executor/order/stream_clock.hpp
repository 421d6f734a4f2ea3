// A vector clock over streams: of each stream the last segment of work that is known to be over. A segment that no
// clock of the process has to know any more (the host waited for it) is in none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace rafter::simt {

class StreamClock {
 public:
  /// 0: nothing of that stream.
  std::uint32_t of(std::uint64_t stream) const {
    const auto at = find(stream);
    return at != times_.end() && at->first == stream ? at->second : 0;
  }
  void reach(std::uint64_t stream, std::uint32_t time) {
    if (time == 0) return;
    const auto at = times_.begin() + (find(stream) - times_.cbegin());
    if (at != times_.end() && at->first == stream) {
      at->second = std::max(at->second, time);
    } else {
      times_.emplace(at, stream, time);
    }
  }
  void join(const StreamClock& other) {
    for (const auto& [stream, time] : other.times_) reach(stream, time);
  }
  void clear() { times_.clear(); }

 private:
  using Times = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // by stream
  Times::const_iterator find(std::uint64_t stream) const {
    return std::lower_bound(times_.begin(), times_.end(), stream,
                            [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
  }

  Times times_;
};

}  // namespace rafter::simt
