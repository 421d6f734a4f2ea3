// cublas_unrolled: the images unrolled to a matrix in memory, multiplied by cuBLAS image by image.
#ifdef RAFTER_WITH_CUBLAS
#include <cublas_v2.h>

#include "conv/cuda/conv_unrolled.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::conv_ladder::cuda {

inline void check_cublas(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(ErrorCode::device_failure, std::string(call) + ": " + cublasGetStatusString(status));
}

/// The program's only handle. cuBLAS requires that one thread at a time uses it; peers run on one thread.
inline cublasHandle_t cublas_handle() {
  static cublasHandle_t handle = [] {
    cublasHandle_t made{};
    check_cublas(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  return handle;
}

extern const ConvRung cublas_unrolled{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  const bool tf32 = args.precision == ConvPrecision::tf32;
  require_plain(args, tf32 ? ConvPrecision::tf32 : ConvPrecision::fp32);
  if constexpr (!std::is_same_v<T, float>) {
    throw Error(ErrorCode::unsupported, "this peer supports float32 only");
  } else {
    if (args.out_elements() == 0) return;
    const std::int64_t all_pixels = args.shape.batch * args.n_pixels();
    if (all_pixels > 0x7fffffff) throw Error(ErrorCode::unsupported, "cuBLAS counts rows in 32 bits");
    const auto n = [](std::int64_t extent) { return static_cast<int>(extent); };
    auto* matrix =
        reinterpret_cast<float*>(core::scratch(stream, args.shape.kernel() * all_pixels * std::int64_t{sizeof(float)}));
    run_unroll(stream, args, matrix);
    // In cuBLAS's column-major order: out[b] (pixels x maps) = matrix (pixels x products) * kernels^T.
    constexpr float one = 1;
    constexpr float zero = 0;
    check_cublas(cublasSetStream(cublas_handle(), stream.handle()), "cublasSetStream");
    check_cublas(
        cublasGemmStridedBatchedEx(cublas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n(args.n_pixels()), n(args.shape.maps),
                                   n(args.shape.kernel()), &one, matrix, CUDA_R_32F, n(all_pixels), args.n_pixels(),
                                   args.kernels, CUDA_R_32F, n(args.shape.kernel()), 0, &zero, args.out, CUDA_R_32F,
                                   n(args.n_pixels()), args.shape.maps * args.n_pixels(), n(args.shape.batch),
                                   tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx");
  }
}};

}  // namespace rafter::conv_ladder::cuda
#endif
