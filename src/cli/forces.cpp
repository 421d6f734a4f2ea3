// rafter-forces: energies and forces of the molecules in an XYZ file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/forces/computing.hpp"
#include "apps/forces/energy_units.hpp"
#include "apps/forces/model_file.hpp"
#include "base/concurrent_runs.hpp"
#include "base/input_file.hpp"
#include "base/messages.hpp"
#include "base/outputs.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/tool.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::cli {

namespace {

using forces::Arithmetic;
using forces::ForceFieldCheckpoint;
using forces::ForcesOutcome;
using forces::ForcesSummary;
using forces::SkippedFrame;
using nlohmann::json;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::bad_argument, message); }

ForceFieldWeights random_weights(const ForcesOptions& options) {
  std::vector<std::string> known;
  for (const ForceFieldModel model : {ForceFieldModel::student, ForceFieldModel::painn}) {
    known.emplace_back(name(model));
    if (known.back() != options.random_model) continue;
    ForceFieldShape shape{.model = model};
    if (model == ForceFieldModel::painn) shape.readout = {shape.features / 2};
    return random_forcefield_weights(shape, static_cast<std::uint64_t>(options.seed));
  }
  refuse(base::unknown_name("model", options.random_model, known));
}

ForceFieldCheckpoint load_checkpoint(const ForcesOptions& options) {
  if (options.model.empty() == options.random_model.empty())
    refuse("expected one of --model FILE.safetensors and --random-model student or painn");
  if (options.model.empty()) return {.weights = random_weights(options)};
  const std::optional<double> cutoff = options.cutoff > 0 ? std::optional(options.cutoff) : std::nullopt;
  return forces::read_forcefield_checkpoint(options.model, cutoff);
}

/// Returns the unit of the model's energies. An option that contradicts the file is refused.
std::string energy_unit_of(const ForcesOptions& options, const ForceFieldCheckpoint& checkpoint) {
  const std::string& stored = checkpoint.energy_unit;
  if (options.energy_unit.empty()) return stored.empty() ? "eV" : stored;
  if (!stored.empty() && forces::electronvolts_in(stored) != forces::electronvolts_in(options.energy_unit))
    refuse(
        fmt::format("'{}' has energies in {}; --energy-unit cannot be {}", options.model, stored, options.energy_unit));
  return options.energy_unit;
}

forces::ForcesJob parse_job(const ForcesOptions& options, const Stream& stream) {
  if (options.energies_only && options.stress) refuse("--stress needs what --energies-only leaves out");
  forces::ForcesJob job{.batch_atoms =
                            options.batch_atoms > 0 ? options.batch_atoms : forces::usual_batch_atoms(stream)};
  if (options.energies_only) job.results = forces::Results::energies;
  if (options.stress) job.results = forces::Results::forces_and_virials;
  if (options.float64) job.arithmetic = Arithmetic::float64;
  return job;
}

/// One `rafter forces`.
class ForcesCommand {
 public:
  explicit ForcesCommand(const ForcesOptions& options)
      : options_(options),
        device_(lab::choose_device(options.device, {"cpu", "cuda"})),
        stream_(lab::make_stream(device_, options.n_threads)),
        job_(parse_job(options, stream_)),
        input_(options.molecules, base::StopSignals::arrived),
        checkpoint_(load_checkpoint(options)),
        energy_unit_(energy_unit_of(options, checkpoint_)),
        model_(stream_, checkpoint_.weights,
               {options.exact_filters || options.float64 ? ForceFieldFilters::exact : ForceFieldFilters::automatic}),
        reader_([this](std::span<char> bytes) { return input_.read(bytes); }, n_elements()),
        output_(options.json_path),
        out_(base::text_stream_beside({{"--out", options.output}, {"--json", options.json_path}})) {
    base::require_outputs({options.output, output_.file()}, {options.model, options.molecules});
    if (!options.output.empty()) job_.output = options.output;
    job_.scale = {checkpoint_.energy_offsets, forces::electronvolts_in(energy_unit_)};
  }

