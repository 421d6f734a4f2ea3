#include "executor/order/stream_order.hpp"

#include <algorithm>
#include <set>

namespace rafter::simt {

/// Returns a clock that covers all work of the stream so far, and closes its open segment.
StreamClock StreamOrder::past(Stream& stream) {
  StreamClock clock = stream.knows;
  clock.advance(stream.ref.number, stream.time);
  stream.open.reset();
  return clock;
}

/// Returns the stream, to which work or an event operation is about to be added. First orders it after the work that it
/// implicitly waits for: the legacy default stream waits for all blocking streams, and these wait for it.
StreamOrder::Stream& StreamOrder::enter(const StreamRef& ref) {
  Stream& stream = streams_.try_emplace(ref.number, Stream{.ref = ref}).first->second;
  if (pending_.empty()) return stream;
  for (auto& [number, other] : streams_) {
    const bool is_legacy = ref.kind == StreamKind::legacy, other_is_legacy = other.ref.kind == StreamKind::legacy;
    const bool waits =
        (is_legacy && other.ref.kind == StreamKind::blocking) || (other_is_legacy && ref.kind == StreamKind::blocking);
    if (waits) stream.knows.join(past(other));
  }
  return stream;
}

void StreamOrder::begin(const StreamRef& ref) {
  Stream& stream = enter(ref);
  if (!stream.open) {
    stream.open = std::make_shared<StreamSegment>();
    stream.open->stream = ref.number;
    stream.open->time = ++stream.time;
    pending_.push_back(stream.open);
    merge(stream);
  }
  current_ = stream.open;
  current_stream_ = &stream;
  for (const auto& segment : pending_) {
    if (segment->stream != ref.number && segment->time > stream.knows.of(segment->stream))
      concurrent_.push_back(segment);
  }
}

void StreamOrder::end() {
  current_.reset();
  current_stream_ = nullptr;
  concurrent_.clear();
}

void StreamOrder::assume_order_after(const StreamSegment& earlier) {
  const std::uint64_t stream = earlier.stream;
  const std::uint32_t time = earlier.time;
  current_stream_->knows.advance(stream, time);
  std::erase_if(concurrent_, [&](const auto& other) { return other->stream == stream && other->time <= time; });
}

void StreamOrder::host_waits(const StreamRef& ref) { drop(past(enter(ref))); }

void StreamOrder::host_waits_for(const StreamSegment& segment) {
  StreamClock clock;
  clock.advance(segment.stream, segment.time);
  drop(clock);
}

void StreamOrder::host_waits_for_all() {
  StreamClock all;
  for (auto& [number, stream] : streams_) all.join(past(stream));
  drop(all);
}

bool StreamOrder::first_query(const StreamClock& work) {
  bool is_first = false;
  for (const auto& segment : pending_) {
    if (segment->time > work.of(segment->stream)) continue;
    std::uint32_t& queried = streams_.at(segment->stream).queried;
    is_first = is_first || segment->time > queried;
    queried = std::max(queried, segment->time);
  }
  return is_first;
}

// Closes the stream's segment, so that work which follows is work that this query was not about.
bool StreamOrder::first_query(const StreamRef& stream) { return first_query(past(enter(stream))); }

bool StreamOrder::first_query(const void* event) {
  const auto at = events_.find(event);
  return at != events_.end() && first_query(at->second);
}

void StreamOrder::drop(const StreamClock& known) {
  const auto is_over = [&](const auto& segment) {  // keeps the current task, which is still running
    return segment != current_ && segment->time <= known.of(segment->stream);
  };
  for (auto& [number, stream] : streams_) {
    if (stream.open && is_over(stream.open)) stream.open.reset();
  }
  std::erase_if(pending_, is_over);
  if (!pending_.empty()) return;
  // No work is pending, so no clock is needed.
  std::erase_if(streams_, [&](const auto& entry) { return &entry.second != current_stream_ && entry.first != 0; });
  for (auto& [number, stream] : streams_) stream.knows.clear();
  for (auto& [event, clock] : events_) clock.clear();
}

void StreamOrder::record(const void* event, const StreamRef& stream) { events_[event] = past(enter(stream)); }

bool StreamOrder::stream_waits(const StreamRef& stream, const void* event) {
  Stream& waiting = enter(stream);
  const auto at = events_.find(event);
  if (at == events_.end()) return false;
  waiting.knows.join(at->second);
  return true;
}

bool StreamOrder::host_waits(const void* event) {
  const auto at = events_.find(event);
  if (at == events_.end()) return false;
  drop(StreamClock(at->second));
  return true;
}

void StreamOrder::forget(Bytes bytes) {
  for (const auto& segment : pending_) segment->accesses.forget(bytes);
}

bool StreamOrder::forget_oldest() {
  for (const auto& segment : pending_) {
    if (segment == current_) continue;
    host_waits_for(*std::shared_ptr<StreamSegment>(segment));
    return true;
  }
  return false;
}

/// Merges adjacent segments of a stream if no clock separates them: every clock that includes one includes both. This
/// bounds the pending segments when streams wait for each other but the host waits for none of them.
void StreamOrder::merge(Stream& of) {
  const std::uint64_t stream = of.ref.number;
  const auto is_ours = [&](const auto& segment) { return segment->stream == stream; };
  if (std::count_if(pending_.begin(), pending_.end(), is_ours) <= of.most_pending) return;
  std::set<std::uint32_t> stops;
  for (const auto& [number, other] : streams_) stops.insert(other.knows.of(stream));
  for (const auto& [event, clock] : events_) stops.insert(clock.of(stream));
  std::shared_ptr<StreamSegment> before;
  for (auto& segment : pending_) {
    if (!is_ours(segment)) continue;
    const auto stop = before ? stops.lower_bound(before->time) : stops.end();
    if (before && (stop == stops.end() || *stop >= segment->time)) {
      segment->accesses.merge(before->accesses);
      segment->has_fence = segment->has_fence || before->has_fence;
      before->time = 0;
    }
    before = segment;
  }
  std::erase_if(pending_, [](const auto& segment) { return segment->time == 0; });
  // Grows the threshold, so that a program with many live events rarely runs this loop.
  of.most_pending = std::max<std::ptrdiff_t>(8, 2 * std::count_if(pending_.begin(), pending_.end(), is_ours));
}

}  // namespace rafter::simt
