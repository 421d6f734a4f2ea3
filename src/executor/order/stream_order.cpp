#include "executor/order/stream_order.hpp"

#include <algorithm>
#include <set>

namespace rafter::simt {

/// Everything the stream was given so far. Its next task begins another stretch.
StreamClock StreamOrder::past(Stream& stream) {
  StreamClock clock = stream.knows;
  clock.reach(stream.ref.number, stream.time);
  stream.open.reset();
  return clock;
}

/// The stream, before something is added to it: the legacy default stream first waits for all blocking ones, and they
/// for it. Events that it records and waits for count as work.
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
    stream.open = std::make_shared<Stretch>();
    stream.open->stream = ref.number;
    stream.open->time = ++stream.time;
    pending_.push_back(stream.open);
    merge(stream);
  }
  current_ = stream.open;
  current_stream_ = &stream;
  for (const auto& stretch : pending_) {
    if (stretch->stream != ref.number && stretch->time > stream.knows.of(stretch->stream)) rivals_.push_back(stretch);
  }
}

void StreamOrder::end() {
  current_.reset();
  current_stream_ = nullptr;
  rivals_.clear();
}

void StreamOrder::assume_order_after(const Stretch& rival) {
  const std::uint64_t stream = rival.stream;
  const std::uint32_t time = rival.time;
  current_stream_->knows.reach(stream, time);
  std::erase_if(rivals_, [&](const auto& other) { return other->stream == stream && other->time <= time; });
}

void StreamOrder::host_waits(const StreamRef& ref) { drop(past(enter(ref))); }

void StreamOrder::host_waits_for(const Stretch& stretch) {
  StreamClock clock;
  clock.reach(stretch.stream, stretch.time);
  drop(clock);
}

void StreamOrder::host_waits_for_all() {
  StreamClock all;
  for (auto& [number, stream] : streams_) all.join(past(stream));
  drop(all);
}

void StreamOrder::drop(const StreamClock& known) {
  const auto is_over = [&](const auto& stretch) {  // the current task is under way
    return stretch != current_ && stretch->time <= known.of(stretch->stream);
  };
  for (auto& [number, stream] : streams_) {
    if (stream.open && is_over(stream.open)) stream.open.reset();
  }
  std::erase_if(pending_, is_over);
  if (!pending_.empty()) return;
  // All clocks speak of what is over.
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
  for (const auto& stretch : pending_) stretch->touches.forget(bytes);
}

bool StreamOrder::forget_oldest() {
  for (const auto& stretch : pending_) {
    if (stretch == current_) continue;
    host_waits_for(*std::shared_ptr<Stretch>(stretch));
    return true;
  }
  return false;
}

/// Two stretches of a stream are one when no clock stands between them: who will ever know one of them will know both.
/// So what is pending stays little in a program whose streams wait for each other, but the host for none of them.
void StreamOrder::merge(Stream& of) {
  const std::uint64_t stream = of.ref.number;
  const auto is_ours = [&](const auto& stretch) { return stretch->stream == stream; };
  if (std::count_if(pending_.begin(), pending_.end(), is_ours) <= of.most_pending) return;
  std::set<std::uint32_t> stops;
  for (const auto& [number, other] : streams_) stops.insert(other.knows.of(stream));
  for (const auto& [event, clock] : events_) stops.insert(clock.of(stream));
  std::shared_ptr<Stretch> before;
  for (auto& stretch : pending_) {
    if (!is_ours(stretch)) continue;
    const auto stop = before ? stops.lower_bound(before->time) : stops.end();
    if (before && (stop == stops.end() || *stop >= stretch->time)) {
      stretch->touches.take(before->touches);
      stretch->has_fence = stretch->has_fence || before->has_fence;
      before->time = 0;
    }
    before = stretch;
  }
  std::erase_if(pending_, [](const auto& stretch) { return stretch->time == 0; });
  // A program that keeps many events pays for this now and then only.
  of.most_pending = std::max<std::ptrdiff_t>(8, 2 * std::count_if(pending_.begin(), pending_.end(), is_ours));
}

}  // namespace rafter::simt