  int run() {
    concurrent_runs_.report();
    const base::StopSignals signals;
    describe();
    start_ = Clock::now();
    const ForcesOutcome outcome = compute_frames(
        stream_, model_, reader_, job_,
        {.progress = [this](const ForcesSummary& so_far, std::int64_t n_bytes) { show_progress(so_far, n_bytes); },
         .stop = base::StopSignals::arrived});
    progress_.clear();
    if (outcome.stopped) return report_stopped(outcome.summary);
    if (outcome.summary.n_frames() + outcome.summary.n_skipped() == 0)
      refuse(fmt::format("{} holds no frames; expected XYZ: a count, a comment, atoms", input_.name()));
    report(outcome);
    write_json(outcome);
    return conclude(outcome.summary);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The atomic numbers that the model knows are below this.
  std::int64_t n_elements() const {
    const std::vector<double>& offsets = checkpoint_.energy_offsets;
    const std::int64_t n = model_.shape().elements;
    return offsets.empty() ? n : std::min(n, std::ssize(offsets));
  }

  /// The units and what is added to energies.
  void describe_energies() const {
    if (!options_.model.empty()) {
      const bool is_known = !options_.energy_unit.empty() || !checkpoint_.energy_unit.empty();
      fmt::print(out_, "  energies   {}{}\n", energy_unit_,
                 !is_known                                     ? ": the file does not say, see --energy-unit"
                 : forces::electronvolts_in(energy_unit_) != 1 ? " by the model, written in eV"
                                                               : "");
    }
    if (checkpoint_.energy_offsets.empty()) return;
    fmt::print(out_, "  offsets    {}{}{} added, in {}\n", checkpoint_.has_mean ? "the mean per atom" : "",
               checkpoint_.has_mean && checkpoint_.has_atom_references ? " and " : "",
               checkpoint_.has_atom_references ? "the references of atoms" : "", energy_unit_);
  }

  void describe() const {
    const ForceFieldShape& shape = model_.shape();
    const ForceFieldProperties& properties = model_.properties();
    fmt::print(out_, "forcefield on {} ({}", name(device_), lab::describe_device(device_));
    if (device_ == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "), {}\n", dtype());
    const std::string about = fmt::format(
        "{}, {} parameters: features {}, layers {}, radial {} ({}), cutoff {} Angstrom", name(shape.model),
        properties.n_parameters, shape.features, shape.layers, shape.radial, name(shape.basis), shape.cutoff);
    fmt::print(out_, "{}", base::wrapped(about, "  model      ", "             "));
    fmt::print(
        out_, "  weights    {}\n",
        options_.model.empty()
            ? fmt::format("random, seed {}: the results mean nothing", options_.seed)
            : "from " + options_.model + (checkpoint_.is_rounded_from_64 ? ", rounded from float64 to float32" : ""));
    describe_energies();
    fmt::print(out_, "  filters    {}\n",
               are_exact() ? "exact" : fmt::format("tabulated, to {:.1e} of the greatest", properties.table_error));
    fmt::print(out_, "  molecules  from {}\n", options_.molecules == "-" ? input_.name() : options_.molecules);
    std::fflush(out_);
    for (const std::string& warning : properties.warnings) fmt::print(stderr, "rafter: the model is {}\n", warning);
  }

  const char* dtype() const { return job_.arithmetic == Arithmetic::float64 ? "float64" : "float32"; }
  bool are_exact() const { return model_.properties().filters == ForceFieldFilters::exact; }

  void show_progress(const ForcesSummary& so_far, std::int64_t n_bytes) {
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - start_).count();
    std::string what = fmt::format("{} frames, {}", so_far.n_frames(),
                                   base::show_rate(static_cast<double>(so_far.n_frames()) / elapsed_s, " molecules/s"));
    if (so_far.n_skipped() > 0) what += fmt::format(", {} skipped", so_far.n_skipped());
    std::optional<double> share;
    if (input_.n_bytes().value_or(0) > 0) {
      share = static_cast<double>(n_bytes) / static_cast<double>(*input_.n_bytes());
      what += fmt::format(", {} left", base::show_duration(elapsed_s / *share - elapsed_s));
    }
    progress_.show(what, share);
  }

  double molecules_per_s(const ForcesOutcome& outcome) const {
    return static_cast<double>(outcome.summary.n_frames()) / outcome.elapsed_s;
  }

