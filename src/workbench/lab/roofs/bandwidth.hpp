// Bandwidth as a curve over working-set sizes, for each kind of traffic there is a loop for.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace rafter::lab {

/// A kind of traffic: so many streams in, so many out, all equally long.
struct Traffic {
  int n_in = 0;
  int n_out = 0;
  const char* name = "";

  double write_share() const { return static_cast<double>(n_out) / (n_in + n_out); }
};

constexpr std::size_t n_traffics = 5;
/// By their share of writes, which is how a mix finds its neighbours.
constexpr std::array<Traffic, n_traffics> all_traffics{
    {{1, 0, "read"}, {3, 1, "three in, one out"}, {2, 1, "two in, one out"}, {1, 1, "copy"}, {0, 1, "write"}}};
constexpr std::size_t read_traffic = 0, copy_traffic = 3, write_traffic = 4;

/// Rates in bytes per second, those read plus those written, by kind of traffic and by the bytes that a call moves.
/// A rate of 0 has not been measured.
class Bandwidth {
 public:
  Bandwidth() = default;
  explicit Bandwidth(std::vector<double> sizes);                  ///< ascending
  static Bandwidth flat(double read, double write, double copy);  ///< the same at all sizes

  std::span<const double> sizes() const { return sizes_; }
  double at(std::size_t traffic, std::size_t size) const { return rates_[traffic][size]; }
  double& at(std::size_t traffic, std::size_t size) { return rates_[traffic][size]; }
  double largest(std::size_t traffic) const;  ///< the rate for the largest working set
  double best() const;                        ///< of all
  bool is_complete() const;

  /// The rate for a call that moves `bytes`, a share of them writes. Between sizes it is interpolated over their
  /// logarithms, beyond them it stays. A mix that has a loop has that loop's rate; one between two kinds of traffic
  /// takes the time of doing a part of its bytes by one of the loops next to it and the rest by the other.
  double rate(double bytes, double write_share) const;

  /// Multiplies what rate(bytes, write_share) rests on, and so that rate, by `factor`.
  void scale(double bytes, double write_share, double factor);

  /// Keeps the better of each rate; both have the same sizes.
  void raise_to(const Bandwidth& other);

  bool operator==(const Bandwidth&) const = default;

 private:
  struct Between {  ///< two neighbours, and how far from the first to the second
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
