// cublaslt_graph: cublaslt as one CUDA graph.
#ifdef RAFTER_WITH_CUBLASLT
#include "spectral/peers/spectral_cublaslt.cuh"

namespace rafter::spectral_ladder::cuda {

namespace {

/// Captured once for each model and arrays.
class ModuleGraph {
 public:
  ModuleGraph(const Stream& stream, const SpectralArgs& args) {
    run_module(stream, args);  // takes its scratch and makes its products before the capture
    cudaStream_t capturing{};
    core::check(cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const Stream recorded = Stream::cuda(capturing);
    recorded.reserve(stream.scratch_bytes());
    core::check(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    run_module(recorded, args);
    cudaGraph_t graph{};
    core::check(cudaStreamEndCapture(capturing, &graph), "cudaStreamEndCapture");
    core::check(cudaGraphInstantiate(&graph_, graph, 0), "cudaGraphInstantiate");
    core::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  void launch(const Stream& stream) const { core::check(cudaGraphLaunch(graph_, stream.handle()), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t graph_{};
};

}  // namespace

extern const SpectralRung cublaslt_graph{[](const Stream& stream, const SpectralArgs& args) {
  if (args.batch > 0) prepared<ModuleGraph>(stream, args).launch(stream);
}};

}  // namespace rafter::spectral_ladder::cuda
#endif
