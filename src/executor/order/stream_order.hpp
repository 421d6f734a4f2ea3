// The happens-before relation of the work of streams and the host. The work of a stream is cut into segments: recording
// an event, a wait of another stream or a wait of the host ends a segment. All work of a segment has the same order
// relative to any other work. Segments that the host has waited for are dropped, because all later work is ordered
// after them; the others are pending.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "executor/order/access_map.hpp"
#include "executor/process/stream_observer.hpp"

namespace rafter::simt {

/// A vector clock over streams: the last segment of each stream that happens before. Segments that the host has waited
/// for are not included.
class StreamClock {
 public:
  /// Returns the time of the last segment of the stream that is included; 0: none.
  std::uint32_t of(std::uint64_t stream) const {
    const auto at = find(stream);
    return at != times_.end() && at->first == stream ? at->second : 0;
  }
  void advance(std::uint64_t stream, std::uint32_t time) {
    if (time == 0) return;
    const auto at = times_.begin() + (find(stream) - times_.cbegin());
    if (at != times_.end() && at->first == stream) {
      at->second = std::max(at->second, time);
    } else {
      times_.emplace(at, stream, time);
    }
  }
  void join(const StreamClock& other) {
    for (const auto& [stream, time] : other.times_) advance(stream, time);
  }
  void clear() { times_.clear(); }

 private:
  using Times = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // sorted by stream
  Times::const_iterator find(std::uint64_t stream) const {
    return std::lower_bound(times_.begin(), times_.end(), stream,
                            [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
  }

  Times times_;
};

struct StreamSegment {
  std::uint64_t stream;
  std::uint32_t time;      // segments of a stream are numbered from 1
  bool has_fence = false;  // a kernel executed a fence, so its atomics may release its writes
  AccessMap accesses;
};

class StreamOrder {
 public:
  using SegmentList = std::vector<std::shared_ptr<StreamSegment>>;

  /// Begins a task of the stream. Its accesses are recorded in current(); it is not ordered after concurrent().
  void begin(const StreamRef& stream);
  void end();
  StreamSegment* current() const { return current_.get(); }
  const SegmentList& concurrent() const { return concurrent_; }
  /// Orders the current task and all later work of its stream after `earlier`, without a wait.
  void assume_order_after(const StreamSegment& earlier);

  void host_waits(const StreamRef& stream);
  void host_waits_for_all();
  void host_waits_for(const StreamSegment& segment);
  const SegmentList& pending() const { return pending_; }

  void record(const void* event, const StreamRef& stream);
  /// Returns false if the event was never recorded; the wait then orders nothing.
  bool stream_waits(const StreamRef& stream, const void* event);
  bool host_waits(const void* event);
  void destroy(const void* event) { events_.erase(event); }

  /// Whether work of the stream, or before the event, is pending and no earlier query was about all of it.
  bool first_query(const StreamRef& stream);
  bool first_query(const void* event);

  /// Drops all accesses to `bytes`: the memory there was replaced.
  void forget(Bytes bytes);
  /// Drops the oldest segment, as if the host had waited for it. Returns false if only the current one is left.
  bool forget_oldest();

 private:
  struct Stream {
    StreamRef ref;
    StreamClock knows{};                    // work that its next task is ordered after
    std::uint32_t time = 0;                 // of its last segment
    std::shared_ptr<StreamSegment> open{};  // segment that its next task extends; none: the task begins one
    std::uint32_t queried = 0;              // the last segment that a query was about
    std::ptrdiff_t most_pending = 8;        // number of pending segments at which merge() runs
  };

  Stream& enter(const StreamRef& ref);
  static StreamClock past(Stream& stream);
  bool first_query(const StreamClock& work);
  void drop(const StreamClock& known);
  void merge(Stream& stream);

  std::map<std::uint64_t, Stream> streams_;
  std::map<const void*, StreamClock> events_;
  SegmentList pending_;  // oldest first
  std::shared_ptr<StreamSegment> current_;
  Stream* current_stream_ = nullptr;
  SegmentList concurrent_;
};

}  // namespace rafter::simt
