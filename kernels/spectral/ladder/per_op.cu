// per_op: one kernel per operation, as a framework runs the module.
// Bound by launches: ten of them, each with microseconds of work for small batches, and all activations go through
// memory.
#include <utility>

#include "library/core/stream/scratch.hpp"
#include "spectral/cuda/spectral_per_op.cuh"
#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

extern const SpectralRung per_op{[](const Stream& stream, const SpectralArgs& args) {
  if (args.batch == 0) return;
  const SpectralShape& shape = args.model->shape();
  const std::int64_t n_outputs = args.batch * shape.window();
  const std::int64_t n_work = per_op_work(shape, args.batch) + n_outputs;
  auto* work = reinterpret_cast<float*>(core::scratch(stream, n_work * std::int64_t{sizeof(float)}));
  float* y = args.y != nullptr ? args.y : work + per_op_work(shape, args.batch);
  run_per_op<float>(stream, {args.x, args.batch, shape, args.tensors, args.stages}, work, y, args.scores);
}};

/// Computes the answers in float64 on the device; see spectral_answers.hpp.
void calculate_answers(const Stream& stream, const SpectralArgs& args, double* y, double* scores) {
  const SpectralShape& shape = args.model->shape();
  Buffer<double> work(stream, per_op_work(shape, args.batch));
  run_per_op<double>(stream, {args.x, args.batch, shape, args.tensors}, work.data(), y, scores);
  stream.synchronize();
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
