#include "workbench/lab/machine/machine.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "library/core/cpu/affinity.hpp"
#include "library/core/cpu/isa.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/version.hpp"
#include "workbench/lab/machine/gpu.hpp"

namespace rafter::lab {

namespace {

using nlohmann::json;

// Returns the value of the first "key : value" line of /proc/cpuinfo with this key.
std::string cpuinfo(std::string_view wanted) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(':');
    if (line.starts_with(wanted) && colon != std::string::npos && colon + 2 <= line.size())
      return line.substr(colon + 2);
  }
  return "";
}

// Arm cores report only part numbers.
std::string arm_core_name(const std::string& implementer, const std::string& part) {
  struct Core {
    std::string_view part;
    const char* name;
  };
  static constexpr std::array<Core, 8> arm{{{"0xd08", "Cortex-A72"},
                                            {"0xd0b", "Cortex-A76"},
                                            {"0xd0c", "Neoverse-N1"},
                                            {"0xd40", "Neoverse-V1"},
                                            {"0xd49", "Neoverse-N2"},
                                            {"0xd4f", "Neoverse-V2"},
                                            {"0xd83", "Neoverse-V3"},
                                            {"0xd8e", "Neoverse-N3"}}};
  for (const Core& core : arm) {
    if (implementer == "0x41" && part == core.part) return core.name;
  }
  return fmt::format("implementer {} part {}", implementer, part);
}

std::string cpu_name() {
  if (std::string name = cpuinfo("model name"); !name.empty()) return name;
  if (const std::string part = cpuinfo("CPU part"); !part.empty())
    return arm_core_name(cpuinfo("CPU implementer"), part);
  return "unknown CPU";
}

/// Returns the CPU's name without trade marks, clock rate and the words "CPU" and "Processor".
std::string short_cpu_name() {
  std::string name = cpu_name();
  if (const auto clock = name.find(" @ "); clock != std::string::npos) name.erase(clock);
  for (const std::string_view word : {"(R)", "(TM)", "(r)", "(tm)", " CPU", " Processor"}) {
    for (std::size_t at; (at = name.find(word)) != std::string::npos;) name.erase(at, word.size());
  }
  return name;
}

std::string binary_hash() {
  const auto text = base::read_file("/proc/self/exe");
  if (!text) return "unknown";
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : *text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string describe_device(Device device) {
  if (device == Device::cuda) return gpu_name();
  if (device == Device::simt) return fmt::format("the executor on {}", short_cpu_name());
  const std::string_view level = core::name(core::isa_level());
  return fmt::format("{}, {}", short_cpu_name(), level == "baseline" ? "no optional SIMD instructions" : level);
}

json fingerprint(Device device, int n_threads) {
  utsname os{};
  uname(&os);
  json machine = {
      {"cpu", cpu_name()},
      {"isa", core::name(core::isa_level())},
      {"threads", n_threads},
      {"last_level_cache_bytes", last_level_cache_bytes()},
      {"os", fmt::format("{} {} {}", os.sysname, os.release, os.machine)},
      {"compiler", RAFTER_COMPILER},
      {"flags", RAFTER_FLAGS},
      {"rafter", version},
      {"binary", binary_hash()},
  };
  if (device == Device::cuda) machine["gpu"] = gpu_fingerprint();
  return machine;
}

std::int64_t last_level_cache_bytes() {
  std::int64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    const auto text = base::read_file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
    std::int64_t kib = 0;
    if (text && std::from_chars(text->data(), text->data() + text->size(), kib).ec == std::errc()) {
      largest = std::max(largest, kib * 1024);
    }
  }
  return largest > 0 ? largest : std::int64_t{32} << 20;
}

std::int64_t available_bytes(Device device) { return core::backend(device).available_bytes(); }

void pin_threads(int n_threads) {
  if (n_threads > core::n_usable_cores()) return;
  core::run_parts(n_threads, [](int thread) { core::pin_to_core(thread); });
}

}  // namespace rafter::lab
