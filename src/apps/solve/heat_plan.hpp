// The plan of a heat run: the problem, its length and its output.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/solve/field.hpp"
#include "apps/solve/heat_faces.hpp"
#include "apps/solve/picture.hpp"
#include "apps/solve/probes.hpp"
#include "apps/solve/series.hpp"
#include "rafter/conduction.hpp"

namespace rafter::solve {

struct SeriesPlan {
  std::filesystem::path folder;
  std::int64_t every = 0;  ///< steps; 0: only the first and the last field
  FieldFormat format = FieldFormat::hdf5;
  bool overwrite = false;
};

struct PicturePlan {
  std::filesystem::path path;  ///< the final picture; earlier ones have the step in their name
  std::int64_t every = 0;      ///< steps; 0: only the final picture
  Cut cut;
  std::optional<draw::Range> range;
};

struct CheckpointPlan {
  std::filesystem::path path;
  std::int64_t every_steps = 0;  ///< 0: based on time
  double every_s = 300;
};

/// Checksums of the fields that act on a run, in its precision.
struct MediumNote {
  std::optional<std::uint64_t> diffusivity;
  std::optional<std::uint64_t> source;
  std::string changing_source{};  ///< an expression of the time; or empty
  std::optional<std::uint64_t> capacity{};
  double least_capacity = 1;
};

struct HeatPlan {
  /// The problem with dt resolved. Of a diffusivity in every cell, alpha is the largest; with capacities, the largest
  /// conductivity divided by the least of them.
  HeatProblem problem;
  SolveFaces faces;
  MediumNote medium;
  Precision precision = Precision::float32;
  std::int64_t n_steps = 0;       ///< counted from the initial field, across resumed runs
  std::int64_t report_every = 1;  ///< steps
  std::optional<SeriesPlan> series;
  std::optional<PicturePlan> picture;
  std::optional<CheckpointPlan> checkpoint;
  std::optional<ProbePlan> probes;
  double steady = 0;  ///< the run ends when no cell changes faster than this per time; 0: never
  std::map<std::string, std::string> options;  ///< stored in checkpoints for a resume

  /// Returns the boundary if HeatSolver, which has the fast kernels, can run the plan; nullopt if ConductionSolver
  /// must.
  std::optional<HeatBoundary> plain() const;

  /// Returns how far the stencil reaches, which is the depth of a frozen layer.
  int reach() const { return medium.diffusivity ? problem.order - 1 : problem.radius(); }
  /// Returns the largest time step that is stable.
  double largest_dt() const {
    return medium.diffusivity ? conduction_largest_dt_of_diffusivities(problem, faces)
                              : conduction_largest_dt(problem, faces);
  }

  FieldNote note(std::int64_t step) const {
    return {"temperature", problem.shape, problem.spacing, step, static_cast<double>(step) * problem.dt};
  }
};

/// The fields that act on a run, in its precision.
struct HeatMedium {
  std::optional<Field> diffusivity;
  std::optional<Field> source;
  std::optional<Field> capacity{};
};

/// The start of a run: a field at a step, and the summary of the initial field.
struct HeatStart {
  Field field;
  std::int64_t step = 0;
  std::optional<HeatSummary> first;
  std::optional<std::filesystem::path> checkpoint{};  ///< the file it was read from
  HeatMedium medium{};
};

/// Returns the description of a run at a step for a checkpoint.
nlohmann::json to_json(const HeatPlan& plan, std::int64_t step, const HeatSummary& first);

/// A run read from a checkpoint: its plan (problem, steps and options only) and its start, without the medium. Throws
/// Error (io) for a file that is not a checkpoint of a heat run.
struct ResumedHeat {
  HeatPlan plan;
  HeatStart start;
};
ResumedHeat resume_heat(const std::filesystem::path& checkpoint);

}  // namespace rafter::solve
