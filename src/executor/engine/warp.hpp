// A warp: which lanes are live, which can run, and the warp-wide operations (meetings) that lanes have arrived at.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "executor/engine/warp_clock.hpp"
#include "rafter_simt/launch/lane_switch.hpp"

namespace rafter::simt {

using rafter_simt::Meeting;
using rafter_simt::WarpOp;

/// One lane's call of a warp-wide operation.
struct WarpCall {
  WarpOp op;
  unsigned mask;
  std::uint64_t value;
  int argument;
  int width;
  const void* place;
};

/// Formats a mask of lanes for reports: 0x000000ff.
std::string mask_text(unsigned mask);

class alignas(64) Warp : public rafter_simt::WarpState {
 public:
  unsigned yielded = 0;        // lanes that yielded
  unsigned asking_active = 0;  // lanes in __activemask
  std::array<unsigned, 32> active_result;
  std::array<int, 32> asking_line;  // line of the __activemask call
  // For lanes in lockstep: each lane's place in the code, and the place that decides which lane runs next. The second
  // is the greater of the last two places, until a new iteration begins.
  std::array<const void*, 32> step_place{};
  std::array<const void*, 32> step_behind{};
  WarpClock clock;
  // The segment under which accesses of this warp are recorded; see RaceChecker.
  std::uint32_t segment = 0;
  std::uint32_t segment_epoch = 0;
  std::uint32_t segment_time = 0;
  std::uint32_t n_completed = 0;     // meetings, for LockstepWatch
  unsigned known_departures = 0;     // lanes with a departure
  unsigned unfenced_lock_lanes = 0;  // lanes that took a lock, and have not fenced since; see CriticalSections

  std::array<rafter_simt::Departure, 32> departures;  // of the lanes that have exited, if they are known

  void restart(unsigned lanes) {
    live = ready = lanes_ = lanes;
    known_departures = postponed_ = 0;
    yielded = asking_active = 0;
    clock.restart();
    segment = unfenced_lock_lanes = n_completed = 0;
    have_called_ = n_meetings_ = 0;
    meetings[0].key.mask = 0;
  }

  /// Returns the one of `lanes` that a warp in lockstep runs next. Lanes in a branch run before lanes past it, and a
  /// lane that jumped back to a loop's start waits until no lane is left in the loop's body. So lanes reconverge where
  /// the control flow does.
  unsigned furthest_behind(unsigned lanes);

  /// Adds `lane` to the meeting of its mask. Returns the meeting's lanes when it is complete, 0 when the lane must
  /// wait.
  unsigned arrive(unsigned lane, const WarpCall& call);
  /// Completes the meetings that lack only exited lanes. Returns their lanes, which the caller makes ready.
  unsigned complete_after_exit();
  /// Returns the result of the lane's last meeting. It is valid until the lane arrives at another one; other lanes may
  /// arrive at meetings with other masks in between.
  std::uint64_t result(unsigned lane) const { return results[lane]; }
  void give(unsigned lane, std::uint64_t result) { results[lane] = result; }
  /// Returns the second result of the lane's last meeting. match_all: whether all values were equal; shuffles: whether
  /// the value came from another lane.
  int flag(unsigned lane) const { return static_cast<int>(flags_ >> lane & 1); }
  /// The running lane's next shuffle only initialises this variable: a bad source is reported at a use of it.
  void shuffle_into(unsigned lane, int variable) {
    variables_[lane] = variable;
    shuffling_into_ |= 1u << lane;
    postponed_ &= ~(1u << lane);
  }
  /// Reports the lane's bad source if the variable received its value.
  void use(unsigned lane, int variable);
  /// Returns the incomplete meetings, for reports.
  std::span<const Meeting> under_way() const { return {meetings, is_over() ? 0 : n_meetings_}; }

  std::array<const void*, 32> exchanged;  // what each lane passes to rafter_simt_warp_exchange

 private:
  struct LastCall {
    const void* place;
    unsigned mask;
  };

  /// Whether the only meeting in the list is complete.
  bool is_over() const { return n_meetings_ == 1 && meetings[0].arrived == 0; }
  Meeting leave(Meeting& meeting);
  void complete(const Meeting& meeting);
  void shuffle(const Meeting& meeting);
  template <class Source>
  void shuffle_all(Source source_of);
  bool shuffle_alike(WarpOp op);
  void set_flag(unsigned lane, bool flag) { flags_ = (flags_ & ~(1u << lane)) | static_cast<unsigned>(flag) << lane; }
  void check_absent(const Meeting& meeting) const;
  void check_source(const Meeting& meeting, unsigned lane, unsigned source, const void* place);

  unsigned lanes_ = 0;                   // lanes that the warp started with
  unsigned n_meetings_ = 0;              // in the list
  unsigned have_called_ = 0;             // lanes with a known last call
  unsigned flags_ = 0;                   // one bit per lane
  std::array<LastCall, 32> last_calls_;  // only while an observer is active
  struct BadSource {
    Meeting meeting;
    unsigned source;
    const void* place;
  };
  unsigned shuffling_into_ = 0, postponed_ = 0;  // lanes with a variable, and with a bad source that waits for a use
  std::array<int, 32> variables_;
  std::array<BadSource, 32> bad_sources_;
};

}  // namespace rafter::simt
