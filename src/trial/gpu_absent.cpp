// A build without CUDA.
#include "rafter/device.hpp"
#include "trial/gpu.hpp"

namespace rafter::trial {

std::optional<std::string> why_no_gpu() { return why_unavailable(Device::cuda); }
GpuOutcome try_on_gpu(const GpuRequest&) { return {}; }
bool run_gpu_job(const std::filesystem::path&, const std::vector<const lab::Workload*>&) { return false; }

}  // namespace rafter::trial
