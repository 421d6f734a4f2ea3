#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/messages.hpp"
#include "base/terminal.hpp"
#include "cli/run/commands.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::cli {

namespace {

std::vector<const lab::Rung*> matching(const lab::Workload& workload, const ShowOptions& options) {
  std::vector<const lab::Rung*> rungs;
  std::vector<std::string> known;
  for (const lab::Rung& rung : workload.rungs) {
    const Device device = rung.device;
    // The executor's rungs are those of the GPU and are shown only with --device simt.
    if (options.device.empty() ? device == Device::simt : name(device) != options.device) continue;
    known.push_back(rung.name);
    if (options.rung.empty() || rung.name == options.rung) rungs.push_back(&rung);
  }
  if (known.empty()) {
    lab::refuse_device(options.device, {"cpu", "cuda"});
  }
  if (rungs.empty()) {
    throw Error(ErrorCode::bad_argument, base::unknown_name("rung of " + workload.name, options.rung, known));
  }
  return rungs;
}

void print_ideas(const lab::Workload& workload, const std::vector<const lab::Rung*>& rungs,
                 const std::vector<std::string>& loaded) {
  fmt::print("{}", base::wrapped(workload.summary, workload.name + ": ", "  "));
  for (const lab::Rung* rung : rungs) {
    const bool peer = rung->kind == lab::RungKind::peer;
    const std::string indent(8, ' ');
    fmt::print("\n  {:<5} {}{}\n{}{}{}\n", name(rung->device), rung->name, peer ? " (peer)" : "",
               base::wrapped(rung->idea, indent, indent), indent, rung->source_path);
  }
  fmt::print("\nrafter show {} RUNG{} prints its source.\n", workload.name,
             loaded.empty() ? "" : fmt::format(" --load {}", fmt::join(loaded, " --load ")));
}

}  // namespace

int show(const ShowOptions& options, const Catalogue& catalogue) {
  const lab::Workload& workload = lab::workload_called(catalogue.workloads, options.workload);
  const auto rungs = matching(workload, options);
  options.formats.require();
  if (!options.formats.json.empty()) {
    auto all = nlohmann::json::array();
    for (const lab::Rung* rung : rungs) {
      all.push_back({{"name", rung->name},
                     {"device", name(rung->device)},
                     {"idea", rung->idea},
                     {"path", rung->source_path},
                     {"source", lab::source_of(catalogue.sources, *rung)}});
    }
    base::OutputFile(options.formats.json).write(all.dump(2));
  }
  if (!options.formats.csv.empty()) {
    std::string text = base::csv_line({"rung", "device", "kind", "idea", "path"});
    for (const lab::Rung* rung : rungs)
      text += base::csv_line({rung->name, std::string(name(rung->device)),
                              rung->kind == lab::RungKind::peer ? "peer" : "rung", rung->idea, rung->source_path});
    base::OutputFile(options.formats.csv).write(text);
  }
  if (options.formats.take_stdout()) return exit_good;
  if (options.rung.empty()) {
    print_ideas(workload, rungs, options.load);
    return exit_good;
  }
  for (const lab::Rung* rung : rungs) {
    fmt::print("{} {} on {}: {}\n{}\n\n{}", workload.name, rung->name, name(rung->device), rung->idea,
               rung->source_path, lab::source_of(catalogue.sources, *rung));
  }
  return exit_good;
}

}  // namespace rafter::cli
