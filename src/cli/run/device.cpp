#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/concurrent_runs.hpp"
#include "base/csv.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/run/commands.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;

json examine(Device device, const DeviceOptions& options) {
  if (device == Device::simt)  // its times mean nothing, so it has no roofs
    return {{"device", name(device)}, {"available", true}, {"description", lab::describe_device(device)}};
  if (const auto reason = why_unavailable(device))
    return {{"device", name(device)}, {"available", false}, {"reason", *reason}};
  const Stream stream = lab::make_stream(device, options.n_threads);
  base::ProgressLine progress;
  progress.show(fmt::format("measuring the roofs of {}", name(device)), 0);
  const auto source = options.remeasure ? lab::RoofSource::remeasure : lab::RoofSource::cached;
  lab::RunRoofs roofs(lab::make_roof_meter(stream), {.source = source});
  roofs.begin();
  const auto news = roofs.take_messages();
  for (const lab::Unit unit : lab::all_units) roofs.require(unit);
  return {{"device", name(device)},
          {"available", true},
          {"description", lab::describe_device(device)},
          {"threads", stream.n_threads()},
          {"free_bytes", lab::available_bytes(device)},
          {"roofs", lab::to_json(roofs.now())},
          {"news", news},
          {"machine", lab::fingerprint(device, stream.n_threads())}};
}

std::string show_size(double bytes) {
  constexpr double kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;
  if (bytes < mib) return fmt::format("{:.0f} KiB", bytes / kib);
  return bytes < gib ? fmt::format("{:.0f} MiB", bytes / mib) : fmt::format("{:.0f} GiB", bytes / gib);
}

/// Prints a column for each working set, in several blocks on a narrow terminal.
void print_bandwidth(const json& bandwidth) {
  constexpr std::size_t name_width = 27, column = 8;
  const json& sizes = bandwidth["sizes_bytes"];
  const std::size_t n_in_line = (static_cast<std::size_t>(base::output_columns()) - name_width) / column;
  for (std::size_t from = 0; from < sizes.size(); from += n_in_line) {
    const std::size_t end = std::min(sizes.size(), from + n_in_line);
    fmt::print("       {:<20}", "GB/s by working set");
    for (std::size_t i = from; i < end; ++i) fmt::print("{:>8}", show_size(sizes[i].get<double>()));
    for (const lab::Traffic& traffic : lab::all_traffics) {
      fmt::print("\n         {:<18}", traffic.name);
      const json& rates = bandwidth["bytes_per_s"][traffic.name];
      for (std::size_t i = from; i < end; ++i) fmt::print("{:>8.3g}", 1e-9 * rates[i].get<double>());
    }
    fmt::print("\n");
  }
}

void print_roofs(const json& roofs, const char* empty_launch) {
  print_bandwidth(roofs["bandwidth"]);
  fmt::print("       caches {}   {} {}\n", base::show_rate(roofs["cache_bytes_per_s"].get<double>(), "B/s"),
             empty_launch, base::show_time(roofs["launch_ns"].get<double>()));
  std::string units;
  for (const auto& [unit, rate] : roofs["operations_per_s"].items()) {
    const bool is_special = unit == name(lab::Unit::special);
    units += fmt::format("{}{} {}", units.empty() ? "" : ", ", unit,
                         base::show_rate(rate.get<double>(), is_special ? "op/s" : "FLOP/s"));
  }
  fmt::print("{}", base::wrapped(units, "       ", "       "));
}

void print_device(const json& d) {
  const auto device = d["device"].get<std::string>();
  if (!d["available"].get<bool>()) {
    fmt::print("{}", base::wrapped("not available: " + d["reason"].get<std::string>(), fmt::format("{:<6} ", device),
                                   std::string(7, ' ')));
    return;
  }
  if (!d.contains("roofs")) {
    fmt::print("{:<6} {}: checks and counts, no times\n", device, d["description"].get<std::string>());
    return;
  }
  fmt::print("{:<6} {}", device, d["description"].get<std::string>());
  if (device == "cpu") fmt::print(", {} threads", d["threads"].get<int>());
  fmt::print(", {} free\n", base::show_bytes(d["free_bytes"].get<double>()));
  print_roofs(d["roofs"], device == "cpu" ? "empty call" : "empty kernel");
  for (const json& sentence : d["news"])
    fmt::print("{}", base::wrapped(sentence.get<std::string>(), "       ", "       "));
}

/// Returns a line for each number: bandwidth by traffic and working set, arithmetic by unit, caches, an empty launch.
std::string roofs_csv(const json& d) {
  const auto device = d["device"].get<std::string>();
  if (!d.contains("roofs")) return "";
  const json& roofs = d["roofs"];
  const auto line = [&](const std::string& roof, const std::string& bytes, double value, const char* unit) {
    return base::csv_line({device, roof, bytes, fmt::format("{}", value), unit});
  };
  std::string text;
  const json& sizes = roofs["bandwidth"]["sizes_bytes"];
  for (const lab::Traffic& traffic : lab::all_traffics) {
    const json& rates = roofs["bandwidth"]["bytes_per_s"][traffic.name];
    for (std::size_t i = 0; i < sizes.size(); ++i)
      text += line(traffic.name, fmt::format("{}", sizes[i].get<double>()), rates[i].get<double>(), "B/s");
  }
  for (const auto& [unit, rate] : roofs["operations_per_s"].items()) text += line(unit, "", rate.get<double>(), "op/s");
  text += line("caches", "", roofs["cache_bytes_per_s"].get<double>(), "B/s");
  return text + line("launch", "", roofs["launch_ns"].get<double>(), "ns");
}

}  // namespace

int device(const DeviceOptions& options) {
  options.formats.require();
  base::ConcurrentRuns concurrent_runs("device");
  concurrent_runs.report();
  json devices = json::array();
  for (const Device device : {Device::cpu, Device::cuda, Device::simt}) {
    devices.push_back(examine(device, options));
    if (!options.formats.take_stdout()) print_device(devices.back());
  }
  if (!options.formats.csv.empty()) {
    std::string text = base::csv_line({"device", "roof", "working_set_bytes", "value", "unit"});
    for (const json& d : devices) text += roofs_csv(d);
    base::OutputFile(options.formats.csv).write(text);
  }
  base::OutputFile(options.formats.json).write(devices.dump(2));
  return exit_good;
}

}  // namespace rafter::cli
