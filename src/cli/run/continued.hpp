// Runs that were stopped, and go on: what was asked for is in the results file, beside what was measured.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::cli {

/// What a results file keeps of a run's options, so that another can continue it: all that decides about its cases and
/// their times.
nlohmann::json kept_options(const RunOptions& options, Device device, std::uint64_t seed, int n_threads,
                            std::size_t n_cases);

/// A run that left a results file.
class EarlierRun {
 public:
  /// Throws Error: io or bad_argument for a file that is none, is of a newer or older version, or whose run cannot be
  /// continued.
  explicit EarlierRun(const std::string& path);

  const std::string& path() const { return path_; }

  /// Its options, with the outputs and the words of `now`. Throws Error (bad_argument) where `now` has options of its
  /// own: the same run goes on.
  RunOptions options(const RunOptions& now) const;

  /// Throws Error (bad_argument) unless this machine and this program measured it: times of others are another run's.
  void require_same(const nlohmann::json& machine) const;

  /// A case that it finished.
  std::optional<lab::CaseReport> find(const lab::Workload& workload, const lab::Params& params, Device device) const;

 private:
  std::string path_;
  std::shared_ptr<const nlohmann::json> document_;
};

}  // namespace rafter::cli
