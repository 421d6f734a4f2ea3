// The measurements in a journal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbench/journal/entry.hpp"

namespace rafter::journal {

struct StageShare {
  std::string name{};
  double share = 0;  ///< share of the time of a call

  double speedup_without() const { return 1 / (1 - share); }  ///< Amdahl's law
};

struct TimedRung {
  std::string name{};
  bool is_peer = false;
  bool is_verified = false;
  std::string status{}, detail{}, idea{};
  double ns = 0;                   ///< the median, or the estimate; 0 if neither is known
  double low_ns = 0, high_ns = 0;  ///< the median's 95 % interval; both 0 if unknown
  std::vector<StageShare> stages{};
  std::string estimated_for{};  ///< "H200": `ns` is the model's estimate for it, and nothing was timed

  bool is_estimate() const { return !estimated_for.empty(); }
  /// Returns the time as text; "~30.2 us" for an estimate.
  std::string time() const;
  /// Returns half the width of the interval, "± 0.5%", or "" if unknown.
  std::string spread() const;
  std::string exact() const;  ///< "125000 ns, 95 %: 124000 to 126000"
};

struct TimedCase {
  std::string name{};  ///< "heat n=256 order=8 on cpu, cold"
  double floor_ns = 0;
  std::string floor_limit{};
  std::vector<TimedRung> rungs{};

  bool is_estimate() const;  ///< has estimates and no times
  /// Returns the rung of this name, or null if it has no time. In a case without it, the fastest verified rung that is
  /// not a peer, or null.
  const TimedRung* best(const std::string& name = "") const;
};

/// Returns the parts of a results document that an entry stores: everything but samples. Throws Error (bad_argument)
/// for documents that 'rafter run' did not write.
nlohmann::json kept_results(const nlohmann::json& document);

/// Returns the machine's name: "NVIDIA H200", or the CPU and its threads.
std::string machine_of(const nlohmann::json& document);

/// Whether the machine was too busy for reliable times.
bool was_busy(const nlohmann::json& document);

/// Whether a rung with this status in a results file did not pass.
bool is_rejection(const std::string& status);

/// Returns the verdict of the results: wrong if any rung is, otherwise right if any is verified.
Verdict verdict_of(const nlohmann::json& results);

std::vector<TimedCase> cases_of(const Entry& entry);

}  // namespace rafter::journal
