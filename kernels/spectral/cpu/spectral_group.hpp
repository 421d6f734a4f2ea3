// The forward pass of a group of windows in one thread, which keeps the activations in its caches.
#pragma once

#include "spectral/cpu/spectral_panels.hpp"

namespace rafter::spectral_ladder::cpu {

class GroupForward {
 public:
  explicit GroupForward(const SpectralModel& model);

  std::int64_t n_weights() const;        ///< floats that a group reads
  std::int64_t n_multiply_adds() const;  ///< per window

  /// Returns the number of floats between the layers of n windows.
  std::int64_t n_floats(std::int64_t n) const;

  /// Returns a counter for each stage of run().
  static core::StageCounters begin_stages(const SpectralArgs& args);

  /// Processes the n windows from `first` on. `between` has n_floats(n) floats of the calling thread, aligned to 64
  /// bytes.
  void run(const SpectralArgs& args, std::int64_t first, std::int64_t n, float* between,
           core::StageCounters counters) const;

 private:
  /// Writes the requested outputs of windows whose y is known.
  void finish(const SpectralArgs& args, std::int64_t first, std::int64_t n, Rows<const float> y) const;

  SpectralShape shape_;
  SpectralPanels panels_;
  std::int64_t spectrum_, slice_, latent_, window_;  // in whole panels
};

}  // namespace rafter::spectral_ladder::cpu
