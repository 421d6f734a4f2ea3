// What was measured, as far as a journal is about it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbench/journal/entry.hpp"

namespace rafter::journal {

struct StageShare {
  std::string name{};
  double share = 0;  ///< of the time of a call

  double speedup_without() const { return 1 / (1 - share); }  ///< Amdahl
};

struct TimedRung {
  std::string name{};
  bool is_peer = false;
  bool is_verified = false;
  std::string status{}, detail{}, idea{};
  double ns = 0;                   ///< the median; 0 where there is none
  double low_ns = 0, high_ns = 0;  ///< the median's 95 % interval; both 0 where it is not known
  std::vector<StageShare> stages{};

  /// "± 0.5%": half the width of the interval; empty where it is not known.
  std::string spread() const;
  std::string exact() const;  ///< "125000 ns, 95 %: 124000 to 126000"
};

struct TimedCase {
  std::string name{};  ///< "heat n=256 order=8 on cpu, cold"
  double floor_ns = 0;
  std::string floor_limit{};
  std::vector<TimedRung> rungs{};

  /// The one of that name, or without a name, or where that has no time, the fastest that is verified and no peer; null
  /// where there is none.
  const TimedRung* best(const std::string& name = "") const;
};

/// Of a results document what an entry keeps: everything but samples. Throws Error (bad_argument) for what 'rafter run'
/// does not write.
nlohmann::json kept_results(const nlohmann::json& document);

/// "NVIDIA H200", or the CPU and its threads.
std::string machine_of(const nlohmann::json& document);

/// Whether the machine was too busy to trust the times.
bool was_busy(const nlohmann::json& document);

/// What the results say: wrong where any rung is, right where any is verified.
Verdict verdict_of(const nlohmann::json& results);

std::vector<TimedCase> cases_of(const Entry& entry);

}  // namespace rafter::journal
