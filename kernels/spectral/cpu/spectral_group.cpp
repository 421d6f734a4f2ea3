// GroupForward: layer by layer, each for all windows of a group, so that weights are read once for all of them.
#include "spectral/cpu/spectral_group.hpp"

#include <algorithm>

#include "library/core/stage_ticks.hpp"

namespace rafter::spectral_ladder::cpu {

namespace {

struct Stage {
  enum { encoder_norm, encoder, encoder_gelu, basis, latent_norm, latent, latent_gelu, decoder, output };
};

std::int64_t size_of(const Panels& panels) { return panels.n_in * round_up_to_panels(panels.n_out); }

}  // namespace

GroupForward::GroupForward(const SpectralModel& model)
    : shape_(model.shape()),
      panels_(panels_in(model.packed_floats(), shape_)),
      spectrum_(round_up_to_panels(shape_.mels)),
      slice_(round_up_to_panels(shape_.slice)),
      latent_(round_up_to_panels(shape_.latent)),
      window_(round_up_to_panels(shape_.window())) {}

std::int64_t GroupForward::n_weights() const {
  return size_of(panels_.encoder) + size_of(panels_.basis) + size_of(panels_.latent) + size_of(panels_.decoder);
}

std::int64_t GroupForward::n_multiply_adds() const {
  return n_weights() + (shape_.frames - 1) * size_of(panels_.encoder);
}

std::int64_t GroupForward::n_floats(std::int64_t n) const {
  return n * (std::max(shape_.frames * spectrum_, latent_) + std::max(shape_.frames * slice_, window_) + latent_);
}

core::StageCounters GroupForward::begin_stages(const SpectralArgs& args) {
  return args.stages.begin_fused({"encoder norm", "encoder", "encoder gelu", "basis", "latent norm", "latent",
                                  "latent gelu", "decoder", "output"});
}

void GroupForward::run(const SpectralArgs& args, std::int64_t first, std::int64_t n, float* between,
                       core::StageCounters counters) const {
  const SpectralLoops& loops = spectral_loops();
  const auto [mels, frames, latent, slice] = shape_;
  const float* x = args.x + first * shape_.window();
  float* const normed = between;                                             // [n][frames][mels], then [n][latent]
  float* const slices = normed + n * std::max(frames * spectrum_, latent_);  // [n][frames][slice], then y
  float* const z = slices + n * std::max(frames * slice_, window_);          // [n][latent]

  core::StageTicks ticks(counters);
  ticks.begin(Stage::encoder_norm);
  loops.normalise({x, mels}, n * frames, mels, norm_epsilon, {normed, spectrum_});
  ticks.begin(Stage::encoder);
  loops.multiply({normed, spectrum_}, n * frames, panels_.encoder, {slices, slice_});
  ticks.begin(Stage::encoder_gelu);
  loops.gelu(slices, n * frames * slice_);

  ticks.begin(Stage::basis);
  loops.multiply({slices, frames * slice_}, n, panels_.basis, {z, latent_});
  ticks.begin(Stage::latent_norm);
  loops.normalise({z, latent_}, n, latent, norm_epsilon, {normed, latent_});
  ticks.begin(Stage::latent);
  loops.multiply({normed, latent_}, n, panels_.latent, {z, latent_});
  ticks.begin(Stage::latent_gelu);
  loops.gelu(z, n * latent_);

  ticks.begin(Stage::decoder);
  const bool fits = args.y != nullptr && window_ == shape_.window();  // in the caller's array, in whole panels
  float* y = fits ? args.y + first * window_ : slices;
  loops.multiply({z, latent_}, n, panels_.decoder, {y, window_});
  ticks.begin(Stage::output);
  finish(args, first, n, {y, window_});
}

void GroupForward::finish(const SpectralArgs& args, std::int64_t first, std::int64_t n, Rows<const float> y) const {
  const std::int64_t window = shape_.window();
  for (std::int64_t i = 0; i < n; ++i) {
    const float* result = y.data + i * y.pitch;
    float* wanted = args.y == nullptr ? nullptr : args.y + (first + i) * window;
    if (wanted != nullptr && wanted != result) std::copy_n(result, window, wanted);
    if (args.scores != nullptr)
      args.scores[first + i] = spectral_loops().mean_squared_error(result, args.x + (first + i) * window, window);
  }
}

}  // namespace rafter::spectral_ladder::cpu