  void report(const ForcesOutcome& outcome) const {
    const ForcesSummary& summary = outcome.summary;
    fmt::print(out_, "\n{} frames, {} atoms in {}, {}\n", summary.n_frames(), summary.n_atoms(),
               base::show_time(outcome.elapsed_s * 1e9), base::show_rate(molecules_per_s(outcome), " molecules/s"));
    if (summary.n_frames() == 0) return;
    fmt::print(out_, "energy   lowest {:.6g} eV (frame {}), highest {:.6g} eV (frame {})\n", summary.lowest().energy,
               summary.lowest().frame, summary.highest().energy, summary.highest().frame);
    if (job_.results != forces::Results::energies)
      fmt::print(out_, "force    largest {:.6g} eV/Angstrom (frame {}, atom {})\n", summary.largest().force,
                 summary.largest().frame, summary.largest().atom + 1);
    if (job_.output) fmt::print(out_, "results  {}\n", options_.output);
  }

  void write_json(const ForcesOutcome& outcome) const {
    const ForcesSummary& summary = outcome.summary;
    const ForceFieldShape& shape = model_.shape();
    const ForceFieldProperties& properties = model_.properties();
    json result{{"machine", lab::fingerprint(device_, stream_.n_threads())},
                {"device", name(device_)},
                {"dtype", dtype()},
                {"filters", are_exact() ? "exact" : "tabulated"},
                {"model",
                 {{"model", name(shape.model)},
                  {"parameters", properties.n_parameters},
                  {"features", shape.features},
                  {"layers", shape.layers},
                  {"radial", shape.radial},
                  {"basis", name(shape.basis)},
                  {"cutoff", shape.cutoff},
                  {"warnings", properties.warnings}}},
                {"energy_unit_of_model", energy_unit_},
                {"has_energy_offsets", !checkpoint_.energy_offsets.empty()},
                {"frames", summary.n_frames()},
                {"atoms", summary.n_atoms()},
                {"n_skipped", summary.n_skipped()},
                {"skipped", json::array()},
                {"batch_atoms", job_.batch_atoms},
                {"elapsed_s", outcome.elapsed_s},
                {"molecules_per_s", molecules_per_s(outcome)}};
    for (const SkippedFrame& skipped : summary.skipped())
      result["skipped"].push_back({{"frame", skipped.index}, {"line", skipped.line}, {"reason", skipped.reason}});
    if (summary.n_frames() > 0) {
      result["lowest_energy"] = {{"frame", summary.lowest().frame}, {"energy", summary.lowest().energy}};
      result["highest_energy"] = {{"frame", summary.highest().frame}, {"energy", summary.highest().energy}};
      if (job_.results != forces::Results::energies)
        result["largest_force"] = {
            {"frame", summary.largest().frame}, {"atom", summary.largest().atom}, {"force", summary.largest().force}};
    }
    output_.write(result.dump(1));
  }

  int conclude(const ForcesSummary& summary) const {
    if (summary.n_skipped() == 0) return exit_good;
    std::fflush(out_);
    fmt::print(stderr, "rafter: {} of {} frames were skipped\n", summary.n_skipped(),
               summary.n_frames() + summary.n_skipped());
    for (const SkippedFrame& skipped : summary.skipped())
      fmt::print(stderr, "        line {}: {} (frame {}, lines {} to {})\n", skipped.line, skipped.reason,
                 skipped.index, skipped.first_line, skipped.last_line);
    const std::int64_t n_others = summary.n_skipped() - std::ssize(summary.skipped());
    if (n_others > 0) fmt::print(stderr, "        and {} more\n", n_others);
    if (summary.n_frames() == 0) fmt::print(stderr, "        no frame is left, and nothing was written\n");
    return exit_no;
  }

  int report_stopped(const ForcesSummary& summary) const {
    fmt::print(stderr, "rafter: stopped by a signal after {} frames; nothing was written\n", summary.n_frames());
    return exit_stopped;
  }

  const ForcesOptions& options_;
  Device device_;
  Stream stream_;
  forces::ForcesJob job_;
  base::InputFile input_;
  ForceFieldCheckpoint checkpoint_;
  std::string energy_unit_;
  ForceField model_;
  forces::XyzReader reader_;
  base::OutputFile output_;
  std::FILE* out_;
  Clock::time_point start_;
  base::ProgressLine progress_;
  base::ConcurrentRuns concurrent_runs_{"forces"};
};

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv, Performer{[](const ForcesOptions& options) { return ForcesCommand(options).run(); }});
}
