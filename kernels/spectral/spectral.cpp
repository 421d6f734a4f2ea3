// SpectralAutoencoder: checks its arguments and runs the op of the stream's device.
#include <string>

#include "library/core/arguments.hpp"
#include "library/core/error_origin.hpp"
#include "library/core/stream/op_scope.hpp"
#include "spectral/spectral_model.hpp"

namespace rafter {

class SpectralAutoencoder::Model : public spectral_ladder::SpectralModel {
  using SpectralModel::SpectralModel;
};

namespace {

using spectral_ladder::SpectralModel;

std::int64_t n_windows(const Stream& stream, const char* op, const SpectralModel& model, DeviceSpan<const float> x) {
  const std::int64_t window = model.shape().window();
  if (x.size() % window != 0)
    core::refuse(op, "x",
                 "should have " + std::to_string(window) + " elements per window, has " + std::to_string(x.size()));
  core::require_array(stream, op, "x", x);
  return x.size() / window;
}

void run(const char* op, const SpectralModel& model, const Stream& stream, DeviceSpan<const float> x,
         DeviceSpan<float> y, DeviceSpan<float> scores) {
  const std::int64_t n = n_windows(stream, op, model, x);
  if (stream.device() != model.stream().device() || stream.ordinal() != model.stream().ordinal())
    core::refuse(op, "stream",
                 "is of another device than the model, which is on " + std::string(name(model.stream().device())) +
                     " " + std::to_string(model.stream().ordinal()));
  if (n == 0) return;
  const auto* packed = model.packing() == spectral_ladder::Packing::tensors ? model.packed_floats() : nullptr;
  const spectral_ladder::SpectralArgs args{.x = x.data(),
                                           .batch = n,
                                           .tensors = packed == nullptr
                                                          ? spectral_ladder::SpectralTensors{}
                                                          : spectral_ladder::tensors_in(packed, model.shape()),
                                           .model = &model,
                                           .y = y.data(),
                                           .scores = scores.data()};
  core::in_op(op, [&] {
    const core::OpScope scope(stream);
    spectral_ladder::ops_of(stream).forward(stream, args);
  });
}

}  // namespace

SpectralAutoencoder::SpectralAutoencoder(const Stream& stream, const SpectralWeights& weights,
                                         const SpectralOptions& options)
    : model_(std::make_shared<const Model>(stream, weights, options.precision)) {}

const SpectralShape& SpectralAutoencoder::shape() const noexcept { return model_->shape(); }
SpectralPrecision SpectralAutoencoder::precision() const noexcept { return model_->precision(); }

void SpectralAutoencoder::forward(const Stream& stream, DeviceSpan<const float> x, DeviceSpan<float> y) const {
  constexpr const char* op = "SpectralAutoencoder::forward";
  core::require_size(op, "y", y, x.size());
  core::require_array(stream, op, "y", y);
  core::require_disjoint(op, "x", x, "y", y);
  run(op, *model_, stream, x, y, {});
}

void SpectralAutoencoder::score(const Stream& stream, DeviceSpan<const float> x, DeviceSpan<float> scores) const {
  constexpr const char* op = "SpectralAutoencoder::score";
  core::require_size(op, "scores", scores, n_windows(stream, op, *model_, x));
  core::require_array(stream, op, "scores", scores);
  core::require_disjoint(op, "x", x, "scores", scores);
  run(op, *model_, stream, x, {}, scores);
}

}  // namespace rafter
