// Scores compared with labels, and scores of recordings of many windows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rafter::score {

/// Measures of how well scores separate anomalies (label 1) from normal windows (label 0).
struct Detection {
  std::int64_t n_anomalies = 0, n_normal = 0;
  /// The area under the ROC curve: the probability that an anomaly has a higher score than a normal window. Equal
  /// scores count one half.
  double auc = 0;
  /// The score that separates best, with the greatest difference of the two rates: windows from it on are detected.
  float threshold = 0;
  double detected = 0;      ///< Anomalies from the threshold on, as a fraction.
  double false_alarms = 0;  ///< Normal windows from the threshold on, as a fraction.
};

/// Returns nullopt unless there are both anomalies and normal windows. Scores that are not finite are left out.
std::optional<Detection> detection(std::span<const float> scores, std::span<const std::int64_t> labels);

/// A recording and the scores of its windows.
struct Recording {
  std::int64_t id = 0;
  std::int64_t n_windows = 0;  ///< with finite scores
  double mean = 0;
  float highest = 0;
  std::int64_t label = 0;  ///< 1 if any of its windows has it
};

/// Returns the recordings in the order of their ids, without those that have no finite score. `ids` has that of each
/// window; `labels` is empty or has one for each.
std::vector<Recording> recordings_of(std::span<const float> scores, std::span<const std::int64_t> ids,
                                     std::span<const std::int64_t> labels);

/// The recordings as CSV, with labels on request. `names` is empty or has the name of each id.
std::string to_csv(std::span<const Recording> recordings, bool has_labels, std::span<const std::string> names = {});

/// Reads `n` integers, (N), from a .npy file of integers or booleans. Throws Error (io), and (bad_argument) with what
/// was expected.
std::vector<std::int64_t> read_integers(const std::string& path, std::int64_t n);

/// Reads labels, 0 or 1, likewise.
std::vector<std::int64_t> read_labels(const std::string& path, std::int64_t n);

}  // namespace rafter::score
