// cublaslt: per_op with products by cuBLASLt, as in PyTorch.
#ifdef RAFTER_WITH_CUBLASLT
#include "spectral/peers/spectral_cublaslt.cuh"

namespace rafter::spectral_ladder::cuda {

extern const SpectralRung cublaslt{[](const Stream& stream, const SpectralArgs& args) { run_module(stream, args); }};

}  // namespace rafter::spectral_ladder::cuda
#endif
