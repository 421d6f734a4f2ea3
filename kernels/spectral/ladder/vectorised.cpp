// vectorised: one window at a time in one thread, with outputs in the lanes of vectors.
// Bound by the second-level cache: every window reads all weights.
#include "library/core/stream/scratch.hpp"
#include "spectral/cpu/spectral_group.hpp"

namespace rafter::spectral_ladder::cpu {

extern const SpectralRung vectorised{[](const Stream& stream, const SpectralArgs& args) {
  const GroupForward forward(*args.model);
  auto* between = reinterpret_cast<float*>(core::scratch(stream, forward.n_floats(1) * std::int64_t{sizeof(float)}));
  const core::StageCounters counters = GroupForward::begin_stages(args);
  for (std::int64_t i = 0; i < args.batch; ++i) forward.run(args, i, 1, between, counters);
}};

}  // namespace rafter::spectral_ladder::cpu
