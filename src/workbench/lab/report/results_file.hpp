// The file that keeps a run's results; whole after every case, so that a run that is killed leaves what it had.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "workbench/lab/measure/report.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"

namespace rafter::lab {

class ResultsFile {
 public:
  /// `path` empty: a file of its own in the results folder; "-": standard output. `swept`: the parameter that was given
  /// as a list, or null. `run`: what was asked for, kept as it is. Throws Error (io) when it could not be written.
  ResultsFile(const std::string& path, Device device, int n_threads, const Parameter* swept = nullptr,
              const nlohmann::json* run = nullptr);

  bool to_stdout() const noexcept;
  const std::filesystem::path& path() const noexcept { return path_; }

  /// As it was at the beginning.
  const nlohmann::json& machine() const noexcept { return *machine_; }

  /// Replaces the file, where there is one to replace; without `roofs` where nothing was timed.
  void keep(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

  /// What the file holds.
  nlohmann::json document(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

  /// The last time: also to a pipe or the standard output, which get everything once.
  void finish(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

 private:
  std::string text(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

  std::filesystem::path path_;
  const Parameter* swept_;
  std::shared_ptr<const nlohmann::json> machine_, run_;
};

}  // namespace rafter::lab
