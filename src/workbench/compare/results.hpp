// A results file for comparisons: the timed or counted rungs and the machine they ran on.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rafter::compare {

/// A rung in one case.
struct TimedRung {
  std::string workload{};
  std::string params{};  ///< "n=2^27 dtype=float32"
  std::string device{};
  std::string regime{};
  std::string rung{};
  bool is_verified = false;
  std::string detail{};  ///< the reason if not verified
  double noise = 0;      ///< noise of the machine during the case
  std::vector<double> samples_ns{};
  double bytes_moved = 0;      ///< counted on the executor; 0: not counted
  double estimate_ns = 0;      ///< of the model, for `estimate_gpu`; never compared with a time
  std::string estimate_gpu{};  ///< "H200"

  bool is_counted() const { return is_verified && bytes_moved > 0; }
  /// Returns the case as text: "sum n=2^27 dtype=float32 on cpu, cold".
  std::string in_case() const;
  bool matches(const TimedRung& other) const;
};

struct Results {
  std::string name{};  ///< file name
  std::string time{};
  std::string version{};
  std::string cpu{}, isa{}, gpu{}, driver{};
  std::int64_t n_threads = 0;
  std::vector<TimedRung> rungs{};

  bool uses(const char* device) const;
};

/// Reads results of 'rafter run', of this version or an older one. Throws Error: io if the file cannot be read,
/// bad_argument if it is not a results file, truncated, or of a newer format.
Results read_results(const std::filesystem::path& path);
Results parse_results(const nlohmann::json& document, const std::string& name);

/// Returns the differences between the machines of two files that affect their times: "cpu: A and B".
std::vector<std::string> differences(const Results& a, const Results& b);

}  // namespace rafter::compare
