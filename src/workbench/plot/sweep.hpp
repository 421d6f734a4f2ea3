// A sweep in results: the times of a workload's rungs over the values of one parameter.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rafter::plot {

/// A rung or a peer.
struct Curve {
  enum class Kind { rung, peer };
  std::string name{};
  Kind kind = Kind::rung;
  std::vector<double> ns{};  ///< the median at each value; NaN if not verified
};

struct SweepValue {
  double at = 0;       ///< the number, or the index of a word among the values
  std::string text{};  ///< spelling in tables
};

struct Sweep {
  std::string workload{};
  std::string device{};
  std::string regime{};
  std::string parameter{};
  std::string meaning{};              ///< meaning of the parameter; empty if unknown
  std::vector<std::string> others{};  ///< the constant parameters: "dtype=float32"
  bool of_numbers = true;
  std::vector<SweepValue> values{};  ///< numbers in ascending order
  std::vector<double> floors_ns{};   ///< floor at each value
  std::vector<Curve> curves{};       ///< ladder order
};

/// Returns the sweeps over a parameter in results, one for each combination of the others. `parameter` empty: the one
/// given as a list, or the only one with several values. Throws Error (bad_argument) if there is no such parameter or
/// no results.
std::vector<Sweep> sweeps_of(const nlohmann::json& results, const std::string& parameter = "");

/// Returns the machine's name: "NVIDIA H200", or the CPU and its threads.
std::string machine_of(const nlohmann::json& results);

}  // namespace rafter::plot
