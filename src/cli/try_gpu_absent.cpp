// A build without CUDA.
#include "cli/subcommands.hpp"
#include "cli/try_gpu.hpp"
#include "rafter/device.hpp"

namespace rafter::cli {

std::optional<std::string> why_no_gpu() { return why_unavailable(Device::cuda); }
GpuOutcome try_on_gpu(const GpuRequest&) { return {}; }
int try_child(const TryChildOptions&, const Workloads&) { return exit_failed; }

}  // namespace rafter::cli
