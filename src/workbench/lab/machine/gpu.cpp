#include "workbench/lab/machine/gpu.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace rafter::lab {

namespace {

using nlohmann::json;

// NVML is installed with the driver, so it is loaded at run time. These entry points are stable.
class Nvml {
 public:
  static const Nvml& get() {
    static const Nvml nvml;
    return nvml;
  }

  bool present() const noexcept { return device_ != nullptr; }

  unsigned clock_mhz(int kind) const noexcept {
    unsigned mhz = 0;
    return present() && clock_ != nullptr && clock_(device_, kind, &mhz) == 0 ? mhz : 0;
  }
  std::string driver() const {
    char text[96] = "";
    return driver_ != nullptr && driver_(text, sizeof text) == 0 ? text : "unknown";
  }
  json number(const char* entry) const {
    unsigned value = 0;
    const auto call = find<int (*)(void*, unsigned*)>(entry);
    return present() && call != nullptr && call(device_, &value) == 0 ? json(value) : json();
  }
  json throttle_reasons() const {
    unsigned long long reasons = 0;
    const auto call = find<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
    return present() && call != nullptr && call(device_, &reasons) == 0 ? json(fmt::format("{:#x}", reasons)) : json();
  }
  std::optional<double> energy_j() const {
    unsigned long long millijoules = 0;
    const auto call = find<int (*)(void*, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption");
    if (!present() || call == nullptr || call(device_, &millijoules) != 0) return std::nullopt;
    return 1e-3 * static_cast<double>(millijoules);
  }
  json ecc() const {
    int current = 0;
    int pending = 0;
    const auto call = find<int (*)(void*, int*, int*)>("nvmlDeviceGetEccMode");
    return present() && call != nullptr && call(device_, &current, &pending) == 0 ? json(current != 0) : json();
  }
  json n_processes() const {
    unsigned count = 0;
    const auto call = find<int (*)(void*, unsigned*, void*)>("nvmlDeviceGetComputeRunningProcesses_v3");
    const int status = present() && call != nullptr ? call(device_, &count, nullptr) : -1;
    return status == 0 || status == 7 ? json(count) : json();  // 7: insufficient size, because no list was requested
  }

 private:
  Nvml() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    const auto init = find<int (*)()>("nvmlInit_v2");
    const auto by_bus = find<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    clock_ = find<int (*)(void*, int, unsigned*)>("nvmlDeviceGetClockInfo");
    driver_ = find<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
    char bus[32] = "";
    int device = 0;
    if (init == nullptr || by_bus == nullptr || init() != 0 || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess || by_bus(bus, &device_) != 0) {
      device_ = nullptr;
    }
  }

  template <class Function>
  Function find(const char* entry) const {
    Function function = nullptr;
    void* symbol = library_ != nullptr ? dlsym(library_, entry) : nullptr;
    std::memcpy(&function, &symbol, sizeof function);
    return function;
  }

  void* library_ = nullptr;
  void* device_ = nullptr;
  int (*clock_)(void*, int, unsigned*) = nullptr;
  int (*driver_)(char*, unsigned) = nullptr;
};

constexpr int clock_graphics = 0;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;

}  // namespace

std::string gpu_name() {
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return "no usable GPU";
  }
  return fmt::format("{}, driver {}", properties.name, Nvml::get().driver());
}

std::optional<double> gpu_energy_j() { return Nvml::get().energy_j(); }

json gpu_fingerprint() {
  int device = 0;
  int runtime = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) return {};
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  const Nvml& nvml = Nvml::get();
  return {{"name", properties.name},
          {"compute_capability", fmt::format("{}.{}", properties.major, properties.minor)},
          {"multiprocessors", properties.multiProcessorCount},
          {"memory_bytes", properties.totalGlobalMem},
          {"l2_bytes", properties.l2CacheSize},
          {"driver", nvml.driver()},
          {"cuda_runtime", runtime},
          {"clock_graphics_mhz", nvml.clock_mhz(clock_graphics)},
          {"clock_sm_mhz", nvml.clock_mhz(clock_sm)},
          {"clock_memory_mhz", nvml.clock_mhz(clock_memory)},
          {"power_cap_mw", nvml.number("nvmlDeviceGetEnforcedPowerLimit")},
          {"throttle_reasons", nvml.throttle_reasons()},
          {"ecc", nvml.ecc()},
          {"compute_processes", nvml.n_processes()}};
}

unsigned gpu_clock_mhz() noexcept { return Nvml::get().clock_mhz(clock_sm); }

int gpu_capability() {
  int device = 0, major = 0, minor = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
                     cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess;
  return known ? major * 10 + minor : 0;
}

}  // namespace rafter::lab
