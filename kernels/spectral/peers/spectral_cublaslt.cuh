// Shared by the peers: products by cuBLASLt, and the module made of them.
#pragma once

#ifdef RAFTER_WITH_CUBLASLT
#include <cublasLt.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "library/core/stream/cuda_check.hpp"
#include "library/core/stream/scratch.hpp"
#include "spectral/cuda/spectral_per_op.cuh"
#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder::cuda {

inline void check_cublaslt(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(ErrorCode::device_failure, std::string(call) + ": " + cublasLtGetStatusString(status));
}

/// Computes out[rows][columns] = a[rows][inputs] b (+ bias), all row-major; b is [columns][inputs] or
/// [inputs][columns].
struct LtShape {
  std::int64_t rows, columns, inputs;
  bool b_transposed;
  bool has_bias;
  bool tf32;

  auto key() const { return std::tie(rows, columns, inputs, b_transposed, has_bias, tf32); }
  bool operator<(const LtShape& other) const { return key() < other.key(); }
};

/// A product with the algorithm that cuBLASLt's heuristic prefers.
class LtProduct {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  explicit LtProduct(const LtShape& shape) : shape_(shape) {
    const auto n = [](std::int64_t extent) { return static_cast<std::uint64_t>(extent); };
    check_cublaslt(cublasLtMatmulDescCreate(&operation_, shape.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                                            CUDA_R_32F),
                   "cublasLtMatmulDescCreate");
    // In column-major order, as in cuBLAS: out^T = b^T a^T.
    set(CUBLASLT_MATMUL_DESC_TRANSA, shape.b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    if (shape.has_bias) set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    const auto layout = [&](std::int64_t fast, std::int64_t slow) {
      cublasLtMatrixLayout_t made{};
      check_cublaslt(cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, n(fast), n(slow), fast),
                     "cublasLtMatrixLayoutCreate");
      return made;
    };
    b_ = shape.b_transposed ? layout(shape.inputs, shape.columns) : layout(shape.columns, shape.inputs);
    a_ = layout(shape.inputs, shape.rows);
    out_ = layout(shape.columns, shape.rows);
    cublasLtMatmulPreference_t preference{};
    check_cublaslt(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    check_cublaslt(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                        &workspace_bytes, sizeof workspace_bytes),
                   "cublasLtMatmulPreferenceSetAttribute");
    int found = 0;
    check_cublaslt(
        cublasLtMatmulAlgoGetHeuristic(handle(), operation_, b_, a_, out_, out_, preference, 1, &algorithm_, &found),
        "cublasLtMatmulAlgoGetHeuristic");
    if (found == 0) throw Error(ErrorCode::unsupported, "cuBLASLt has no algorithm for this product");
  }

  void operator()(const Stream& stream, const float* a, const float* b, const float* bias, float* out,
                  std::byte* workspace) const {
    constexpr float one = 1, zero = 0;
    if (shape_.has_bias) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    check_cublaslt(cublasLtMatmul(handle(), operation_, &one, b, b_, a, a_, &zero, out, out_, out, out_,
                                  &algorithm_.algo, workspace, workspace_bytes, stream.handle()),
                   "cublasLtMatmul");
  }

  /// Returns the product; created on first use and kept.
  static const LtProduct& of(const LtShape& shape) {
    static std::map<LtShape, LtProduct> made;
    return made.try_emplace(shape, shape).first->second;
  }

 private:
  static cublasLtHandle_t handle() {
    static cublasLtHandle_t made = [] {
      cublasLtHandle_t handle{};
      check_cublaslt(cublasLtCreate(&handle), "cublasLtCreate");
      return handle;
    }();
    return made;
  }
  template <class V>
  void set(cublasLtMatmulDescAttributes_t which, V value) const {
    check_cublaslt(cublasLtMatmulDescSetAttribute(operation_, which, &value, sizeof value),
                   "cublasLtMatmulDescSetAttribute");
  }

  LtShape shape_;
  cublasLtMatmulDesc_t operation_{};
  cublasLtMatrixLayout_t a_{}, b_{}, out_{};
  cublasLtMatmulHeuristicResult_t algorithm_{};
};

/// Shared by both forms of the model: kernels between products, and arrays for them.
class LibraryRun {
 public:
  LibraryRun(const Stream& stream, const SpectralArgs& args, std::int64_t n_floats) : stream_(stream), args_(args) {
    if (args.model->precision() == SpectralPrecision::bf16)
      throw Error(ErrorCode::unsupported, "this peer supports fp32 and tf32 only");
    if (args.y == nullptr) throw Error(ErrorCode::unsupported, "this peer computes y only, not scores");
    require_aligned(args.x);
    require_aligned(args.y);
    for_each_tensor(args.model->shape(),
                    [&](auto, auto tensor, std::int64_t) { require_aligned(args.tensors.*tensor); });
    workspace_ = core::scratch(stream, static_cast<std::int64_t>(LtProduct::workspace_bytes) +
                                           (n_floats + n_arrays * n_aligned) * std::int64_t{sizeof(float)});
    next_ = reinterpret_cast<float*>(workspace_ + LtProduct::workspace_bytes);
  }

