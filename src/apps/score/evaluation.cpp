#include "apps/score/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/csv.hpp"
#include "base/npy.hpp"
#include "rafter/error.hpp"

namespace rafter::score {

namespace {

template <class T>
std::vector<std::int64_t> values_as(base::NpyFile& file) {
  std::vector<T> stored(static_cast<std::size_t>(file.n_values(sizeof(T))));
  file.read(std::as_writable_bytes(std::span(stored)));
  return {stored.begin(), stored.end()};
}

std::vector<std::int64_t> integers_in(base::NpyFile& file) {
  const std::string& type = file.type();
  if (type == "|b1" || type == "|u1") return values_as<std::uint8_t>(file);
  if (type == "|i1") return values_as<std::int8_t>(file);
  if (type == "<i2") return values_as<std::int16_t>(file);
  if (type == "<u2") return values_as<std::uint16_t>(file);
  if (type == "<i4") return values_as<std::int32_t>(file);
  if (type == "<u4") return values_as<std::uint32_t>(file);
  if (type == "<i8") return values_as<std::int64_t>(file);
  file.refuse(fmt::format("has elements of type '{}'; expected integers, as '<i8': save x.astype('<i8')", type));
}

}  // namespace

std::optional<Detection> detection(std::span<const float> scores, std::span<const std::int64_t> labels) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isfinite(scores[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  Detection found;
  for (const std::size_t i : order) ++(labels[i] == 1 ? found.n_anomalies : found.n_normal);
  if (found.n_anomalies == 0 || found.n_normal == 0) return std::nullopt;
  const auto n_anomalies = static_cast<double>(found.n_anomalies), n_normal = static_cast<double>(found.n_normal);
  double best = -1, pairs_in_order = 0;
  double detected = 0, false_alarms = 0;  // counts from the current score on
  for (std::size_t i = 0; i < order.size();) {
    const float score = scores[order[i]];
    double more_detected = 0, more_false = 0;  // of equal scores
    for (; i < order.size() && scores[order[i]] == score; ++i) ++(labels[order[i]] == 1 ? more_detected : more_false);
    pairs_in_order += more_false * (detected + more_detected / 2);
    detected += more_detected;
    false_alarms += more_false;
    const double difference = detected / n_anomalies - false_alarms / n_normal;
    if (difference <= best) continue;
    best = difference;
    found.threshold = score;
    found.detected = detected / n_anomalies;
    found.false_alarms = false_alarms / n_normal;
  }
  found.auc = pairs_in_order / (n_anomalies * n_normal);
  return found;
}

std::vector<Recording> recordings_of(std::span<const float> scores, std::span<const std::int64_t> ids,
                                     std::span<const std::int64_t> labels) {
  std::map<std::int64_t, Recording> by_id;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i])) continue;
    Recording& recording = by_id[ids[i]];
    recording.highest = recording.n_windows == 0 ? scores[i] : std::max(recording.highest, scores[i]);
    recording.mean += static_cast<double>(scores[i]);
    ++recording.n_windows;
    if (!labels.empty()) recording.label = std::max(recording.label, labels[i]);
  }
  std::vector<Recording> all;
  for (auto& [id, recording] : by_id) {
    recording.id = id;
    recording.mean /= static_cast<double>(recording.n_windows);
    all.push_back(recording);
  }
  return all;
}

std::string to_csv(std::span<const Recording> recordings, bool has_labels, std::span<const std::string> names) {
  std::string text = has_labels ? base::csv_line({"recording", "windows", "mean", "highest", "label"})
                                : base::csv_line({"recording", "windows", "mean", "highest"});
  for (const Recording& r : recordings) {
    const std::string name = names.empty() ? std::to_string(r.id) : names[static_cast<std::size_t>(r.id)];
    text += fmt::format("{},{},{},{}", base::csv_field(name), r.n_windows, r.mean, r.highest);
    text += has_labels ? fmt::format(",{}\n", r.label) : "\n";
  }
  return text;
}

std::vector<std::int64_t> read_integers(const std::string& path, std::int64_t n) {
  base::NpyFile file{std::filesystem::path(path)};
  if (file.shape() != std::vector<std::int64_t>{n}) {
    file.refuse(fmt::format("has the shape {}; expected one number for each of the {} windows, ({},)",
                            base::show_shape(file.shape()), n, n));
  }
  return integers_in(file);
}

std::vector<std::int64_t> read_labels(const std::string& path, std::int64_t n) {
  std::vector<std::int64_t> labels = read_integers(path, n);
  const auto bad =
      std::find_if(labels.begin(), labels.end(), [](std::int64_t label) { return label != 0 && label != 1; });
  if (bad != labels.end()) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' has the label {} for window {}; expected 0 (normal) or 1 (an anomaly)", path, *bad,
                            bad - labels.begin()));
  }
  return labels;
}

}  // namespace rafter::score
