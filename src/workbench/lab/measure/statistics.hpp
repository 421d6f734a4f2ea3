// Statistics of lists of times.
#pragma once

#include <cstddef>
#include <span>

namespace rafter::lab {

struct Summary {
  std::size_t n = 0;
  double minimum = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double interval_low = 0;  ///< 95 % interval of the median, from order statistics; the whole range below 6 samples
  double interval_high = 0;

  /// Half the width of the interval over the median.
  double uncertainty() const { return median > 0 ? (interval_high - interval_low) / (2 * median) : 0; }
};

/// Summarises the samples; all zeros without samples.
Summary summarize(std::span<const double> samples);

enum class Verdict { faster, slower, same, undecided };
const char* name(Verdict verdict) noexcept;

/// The comparison of two implementations, from rounds in which both were timed.
struct Versus {
  double ratio = 1;         ///< median over the rounds of (other's time / own time): above 1 is faster
  double interval_low = 1;  ///< 99 % interval of that median; the whole range if there are too few rounds
  double interval_high = 1;
  Verdict verdict = Verdict::undecided;
};

/// The fewest rounds that a verdict can be based on.
inline constexpr std::size_t fewest_rounds = 8;

/// Compares two implementations. `noise` is the machine's noise: the relative difference that an implementation shows
/// when compared with itself. The verdict is FASTER or SLOWER only beyond max(1 %, twice the noise), and SAME only if
/// the whole interval is within that margin, which must be at most 5 %. A verdict is correct in 99 of 100 repetitions;
/// correlated rounds, as under varying load, count for less.
Versus judge(std::span<const double> own, std::span<const double> other, double noise);

/// Compares times from two separate runs, not interleaved: the interval combines those of both medians.
Versus judge_unpaired(std::span<const double> own, std::span<const double> other, double noise);

/// Whether the machine is too noisy for small differences: twice the noise exceeds the margin of SAME.
bool is_too_noisy(double noise);

/// Returns the A/A noise from the paired times of one implementation that was timed as if it were two.
double noise_of(std::span<const double> once, std::span<const double> again);

}  // namespace rafter::lab
