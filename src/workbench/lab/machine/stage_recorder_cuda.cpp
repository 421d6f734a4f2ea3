// Times stages with CUDA events between them.
#include <cuda_runtime.h>

#include "library/core/stream/cuda_check.hpp"
#include "workbench/lab/machine/stage_recorder.hpp"

namespace rafter::lab {

namespace {

class CudaStageRecorder final : public StageRecorder {
 public:
  explicit CudaStageRecorder(const Stream& stream) : StageRecorder(stream), handle_(stream.handle()) {}
  ~CudaStageRecorder() override {
    for (const cudaEvent_t event : events_) core::check_noexcept(cudaEventDestroy(event));
  }
  CudaStageRecorder(const CudaStageRecorder&) = delete;
  CudaStageRecorder& operator=(const CudaStageRecorder&) = delete;

 private:
  void mark(std::size_t mark) override {
    while (events_.size() <= mark) {
      cudaEvent_t event = nullptr;
      core::check(cudaEventCreate(&event), "cudaEventCreate");
      events_.push_back(event);
    }
    core::check(cudaEventRecord(events_[mark], handle_), "cudaEventRecord");
  }
  double ns_after(std::size_t mark) const override {
    float ms = 0;
    core::check(cudaEventElapsedTime(&ms, events_[mark], events_[mark + 1]), "cudaEventElapsedTime");
    return 1e6 * static_cast<double>(ms);
  }

  cudaStream_t handle_;
  std::vector<cudaEvent_t> events_;  // reused by later calls
};

}  // namespace

std::unique_ptr<StageRecorder> make_cuda_stage_recorder(const Stream& stream) {
  return std::make_unique<CudaStageRecorder>(stream);
}

}  // namespace rafter::lab
