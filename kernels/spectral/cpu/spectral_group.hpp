// The forward pass of a group of windows by one thread, which keeps what is between the layers in its caches.
#pragma once

#include "spectral/cpu/spectral_panels.hpp"

namespace rafter::spectral_ladder::cpu {

class GroupForward {
 public:
  explicit GroupForward(const SpectralModel& model);

  std::int64_t n_weights() const;        ///< floats that a group reads
  std::int64_t n_multiply_adds() const;  ///< of a window

  /// Floats that lie between the layers of n windows.
  std::int64_t n_floats(std::int64_t n) const;

  /// A counter for each stage of run().
  static core::StageCounters begin_stages(const SpectralArgs& args);

  /// The n windows from `first` on. `between`: n_floats(n) of the calling thread, aligned to 64 bytes.
  void run(const SpectralArgs& args, std::int64_t first, std::int64_t n, float* between,
           core::StageCounters counters) const;

 private:
  /// y of the windows is at hand: what is asked for of it.
  void finish(const SpectralArgs& args, std::int64_t first, std::int64_t n, Rows<const float> y) const;

  SpectralShape shape_;
  SpectralPanels panels_;
  std::int64_t spectrum_, slice_, latent_, window_;  // in whole panels
};

}  // namespace rafter::spectral_ladder::cpu
