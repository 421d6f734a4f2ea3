// Values of single cells over time, in a CSV file.
#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

struct ProbePlan {
  std::filesystem::path path;      ///< the CSV file
  std::int64_t every = 0;          ///< steps
  std::vector<CellValue> cells{};  ///< their values are not used
  bool overwrite = false;
};

/// Parses "Z,Y,X" cells, "Y,X" ones of a flat grid, separated by blanks. Throws Error (bad_argument) for cells outside
/// of the grid.
std::vector<CellValue> parse_probes(const std::string& text, const GridShape& shape);

/// The file of a run: a line for each step, with the step, the time and the cells' values, written at once.
class ProbeFile {
 public:
  /// Starts the file, or goes on with that of a run until `from`. Throws Error (bad_argument) if the file exists and
  /// belongs to another run, and (io).
  ProbeFile(const ProbePlan& plan, std::int64_t from);

  /// Adds the values of a step, unless the file has them.
  template <class T>
  void add(std::int64_t step, double time, const GridShape& shape, std::span<const T> field);

 private:
  void append(const std::string& line);

  const ProbePlan& plan_;
  std::int64_t last_step_ = -1;
  std::ofstream file_;
};

}  // namespace rafter::solve
