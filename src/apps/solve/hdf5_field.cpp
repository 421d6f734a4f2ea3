#include "apps/solve/hdf5_field.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "apps/solve/hdf5_file.hpp"
#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

using namespace hdf5;

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, fmt::format("'{}' {}", path.string(), complaint));
}

/// Returns the precision of a dataset if it is a field, else nullopt.
std::optional<Precision> precision_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const int n_axes = space ? H5Sget_simple_extent_ndims(space) : 0;
  if (!type || (n_axes != 2 && n_axes != 3) || H5Tget_class(type) != H5T_FLOAT) return std::nullopt;
  const std::size_t bytes = H5Tget_size(type);
  if (bytes != 4 && bytes != 8) return std::nullopt;
  return bytes == 4 ? Precision::float32 : Precision::float64;
}

/// The names of a file's fields of three and of two axes.
struct FoundFields {
  std::vector<std::string> solid;
  std::vector<std::string> flat;
};

herr_t note_field(hid_t file, const char* link, const H5L_info_t*, void* found) {
  const Handle object(H5Oopen(file, link, H5P_DEFAULT), H5Oclose);
  if (object && H5Iget_type(object) == H5I_DATASET && precision_of(object)) {
    const Handle space(H5Dget_space(object), H5Sclose);
    auto& fields = *static_cast<FoundFields*>(found);
    (H5Sget_simple_extent_ndims(space) == 3 ? fields.solid : fields.flat).emplace_back(link);
  }
  return 0;
}

std::string only_field(const fs::path& path, hid_t file) {
  FoundFields fields;
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note_field, &fields);
  const std::vector<std::string>& found = fields.solid.empty() ? fields.flat : fields.solid;
  if (found.empty()) refuse(path, "has no dataset of three or two axes in float32 or float64");
  if (found.size() > 1) {
    refuse(path, fmt::format("has several fields, {}: name one, {}:{}", fmt::join(found, ", "), path.string(),
                             found.front()));
  }
  return found.front();
}

void note(hid_t dataset, const char* name, hid_t type, std::span<const double> numbers) {
  const hsize_t n = numbers.size();
  const Handle space(n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, nullptr), H5Sclose);
  const Handle attribute(H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers.data());
}

/// Adds a second dataset with the cells of a field as a list, a view of the same values.
void add_list(hid_t file, const FieldNote& about, hid_t type, hid_t space) {
  const auto n = static_cast<hsize_t>(about.shape.n_cells());
  const Handle list(H5Screate_simple(1, &n, nullptr), H5Sclose);
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_virtual(how, list, ".", about.quantity.c_str(), space);
  H5Pset_obj_track_times(how, false);
  const Handle dataset(H5Dcreate2(file, list_of(about.quantity).c_str(), type, list, H5P_DEFAULT, how, H5P_DEFAULT),
                       H5Dclose);
  if (!dataset) throw Error(ErrorCode::io, "HDF5 cannot create the list of a field's cells");
}

/// Creates the file without the values and returns their offset.
haddr_t write_frame(const fs::path& path, const FieldNote& about, hid_t type, CellList cells) {
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const std::array<hsize_t, 3> extents{static_cast<hsize_t>(about.shape.nz), static_cast<hsize_t>(about.shape.ny),
                                       static_cast<hsize_t>(about.shape.nx)};
  const Handle space(H5Screate_simple(3, extents.data(), nullptr), H5Sclose);
  Handle dataset = new_dataset(path, file, about.quantity.c_str(), type, space);
  const auto step = static_cast<double>(about.step);
  note(dataset, "step", H5T_STD_I64LE, {&step, 1});
  note(dataset, "time", H5T_IEEE_F64LE, {&about.time, 1});
  note(dataset, "spacing_zyx", H5T_IEEE_F64LE, std::array{about.spacing.z, about.spacing.y, about.spacing.x});
  const haddr_t offset = H5Dget_offset(dataset);
  if (cells == CellList::beside) add_list(file, about, type, space);
  errno = 0;
  if (offset == HADDR_UNDEF || !dataset.close() || !file.close()) fail_frame(path);
  return offset;
}

}  // namespace

std::optional<std::string> why_no_hdf5() { return std::nullopt; }

Field read_hdf5(const fs::path& path, const std::string& wanted) {
  set_up();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) fail_io("read", path, "the file does not exist");
  if (H5Fis_hdf5(path.c_str()) <= 0) refuse(path, "is not an HDF5 file");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) fail_io("read", path, "it is damaged, or another process is writing it");
  const std::string name = wanted.empty() ? only_field(path, file) : wanted;
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) refuse(path, fmt::format("has no dataset '{}'", name));
  const auto precision = precision_of(dataset);
  if (!precision) refuse(path, fmt::format("has '{}', but not with three or two axes in float32 or float64", name));
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, 3> extents{1, 1, 1};
  const bool is_flat = H5Sget_simple_extent_ndims(space) == 2;
  H5Sget_simple_extent_dims(space, extents.data() + (is_flat ? 1 : 0), nullptr);
  std::int64_t n = 1;
  for (const hsize_t extent : extents) {
    if (__builtin_mul_overflow(n, static_cast<std::int64_t>(extent), &n)) refuse(path, "has too many cells");
  }
  Field field = make_field({static_cast<std::int64_t>(extents[0]), static_cast<std::int64_t>(extents[1]),
                            static_cast<std::int64_t>(extents[2])},
                           *precision);
  const hid_t type = *precision == Precision::float32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  constexpr hid_t whole = 0;  // H5S_ALL, without its C-style cast
  const auto status = std::visit(
      [&](auto& values) { return H5Dread(dataset, type, whole, whole, H5P_DEFAULT, values.data()); }, field.values);
  if (status < 0) fail_io("read", path, fmt::format("dataset '{}' is damaged", name));
  return field;
}

template <class T>
void write_hdf5(const fs::path& path, const FieldNote& about, std::span<const T> values, CellList cells) {
  set_up();
  const hid_t type = sizeof(T) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  base::replace_file(path, [&](const fs::path& temporary) {
    require_space(path, temporary, static_cast<std::int64_t>(values.size_bytes()));
    const haddr_t offset = write_frame(temporary, about, type, cells);
    ValuesWriter(path, temporary).write(std::as_bytes(values), static_cast<off_t>(offset));
  });
}

template void write_hdf5(const fs::path&, const FieldNote&, std::span<const float>, CellList);
template void write_hdf5(const fs::path&, const FieldNote&, std::span<const double>, CellList);

}  // namespace rafter::solve
