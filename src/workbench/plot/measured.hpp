// The cases in what a results file holds, each with its rungs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rafter::plot {

struct MeasuredRung {
  std::string name{};
  bool is_peer = false;
  double ns = 0;                   ///< its median; 0 where it was not verified
  double low_ns = 0, high_ns = 0;  ///< the median's 95 % interval
  std::string idea{};
  std::string status{};  ///< "verified", "WRONG", ...
  std::string detail{};  ///< how it was verified, or why it was not
};

struct MeasuredCase {
  std::string workload{};
  std::string params{};  ///< "dtype=float32 n=2^20"
  std::string device{};
  std::string regime{};
  double floor_ns = 0;
  std::string floor_limit{};          ///< what binds: "memory"
  double bytes = 0;                   ///< read and written at the least
  std::string unit{};                 ///< what has most of the operations, "fp32"; empty: there are none
  double operations = 0;              ///< of that unit
  std::vector<MeasuredRung> rungs{};  ///< in the ladder's order, then the peers
};

enum class Untimed { left_out, kept };

/// Throws Error (bad_argument) where there are no results, or none that were timed unless others are kept, too: those
/// of the executor, which were only checked.
std::vector<MeasuredCase> cases_of(const nlohmann::json& results, Untimed untimed = Untimed::left_out);

/// What the machine does at most: bytes read a second, and operations of a unit; 0 where that is not known.
double read_roof(const nlohmann::json& results);
double operation_roof(const nlohmann::json& results, const std::string& unit);

}  // namespace rafter::plot
