// A warp: which lanes live, which can run, and the meetings of lanes that do something together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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
  unsigned mask;
  unsigned arrived;
  WarpOp op;
  const void* place;  // of the first to arrive
};

struct LaneResult {
  std::uint64_t value;
  int flag;         // match_all: whether all were equal
  unsigned source;  // shuffles: the lane it came from
};

class Warp {
 public:
  unsigned live = 0;           // lanes that exist and have not exited
  unsigned ready = 0;          // lanes that can run: not started, or nothing left to wait for
  unsigned yielded = 0;        // lanes that gave their turn away
  unsigned asking_active = 0;  // lanes in __activemask
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
    have_called_ = 0;
    meetings_.clear();
  }

  /// The one of `lanes` that a warp in step runs next: those of a branch come before those behind it, and a lane that
  /// went back to a loop's start waits until nobody is left in the loop's body. So lanes meet again where the text
  /// does.
  unsigned furthest_behind(unsigned lanes);

  /// Adds `lane` to the meeting of its mask. Gives the meeting's lanes when it is complete, 0 when it must wait.
  unsigned arrive(unsigned lane, const WarpCall& call);
  /// Meetings that an exit completed: their lanes, to be made ready.
  unsigned complete_after_exit();
  const LaneResult& result(unsigned lane) const { return results_[lane]; }
  /// The lanes that a lane of this mask would meet, among those that wait: for reports.
  const std::vector<Meeting>& meetings() const { return meetings_; }

  std::array<const void*, 32> exchanged;  // what each lane brings to rafter_simt_warp_exchange

 private:
  void complete(const Meeting& meeting);
  void check_absent(const Meeting& meeting) const;

  unsigned lanes_ = 0;        // those it began with
  unsigned have_called_ = 0;  // lanes whose last call is known
  std::vector<Meeting> meetings_;
  std::array<WarpCall, 32> calls_;
  std::array<LaneResult, 32> results_;
};

}  // namespace rafter::simt
