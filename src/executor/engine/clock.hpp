// What lanes of a warp know of each other's past: the order that __syncwarp and block barriers make.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace rafter::simt {

/// A warp's time moves on at every __syncwarp among any of its lanes. What lane a did at time t happened before what
/// lane b does now when b has since met a, or somebody who had.
class WarpClock {
 public:
  void restart() {
    time_ = 1;
    all_met_ = 0;
    known_.reset();
  }

  std::uint32_t time() const { return time_; }

  /// Tells what comes after from what came before.
  void tick() { ++time_; }

  /// The lanes in `mask` meet; `lanes` are those that the warp has. A lane of the mask that has exited counts as there,
  /// one that is not in the mask has met nobody, whether it has exited or not.
  void meet(unsigned mask, unsigned lanes) {
    if ((mask & lanes) == lanes) {
      all_met_ = time_;
    } else {
      meet_some(mask & lanes);
    }
    ++time_;
  }

  bool knows(unsigned lane, unsigned other, std::uint32_t time) const {
    return time <= all_met_ || (known_ && time <= (*known_)[lane][other]);
  }

  /// Whether lanes have met without the rest.
  bool has_met_in_part() const { return known_ != nullptr; }

  using Known = std::array<std::array<std::uint32_t, 32>, 32>;
  /// What `lane` knows of every lane now.
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
  std::uint32_t all_met_ = 0;     // up to here every lane knows every other
  std::unique_ptr<Known> known_;  // beyond that: [lane][other]; made when some lanes meet without the rest
};

}  // namespace rafter::simt
