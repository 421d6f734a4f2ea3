// The results file of a run. It is complete after every case, so that a killed run leaves the results it had.
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
  /// `path`: the file, "" for a new file in the results folder, or "-" for standard output. `swept`: the swept
  /// parameter, or null. `run`: the request, stored as it is. Throws Error (io) if the file cannot be written.
  ResultsFile(const std::string& path, Device device, int n_threads, const Parameter* swept = nullptr,
              const nlohmann::json* run = nullptr);

  /// Records the SHA-256 of the sources that are measured, as they are now.
  void name_sources(std::span<const std::filesystem::path> sources);

  bool to_stdout() const noexcept;
  const std::filesystem::path& path() const noexcept { return path_; }

  /// The machine as it was at the start.
  const nlohmann::json& machine() const noexcept { return *machine_; }

  /// Replaces the file if it can be replaced. `roofs` is null if nothing was timed.
  void keep(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

  /// Returns the contents of the file.
  nlohmann::json document(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

  /// Writes the final results, also to a pipe or standard output, which get everything once.
  void finish(const RunRoofs* roofs, std::span<const CaseReport> reports) const;
  void finish(const nlohmann::json& document) const;

 private:
  std::string text(const RunRoofs* roofs, std::span<const CaseReport> reports) const;

  std::filesystem::path path_;
  const Parameter* swept_;
  std::shared_ptr<const nlohmann::json> machine_, run_, sources_;
};

}  // namespace rafter::lab
