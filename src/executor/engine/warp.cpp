#include "executor/engine/warp.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <utility>

#include "executor/engine/current_thread.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

/// Whether a lane of this OS thread has had a bad source that waits for a use (rafter_simt/warp.hpp).
extern "C" __thread unsigned rafter_simt_has_bad_source;

namespace rafter::simt {
namespace {

template <class F>
void for_lanes(unsigned lanes, F&& f) {
  for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

bool is_shuffle(WarpOp op) { return op >= WarpOp::shuffle_index && op <= WarpOp::shuffle_xor; }

// Returns the lane that a shuffle reads, as PTX shfl defines it: within segments of `width` lanes, the lane itself when
// out of range.
template <WarpOp op>
unsigned source_lane(unsigned lane, int argument, int asked_width) {
  const int width = asked_width >= 1 && asked_width <= 32 ? asked_width : 32;
  const int own = static_cast<int>(lane), first = own & ~(width - 1), last = first + width - 1;
  const int by = argument & 31;  // the hardware uses five bits
  if constexpr (op == WarpOp::shuffle_index) return static_cast<unsigned>(first + (by & (width - 1)));
  if constexpr (op == WarpOp::shuffle_up) return static_cast<unsigned>(own - by < first ? own : own - by);
  const int source = op == WarpOp::shuffle_down ? own + by : own ^ by;
  return static_cast<unsigned>(source > last ? own : source);
}

// Reads a number with a load of its own. A vector load of two numbers that were just stored separately would stall
// until both stores have reached the cache.
std::uint64_t alone(const std::uint64_t& number) { return *static_cast<const volatile std::uint64_t*>(&number); }

inline __attribute__((always_inline)) void copy_each(const std::uint64_t* from, unsigned n, std::uint64_t* to) {
  for (; n >= 8; n -= 8, from += 8, to += 8) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; ++i) to[i] = alone(from[i]);
  }
  for (; n > 0; --n) *to++ = alone(*from++);
}

void add_finding(Kind kind, std::vector<Side> sides, std::string detail) {
  findings().add({kind, Space::none, current_kernel(), std::move(sides), std::nullopt, std::move(detail)});
}

Side lane_side(const char* action, const Warp& warp, unsigned lane, const void* place) {
  return side_of_thread(action, warp.threads[lane].number.index, place);
}

[[gnu::cold, gnu::noinline]] void report_mixed_operations(const Warp& warp, const Meeting& meeting,
                                                          const WarpCall& call) {
  const auto first = static_cast<unsigned>(std::countr_zero(meeting.arrived));
  add_finding(Kind::bad_mask,
              {lane_side("waits here", warp, first, warp.threads[first].place),
               lane_side("does something else", warp, rafter_simt_now.linear % 32, call.place)},
              "lanes of the mask " + mask_text(call.mask) + " do not all call the same operation");
}

[[gnu::cold, gnu::noinline]] void report_bad_source(const Warp& warp, const Meeting& meeting, unsigned lane,
                                                    unsigned source, const void* place) {
  const bool in_mask = meeting.key.mask >> source & 1;
  add_finding(Kind::bad_source_lane, {lane_side("shuffles", warp, lane, place)},
              "lane " + std::to_string(lane) + " reads lane " + std::to_string(source) +
                  (in_mask ? ", which has exited or does not exist"
                           : ", which is not in the mask " + mask_text(meeting.key.mask)));
}

[[gnu::cold, gnu::noinline]] void report_other_mask(const Warp& warp, const Meeting& meeting, unsigned lane,
                                                    unsigned mask) {
  const auto waiting = static_cast<unsigned>(std::countr_zero(meeting.arrived));
  add_finding(Kind::bad_mask,
              {lane_side("waits here", warp, waiting, meeting.place),
               lane_side("passed with another mask", warp, lane, meeting.place)},
              "lane " + std::to_string(waiting) + " waits for lane " + std::to_string(lane) + " with the mask " +
                  mask_text(meeting.key.mask) + ", which that lane passed with " + mask_text(mask));
}

/// Reports lanes of the mask that ended without this call. A lane that reached the kernel's end took another branch;
/// one that returned before may have left for good reason, and counts as arrived on current GPUs.
[[gnu::cold, gnu::noinline]] void report_departed(const Warp& warp, const Meeting& meeting, unsigned lane) {
  const auto caller = static_cast<unsigned>(std::countr_zero(meeting.arrived));
  const rafter_simt::Departure& departure = warp.departures[lane];
  const bool knows = warp.known_departures >> lane & 1;
  const bool passed_by = knows && departure.is_end;
  Finding finding{Kind::bad_mask,
                  Space::none,
                  current_kernel(),
                  {lane_side("calls", warp, caller, meeting.place),
                   lane_side(passed_by ? "ended here without the call" : "had returned", warp, lane,
                             knows ? departure.place : nullptr)},
                  std::nullopt,
                  "the mask " + mask_text(meeting.key.mask) + " names lane " + std::to_string(lane) +
                      (passed_by ? ", which never makes this call" : ", which had exited")};
  finding.is_note = !passed_by && !options().strict;
  findings().add(std::move(finding));
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

std::string mask_text(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

unsigned Warp::furthest_behind(unsigned lanes) {
  auto next = static_cast<unsigned>(std::countr_zero(lanes));
  const auto went_back = [&](unsigned lane) { return step_behind[lane] != step_place[lane]; };
  for_lanes(lanes, [&](unsigned lane) {
    const bool is_level = step_behind[lane] == step_behind[next];
    if (step_behind[lane] < step_behind[next] || (is_level && went_back(next) && !went_back(lane))) next = lane;
  });
  if (went_back(next)) step_behind = step_place;  // a new iteration of the loop
  return next;
}

unsigned Warp::arrive(unsigned lane, const WarpCall& call) {
  if (is_over()) leave(meetings[0]);
  Meeting* meeting = meetings;
  while (meeting->key.mask != 0 && meeting->key.mask != call.mask) ++meeting;
  if (meeting->key.mask == 0) {
    *meeting = {{call.mask, call.op}, 0, call.mask & live, call.place};
    meetings[++n_meetings_].key.mask = 0;
  } else if (meeting->key.op != call.op) {
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
  // In a plain run the recorded place may still be the previous meeting's.
  const Meeting done{meeting->key, arrived, arrived, observing() ? meeting->place : call.place};
  if (n_meetings_ == 1) {
    meeting->arrived = 0;  // the entry stays: the next meeting usually has the same mask and operation
  } else {
    leave(*meeting);
  }
  if (done.key.mask != done.arrived) check_absent(done);
  complete(done);
  return done.arrived;
}

/// Removes a meeting from the list.
Meeting Warp::leave(Meeting& meeting) {
  const Meeting left = meeting;
  std::copy(&meeting + 1, meetings + n_meetings_ + 1, &meeting);
  --n_meetings_;
  return left;
}

unsigned Warp::complete_after_exit() {
  unsigned lanes = 0;
  if (is_over()) leave(meetings[0]);
  for (Meeting* meeting = meetings; meeting->key.mask != 0;) {
    meeting->needed = meeting->key.mask & live;
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

// An exited lane that never arrived counts as arrived, unless it arrived at the same place with another mask.
void Warp::check_absent(const Meeting& meeting) const {
  for_lanes(meeting.key.mask & ~meeting.arrived & have_called_, [&](unsigned lane) {
    const LastCall& last = last_calls_[lane];
    if (last.place == meeting.place && last.mask != meeting.key.mask)
      report_other_mask(*this, meeting, lane, last.mask);
  });
  if (!observing()) return;
  const auto has_other_mask = [&](unsigned lane) {
    const LastCall& last = last_calls_[lane];
    return (have_called_ >> lane & 1) && last.place == meeting.place && last.mask != meeting.key.mask;
  };
  // Of the lanes that exited, one that passed the call by says most.
  unsigned reported = 32;
  for_lanes(meeting.key.mask & ~meeting.arrived & lanes_, [&](unsigned lane) {
    if (has_other_mask(lane)) return;
    const bool passed_by = (known_departures >> lane & 1) && departures[lane].is_end;
    if (reported == 32 || (passed_by && !departures[reported].is_end)) reported = lane;
  });
  if (reported < 32) report_departed(*this, meeting, reported);
}

void Warp::check_source(const Meeting& meeting, unsigned lane, unsigned source, const void* place) {
  if (!(shuffling_into_ >> lane & 1)) return report_bad_source(*this, meeting, lane, source, place);
  bad_sources_[lane] = {meeting, source, place};
  postponed_ |= 1u << lane;
  rafter_simt_has_bad_source = 1;
}

void Warp::use(unsigned lane, int variable) {
  if (!(postponed_ >> lane & 1) || variables_[lane] != variable) return;
  postponed_ &= ~(1u << lane);
  const BadSource& bad = bad_sources_[lane];
  report_bad_source(*this, bad.meeting, lane, bad.source, bad.place);
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

// Handles a shuffle in which all lanes pass the same argument, as in a reduction or a scan.
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
  if (lanes == ~0u) shuffling_into_ = 0;  // every source has arrived
  if (lanes == ~0u && shuffle_alike(meeting.key.op)) return;
  const auto with = [&](auto source_of) {
    if (lanes == ~0u) return shuffle_all(source_of);
    for_lanes(lanes, [&](unsigned lane) {
      const unsigned source = source_of(lane, arguments[lane].value(), arguments[lane].width());
      const bool has_arrived = lanes >> source & 1;
      if (!has_arrived) check_source(meeting, lane, source, observing() ? last_calls_[lane].place : meeting.place);
      results[lane] = values[has_arrived ? source : lane];
      set_flag(lane, source != lane);
    });
    shuffling_into_ &= ~lanes;
  };
  switch (meeting.key.op) {
    case WarpOp::shuffle_index: return with([](auto... of) { return source_lane<WarpOp::shuffle_index>(of...); });
    case WarpOp::shuffle_up: return with([](auto... of) { return source_lane<WarpOp::shuffle_up>(of...); });
    case WarpOp::shuffle_down: return with([](auto... of) { return source_lane<WarpOp::shuffle_down>(of...); });
    default: return with([](auto... of) { return source_lane<WarpOp::shuffle_xor>(of...); });
  }
}

void Warp::complete(const Meeting& meeting) {
  const unsigned lanes = meeting.arrived;
  ++n_completed;
  if (meeting.key.op == WarpOp::sync) return clock.meet(meeting.key.mask, lanes_);
  if (is_shuffle(meeting.key.op)) return shuffle(meeting);
  unsigned votes = 0;
  for_lanes(lanes, [&](unsigned lane) { votes |= static_cast<unsigned>(values[lane] != 0) << lane; });
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  std::uint64_t value = values[first];
  int equal = 1;
  for_lanes(lanes & (lanes - 1), [&](unsigned lane) {
    equal &= values[lane] == value;
    if (meeting.key.op >= WarpOp::add_signed) value = combine(meeting.key.op, value, values[lane]);
  });
  switch (meeting.key.op) {
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
    if (meeting.key.op != WarpOp::match_any) return;
    unsigned same = 0;
    for_lanes(lanes, [&](unsigned other) { same |= static_cast<unsigned>(values[other] == values[lane]) << other; });
    results[lane] = same;
  });
}

}  // namespace rafter::simt
