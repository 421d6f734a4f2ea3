// The GPU as the driver describes it, through NVML if it is installed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "workbench/lab/machine/gpu_clock.hpp"

namespace rafter::lab {

/// Returns a name such as "NVIDIA H200, driver 580.65", or a sentence if there is no GPU.
std::string gpu_name();

/// Returns what is known of: driver, clocks, power cap, ECC, other processes, throttle reasons.
nlohmann::json gpu_fingerprint();

/// Returns the energy in joules that the GPU has used since its driver was loaded; nothing without NVML, or if it has
/// no such counter (before Volta). The counter advances in steps of about 20 to 100 ms.
std::optional<double> gpu_energy_j();

/// Returns 90 for compute capability 9.0, or 0 if there is no GPU.
int gpu_capability();

}  // namespace rafter::lab
