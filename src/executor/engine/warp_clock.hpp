// The vector clocks of a warp's lanes: the happens-before order that __syncwarp and block barriers establish.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace rafter::simt {

/// A warp's time advances at every __syncwarp of any of its lanes. An action of lane a at time t happens before what
/// lane b does now if b has since synchronised with a, directly or through other lanes.
class WarpClock {
 public:
  void restart() {
    time_ = 1;
    all_met_ = 0;
    known_.reset();
  }

  std::uint32_t time() const { return time_; }

  /// Advances the time without ordering lanes.
  void tick() { ++time_; }

  /// Synchronises the lanes in `mask`; `lanes` are the lanes of the warp. Exited lanes in the mask take part. Lanes
  /// that are not in the mask do not, whether they have exited or not.
  void meet(unsigned mask, unsigned lanes) {
    if ((mask & lanes) == lanes) {
      all_met_ = time_;
    } else {
      meet_some(mask & lanes);
    }
    ++time_;
  }

  /// Whether what `other` did at `time` happens before what `lane` does now.
  bool knows(unsigned lane, unsigned other, std::uint32_t time) const {
    return time <= all_met_ || (known_ && time <= (*known_)[lane][other]);
  }

  /// Whether a proper subset of the lanes has ever synchronised.
  bool has_met_in_part() const { return known_ != nullptr; }

  using Known = std::array<std::array<std::uint32_t, 32>, 32>;
  /// Returns the vector clock of `lane`.
  std::array<std::uint32_t, 32> view(unsigned lane) const {
    std::array<std::uint32_t, 32> view;
    view.fill(all_met_);
    if (known_) {
      for (unsigned other = 0; other < 32; ++other) view[other] = std::max(view[other], (*known_)[lane][other]);
    }
    return view;
  }

 private:
  void meet_some(unsigned lanes) {
    if (!known_) known_ = std::make_unique<Known>(Known{});
    std::array<std::uint32_t, 32> joined{};
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      for (unsigned other = 0; other < 32; ++other) joined[other] = std::max(joined[other], (*known_)[lane][other]);
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (lanes >> lane & 1) joined[lane] = time_;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (lanes >> lane & 1) (*known_)[lane] = joined;
    }
  }

  std::uint32_t time_ = 1;
  std::uint32_t all_met_ = 0;     // every lane knows every other lane up to this time
  std::unique_ptr<Known> known_;  // beyond all_met_: [lane][other]; allocated at the first partial meeting
};

}  // namespace rafter::simt
