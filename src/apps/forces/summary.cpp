#include "apps/forces/summary.hpp"

#include <cmath>

namespace rafter::forces {

template <class T>
void ForcesSummary::add(const Frame& frame, double energy, std::span<const T> forces) {
  if (n_frames_ == 0 || energy < lowest_.energy) lowest_ = {frame.index, energy};
  if (n_frames_ == 0 || energy > highest_.energy) highest_ = {frame.index, energy};
  ++n_frames_;
  n_atoms_ += frame.n_atoms();
  for (std::size_t i = 0; i + 2 < forces.size(); i += 3) {
    const auto x = static_cast<double>(forces[i]), y = static_cast<double>(forces[i + 1]),
               z = static_cast<double>(forces[i + 2]);
    const double force = std::sqrt(x * x + y * y + z * z);
    if (force > largest_.force) largest_ = {frame.index, static_cast<std::int64_t>(i / 3), force};
  }
}

template void ForcesSummary::add(const Frame&, double, std::span<const float>);
template void ForcesSummary::add(const Frame&, double, std::span<const double>);

void ForcesSummary::add(const SkippedFrame& skipped) {
  ++n_skipped_;
  if (skipped_.size() < n_skipped_shown) skipped_.push_back(skipped);
}

}  // namespace rafter::forces
