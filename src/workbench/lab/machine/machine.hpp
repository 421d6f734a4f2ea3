// What this machine is: recorded with every result.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rafter/device.hpp"

namespace rafter::lab {

/// "Neoverse-V1, baseline" or "NVIDIA H200, driver 580.65": names the hardware that sets the roofs.
std::string describe_device(Device device);

/// Everything about the machine that could move a number: CPU, ISA, threads, compiler, flags, the binary's hash, and
/// for a GPU its driver, clocks, power cap, ECC, other processes and throttle reasons.
nlohmann::json fingerprint(Device device, int n_threads);

std::int64_t last_level_cache_bytes();

/// Bytes of memory that can still be had on a device.
std::int64_t available_bytes(Device device);

/// Ties each OpenMP thread to its own core, so that a thread and the memory it touched first stay together.
void pin_threads(int n_threads);

}  // namespace rafter::lab
