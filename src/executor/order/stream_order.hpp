// What orders the work of streams among itself and before the host. A stream's work is cut into segments: whatever
// waits for a part of it (an event that is recorded, another stream, the host) ends one. Work of one segment is alike
// to all others: before it, or not ordered. SegmentList that the host has waited for are gone, because whatever comes
// is after them; the others are pending.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "executor/order/access_map.hpp"
#include "executor/order/stream_clock.hpp"
#include "executor/process/stream_observer.hpp"

namespace rafter::simt {

struct StreamSegment {
  std::uint64_t stream;
  std::uint32_t time;      // segments of a stream count up
  bool has_fence = false;  // a kernel fenced: its atomics may hand over what it wrote
  AccessMap accesses;
};

class StreamOrder {
 public:
  using SegmentList = std::vector<std::shared_ptr<StreamSegment>>;

  /// Gives the stream a task: what it accesses goes to current(), and nothing orders it after concurrent().
  void begin(const StreamRef& stream);
  void end();
  StreamSegment* current() const { return current_.get(); }
  const SegmentList& concurrent() const { return concurrent_; }
  /// From now on the current task counts as ordered after `other`, and what the stream does next.
  void assume_order_after(const StreamSegment& earlier);

  void host_waits(const StreamRef& stream);
  void host_waits_for_all();
  void host_waits_for(const StreamSegment& segment);
  const SegmentList& pending() const { return pending_; }

  void record(const void* event, const StreamRef& stream);
  /// False: nobody has recorded it, so there is nothing to wait for.
  bool stream_waits(const StreamRef& stream, const void* event);
  bool host_waits(const void* event);
  void destroy(const void* event) { events_.erase(event); }

  /// Other memory lies there from now on.
  void forget(Bytes bytes);
  /// Gives the oldest segment up, as if the host had waited for it; false: there is none but the current one.
  bool forget_oldest();

 private:
  struct Stream {
    StreamRef ref;
    StreamClock knows{};                    // what its next task is ordered after
    std::uint32_t time = 0;                 // of its last segment
    std::shared_ptr<StreamSegment> open{};  // which its next task adds to; none: it begins one
    std::ptrdiff_t most_pending = 8;        // segments, before it is asked which of them can become one
  };

  Stream& enter(const StreamRef& ref);
  static StreamClock past(Stream& stream);
  void drop(const StreamClock& known);
  void merge(Stream& stream);

  std::map<std::uint64_t, Stream> streams_;
  std::map<const void*, StreamClock> events_;
  SegmentList pending_;  // the oldest first
  std::shared_ptr<StreamSegment> current_;
  Stream* current_stream_ = nullptr;
  SegmentList concurrent_;
};

}  // namespace rafter::simt
