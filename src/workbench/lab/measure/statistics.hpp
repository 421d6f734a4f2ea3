// What a list of times says.
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

/// All zeros for no samples.
Summary summarize(std::span<const double> samples);

enum class Verdict { faster, slower, same, undecided };
const char* name(Verdict verdict) noexcept;

/// How one implementation stands to another, from rounds in which both were timed.
struct Versus {
  double ratio = 1;         ///< median over the rounds of (other's time / own time): above 1 is faster
  double interval_low = 1;  ///< 99 % interval of that median; the whole range where there are too few
  double interval_high = 1;
  Verdict verdict = Verdict::undecided;
};

/// The fewest rounds that a verdict can rest on.
inline constexpr std::size_t fewest_rounds = 8;

/// `noise` is the machine's own: the relative difference a thing shows against itself. FASTER and SLOWER are said only
/// beyond max(1 %, twice the noise), SAME only when the whole interval lies within that, and that is 5 % at most. What
/// is said holds in 99 of 100 repetitions: rounds that resemble the ones before them, as under load that comes and
/// goes, count for less.
Versus judge(std::span<const double> own, std::span<const double> other, double noise);

/// The same from times that were not measured in turns, in two runs: the interval is as wide as those of both medians
/// make it.
Versus judge_apart(std::span<const double> own, std::span<const double> other, double noise);

/// Whether the machine is too noisy for small differences: twice the noise is more than SAME allows.
bool is_too_noisy(double noise);

/// The A/A noise from the paired times of one implementation timed as if it were two.
double noise_of(std::span<const double> once, std::span<const double> again);

}  // namespace rafter::lab
