#include "apps/solve/probes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "apps/solve/option_values.hpp"
#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;

std::string heading_of(const ProbePlan& plan) {
  std::string line = "step,time";
  for (const CellValue& cell : plan.cells) line += fmt::format(",z{}_y{}_x{}", cell.z, cell.y, cell.x);
  return line + "\n";
}

}  // namespace

std::vector<CellValue> parse_probes(const std::string& text, const GridShape& shape) {
  std::vector<CellValue> cells;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::vector<std::int64_t> at;
    std::istringstream parts(word);
    for (std::string part; std::getline(parts, part, ',');) at.push_back(parse_count("--probe", part, 0));
    if (at.size() == 2 && shape.nz == 1) at.insert(at.begin(), 0);
    if (at.size() != 3)
      refuse(fmt::format("--probe takes cells Z,Y,X{}, not '{}'", shape.nz == 1 ? " or Y,X" : "", word));
    if (at[0] >= shape.nz || at[1] >= shape.ny || at[2] >= shape.nx)
      refuse(fmt::format("--probe {} is outside of the grid of {} cells, counted from 0", word, show_shape(shape)));
    cells.push_back({at[0], at[1], at[2], 0});
  }
  return cells;
}

ProbeFile::ProbeFile(const ProbePlan& plan, std::int64_t from) : plan_(plan) {
  std::error_code error;
  const bool exists = fs::exists(plan.path, error);
  if (from == 0 && exists && !plan.overwrite)
    refuse(fmt::format("'{}' exists already: name another --probe-file, or give --overwrite", plan.path.string()));
  std::string kept = heading_of(plan);
  if (from > 0 && exists) {
    std::istringstream lines(base::read_file(plan.path).value_or(""));
    std::string line;
    std::getline(lines, line);
    if (line + "\n" != kept)
      refuse(fmt::format("'{}' is not of this run: its first line is not '{}'", plan.path.string(),
                         kept.substr(0, kept.size() - 1)));
    while (std::getline(lines, line)) {
      std::int64_t step = -1;
      std::from_chars(line.data(), line.data() + line.size(), step);
      if (step < 0 || step > from || lines.eof()) break;  // later steps come again; a line without its end was cut
      kept += line + "\n";
      last_step_ = step;
    }
  }
  base::write_file(plan.path, kept);
  file_.open(plan.path, std::ios::app);
}

void ProbeFile::append(const std::string& line) {
  file_ << line << std::flush;
  if (!file_) throw Error(ErrorCode::io, fmt::format("cannot write '{}'", plan_.path.string()));
}

template <class T>
void ProbeFile::add(std::int64_t step, double time, const GridShape& shape, std::span<const T> field) {
  if (step <= last_step_) return;
  last_step_ = step;
  std::string line = fmt::format("{},{}", step, time);
  for (const CellValue& cell : plan_.cells) {
    const std::int64_t i = (cell.z * shape.ny + cell.y) * shape.nx + cell.x;
    line += fmt::format(",{}", field[static_cast<std::size_t>(i)]);
  }
  append(line + "\n");
}

template void ProbeFile::add(std::int64_t, double, const GridShape&, std::span<const float>);
template void ProbeFile::add(std::int64_t, double, const GridShape&, std::span<const double>);

}  // namespace rafter::solve
