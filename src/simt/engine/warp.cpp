#include "simt/engine/warp.hpp"

#include <algorithm>
#include <bit>

#include "simt/engine/sync_findings.hpp"

namespace rafter::simt {
namespace {

template <class F>
void for_lanes(unsigned lanes, F&& f) {
  for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

bool is_shuffle(WarpOp op) { return op >= WarpOp::shuffle_index && op <= WarpOp::shuffle_xor; }

// The lane a shuffle reads, by the rules of PTX shfl: within segments of `width` lanes, itself when out of range.
unsigned source_lane(const WarpCall& call, unsigned lane) {
  const int width = call.width >= 1 && call.width <= 32 ? call.width : 32;
  const int own = static_cast<int>(lane), first = own & ~(width - 1), last = first + width - 1;
  const int by = call.argument & 31;  // the hardware looks at five bits
  int source = own;
  switch (call.op) {
    case WarpOp::shuffle_index: return static_cast<unsigned>(first + (by & (width - 1)));
    case WarpOp::shuffle_up: source = own - by; return static_cast<unsigned>(source < first ? own : source);
    case WarpOp::shuffle_down: source = own + by; break;
    default: source = own ^ by; break;
  }
  return static_cast<unsigned>(source > last || source < 0 ? own : source);
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
  auto meeting =
      std::find_if(meetings_.begin(), meetings_.end(), [&](const Meeting& m) { return m.mask == call.mask; });
  if (meeting == meetings_.end()) {
    meetings_.push_back({call.mask, 0, call.op, call.place});
    meeting = meetings_.end() - 1;
  } else if (meeting->op != call.op) {
    report_mixed_operations(*this, *meeting, call);
  }
  calls_[lane] = call;
  have_called_ |= 1u << lane;
  meeting->arrived |= 1u << lane;
  const unsigned needed = call.mask & live;
  if ((meeting->arrived & needed) != needed) return 0;
  const Meeting done = *meeting;
  meetings_.erase(meeting);
  if (done.mask != done.arrived) check_absent(done);
  complete(done);
  return done.arrived;
}

unsigned Warp::complete_after_exit() {
  unsigned lanes = 0;
  for (std::size_t i = 0; i < meetings_.size();) {
    const Meeting meeting = meetings_[i];
    if (((meeting.mask & live) & ~meeting.arrived) == 0) {
      meetings_.erase(meetings_.begin() + static_cast<std::ptrdiff_t>(i));
      check_absent(meeting);
      complete(meeting);
      lanes |= meeting.arrived;
    } else {
      ++i;
    }
  }
  return lanes;
}

// A lane that exited without coming counts as there, unless it came to the same place with another mask.
void Warp::check_absent(const Meeting& meeting) const {
  for_lanes(meeting.mask & ~meeting.arrived & have_called_, [&](unsigned lane) {
    if (calls_[lane].place == meeting.place && calls_[lane].mask != meeting.mask) {
      report_other_mask(*this, meeting, lane, calls_[lane].mask);
    }
  });
}

void Warp::complete(const Meeting& meeting) {
  const unsigned lanes = meeting.arrived;
  if (meeting.op == WarpOp::sync) {
    clock.meet(meeting.mask, lanes_);
    return;
  }
  if (is_shuffle(meeting.op)) {
    for_lanes(lanes, [&](unsigned lane) {
      const unsigned source = source_lane(calls_[lane], lane);
      if (!(lanes >> source & 1)) report_bad_source(*this, meeting, lane, source, calls_[lane].place);
      results_[lane] = {lanes >> source & 1 ? calls_[source].value : calls_[lane].value, source != lane, source};
    });
    return;
  }
  unsigned votes = 0;
  for_lanes(lanes, [&](unsigned lane) { votes |= static_cast<unsigned>(calls_[lane].value != 0) << lane; });
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  std::uint64_t value = calls_[first].value;
  int equal = 1;
  for_lanes(lanes & (lanes - 1), [&](unsigned lane) {
    equal &= calls_[lane].value == value;
    if (meeting.op >= WarpOp::add_signed) value = combine(meeting.op, value, calls_[lane].value);
  });
  switch (meeting.op) {
    case WarpOp::ballot: value = votes; break;
    case WarpOp::all: value = votes == lanes; break;
    case WarpOp::any: value = votes != 0; break;
    case WarpOp::uniform: value = votes == 0 || votes == lanes; break;
    case WarpOp::match_all: value = equal ? lanes : 0; break;
    default: break;
  }
  for_lanes(lanes, [&](unsigned lane) {
    results_[lane] = {value, equal, lane};
    if (meeting.op != WarpOp::match_any) return;
    unsigned same = 0;
    for_lanes(lanes, [&](unsigned other) {
      same |= static_cast<unsigned>(calls_[other].value == calls_[lane].value) << other;
    });
    results_[lane].value = same;
  });
}

}  // namespace rafter::simt
