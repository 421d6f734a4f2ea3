#include "apps/solve/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "apps/solve/hdf5_field.hpp"
#include "base/files.hpp"
#include "base/npy.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;

/// Returns the step of NAME_00000100.h5, of any format, including leftover temporary files.
std::optional<std::int64_t> step_of(const std::string& file, const std::string& series) {
  if (!file.starts_with(series + "_")) return std::nullopt;
  const char* begin = file.data() + series.size() + 1;
  const char* end = file.data() + file.size();
  std::int64_t step = 0;
  const auto [after, status] = std::from_chars(begin, end, step);
  const std::string_view rest(after, static_cast<std::size_t>(end - after));
  if (status != std::errc() || after - begin < 8) return std::nullopt;
  if (!rest.starts_with(ending(FieldFormat::hdf5)) && !rest.starts_with(ending(FieldFormat::npy))) return std::nullopt;
  return step;
}

std::map<fs::path, std::int64_t> files_of(const fs::path& folder, const std::string& series) {
  std::map<fs::path, std::int64_t> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (const auto step = step_of(entry.path().filename().string(), series)) files[entry.path()] = *step;
  }
  return files;
}

bool is_partial(const fs::path& path) { return path.filename().string().find(".partial-") != std::string::npos; }

}  // namespace

Series::Series(Setup setup, Start start, std::int64_t step) : setup_(std::move(setup)) {
  if (setup_.format != FieldFormat::npy) {
    if (const auto reason = why_no_hdf5()) throw Error(ErrorCode::unsupported, *reason);
  }
  std::error_code error;
  if (fs::exists(setup_.folder, error) && !fs::is_directory(setup_.folder, error)) {
    throw Error(ErrorCode::io, fmt::format("'{}' is not a folder", setup_.folder.string()));
  }
  const auto there = files_of(setup_.folder, setup_.name);
  if (start == Start::fresh && (!there.empty() || fs::exists(index(), error))) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' has the fields of another run: name another folder, or use --overwrite",
                            setup_.folder.string()));
  }
  base::require_writable(index());
  for (const auto& [path, of_step] : there) {
    if (start == Start::overwrite || is_partial(path)) fs::remove(path, error);
  }
  base::remove_partial_files(index());
  if (start == Start::overwrite) {
    fs::remove(index(), error);
    fs::remove(mesh("xdmf"), error);
  }
  if (setup_.format == FieldFormat::mesh) write_hdf5_mesh(mesh("h5"), setup_.note.shape, setup_.note.spacing);
  if (start == Start::go_on) keep_until(step);
}

std::string Series::file_name(std::int64_t step) const {
  return fmt::format("{}_{:08}{}", setup_.name, step, ending(setup_.format));
}

void Series::keep_until(std::int64_t step) {
  for (const auto& [path, of_step] : files_of(setup_.folder, setup_.name)) {
    if (of_step > step || path.filename() != file_name(of_step)) continue;
    entries_[of_step] = {static_cast<double>(of_step) * setup_.dt, file_name(of_step)};
  }
}

template <class T>
void Series::add(std::int64_t step, std::span<const T> values) {
  FieldNote note = setup_.note;
  note.step = step;
  note.time = static_cast<double>(step) * setup_.dt;
  const fs::path path = setup_.folder / file_name(step);
  if (setup_.format != FieldFormat::npy) {
    write_hdf5(path, note, values, setup_.format == FieldFormat::mesh ? CellList::beside : CellList::none);
  } else {
    base::write_npy(path, {note.shape.nz, note.shape.ny, note.shape.nx}, values);
  }
  entries_[step] = {note.time, file_name(step)};
  write_index();
}

void Series::write_index() const {
  std::vector<XdmfEntry> entries;
  for (const auto& [step, entry] : entries_) entries.push_back(entry);
  base::write_file(index(), xdmf_text(setup_.note, setup_.precision, setup_.format, entries));
  if (setup_.format != FieldFormat::mesh) return;
  base::write_file(mesh("xdmf"),
                   xdmf_mesh_text(setup_.note, setup_.precision, mesh("h5").filename().string(), entries));
}

std::int64_t field_file_bytes(const GridShape& shape, Precision precision) {
  constexpr std::int64_t around = 8192;  // the file's structure and its line of the index
  return shape.n_cells() * bytes_of(precision) + around;
}

template void Series::add(std::int64_t, std::span<const float>);
template void Series::add(std::int64_t, std::span<const double>);

}  // namespace rafter::solve
