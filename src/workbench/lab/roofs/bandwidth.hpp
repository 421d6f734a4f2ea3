// Bandwidth as a curve over working-set sizes, for each kind of traffic.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace rafter::lab {

/// A kind of traffic: `n_in` input streams and `n_out` output streams of equal length.
struct Traffic {
  int n_in = 0;
  int n_out = 0;
  const char* name = "";

  double write_share() const { return static_cast<double>(n_out) / (n_in + n_out); }
};

constexpr std::size_t n_traffics = 5;
/// All kinds of traffic, sorted by their share of writes, which rates are interpolated over.
constexpr std::array<Traffic, n_traffics> all_traffics{
    {{1, 0, "read"}, {3, 1, "three in, one out"}, {2, 1, "two in, one out"}, {1, 1, "copy"}, {0, 1, "write"}}};
constexpr std::size_t read_traffic = 0, copy_traffic = 3, write_traffic = 4;

/// Rates in bytes per second, read plus written, by kind of traffic and by the bytes that a call moves. A rate of 0 has
/// not been measured.
class Bandwidth {
 public:
  Bandwidth() = default;
  explicit Bandwidth(std::vector<double> sizes);                  ///< ascending sizes
  static Bandwidth flat(double read, double write, double copy);  ///< constant over all sizes

  std::span<const double> sizes() const { return sizes_; }
  double at(std::size_t traffic, std::size_t size) const { return rates_[traffic][size]; }
  double& at(std::size_t traffic, std::size_t size) { return rates_[traffic][size]; }
  double largest(std::size_t traffic) const;  ///< the rate for the largest working set
  double best() const;                        ///< the best of all rates
  bool is_complete() const;

  /// Returns the rate for a call that moves `bytes`, `write_share` of them writes. Rates are interpolated over the
  /// logarithm of the size and constant beyond the measured sizes. A mix between two kinds of traffic is interpolated
  /// between the times of both: part of its bytes move at one rate and the rest at the other.
  double rate(double bytes, double write_share) const;

  /// Takes the larger of each pair of rates; both curves have the same sizes.
  void raise_to(const Bandwidth& other);

  bool operator==(const Bandwidth&) const = default;

 private:
  struct Between {  ///< two adjacent points and the position between them, from 0 to 1
    std::size_t first, second;
    double part;
  };
  Between sizes_around(double bytes) const;
  static Between traffics_around(double write_share);
  double rate_of(std::size_t traffic, const Between& sizes) const;

  std::vector<double> sizes_{};
  std::array<std::vector<double>, n_traffics> rates_{};
};

}  // namespace rafter::lab
