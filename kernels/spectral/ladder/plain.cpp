// plain: the module's operations in order, in one thread.
// Bound by latency: every product waits for the previous one, and the basis is normalised in every call.
#include "spectral/spectral_model.hpp"
#include "spectral/spectral_reference.hpp"

namespace rafter::spectral_ladder::cpu {

extern const SpectralRung plain{[](const Stream&, const SpectralArgs& args) {
  const SpectralShape& shape = args.model->shape();
  const SpectralReference<float> reference(shape, args.tensors);
  std::vector<float> unwanted(static_cast<std::size_t>(shape.window()));
  for (std::int64_t i = 0; i < args.batch; ++i) {
    const float* x = args.x + i * shape.window();
    float* y = args.y != nullptr ? args.y + i * shape.window() : unwanted.data();
    reference.run(x, y);
    if (args.scores != nullptr) args.scores[i] = reference.score(x, y);
  }
}};

}  // namespace rafter::spectral_ladder::cpu
