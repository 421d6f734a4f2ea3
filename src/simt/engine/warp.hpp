// A warp: which lanes live, which can run, and the meetings of lanes that do something together.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rafter_simt/abi.hpp"
#include "simt/engine/clock.hpp"

namespace rafter::simt {

using rafter_simt::WarpOp;

struct WarpCall {
  WarpOp op;
  unsigned mask;
  std::uint64_t value;
  int argument;
  int width;
  const void* place;
};

/// Lanes of one mask on their way into one operation.
struct Meeting {
  unsigned mask = 0;  // 0: there is none
  WarpOp op{};
  unsigned arrived = 0;
  const void* place = nullptr;  // of the first to arrive
};

struct Thread;

class alignas(64) Warp : public rafter_simt::WarpResults {
 public:
  Thread* threads = nullptr;   // its first lane's
  unsigned live = 0;           // lanes that exist and have not exited
  unsigned ready = 0;          // lanes that can run: not started, or nothing left to wait for
  unsigned yielded = 0;        // lanes that gave their turn away
  unsigned asking_active = 0;  // lanes in __activemask

 private:
  // The first n_meetings_ are under way; behind the last of them stands one without a mask. What a lane that joins one
  // touches lies together.
  unsigned n_meetings_ = 0;
  unsigned have_called_ = 0;  // lanes whose last call is known
  std::array<Meeting, 33> meetings_;

 public:
  std::array<unsigned, 32> active_result;
  std::array<int, 32> asking_line;  // of the call
  // Lanes that go in step: where each stands, and where it counts as standing.
  std::array<const void*, 32> step_place{};
  std::array<const void*, 32> step_behind{};
  WarpClock clock;
  // The piece of this warp's past that accesses are recorded under; see RaceChecker.
  std::uint32_t segment = 0;
  std::uint32_t segment_epoch = 0;
  std::uint32_t segment_time = 0;
  unsigned taking = 0;  // lanes that took a lock, and have not fenced since; see LockEntries

  void restart(unsigned lanes) {
    live = ready = lanes_ = lanes;
    yielded = asking_active = 0;
    clock.restart();
    segment = taking = 0;
    have_called_ = n_meetings_ = 0;
    meetings_[0].mask = 0;
  }

  /// The one of `lanes` that a warp in step runs next: those of a branch come before those behind it, and a lane that
  /// went back to a loop's start waits until nobody is left in the loop's body. So lanes meet again where the text
  /// does.
  unsigned furthest_behind(unsigned lanes);

  /// Adds `lane` to the meeting that came first, if it is of that operation and mask and others are missing still. So
  /// it is for all but the first and the last lane of a warp that does not diverge.
  [[gnu::always_inline]] bool joins(unsigned lane, const WarpCall& call) {
    Meeting& first = meetings_[0];
    const unsigned arrived = first.arrived | 1u << lane;
    if (first.mask != call.mask || first.op != call.op || (call.mask & live & ~arrived) == 0) return false;
    first.arrived = arrived;
    brings(lane, call);
    return true;
  }
  /// Adds `lane` to the meeting of its mask. Gives the meeting's lanes when it is complete, 0 when it must wait.
  unsigned arrive(unsigned lane, const WarpCall& call);
  /// Meetings that an exit completed: their lanes, to be made ready.
  unsigned complete_after_exit();
  /// What the lane's last meeting gave it, until the lane arrives at another one. Lanes that it met may be at others
  /// with other masks before it looks.
  std::uint64_t result(unsigned lane) const { return of_lane[lane]; }
  void give(unsigned lane, std::uint64_t result) { of_lane[lane] = result; }
  /// And besides: match_all, whether all were equal; shuffles, whether the value is another lane's.
  int flag(unsigned lane) const { return flags_[lane]; }
  /// Those under way: for reports.
  std::span<const Meeting> meetings() const { return {meetings_.data(), n_meetings_}; }

  std::array<const void*, 32> exchanged;  // what each lane brings to rafter_simt_warp_exchange

 private:
  struct Argument {
    int value, width;
  };
  struct LastCall {
    const void* place;
    unsigned mask;
  };

  void brings(unsigned lane, const WarpCall& call) {
    values_[lane] = call.value;
    arguments_[lane] = {call.argument, call.width};
  }
  Meeting leave(Meeting& meeting);
  void complete(const Meeting& meeting);
  void shuffle(const Meeting& meeting);
  template <class Source>
  void shuffle_all(Source source_of);
  void check_absent(const Meeting& meeting) const;

  unsigned lanes_ = 0;                      // those it began with
  std::array<std::uint64_t, 32> values_{};  // what each lane brings to its meeting
  std::array<Argument, 32> arguments_{};
  std::array<int, 32> flags_{};
  std::array<LastCall, 32> last_calls_;  // as far as observers want them
};

}  // namespace rafter::simt
