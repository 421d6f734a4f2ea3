// A warp: which lanes live, which can run, and the meetings of lanes that do something together.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "executor/engine/clock.hpp"
#include "rafter_simt/launch/turns.hpp"

namespace rafter::simt {

using rafter_simt::Meeting;
using rafter_simt::WarpOp;

struct WarpCall {
  WarpOp op;
  unsigned mask;
  std::uint64_t value;
  int argument;
  int width;
  const void* place;
};

class alignas(64) Warp : public rafter_simt::WarpTurns {
 public:
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
    have_called_ = n_meetings_ = 0;
    meetings[0].of.mask = 0;
  }

  /// The one of `lanes` that a warp in step runs next: those of a branch come before those behind it, and a lane that
  /// went back to a loop's start waits until nobody is left in the loop's body. So lanes meet again where the text
  /// does.
  unsigned furthest_behind(unsigned lanes);

  /// Adds `lane` to the meeting of its mask. Gives the meeting's lanes when it is complete, 0 when it must wait.
  unsigned arrive(unsigned lane, const WarpCall& call);
  /// Meetings that an exit completed: their lanes, to be made ready.
  unsigned complete_after_exit();
  /// What the lane's last meeting gave it, until the lane arrives at another one. Lanes that it met may be at others
  /// with other masks before it looks.
  std::uint64_t result(unsigned lane) const { return results[lane]; }
  void give(unsigned lane, std::uint64_t result) { results[lane] = result; }
  /// And besides: match_all, whether all were equal; shuffles, whether the value is another lane's.
  int flag(unsigned lane) const { return static_cast<int>(flags_ >> lane & 1); }
  /// Those under way: for reports.
  std::span<const Meeting> under_way() const { return {meetings, is_over() ? 0 : n_meetings_}; }

  std::array<const void*, 32> exchanged;  // what each lane brings to rafter_simt_warp_exchange

 private:
  struct LastCall {
    const void* place;
    unsigned mask;
  };

  /// Whether all that stands there is a meeting that is over.
  bool is_over() const { return n_meetings_ == 1 && meetings[0].arrived == 0; }
  Meeting leave(Meeting& meeting);
  void complete(const Meeting& meeting);
  void shuffle(const Meeting& meeting);
  template <class Source>
  void shuffle_all(Source source_of);
  bool shuffle_alike(WarpOp op);
  void set_flag(unsigned lane, bool flag) { flags_ = (flags_ & ~(1u << lane)) | static_cast<unsigned>(flag) << lane; }
  void check_absent(const Meeting& meeting) const;

  unsigned lanes_ = 0;                   // those it began with
  unsigned n_meetings_ = 0;              // under way
  unsigned have_called_ = 0;             // lanes whose last call is known
  unsigned flags_ = 0;                   // of each lane
  std::array<LastCall, 32> last_calls_;  // as far as observers want them
};

}  // namespace rafter::simt
