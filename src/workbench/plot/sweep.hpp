// A sweep as results have it: what the rungs of a workload take at values of one of its parameters.
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
  std::vector<double> ns{};  ///< its median at each value; NaN where it has none, because it was not verified
};

struct SweepValue {
  double at = 0;       ///< the number; of words that are none their place among the values
  std::string text{};  ///< as tables show it
};

struct Sweep {
  std::string workload{};
  std::string device{};
  std::string regime{};
  std::string parameter{};
  std::string meaning{};              ///< of the parameter; empty where the results do not say
  std::vector<std::string> others{};  ///< the parameters that stayed: "dtype=float32"
  bool of_numbers = true;
  std::vector<SweepValue> values{};  ///< numbers from small to large
  std::vector<double> floors_ns{};   ///< at each value
  std::vector<Curve> curves{};       ///< in the ladder's order
};

/// The sweeps over a parameter in what a results file holds, one for each combination of everything else. `parameter`
/// empty: the one given as a list, or the only one of which there are several values. Throws Error (bad_argument) where
/// there is none, or no results.
std::vector<Sweep> sweeps_of(const nlohmann::json& results, const std::string& parameter = "");

/// "NVIDIA H200", or the CPU and its threads.
std::string machine_of(const nlohmann::json& results);

}  // namespace rafter::plot
