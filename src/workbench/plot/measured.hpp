// The cases of a results file with their rungs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rafter::plot {

struct MeasuredRung {
  std::string name{};
  bool is_peer = false;
  double ns = 0;                   ///< the median; 0 if not verified
  double low_ns = 0, high_ns = 0;  ///< the median's 95 % interval
  double bytes_moved = 0;          ///< counted on the executor; 0: not counted
  double used = 0;                 ///< the part of these bytes that threads asked for
  double estimate_ns = 0;          ///< the model's estimate; not a time
  std::string idea{};
  std::string status{};  ///< "verified", "WRONG", ...
  std::string detail{};  ///< the comparison, or the reason for the status
};

struct MeasuredCase {
  std::string workload{};
  std::string params{};  ///< "dtype=float32 n=2^20"
  std::string device{};
  std::string regime{};
  double floor_ns = 0;
  std::string floor_limit{};          ///< the limiting resource: "memory"
  double bytes = 0;                   ///< least bytes read and written
  std::string unit{};                 ///< the unit with most operations, "fp32"; empty: no operations
  double operations = 0;              ///< operations of that unit
  std::string estimate_gpu{};         ///< the GPU of the estimates: "H200"
  std::vector<MeasuredRung> rungs{};  ///< ladder order, followed by the peers

  bool is_timed() const;
  bool is_counted() const;  ///< has counts of the executor and no times
};

enum class Untimed { left_out, kept };

/// Returns the cases. `Untimed::kept` includes cases without times, which the executor only checked. Throws Error
/// (bad_argument) if none is left.
std::vector<MeasuredCase> cases_of(const nlohmann::json& results, Untimed untimed = Untimed::left_out);

/// Returns the machine's roofs in bytes read per second, and in operations of a unit per second; 0 if unknown.
double read_roof(const nlohmann::json& results);
double operation_roof(const nlohmann::json& results, const std::string& unit);

}  // namespace rafter::plot
