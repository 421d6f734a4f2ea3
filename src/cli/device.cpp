#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/streams.hpp"
#include "cli/subcommands.hpp"
#include "lab/report/machine.hpp"
#include "lab/report/results.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;

json examine(Device device, const DeviceOptions& options) {
  if (const auto reason = why_unavailable(device))
    return {{"device", name(device)}, {"available", false}, {"reason", *reason}};
  const Stream stream = stream_on(device, options.n_threads);
  if (device == Device::simt) {  // its times mean nothing, so it has no roofs
    return {{"device", name(device)},
            {"available", true},
            {"description", lab::describe_device(device)},
            {"free_bytes", lab::available_bytes(device)}};
  }
  base::ProgressLine progress;
  progress.show(fmt::format("measuring the roofs of {}", name(device)), 0);
  const auto source = options.remeasure ? lab::RoofSource::remeasure : lab::RoofSource::cached;
  return {{"device", name(device)},
          {"available", true},
          {"description", lab::describe_device(device)},
          {"threads", stream.n_threads()},
          {"free_bytes", lab::available_bytes(device)},
          {"roofs", lab::to_json(lab::roofs_of(stream, source))},
          {"machine", lab::fingerprint(device, stream.n_threads())}};
}

void print_device(const json& d) {
  const auto device = d["device"].get<std::string>();
  if (!d["available"].get<bool>()) {
    fmt::print("{:<6} not available: {}\n", device, d["reason"].get<std::string>());
    return;
  }
  if (!d.contains("roofs")) {
    fmt::print("{:<6} {}: checks and counts, no times\n", device, d["description"].get<std::string>());
    return;
  }
  const json& roofs = d["roofs"];
  const auto rate = [&](const char* field, const char* unit) {
    return base::show_rate(roofs[field].get<double>(), unit);
  };
  fmt::print("{:<6} {}", device, d["description"].get<std::string>());
  if (device == "cpu") fmt::print(", {} threads", d["threads"].get<int>());
  fmt::print(", {} free\n", base::show_bytes(d["free_bytes"].get<double>()));
  fmt::print("       read {}   write {}   copy {}\n", rate("read_bytes_per_s", "B/s"), rate("write_bytes_per_s", "B/s"),
             rate("copy_bytes_per_s", "B/s"));
  fmt::print("       float32 fma {}   {} {}\n", rate("fma_flops_per_s", "FLOP/s"),
             device == "cpu" ? "empty call" : "empty kernel", base::show_time(roofs["launch_ns"].get<double>()));
}

}  // namespace

int device(const DeviceOptions& options) {
  json devices = json::array();
  for (const Device device : {Device::cpu, Device::cuda, Device::simt}) {
    devices.push_back(examine(device, options));
    if (!options.json) print_device(devices.back());
  }
  if (options.json) fmt::print("{}\n", devices.dump(2));
  return exit_good;
}

}  // namespace rafter::cli
