#include "executor/engine/warp.hpp"

#include <algorithm>
#include <bit>

#include "executor/engine/sync_findings.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {
namespace {

template <class F>
void for_lanes(unsigned lanes, F&& f) {
  for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

bool is_shuffle(WarpOp op) { return op >= WarpOp::shuffle_index && op <= WarpOp::shuffle_xor; }

// The lane a shuffle reads, by the rules of PTX shfl: within segments of `width` lanes, itself when out of range.
template <WarpOp op>
unsigned source_lane(unsigned lane, int argument, int asked_width) {
  const int width = asked_width >= 1 && asked_width <= 32 ? asked_width : 32;
  const int own = static_cast<int>(lane), first = own & ~(width - 1), last = first + width - 1;
  const int by = argument & 31;  // the hardware looks at five bits
  if constexpr (op == WarpOp::shuffle_index) return static_cast<unsigned>(first + (by & (width - 1)));
  if constexpr (op == WarpOp::shuffle_up) return static_cast<unsigned>(own - by < first ? own : own - by);
  const int source = op == WarpOp::shuffle_down ? own + by : own ^ by;
  return static_cast<unsigned>(source > last ? own : source);
}

// A number read by itself: a vector of two that were stored one by one just now would have to wait until both are in
// the cache.
std::uint64_t alone(const std::uint64_t& number) { return *static_cast<const volatile std::uint64_t*>(&number); }

inline __attribute__((always_inline)) void copy_each(const std::uint64_t* from, unsigned n, std::uint64_t* to) {
  for (; n >= 8; n -= 8, from += 8, to += 8) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; ++i) to[i] = alone(from[i]);
  }
  for (; n > 0; --n) *to++ = alone(*from++);
}

std::uint64_t combine(WarpOp op, std::uint64_t a, std::uint64_t b) {
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  const auto sa = static_cast<std::int32_t>(ua), sb = static_cast<std::int32_t>(ub);
  switch (op) {
    case WarpOp::add_signed:
    case WarpOp::add_unsigned: return ua + ub;
    case WarpOp::min_signed: return static_cast<std::uint32_t>(std::min(sa, sb));
    case WarpOp::min_unsigned: return std::min(ua, ub);
    case WarpOp::max_signed: return static_cast<std::uint32_t>(std::max(sa, sb));
    case WarpOp::max_unsigned: return std::max(ua, ub);
    case WarpOp::bit_and: return ua & ub;
    case WarpOp::bit_or: return ua | ub;
    default: return ua ^ ub;
  }
}

}  // namespace

unsigned Warp::furthest_behind(unsigned lanes) {
  auto next = static_cast<unsigned>(std::countr_zero(lanes));
  const auto went_back = [&](unsigned lane) { return step_behind[lane] != step_place[lane]; };
  for_lanes(lanes, [&](unsigned lane) {
    const bool is_level = step_behind[lane] == step_behind[next];
    if (step_behind[lane] < step_behind[next] || (is_level && went_back(next) && !went_back(lane))) next = lane;
  });
  if (went_back(next)) step_behind = step_place;  // a new turn of the loop
  return next;
}

unsigned Warp::arrive(unsigned lane, const WarpCall& call) {
  if (is_over()) leave(meetings[0]);
  Meeting* meeting = meetings;
  while (meeting->of.mask != 0 && meeting->of.mask != call.mask) ++meeting;
  if (meeting->of.mask == 0) {
    *meeting = {{call.mask, call.op}, 0, call.mask & live, call.place};
    meetings[++n_meetings_].of.mask = 0;
  } else if (meeting->of.op != call.op) {
    report_mixed_operations(*this, *meeting, call);
  }
  bring(lane, call.value, {call.argument, call.width});
  if (observing()) {
    last_calls_[lane] = {call.place, call.mask};
    have_called_ |= 1u << lane;
  }
  const unsigned arrived = meeting->arrived | 1u << lane;
  if (arrived != meeting->needed) {
    meeting->arrived = arrived;
    return 0;
  }
  // In a plain run the place may still be that of the meeting before.
  const Meeting done{meeting->of, arrived, arrived, observing() ? meeting->place : call.place};
  if (n_meetings_ == 1) {
    meeting->arrived = 0;  // it stays: the next one is as a rule the same again
  } else {
    leave(*meeting);
  }
  if (done.of.mask != done.arrived) check_absent(done);
  complete(done);
  return done.arrived;
}

/// Takes a meeting off those under way.
Meeting Warp::leave(Meeting& meeting) {
  const Meeting left = meeting;
  std::copy(&meeting + 1, meetings + n_meetings_ + 1, &meeting);
  --n_meetings_;
  return left;
}

unsigned Warp::complete_after_exit() {
  unsigned lanes = 0;
  if (is_over()) leave(meetings[0]);
  for (Meeting* meeting = meetings; meeting->of.mask != 0;) {
    meeting->needed = meeting->of.mask & live;
    if (meeting->arrived != meeting->needed) {
      ++meeting;
      continue;
    }
    const Meeting done = leave(*meeting);
    check_absent(done);
    complete(done);
    lanes |= done.arrived;
  }
  return lanes;
}