  float* take(std::int64_t n) { return std::exchange(next_, next_ + ceil_div(n, n_aligned) * n_aligned); }

  void multiply(const float* a, const float* b, const float* bias, std::int64_t rows, std::int64_t columns,
                std::int64_t inputs, float* out, bool b_transposed = true) const {
    LtProduct::of({rows, columns, inputs, b_transposed, bias != nullptr,
                   args_.model->precision() == SpectralPrecision::tf32})(stream_, a, b, bias, out, workspace_);
  }
  void normalise(const float* in, std::int64_t rows, std::int64_t columns, const float* scale, const float* shift,
                 float* out) const {
    core::launch(layer_norm<float, float>, ceil_div(rows * 32, per_op_threads), per_op_threads, 0, stream_, in, rows,
                 columns, scale, shift, out);
  }
  void activate(float* values, std::int64_t n) const {
    core::launch(gelu_all<float>, ceil_div(n, per_op_threads), per_op_threads, 0, stream_, values, n);
  }
  void to_unit_rows(const float* in, std::int64_t rows, std::int64_t columns, float* out) const {
    core::launch(to_length_1<float>, ceil_div(rows * 32, per_op_threads), per_op_threads, 0, stream_, in, rows, columns,
                 out);
  }

 private:
  static void require_aligned(const float* array) {
    if (reinterpret_cast<std::uintptr_t>(array) % 16 != 0)
      throw Error(ErrorCode::unsupported, "cuBLASLt's algorithms need arrays at multiples of 16 bytes");
  }

  static constexpr std::int64_t n_aligned = 64;  // arrays start at multiples of 256 bytes
  static constexpr std::int64_t n_arrays = 6;    // at most

  Stream stream_;
  SpectralArgs args_;
  std::byte* workspace_;
  float* next_;
};

inline void run_module(const Stream& stream, const SpectralArgs& args) {
  if (args.batch == 0) return;
  const SpectralShape& shape = args.model->shape();
  const SpectralTensors& w = args.tensors;
  const std::int64_t n_spectra = args.batch * shape.frames, n_features = shape.features();
  LibraryRun run(stream, args, per_op_work(shape, args.batch));
  float* normed = run.take(args.batch * shape.window());
  float* slices = run.take(args.batch * n_features);
  float* basis = run.take(shape.latent * n_features);
  float* z = run.take(args.batch * shape.latent);
  float* normed_z = run.take(args.batch * shape.latent);
  float* rebuilt = run.take(args.batch * n_features);
  run.normalise(args.x, n_spectra, shape.mels, w.encoder_norm_weight, w.encoder_norm_bias, normed);
  run.multiply(normed, w.encoder_weight, w.encoder_bias, n_spectra, shape.slice, shape.mels, slices);
  run.activate(slices, args.batch * n_features);
  run.to_unit_rows(w.basis, shape.latent, n_features, basis);
  run.multiply(slices, basis, nullptr, args.batch, shape.latent, n_features, z);
  run.normalise(z, args.batch, shape.latent, w.latent_norm_weight, w.latent_norm_bias, normed_z);
  run.multiply(normed_z, w.latent_weight, w.latent_bias, args.batch, shape.latent, shape.latent, z);
  run.activate(z, args.batch * shape.latent);
  run.multiply(z, basis, nullptr, args.batch, n_features, shape.latent, rebuilt, false);
  run.multiply(rebuilt, w.decoder_weight, w.decoder_bias, n_spectra, shape.mels, shape.slice, args.y);
}

/// A cache of what a peer prepares once per model, and per arrays if it keeps their addresses; the last few are kept.
template <class Prepared>
const Prepared& prepared(const Stream& stream, const SpectralArgs& args, const float* x = nullptr,
                         const float* y = nullptr) {
  using Key = std::tuple<std::uint64_t, const float*, const float*>;
  static std::map<Key, Prepared> made;
  const Key key{args.model->id(), x, y};
  if (const auto known = made.find(key); known != made.end()) return known->second;
  if (made.size() > 8) {
    stream.synchronize();  // they may still be in use
    made.clear();
  }
  return made.try_emplace(key, stream, args).first->second;
}

}  // namespace rafter::spectral_ladder::cuda
#endif
