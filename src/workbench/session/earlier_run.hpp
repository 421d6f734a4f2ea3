// Interrupted runs and their results files, which contain the request beside the results.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "workbench/lab/measure/report.hpp"
#include "workbench/session/request.hpp"

namespace rafter::session {

/// The part of a results file that describes the request: everything that determines the cases and their times.
nlohmann::json to_json(const RunRequest& request, Device device, std::uint64_t seed, int n_threads,
                       std::size_t n_cases);

/// A run that left a results file.
class EarlierRun {
 public:
  /// Throws Error: io for a file that cannot be read, bad_argument for one that is not a results file, has an unknown
  /// version, or belongs to a run that cannot be resumed.
  explicit EarlierRun(const std::string& path);

  const std::string& path() const { return path_; }

  /// The request of the earlier run. Throws Error (bad_argument) if `now` has options for a new run.
  RunRequest resumed(const RunRequest& now) const;

  /// Throws Error (bad_argument) unless this machine and this program measured the results.
  void require_same(const nlohmann::json& machine) const;

  /// Returns the report of a case that the earlier run finished.
  std::optional<lab::CaseReport> find(const lab::Workload& workload, const lab::Params& params, Device device) const;

 private:
  std::string path_;
  std::shared_ptr<const nlohmann::json> document_;
};

}  // namespace rafter::session
