// Replaces gpu.cpp in builds without CUDA.
#include <nlohmann/json.hpp>

#include "workbench/lab/machine/gpu.hpp"

namespace rafter::lab {

std::string gpu_name() { return "no GPU in this build"; }
nlohmann::json gpu_fingerprint() { return {}; }
unsigned gpu_clock_mhz() noexcept { return 0; }

std::optional<double> gpu_energy_j() { return std::nullopt; }

int gpu_capability() { return 0; }

}  // namespace rafter::lab
