// cublaslt_graph: cublaslt as one CUDA graph.
#ifdef RAFTER_WITH_CUBLASLT
#include "spectral/peers/spectral_cublaslt.cuh"

namespace rafter::spectral_ladder::cuda {

namespace {

/// The graph, captured once per model and arrays, with its own scratch: the caller's stream may keep gigabytes for
/// others.
class ModuleGraph {
 public:
  ModuleGraph(const Stream& stream, const SpectralArgs& args) : recorded_(Stream::on(Device::cuda, stream.ordinal())) {
    run_module(recorded_, args);  // allocates its scratch and creates its products before the capture
    core::check(cudaStreamBeginCapture(recorded_.handle(), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    run_module(recorded_, args);
    cudaGraph_t graph{};
    core::check(cudaStreamEndCapture(recorded_.handle(), &graph), "cudaStreamEndCapture");
    core::check(cudaGraphInstantiate(&graph_, graph, 0), "cudaGraphInstantiate");
    core::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    recorded_.synchronize();
  }
  ModuleGraph(const ModuleGraph&) = delete;
  ModuleGraph& operator=(const ModuleGraph&) = delete;
  ~ModuleGraph() { core::check_noexcept(cudaGraphExecDestroy(graph_)); }

  void launch(const Stream& stream) const { core::check(cudaGraphLaunch(graph_, stream.handle()), "cudaGraphLaunch"); }

 private:
  Stream recorded_;
  cudaGraphExec_t graph_{};
};

}  // namespace

extern const SpectralRung cublaslt_graph{[](const Stream& stream, const SpectralArgs& args) {
  if (args.batch > 0) prepared<ModuleGraph>(stream, args, args.x, args.y).launch(stream);
}};

}  // namespace rafter::spectral_ladder::cuda
#endif
