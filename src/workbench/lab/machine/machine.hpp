// Describes the machine; recorded with every result.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rafter/device.hpp"

namespace rafter::lab {

/// Returns the hardware that sets the roofs, such as "Neoverse-V1, baseline" or "NVIDIA H200, driver 580.65".
std::string describe_device(Device device);

/// Returns everything about the machine that could affect a time: CPU, ISA, threads, compiler, flags, the binary's
/// hash, and for a GPU its driver, clocks, power cap, ECC, other processes and throttle reasons.
nlohmann::json fingerprint(Device device, int n_threads);

std::int64_t last_level_cache_bytes();

/// Returns the bytes of memory available on a device.
std::int64_t available_bytes(Device device);

/// Pins each thread of CPU ops to its own core, so that a thread stays near the memory it first touched.
void pin_threads(int n_threads);

}  // namespace rafter::lab
