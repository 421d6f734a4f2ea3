// A results file as something to compare: the rungs that were timed, and the machine they ran on.
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
  std::string detail{};  ///< why not
  double noise = 0;      ///< of the machine while the case was measured
  std::vector<double> samples_ns{};

  /// "sum n=2^27 dtype=float32 on cpu, cold"
  std::string in_case() const;
  bool matches(const TimedRung& other) const;
};

struct Results {
  std::string name{};  ///< of the file
  std::string time{};
  std::string version{};
  std::string cpu{}, isa{}, gpu{}, driver{};
  std::int64_t n_threads = 0;
  std::vector<TimedRung> rungs{};

  bool uses(const char* device) const;
};

/// Of what 'rafter run' wrote, this version or an older one. Throws Error: io when the file cannot be read,
/// bad_argument when it is no such file, truncated, or of a newer format.
Results read_results(const std::filesystem::path& path);
Results parse_results(const nlohmann::json& document, const std::string& name);

/// What the machines of two files differ in, as far as the times in them depend on it: "cpu: A and B". Empty: nothing.
std::vector<std::string> differences(const Results& a, const Results& b);

}  // namespace rafter::compare
