#include "workbench/lab/roofs/bandwidth.hpp"

#include <algorithm>
#include <cmath>

namespace rafter::lab {

Bandwidth::Bandwidth(std::vector<double> sizes) : sizes_(std::move(sizes)) {
  for (auto& rates : rates_) rates.resize(sizes_.size());
}

Bandwidth Bandwidth::flat(double read, double write, double copy) {
  Bandwidth bandwidth({1});
  for (std::size_t t = 0; t < n_traffics; ++t) bandwidth.at(t, 0) = copy;
  bandwidth.at(read_traffic, 0) = read;
  bandwidth.at(write_traffic, 0) = write;
  return bandwidth;
}

double Bandwidth::largest(std::size_t traffic) const { return sizes_.empty() ? 0 : rates_[traffic].back(); }

double Bandwidth::best() const {
  double best = 0;
  for (const auto& rates : rates_) {
    for (const double rate : rates) best = std::max(best, rate);
  }
  return best;
}

bool Bandwidth::is_complete() const {
  return !sizes_.empty() && std::all_of(rates_.begin(), rates_.end(), [](const auto& rates) {
    return std::all_of(rates.begin(), rates.end(), [](double rate) { return rate > 0; });
  });
}

Bandwidth::Between Bandwidth::sizes_around(double bytes) const {
  const std::size_t last = sizes_.size() - 1;
  if (bytes <= sizes_.front()) return {0, 0, 0};
  if (bytes >= sizes_.back()) return {last, last, 0};
  std::size_t above = 1;
  while (sizes_[above] < bytes) ++above;
  const double part = std::log(bytes / sizes_[above - 1]) / std::log(sizes_[above] / sizes_[above - 1]);
  return {above - 1, above, part};
}

double Bandwidth::rate_of(std::size_t traffic, const Between& sizes) const {
  return (1 - sizes.part) * at(traffic, sizes.first) + sizes.part * at(traffic, sizes.second);
}

Bandwidth::Between Bandwidth::traffics_around(double write_share) {
  constexpr double rounding = 1e-9;
  std::size_t above = 0;
  while (all_traffics[above].write_share() < write_share - rounding) ++above;
  const double high = all_traffics[above].write_share();
  if (high <= write_share + rounding) return {above, above, 0};
  const double low = all_traffics[above - 1].write_share();
  return {above - 1, above, (write_share - low) / (high - low)};
}

double Bandwidth::rate(double bytes, double write_share) const {
  const Between sizes = sizes_around(bytes);
  const Between traffics = traffics_around(std::clamp(write_share, 0., 1.));
  return 1 / ((1 - traffics.part) / rate_of(traffics.first, sizes) + traffics.part / rate_of(traffics.second, sizes));
}

void Bandwidth::raise_to(const Bandwidth& other) {
  for (std::size_t t = 0; t < n_traffics; ++t) {
    for (std::size_t s = 0; s < sizes_.size(); ++s) at(t, s) = std::max(at(t, s), other.at(t, s));
  }
}

}  // namespace rafter::lab
