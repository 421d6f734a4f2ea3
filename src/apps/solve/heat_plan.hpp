// Everything that decides a heat run: the problem, how far, and what is written on the way.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/solve/field.hpp"
#include "apps/solve/picture.hpp"
#include "apps/solve/series.hpp"
#include "rafter/conduction.hpp"

namespace rafter::solve {

struct SeriesPlan {
  std::filesystem::path folder;
  std::int64_t every = 0;  ///< steps; 0: the first and the last
  FieldFormat format = FieldFormat::hdf5;
  bool overwrite = false;
};

struct PicturePlan {
  std::filesystem::path path;  ///< of the end; those on the way get the step into their name
  std::int64_t every = 0;      ///< steps; 0: only the end
  Cut cut;
  std::optional<draw::Range> range;
};

struct CheckpointPlan {
  std::filesystem::path path;
  std::int64_t every_steps = 0;  ///< 0: by time
  double every_s = 300;
};

/// Which fields act on a run besides its own: checksums of their values, in its precision.
struct MediumNote {
  std::optional<std::uint64_t> diffusivity;
  std::optional<std::uint64_t> source;
};

struct HeatPlan {
  HeatProblem problem;  ///< with its dt; with a diffusivity in every cell, the largest is its alpha
  HeatFaces faces;
  MediumNote medium;
  Precision precision = Precision::float32;
  std::int64_t n_steps = 0;       ///< from the very beginning, whatever was done before
  std::int64_t report_every = 1;  ///< steps
  std::optional<SeriesPlan> series;
  std::optional<PicturePlan> picture;
  std::optional<CheckpointPlan> checkpoint;
  std::map<std::string, std::string> options;  ///< kept in checkpoints for those who resume

  /// What HeatSolver solves with its fast kernels; nothing when ConductionSolver must.
  std::optional<HeatBoundary> plain() const;

  FieldNote note(std::int64_t step) const {
    return {"temperature", problem.shape, problem.spacing, step, static_cast<double>(step) * problem.dt};
  }
};

/// The fields that act on it, in its precision.
struct HeatMedium {
  std::optional<Field> diffusivity;
  std::optional<Field> source;
};

/// Where a run begins: a field at a step, and how the very first field was.
struct HeatStart {
  Field field;
  std::int64_t step = 0;
  std::optional<HeatSummary> first;
  std::optional<std::filesystem::path> checkpoint{};  ///< the file it came from
  HeatMedium medium{};
};

/// What a checkpoint says about a run at a step.
nlohmann::json to_json(const HeatPlan& plan, std::int64_t step, const HeatSummary& first);

/// The run of a checkpoint: its plan (problem, steps and options alone) and where it begins, without its medium. Throws
/// Error (io) for a file that is none of a heat run.
struct ResumedHeat {
  HeatPlan plan;
  HeatStart start;
};
ResumedHeat resume_heat(const std::filesystem::path& checkpoint);

}  // namespace rafter::solve
