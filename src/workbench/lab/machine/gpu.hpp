// What the driver says about the GPU, through NVML where it is installed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workbench/lab/machine/gpu_clock.hpp"

namespace rafter::lab {

/// "NVIDIA H200, driver 580.65"; a sentence when there is none.
std::string gpu_name();

/// Driver, clocks, power cap, ECC, other processes, throttle reasons: what is known.
nlohmann::json gpu_fingerprint();

/// 90 for compute capability 9.0; 0 where there is no GPU.
int gpu_capability();

}  // namespace rafter::lab
