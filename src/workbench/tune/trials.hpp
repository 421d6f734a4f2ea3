// Trials of combinations: compiled, verified in child processes and, if the search asks, timed or counted briefly.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "workbench/bench/job.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/tune/cache.hpp"
#include "workbench/tune/kernel.hpp"

namespace rafter::tune {

/// The trials of one search, in the order in which they were made.
class Trials {
 public:
  /// `scratch` is a folder for what is compiled. A cache may be null.
  Trials(const KernelTuningPlan& plan, std::filesystem::path scratch, TrialCache* cache);

  const std::vector<Trial>& all() const { return trials_; }
  std::vector<Trial>& all() { return trials_; }

  /// Compiles and verifies points that were not tried yet.
  void try_all(const std::vector<Point>& points);

  /// Takes trials from the cache; compiles and verifies the others in portions, times or counts them briefly, and adds
  /// each portion to the cache. Returns the time or the estimate of each point, infinity if it is not right.
  std::vector<double> sample(const std::vector<Point>& points);

  /// Returns the n right trials with the smallest values, the best first. Those of the cache are compiled and verified
  /// again, and others take the place of those that are not right any more.
  std::vector<Point> best(std::size_t n);

  /// A job with the right ones of these points.
  bench::Job job_of(const std::vector<Point>& points) const;

  /// Starts the child of a job and discards its output. Returns whether it was stopped.
  bool start(const bench::Job& job) const;

  /// Adds the times or counts that a child left in the job's results file. Returns the winner that it named, or
  /// nothing.
  std::string read_results(const bench::Job& job);

  /// Adds the trials of these points to the cache, if there is one.
  void keep(const std::vector<Point>& points) const;

  std::size_t n_from_cache() const;
  std::size_t n_right() const;
  /// The trial of a point that was tried.
  Trial& of(const Point& point);
  const Trial& of(const Point& point) const;

 private:
  void build(const std::vector<Point>& points);
  void verify(const std::vector<Point>& points);

  const KernelTuningPlan& plan_;
  std::filesystem::path scratch_;
  TrialCache* cache_;
  std::vector<Trial> trials_{};
  std::map<Point, std::size_t> index_{};
  std::map<Point, std::filesystem::path> libraries_{};
  std::size_t n_built_ = 0;
};

/// The time of a trial, or its estimate; infinity without either.
double value_of(const Trial& trial);

}  // namespace rafter::tune