// A lane that exited without coming counts as there, unless it came to the same place with another mask.
void Warp::check_absent(const Meeting& meeting) const {
  for_lanes(meeting.of.mask & ~meeting.arrived & have_called_, [&](unsigned lane) {
    const LastCall& last = last_calls_[lane];
    if (last.place == meeting.place && last.mask != meeting.of.mask) report_other_mask(*this, meeting, lane, last.mask);
  });
}

template <class Source>
void Warp::shuffle_all(Source source_of) {
  flags_ = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned source = source_of(lane, arguments[lane].value(), arguments[lane].width());
    results[lane] = values[source];
    flags_ |= static_cast<unsigned>(source != lane) << lane;
  }
}

// When all lanes of a warp want the same, as they do in a reduction or a scan.
bool Warp::shuffle_alike(WarpOp op) {
  std::uint64_t differences = 0;
#pragma GCC unroll 32
  for (unsigned i = 1; i < 32; ++i) differences |= alone(arguments[i].bits) ^ arguments[0].bits;
  if (differences != 0 || arguments[0].width() != 32) return false;
  const unsigned by = static_cast<unsigned>(arguments[0].value()) & 31, n = 32 - by;
  switch (op) {
    case WarpOp::shuffle_up:
      flags_ = by == 0 ? 0 : ~0u << by;
      copy_each(values, by, results);
      copy_each(values, n, results + by);
      break;
    case WarpOp::shuffle_down:
      flags_ = by == 0 ? 0 : ~0u >> by;
      copy_each(values + by, n, results);
      copy_each(values + n, by, results + n);
      break;
    case WarpOp::shuffle_xor: flags_ = by == 0 ? 0 : ~0u;
#pragma GCC unroll 32
      for (unsigned i = 0; i < 32; ++i) results[i] = alone(values[i ^ by]);
      break;
    default: flags_ = ~(1u << by); std::fill_n(results, 32, values[by]);
  }
  return true;
}

void Warp::shuffle(const Meeting& meeting) {
  const unsigned lanes = meeting.arrived;
  if (lanes == ~0u && shuffle_alike(meeting.of.op)) return;
  const auto with = [&](auto source_of) {
    if (lanes == ~0u) return shuffle_all(source_of);
    for_lanes(lanes, [&](unsigned lane) {
      const unsigned source = source_of(lane, arguments[lane].value(), arguments[lane].width());
      const bool is_there = lanes >> source & 1;
      if (!is_there)
        report_bad_source(*this, meeting, lane, source, observing() ? last_calls_[lane].place : meeting.place);
      results[lane] = values[is_there ? source : lane];
      set_flag(lane, source != lane);
    });
  };
  switch (meeting.of.op) {
    case WarpOp::shuffle_index: return with([](auto... of) { return source_lane<WarpOp::shuffle_index>(of...); });
    case WarpOp::shuffle_up: return with([](auto... of) { return source_lane<WarpOp::shuffle_up>(of...); });
    case WarpOp::shuffle_down: return with([](auto... of) { return source_lane<WarpOp::shuffle_down>(of...); });
    default: return with([](auto... of) { return source_lane<WarpOp::shuffle_xor>(of...); });
  }
}

void Warp::complete(const Meeting& meeting) {
  const unsigned lanes = meeting.arrived;
  if (meeting.of.op == WarpOp::sync) return clock.meet(meeting.of.mask, lanes_);
  if (is_shuffle(meeting.of.op)) return shuffle(meeting);
  unsigned votes = 0;
  for_lanes(lanes, [&](unsigned lane) { votes |= static_cast<unsigned>(values[lane] != 0) << lane; });
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  std::uint64_t value = values[first];
  int equal = 1;
  for_lanes(lanes & (lanes - 1), [&](unsigned lane) {
    equal &= values[lane] == value;
    if (meeting.of.op >= WarpOp::add_signed) value = combine(meeting.of.op, value, values[lane]);
  });
  switch (meeting.of.op) {
    case WarpOp::ballot: value = votes; break;
    case WarpOp::all: value = votes == lanes; break;
    case WarpOp::any: value = votes != 0; break;
    case WarpOp::uniform: value = votes == 0 || votes == lanes; break;
    case WarpOp::match_all: value = equal ? lanes : 0; break;
    default: break;
  }
  for_lanes(lanes, [&](unsigned lane) {
    results[lane] = value;
    set_flag(lane, equal != 0);
    if (meeting.of.op != WarpOp::match_any) return;
    unsigned same = 0;
    for_lanes(lanes, [&](unsigned other) { same |= static_cast<unsigned>(values[other] == values[lane]) << other; });
    results[lane] = same;
  });
}

}  // namespace rafter::simt
