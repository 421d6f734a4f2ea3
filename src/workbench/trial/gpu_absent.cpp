// Replaces gpu.cpp in builds without CUDA.
#include "rafter/device.hpp"
#include "workbench/trial/gpu.hpp"

namespace rafter::trial {

/// Reports the missing GPU before the missing CUDA build: without a GPU, a build with CUDA would not help.
std::optional<std::string> why_no_gpu() {
  const bool has_gpu = std::filesystem::exists("/dev/nvidiactl") || std::filesystem::exists("/dev/dxg");
  return has_gpu ? why_unavailable(Device::cuda) : "this machine has no NVIDIA GPU";
}
GpuOutcome try_on_gpu(const GpuRequest&) { return {}; }
bool run_gpu_job(const std::filesystem::path&, const std::vector<const lab::Workload*>&) { return false; }

}  // namespace rafter::trial
