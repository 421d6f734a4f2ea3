// cublaslt_fold: the folded model with products by cuBLASLt; the basis is normalised and the decoder is one product.
#ifdef RAFTER_WITH_CUBLASLT
#include "spectral/peers/spectral_cublaslt.cuh"

namespace rafter::spectral_ladder::cuda {

namespace {

/// A folded model on the GPU, made from its tensors there.
class FoldedOnGpu {
 public:
  FoldedOnGpu(const Stream& stream, const SpectralArgs& args) : FoldedOnGpu(stream, args.model->shape(), args) {}
  const FoldedTensors& tensors() const { return tensors_; }

 private:
  FoldedOnGpu(const Stream& stream, const SpectralShape& shape, const SpectralArgs& args)
      : array_(stream, folded_array(fold(on_host(shape, args)))), ones_(stream, ones_and_zeros(shape)) {
    tensors_ = folded_tensors_in(array_.data(), shape);
  }

  static SpectralWeights on_host(const SpectralShape& shape, const SpectralArgs& args) {
    SpectralWeights weights{.shape = shape};
    for_each_tensor(shape, [&](auto vector, auto tensor, std::int64_t size) {
      (weights.*vector).resize(static_cast<std::size_t>(size));
      core::check(cudaMemcpy((weights.*vector).data(), args.tensors.*tensor,
                             static_cast<std::size_t>(size) * sizeof(float), cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
    });
    return weights;
  }
  static std::vector<float> ones_and_zeros(const SpectralShape& shape) {
    const auto n = static_cast<std::size_t>(std::max(shape.mels, shape.latent));
    std::vector<float> values(2 * n);
    std::fill_n(values.begin(), n, 1.F);
    return values;
  }

  Buffer<float> array_;
  Buffer<float> ones_;
  FoldedTensors tensors_{};

 public:
  const float* ones() const { return ones_.data(); }
  const float* zeros() const { return ones_.data() + ones_.size() / 2; }
};

void run_folded(const Stream& stream, const SpectralArgs& args, const FoldedOnGpu& folded) {
  const SpectralShape& shape = args.model->shape();
  const FoldedTensors& w = folded.tensors();
  const std::int64_t n_spectra = args.batch * shape.frames;
  LibraryRun run(stream, args, per_op_work(shape, args.batch));
  float* normed = run.take(args.batch * shape.window());
  float* slices = run.take(args.batch * shape.features());
  float* z = run.take(args.batch * shape.latent);
  float* normed_z = run.take(args.batch * shape.latent);
  run.normalise(args.x, n_spectra, shape.mels, folded.ones(), folded.zeros(), normed);
  run.multiply(normed, w.encoder, w.encoder_bias, n_spectra, shape.slice, shape.mels, slices, false);
  run.activate(slices, args.batch * shape.features());
  run.multiply(slices, w.basis, nullptr, args.batch, shape.latent, shape.features(), z, false);
  run.normalise(z, args.batch, shape.latent, folded.ones(), folded.zeros(), normed_z);
  run.multiply(normed_z, w.latent, w.latent_bias, args.batch, shape.latent, shape.latent, z, false);
  run.activate(z, args.batch * shape.latent);
  run.multiply(z, w.decoder, w.decoder_bias, args.batch, shape.window(), shape.latent, args.y, false);
}

}  // namespace

extern const SpectralRung cublaslt_fold{[](const Stream& stream, const SpectralArgs& args) {
  if (args.batch > 0) run_folded(stream, args, prepared<FoldedOnGpu>(stream, args));
}};

}  // namespace rafter::spectral_ladder::cuda
#endif
